import Core

/// Words of a text that match a lexicon entry, before their context is analysed.
struct Mention: Sendable {
    /// One meaning of the words.
    struct Meaning: Sendable, Hashable {
        var allergen: Allergen
        var leaf: String?
        var kind: AllergenLexicon.Kind
        /// P(allergen | dish); only for dishes.
        var probability: Double?
    }

    /// The method that recognised the words.
    enum Method: String, Sendable { case lexicon, trap, compound, stem, foreign, fuzzy, personal }

    var tokens: Range<Int>
    var range: Range<Int>
    /// Empty if the words name a food without any of the 14 allergens.
    var meanings: [Meaning]
    var lexeme: String
    var editDistance: Int
    var lexicon: Int
    var method: Method
    /// True if the word negates itself, such as "glutenfrei".
    var isDenied: Bool
    /// False if a misread word may have been another one.
    var isSure = true
}

/// Finds lexicon entries in a text. The longest phrase wins, and a trap hides the entries inside it.
struct MentionFinder: Sendable {
    let text: TextAnalysis

    private static let foods =
        Lexeme.Role.entry.bit | Lexeme.Role.trap.bit | Lexeme.Role.neutral.bit | Lexeme.Role.function.bit

    func mentions() -> [Mention] {
        var mentions: [Mention] = []
        var index = 0
        while index < text.tokens.count {
            let (length, mention) = mention(at: index)
            if let mention { mentions.append(mention) }
            // The name of a dish does not hide foods inside it: "battered cod" is usually breaded, and it is fish.
            if let mention, length > 1, !mention.meanings.isEmpty, mention.meanings.allSatisfy({ $0.kind == .dish }) {
                let inner = text.longest(Self.foods, at: index, below: length)
                if let inner, let named = make(index, inner.length, inner.lexemes, .lexicon) { mentions.append(named) }
                index += inner?.length ?? 1
            } else {
                index += max(1, length)
            }
        }
        return mentions
    }

    private func mention(at index: Int) -> (length: Int, mention: Mention?) {
        if let (length, lexemes) = text.longest(Self.foods, at: index) {
            return (length, make(index, length, lexemes, .lexicon))
        }
        if let analysis = text.analyses[index] {
            if let found = part(of: analysis, at: index) { return (1, found) }
        }
        if let found = foreign(at: index) { return (found.tokens.count, found) }
        return misread(at: index).map { ($0.tokens.count, $0) } ?? (1, nil)
    }

    private func part(of analysis: WordAnalysis, at index: Int) -> Mention? {
        let mask = text.active[index]
        func isActive(_ part: WordAnalysis.Parts) -> Bool { mask & (1 << UInt32(part.lexicon)) != 0 }
        if let denial = analysis.denials.first(where: isActive) {
            var mention = make(index, 1, denial.lexemes, .lexicon)
            mention?.isDenied = true
            return mention
        }
        if let stem = analysis.stems.first(where: isActive) { return make(index, 1, stem.lexemes, .stem) }
        if let compound = analysis.compounds.first(where: isActive) {
            return make(index, 1, compound.lexemes, .compound, each: true, lexeme: compound.text)
        }
        return nil
    }

    /// A word of another language, long enough to exclude a chance match.
    private func foreign(at index: Int) -> Mention? {
        guard !text.standsAlone(index, in: text.active[index]) else { return nil }
        // In a poorly recognised text a short foreign word is probably a misread word.
        let least = text.isPoorlyRead ? 6 : 4
        var best: (hit: TextAnalysis.Hit, lexemes: [Lexeme])?
        for hit in text.hits(at: index) where !hit.isCorrected && hit.length > best?.hit.length ?? 0 {
            let lexemes = text.lexiconIndex.trie.lexemes[Int(hit.node)].filter {
                ($0.role == .entry || $0.role == .trap) && hit.lexicons & (1 << UInt32($0.lexicon)) != 0
            }
            if !lexemes.isEmpty, hit.length > 1 || text.tokens[index].text.utf8.count >= least { best = (hit, lexemes) }
        }
        if let best {
            let same = best.lexemes.filter { $0.lexicon == best.lexemes[0].lexicon }
            return make(index, best.hit.length, same, .foreign)
        }
        let analysis = text.analyses[index]
        let part = (analysis?.stems ?? []) + (analysis?.compounds.filter(\.isWhole) ?? [])
        guard text.tokens[index].text.utf8.count >= 6, let found = part.first else { return nil }
        return make(index, 1, found.lexemes, .foreign, each: true)
    }

    private func misread(at index: Int) -> Mention? {
        var best: [TextAnalysis.Hit] = []
        for hit in text.hits(at: index) where hit.isCorrected && hit.length >= best.first?.length ?? 0 {
            let isEntry = text.lexiconIndex.trie.lexemes[Int(hit.node)].contains {
                $0.role == .entry && hit.lexicons & text.active[index] & (1 << UInt32($0.lexicon)) != 0
            }
            let isHarmless = text.lexiconIndex.trie.lexemes[Int(hit.node)].contains {
                $0.role == .neutral || $0.role == .function || $0.role == .trap
            }
            if isEntry, !isHarmless { best = hit.length > best.first?.length ?? 0 ? [hit] : best + [hit] }
        }
        if let first = best.first {
            // "nream" may be cream or bream. Both are reported.
            let lexemes = best.flatMap { hit in
                text.lexiconIndex.trie.lexemes[Int(hit.node)].filter {
                    $0.role == .entry && hit.lexicons & text.active[index] & (1 << UInt32($0.lexicon)) != 0
                }
            }
            var mention = make(index, first.length, lexemes, .fuzzy)
            mention?.editDistance = max(1, Int(first.cost.rounded(.up)))
            mention?.isSure = first.isSure && best.count == 1
            return mention
        }
        guard let correction = text.corrections[index], !correction.parts.isEmpty else { return nil }
        var mention = make(index, 1, correction.parts, .fuzzy, each: true)
        mention?.editDistance = 1
        return mention
    }

    /// - Parameter each: true if every lexeme counts, as for the parts of a compound. Otherwise the lexemes are
    ///   alternatives for one phrase, and a trap among them hides the others.
    private func make(
        _ index: Int, _ length: Int, _ lexemes: [Lexeme], _ method: Mention.Method, each: Bool = false,
        lexeme: String? = nil
    ) -> Mention? {
        guard let lexicon = lexemes.first?.lexicon else {
            return each ? empty(index, length) : nil
        }
        let traps = lexemes.filter { $0.role == .trap }
        let entries = lexemes.filter { $0.role == .entry }
        guard !traps.isEmpty || !entries.isEmpty else { return nil }
        var meanings: [Mention.Meaning] = []
        for trap in traps {
            meanings += text.lexiconIndex.lexicons[Int(trap.lexicon)].traps[Int(trap.index)].names.map {
                .init(allergen: $0.allergen, leaf: $0.leaf, kind: .ingredient)
            }
        }
        if traps.isEmpty || each {
            for entry in entries {
                let entry = text.lexiconIndex.lexicons[Int(entry.lexicon)].entries[Int(entry.index)]
                let meaning = Mention.Meaning(
                    allergen: entry.allergen, leaf: entry.leaf, kind: entry.kind, probability: entry.probability)
                if !meanings.contains(meaning) { meanings.append(meaning) }
            }
        }
        // The word's own meaning outweighs the usual content of a dish with that name.
        let certain = Set(meanings.filter { $0.kind != .dish }.map(\.allergen))
        meanings.removeAll { $0.kind == .dish && certain.contains($0.allergen) }
        var mention = empty(index, length)
        mention.meanings = meanings
        mention.lexicon = Int(lexicon)
        mention.method = traps.isEmpty || each ? method : .trap
        mention.lexeme = lexeme ?? mention.lexeme
        return mention
    }

    private func empty(_ index: Int, _ length: Int) -> Mention {
        let tokens = index..<(index + length)
        return Mention(
            tokens: tokens,
            range: text.tokens[tokens.lowerBound].range
                .lowerBound..<text.tokens[tokens.upperBound - 1].range.upperBound,
            meanings: [], lexeme: text.tokens[tokens].map(\.text).joined(separator: " "), editDistance: 0,
            lexicon: 0, method: .compound, isDenied: false)
    }
}
