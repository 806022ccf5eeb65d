import Vocabulary

/// Words of a text that a lexicon knows, before their context is looked at.
struct Mention: Sendable {
    /// One thing that the words stand for.
    struct Meaning: Sendable, Hashable {
        var allergen: Allergen
        var leaf: String?
        var kind: AllergenLexicon.Kind
        /// P(allergen | dish) for dishes.
        var probability: Double?
    }

    /// How the words were recognised.
    enum Way: String, Sendable { case lexicon, trap, compound, fuzzy }

    var tokens: Range<Int>
    var range: Range<Int>
    /// Empty where the words name a food that is none of the 14.
    var meanings: [Meaning]
    var lexeme: String
    var editDistance: Int
    var language: String
    var way: Way
    /// True for "glutenfrei": the word denies itself.
    var isDenied: Bool
}

/// Finds what the lexicons know in a text; the longest words win, and a trap hides what is inside it.
struct MentionFinder: Sendable {
    /// The language of the text first.
    let lexicons: [LexiconIndex]
    /// Compounds are split in these languages only: "graham" would hold "rahm".
    let compoundLanguages: Set<String>
    /// Whether misread words are looked for.
    var isFuzzy = true

    func mentions(in tokens: [Token]) -> [Mention] {
        var mentions: [Mention] = []
        var index = 0
        while index < tokens.count {
            if let mention = mention(in: tokens, at: index) {
                mentions.append(mention)
                index = mention.tokens.upperBound
            } else {
                index += 1
            }
        }
        return mentions
    }

    private func mention(in tokens: [Token], at index: Int) -> Mention? {
        var best: (length: Int, meanings: [LexiconIndex.Meaning], lexicon: LexiconIndex)?
        for lexicon in lexicons {
            if let found = lexicon.words.longest(in: tokens, at: index), found.length > (best?.length ?? 0) {
                best = (found.length, found.payloads, lexicon)
            }
        }
        if best?.length ?? 0 < 2, index + 1 < tokens.count, tokens[index + 1].isHyphenated {
            let joined = tokens[index].text + tokens[index + 1].text
            for lexicon in lexicons where lexicon.lexicon.compounds {
                let meanings = lexicon.words.exact(joined)
                if !meanings.isEmpty { best = (2, meanings, lexicon) }
            }
        }
        if let best {
            let range = index..<(index + best.length)
            let lexeme = tokens[range].map(\.text).joined(separator: " ")
            let isTrap = best.meanings.contains { if case .trap = $0 { true } else { false } }
            return make(
                tokens, range, resolve(best.meanings, in: best.lexicon), lexeme, best.lexicon, isTrap ? .trap : .lexicon
            )
        }
        return single(tokens, index)
    }

    /// A single word: denied by its ending, a compound, or misread.
    private func single(_ tokens: [Token], _ index: Int) -> Mention? {
        let token = tokens[index]
        guard !token.isNumber, token.text.count >= 5 else { return nil }
        let range = index..<(index + 1)
        for lexicon in lexicons {
            for suffix in lexicon.lexicon.negationSuffixes where token.text.hasSuffix(suffix) {
                let stem = String(token.text.dropLast(suffix.count))
                guard stem.count >= 3 else { continue }
                let meanings = resolve(lexicon.words.exact(stem), in: lexicon)
                let parts =
                    meanings.isEmpty && lexicon.lexicon.compounds ? compound(stem, in: lexicon).meanings : meanings
                if !parts.isEmpty { return make(tokens, range, parts, stem, lexicon, .lexicon, isDenied: true) }
            }
        }
        for lexicon in lexicons where compoundLanguages.contains(lexicon.lexicon.language) {
            let found = compound(token.text, in: lexicon)
            if !found.meanings.isEmpty || found.isMasked {
                return make(tokens, range, found.meanings, found.lexeme, lexicon, .compound)
            }
        }
        guard isFuzzy, !lexicons.contains(where: { $0.knows(token.text) }) else { return nil }
        for lexicon in lexicons {
            if let near = lexicon.fuzzy.nearest(to: token.text) {
                return make(
                    tokens, range, resolve(near.meanings, in: lexicon), near.word, lexicon, .fuzzy,
                    editDistance: near.distance)
            }
        }
        return nil
    }

    private func compound(
        _ word: String, in lexicon: LexiconIndex
    ) -> (meanings: [Mention.Meaning], lexeme: String, isMasked: Bool) {
        let parts = lexicon.compounds.meanings(of: word)
        var meanings: [Mention.Meaning] = []
        // Parts at the same place share their text; a trap among them hides the others.
        var index = 0
        while index < parts.count {
            var group = [parts[index].meaning]
            while index + 1 < parts.count, parts[index + 1].part == parts[index].part {
                index += 1
                group.append(parts[index].meaning)
            }
            meanings += resolve(group, in: lexicon)
            index += 1
        }
        return (meanings, parts.map(\.part).joined(separator: "+"), !parts.isEmpty)
    }

    private func resolve(_ meanings: [LexiconIndex.Meaning], in index: LexiconIndex) -> [Mention.Meaning] {
        var names: [Mention.Meaning] = []
        var isTrap = false
        for case .trap(let trap) in meanings {
            isTrap = true
            names += index.lexicon.traps[trap].names.map {
                .init(allergen: $0.allergen, leaf: $0.leaf, kind: .ingredient)
            }
        }
        if isTrap { return names }
        for case .entry(let entry) in meanings {
            let entry = index.lexicon.entries[entry]
            names.append(
                .init(allergen: entry.allergen, leaf: entry.leaf, kind: entry.kind, probability: entry.probability))
        }
        // What the word is outweighs what a dish of that name usually holds.
        let certain = Set(names.filter { $0.kind != .dish }.map(\.allergen))
        return names.filter { $0.kind != .dish || !certain.contains($0.allergen) }
    }

    private func make(
        _ tokens: [Token], _ range: Range<Int>, _ meanings: [Mention.Meaning], _ lexeme: String,
        _ lexicon: LexiconIndex,
        _ way: Mention.Way, editDistance: Int = 0, isDenied: Bool = false
    ) -> Mention {
        Mention(
            tokens: range,
            range: tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound,
            meanings: meanings, lexeme: lexeme, editDistance: editDistance, language: lexicon.lexicon.language,
            way: way,
            isDenied: isDenied)
    }
}
