import Vocabulary

/// A lexicon made fast to search; built once.
struct LexiconIndex: Sendable {
    /// What a word stands for.
    enum Meaning: Sendable {
        case entry(Int)
        case trap(Int)
        case neutral
    }

    /// What a phrase does to the words around it.
    enum Trigger: Sendable, Hashable {
        case ingredientHeading, legendHeading, listEnd, advice
        case declaration
        case precaution(Int)
        case negation(Int)
        case optionBefore
    }

    let lexicon: AllergenLexicon
    private(set) var words = PhraseIndex<Meaning>()
    private(set) var triggers = PhraseIndex<Trigger>()
    private(set) var menuHeadings = PhraseIndex<Bool>()
    private(set) var additives = PhraseIndex<Bool>()
    private(set) var optionAfter = PhraseIndex<Bool>()
    let functionWords, conjunctions, alternatives: Set<String>
    let negationAfter, negationAfterExceptions, sizes, units: Set<String>
    let compounds: CompoundSplitter
    let fuzzy: FuzzyMatcher

    init(_ lexicon: AllergenLexicon) {
        self.lexicon = lexicon
        func folded(_ words: [String]) -> Set<String> {
            Set(words.flatMap { Folding.spellings(of: $0).compactMap(\.first) })
        }
        functionWords = folded(lexicon.functionWords)
        conjunctions = folded(lexicon.conjunctions)
        alternatives = folded(lexicon.alternatives)
        negationAfter = folded(lexicon.negationAfter)
        negationAfterExceptions = folded(lexicon.negationAfterExceptions)
        sizes = folded(lexicon.sizes)
        units = folded(lexicon.units)
        let endings = lexicon.inflections
        for (index, entry) in lexicon.entries.enumerated() {
            for word in entry.words { words.add(word, endings: endings, payload: .entry(index)) }
        }
        for (index, trap) in lexicon.traps.enumerated() {
            for word in trap.words { words.add(word, endings: endings, payload: .trap(index)) }
        }
        for word in lexicon.neutral { words.add(word, endings: endings, payload: .neutral) }
        words.sort()
        for word in lexicon.headings.ingredients { triggers.add(word, payload: .ingredientHeading) }
        for word in lexicon.headings.legend { triggers.add(word, payload: .legendHeading) }
        for word in lexicon.headings.listEnd { triggers.add(word, payload: .listEnd) }
        for word in lexicon.headings.advice { triggers.add(word, payload: .advice) }
        for word in lexicon.declaration { triggers.add(word, payload: .declaration) }
        for (index, phrase) in lexicon.precaution.enumerated() {
            triggers.add(phrase.open, payload: .precaution(index))
        }
        for (index, phrase) in lexicon.negationBefore.enumerated() {
            triggers.add(phrase.open, payload: .negation(index))
        }
        for word in lexicon.optionBefore { triggers.add(word, payload: .optionBefore) }
        triggers.sort()
        for word in lexicon.headings.menu { menuHeadings.add(word, payload: true) }
        menuHeadings.sort()
        for word in lexicon.additives { additives.add(word, endings: endings, payload: true) }
        additives.sort()
        for word in lexicon.optionAfter { optionAfter.add(word, payload: true) }
        optionAfter.sort()
        compounds = CompoundSplitter(lexicon)
        fuzzy = FuzzyMatcher(words)
    }

    /// True where the word is in the lexicon, alone or as part of a compound.
    func knows(_ word: String) -> Bool {
        if !words.exact(word).isEmpty || functionWords.contains(word) { return true }
        if !additives.exact(word).isEmpty { return true }
        return lexicon.compounds && compounds.explains(word)
    }
}
