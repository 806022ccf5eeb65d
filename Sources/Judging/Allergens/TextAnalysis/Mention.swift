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
        /// True if only a name list says so.
        var isListed = false
    }

    /// The method that recognised the words.
    enum Method: String, Sendable { case lexicon, trap, compound, stem, foreign, fuzzy, personal, joined }

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

    private static let foods = Lexeme.Role.entry.bit | Lexeme.Role.trap.bit
    private static let harmless = Lexeme.Role.neutral.bit | Lexeme.Role.function.bit

    func mentions() -> [Mention] { (phrases() + joined()).sorted { $0.tokens.lowerBound < $1.tokens.lowerBound } }

    /// Words that are in the text in parts: "Erd- und Haselnüsse", "pea⏎nuts". They add to what the parts say.
    private func joined() -> [Mention] {
        let pairs = TornWords(lexiconIndex: text.lexiconIndex, characters: text.characters).pairs(in: text.tokens)
        let shared = SharedParts(text: text).found().map { (tokens: $0.token..<($0.token + 1), word: $0.word) }
        return (pairs.filter { text.lexiconIndex.trie.id(of: $0.word) != nil } + shared).compactMap { tokens, word in
            let lexemes = lexemes(of: word, at: tokens.lowerBound)
            guard let first = lexemes.first else { return nil }
            let mention = make(
                tokens.lowerBound, tokens.count, lexemes.filter { $0.lexicon == first.lexicon }, .joined, lexeme: word)
            // What may be a harmless whole takes nothing from its parts.
            return mention?.meanings.isEmpty == false ? mention : nil
        }
    }

    /// What a word means that is not in the text as such, in the languages of a token.
    private func lexemes(of word: String, at index: Int) -> [Lexeme] {
        let lexiconIndex = text.lexiconIndex
        // A long word of another language is no chance either.
        let languages = word.utf8.count > 4 ? lexiconIndex.all : text.active[index]
        func active(_ lexemes: some Sequence<Lexeme>) -> [Lexeme] {
            let found = lexemes.filter { Self.foods & $0.role.bit != 0 }
            let own = found.filter { text.active[index] & (1 << UInt32($0.lexicon)) != 0 }
            return own.isEmpty ? found.filter { languages & (1 << UInt32($0.lexicon)) != 0 } : own
        }
        let id = lexiconIndex.trie.id(of: word)
        let analysis = lexiconIndex.cache.analysis(of: word, make: lexiconIndex.analyser.analysis)
        let bases = id.map(lexiconIndex.vocabulary.bases) ?? analysis.bases[...]
        let exact =
            active(id.map(lexiconIndex.trie.single) ?? []) + bases.flatMap { active(lexiconIndex.trie.single($0.id)) }
        if !exact.isEmpty { return exact }
        let parts = (analysis.stems + analysis.compounds).filter { text.active[index] & (1 << UInt32($0.lexicon)) != 0 }
        return parts.lazy.map { active($0.lexemes) }.first { !$0.isEmpty } ?? []
    }

    /// Everyday words that are also names of foods: "lieu". They count where `isWhole` holds, and inside no other name:
    /// "fruits à coque".
    func homographs(beside mentions: [Mention]) -> [Mention] {
        let found = text.tokens.indices.compactMap { index -> Mention? in
            guard let (length, lexemes) = text.longest(Lexeme.Role.homograph.bit, at: index) else { return nil }
            return make(index, length, lexemes, .lexicon)
        }
        guard !found.isEmpty else { return [] }
        let named = Set(mentions.filter { $0.tokens.count > 1 }.flatMap(\.tokens))
        return found.filter { !named.contains($0.tokens.lowerBound) }
    }

    /// True if the mention is a whole ingredient of a list: ", lieu 3 %,". In a statement a small word may be before it and
    /// the verb behind it: "kann Spuren von Köhler enthalten".
    func isWhole(_ mention: Mention, isStatement: Bool) -> Bool {
        let (start, end) = (mention.tokens.lowerBound, mention.tokens.upperBound)
        let before = Lexeme.Role.function.bit | Lexeme.Role.handling.bit | Lexeme.Role.precaution.bit
        let starts = isBoundary(start, step: -1) || isStatement && text.longest(before, at: start - 1) != nil
        return starts
            && (isBoundary(end, step: 1) || isStatement && text.punctuation.end(of: start) < end + Self.longestVerb)
    }

    /// The most words behind the last food of a statement: "is feldolgoznak".
    private static let longestVerb = 2

    /// True if an ingredient begins or ends before the token, apart from shares of the ingredient.
    private func isBoundary(_ index: Int, step: Int) -> Bool {
        var index = index
        while text.tokens.indices.contains(index), index > 0 {
            if text.punctuation.hasBreak(before: index) { return true }
            let beside = step < 0 ? index - 1 : index
            if text.longest(Lexeme.Role.conjunction.bit | Lexeme.Role.addition.bit, at: beside) != nil { return true }
            guard text.tokens[beside].isNumber else { return false }
            index += step
        }
        return true
    }

    private func phrases() -> [Mention] {
        var mentions: [Mention] = []
        var index = 0
        while index < text.tokens.count {
            let (length, mention) = mention(at: index)
            if let mention {
                mentions.append(mention)
                // A longer name of another language says what it says too: "torta holandesa" on a page in Spanish.
                if mention.method != .trap, let longer = foreign(at: index), longer.tokens.count > length {
                    mentions.append(longer)
                }
            }
            // The name of a dish or of a list, or a misread one, hides no food inside it: "battered cod" is usually breaded,
            // and it is fish.
            if let mention, length > 1, mention.method != .trap, !mention.meanings.isEmpty,
                mention.method == .fuzzy || mention.meanings.allSatisfy({ $0.kind == .dish || $0.isListed })
            {
                let inner = text.longest(Self.foods, at: index, below: length)
                if let inner, let named = make(index, inner.length, inner.lexemes, .lexicon) { mentions.append(named) }
                if inner == nil, let part = ownPart(at: index) { mentions.append(part) }
                index += inner?.length ?? 1
            } else if let mention, length == 1, mention.method != .trap, !mention.meanings.isEmpty,
                mention.meanings.allSatisfy({ $0.isListed || $0.kind == .dish }), let part = ownPart(at: index)
            {
                mentions.append(part)
                index += 1
            } else {
                index += max(1, length)
            }
        }
        return mentions
    }

    private func mention(at index: Int) -> (length: Int, mention: Mention?) {
        if let (length, lexemes) = text.longest(Self.foods, at: index), length > 1 || !text.isOtherWord(index, lexemes)
        {
            return (length, make(index, length, lexemes, .lexicon))
        }
        // A known harmless word needs no closer look. It hides no word behind it, and no phrase of another language.
        if text.longest(Self.harmless, at: index) != nil {
            let phrase = foreign(at: index).flatMap { $0.tokens.count > 1 ? $0 : nil }
            return (phrase?.tokens.count ?? 1, phrase)
        }
        if let analysis = text.analyses[index] {
            if let found = part(of: analysis, at: index) { return (1, found) }
        }
        // The Spanish "grano" is any grain, and the French "roux" a colour: the text's own language comes first.
        if let found = foreign(at: index), found.tokens.count > 1 || !text.isEveryday(index) {
            return (found.tokens.count, found)
        }
        return misread(at: index).map { ($0.tokens.count, $0) } ?? (1, nil)
    }

    /// What the parts of a compound say that a list has as a whole: "Nudelpfanne" is made of noodles.
    private func ownPart(at index: Int) -> Mention? {
        let lexiconIndex = text.lexiconIndex
        let analysis = lexiconIndex.cache.analysis(of: text.tokens[index].text, make: lexiconIndex.analyser.analysis)
        let found = part(of: analysis, at: index)
        return found?.isDenied == true || found?.meanings.isEmpty == true ? nil : found
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
        let compound = analysis.compounds.first { isActive($0) && ($0.isWhole || !text.isTail($0, at: index)) }
        if let compound {
            return make(index, 1, compound.lexemes, .compound, each: true, lexeme: compound.text)
        }
        return nil
    }

    /// A word of another language, long enough to exclude a chance match.
    private func foreign(at index: Int) -> Mention? {
        let isOwn = text.standsAlone(index, in: text.active[index])
        // In a poorly recognised text a short foreign word is probably a misread word.
        let least = text.isPoorlyRead ? 6 : 4
        // "de volaille" is a dish in Polish, and in French the end of a phrase.
        let isLink = text.has(.function, at: index)
        var best: (hit: TextAnalysis.Hit, lexemes: [Lexeme])?
        for hit in text.hits(at: index)
        where !hit.isCorrected && hit.length > best?.hit.length ?? 0 && (hit.length > 1 ? !isLink : !isOwn) {
            let lexemes = text.lexiconIndex.trie.lexemes(hit.node).filter {
                ($0.role == .entry || $0.role == .trap) && hit.lexicons & (1 << UInt32($0.lexicon)) != 0
            }
            if !lexemes.isEmpty, hit.length > 1 || text.tokens[index].text.utf8.count >= least { best = (hit, lexemes) }
        }
        if let best {
            let same = best.lexemes.filter { $0.lexicon == best.lexemes[0].lexicon }
            return make(index, best.hit.length, same, .foreign)
        }
        if isOwn { return nil }
        let analysis = text.analyses[index]
        let part = (analysis?.stems ?? []) + (analysis?.compounds.filter(\.isWhole) ?? [])
        guard text.tokens[index].text.utf8.count >= 6, let found = part.first else { return nil }
        return make(index, 1, found.lexemes, .foreign, each: true)
    }

    private func misread(at index: Int) -> Mention? {
        var best: [TextAnalysis.Hit] = []
        for hit in text.hits(at: index) where hit.isCorrected && hit.length >= best.first?.length ?? 0 {
            let isEntry = text.lexiconIndex.trie.lexemes(hit.node).contains {
                $0.role == .entry && hit.lexicons & text.active[index] & (1 << UInt32($0.lexicon)) != 0
            }
            let isHarmless = text.lexiconIndex.trie.lexemes(hit.node).contains {
                ($0.role == .neutral || $0.role == .function || $0.role == .trap)
                    && hit.lexicons & text.active[index] & (1 << UInt32($0.lexicon)) != 0
            }
            if isEntry, !isHarmless { best = hit.length > best.first?.length ?? 0 ? [hit] : best + [hit] }
        }
        if let first = best.first {
            // "nream" may be cream or bream. Both are reported.
            let lexemes = best.flatMap { hit in
                text.lexiconIndex.trie.lexemes(hit.node).filter {
                    $0.role == .entry && hit.lexicons & text.active[index] & (1 << UInt32($0.lexicon)) != 0
                }
            }
            var mention = make(index, first.length, lexemes, .fuzzy)
            mention?.editDistance = max(1, Int(first.cost.rounded(.up)))
            // A word and its base are one correction: "rggs" is eggs.
            let words = text.corrections[index].map { text.isPoorlyRead ? $0.wideIds : $0.ids }
            mention?.isSure = first.isSure && (best.count == 1 || words?.count == 1)
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
        let entries = lexemes.filter { $0.role == .entry || $0.role == .homograph }
        guard !traps.isEmpty || !entries.isEmpty else { return nil }
        var meanings: [Mention.Meaning] = []
        for trap in traps {
            meanings += text.lexiconIndex.lexicons[Int(trap.lexicon)].traps[Int(trap.index)].names.map {
                .init(allergen: $0.allergen, leaf: $0.leaf, kind: .ingredient)
            }
        }
        // A trap hides the words of its own language: the English "krab" is no crab, and the Polish one is.
        let everywhere = text.lexiconIndex.everywhere
        let hiding = each ? 0 : traps.reduce(UInt32(0)) { $0 | 1 << UInt32($1.lexicon) }
        if hiding & everywhere == 0 {
            for entry in entries where (hiding == 0 ? 0 : hiding | everywhere) & (1 << UInt32(entry.lexicon)) == 0 {
                let entry = text.lexiconIndex.lexicons[Int(entry.lexicon)].entries[Int(entry.index)]
                let meaning = Mention.Meaning(
                    allergen: entry.allergen, leaf: entry.leaf, kind: entry.kind, probability: entry.probability,
                    isListed: entry.isListed == true)
                if !meanings.contains(meaning) { meanings.append(meaning) }
            }
        }
        // The word's own meaning outweighs the usual content of a dish with that name.
        let certain = Set(meanings.filter { $0.kind != .dish }.map(\.allergen))
        meanings.removeAll { $0.kind == .dish && certain.contains($0.allergen) }
        var mention = empty(index, length)
        mention.meanings = meanings
        mention.lexicon = Int(lexicon)
        mention.method =
            traps.isEmpty || each || !meanings.allSatisfy({ meaning in isTrapped(meaning, traps) }) ? method : .trap
        mention.lexeme = lexeme ?? mention.lexeme
        return mention
    }

    private func isTrapped(_ meaning: Mention.Meaning, _ traps: [Lexeme]) -> Bool {
        traps.contains { trap in
            text.lexiconIndex.lexicons[Int(trap.lexicon)].traps[Int(trap.index)].names.contains {
                $0.allergen == meaning.allergen && $0.leaf == meaning.leaf
            }
        }
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
