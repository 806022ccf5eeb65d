import Core

/// What the lexicons of all languages know of a word.
struct WordKnowledge: Sendable {
    /// True if the lexicons know the word, an inflected form of it, or all parts of the compound.
    var isWhole = false
    /// True if a trap hides words inside it.
    var hasTrap = false
    /// True if the word names an allergen, is a trap, or has at least four letters and is in a lexicon.
    var isTelling = false
    /// Bits of the allergens that it names, and of those that it names as a word or a form of one.
    var allergens: UInt64 = 0
    var named: UInt64 = 0
}

extension LexiconIndex {
    /// Bits of the allergens that a word alone names by entries.
    func named(_ id: Int32) -> UInt64 {
        trie.single(id).reduce(0) { bits, lexeme in
            lexeme.role == .entry ? bits | lexicons[Int(lexeme.lexicon)].entries[Int(lexeme.index)].allergen.bit : bits
        }
    }

    func knowledge(of word: String) -> WordKnowledge {
        var result = WordKnowledge()
        func add(_ lexemes: some Sequence<Lexeme>) {
            for lexeme in lexemes {
                let lexicon = lexicons[Int(lexeme.lexicon)]
                switch lexeme.role {
                case .entry: result.allergens |= lexicon.entries[Int(lexeme.index)].allergen.bit
                case .trap:
                    result.hasTrap = true
                    for name in lexicon.traps[Int(lexeme.index)].names { result.allergens |= name.allergen.bit }
                default: break
                }
            }
        }
        let id = trie.id(of: word)
        if let id {
            add(trie.single(id))
            result.isWhole = trie.aloneLexicons(id) != 0
            result.isTelling = word.utf8.count >= 4
        }
        let analysis = cache.analysis(of: word, make: analyser.analysis)
        for base in id.map(vocabulary.bases) ?? analysis.bases[...] {
            add(trie.single(base.id))
            (result.isWhole, result.isTelling) = (true, result.isTelling || word.utf8.count >= 4)
        }
        result.named = result.allergens
        for part in analysis.denials + analysis.compounds + analysis.stems { add(part.lexemes) }
        result.isWhole = result.isWhole || !analysis.denials.isEmpty || analysis.compounds.contains(where: \.isWhole)
        if word.utf8.count >= 3, result.allergens != 0 || result.hasTrap { result.isTelling = true }
        return result
    }
}
