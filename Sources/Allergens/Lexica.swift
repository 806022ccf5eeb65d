import Vocabulary

/// Every lexicon, made fast to search; built once.
struct Lexica: Sendable {
    let lexicons: [AllergenLexicon]
    let trie: PhraseTrie
    /// The lexicon that belongs to every language, as a mask; 0 where there is none.
    let everywhere: UInt32
    /// All lexicons as a mask.
    let all: UInt32
    let analyser: WordAnalyser
    let corrector: WordCorrector
    let memo = WordMemo()
    /// Names of substitutes, by lexicon, and words that say vegan, folded.
    let substitutes: [[Substitute]]
    let veganWords: Set<String>

    /// `AllergenLexicon.Substitute`, folded.
    struct Substitute: Sendable {
        var allergen: Allergen
        var words, replaced: Set<String>
    }

    init(_ lexicons: [AllergenLexicon]) {
        self.lexicons = lexicons
        all = (1 << UInt32(lexicons.count)) - 1
        everywhere = lexicons.firstIndex { $0.language == AllergenLexicon.everywhere }.map { 1 << UInt32($0) } ?? 0
        var trie = PhraseTrie()
        for (number, lexicon) in lexicons.enumerated() { Self.add(lexicon, UInt8(number), to: &trie) }
        Self.addInflected(lexicons, to: &trie)
        self.trie = trie
        let fold = { (phrases: [String]) in Set(phrases.map { Folding.words(of: $0).joined(separator: " ") }) }
        substitutes = lexicons.map { lexicon in
            (lexicon.substitutes ?? []).map {
                Substitute(allergen: $0.allergen, words: fold($0.words), replaced: fold($0.replaced))
            }
        }
        veganWords = fold(lexicons.flatMap { $0.veganWords ?? [] })
        analyser = WordAnalyser(lexicons, trie)
        corrector = WordCorrector(lexicons, trie)
    }

    /// Codes of the languages that verdicts can rest on.
    var languages: [String] {
        lexicons.filter { $0.isPartial != true }.map(\.language).filter { $0 != AllergenLexicon.everywhere }
    }

    /// True where a silence in this language means something.
    func isComplete(_ number: Int) -> Bool { lexicons[number].isPartial != true }

    /// The lexicon of a BCP 47 code, `de-AT` included.
    func number(of language: String?) -> Int? {
        guard let code = language?.split(whereSeparator: { "-_".contains($0) }).first?.lowercased() else { return nil }
        if code == "no" || code == "nn" { return self.number(of: "nb") }
        return lexicons.firstIndex { $0.language == code && code != AllergenLexicon.everywhere }
    }

    /// True where the phrase plays the part in any language.
    func has(_ role: Lexeme.Role, _ hit: TextAnalysis.Hit) -> Bool {
        !hit.isCorrected && trie.roles[Int(hit.node)] & role.bit != 0
    }

    /// True where the word alone plays the part in any language.
    func has(_ role: Lexeme.Role, _ word: String) -> Bool { trie.single(word).contains { $0.role == role } }

    /// "rice noodles" of "rice noodle": a form that is a word of its own is not looked at for its base, so that the phrase
    /// would be missed.
    private static func addInflected(_ lexicons: [AllergenLexicon], to trie: inout PhraseTrie) {
        for (number, lexicon) in lexicons.enumerated() {
            func add(_ phrases: [String], _ role: Lexeme.Role, _ index: Int) {
                for phrase in phrases {
                    let words = Folding.words(of: phrase)
                    guard words.count > 1, let last = words.last else { continue }
                    for ending in lexicon.inflections.map(Folding.fold) {
                        guard let id = trie.words[last + ending],
                            trie.aloneLexicons(id) & (1 << UInt32(number)) != 0
                        else { continue }
                        let form = words.dropLast().joined(separator: " ") + " " + last + ending
                        trie.add(form, Lexeme(lexicon: UInt8(number), role: role, index: Int32(index)))
                    }
                }
            }
            for (index, entry) in lexicon.entries.enumerated() { add(entry.words, .entry, index) }
            for (index, trap) in lexicon.traps.enumerated() { add(trap.words, .trap, index) }
        }
    }

    private static func add(_ lexicon: AllergenLexicon, _ number: UInt8, to trie: inout PhraseTrie) {
        func add(_ phrases: [String], _ role: Lexeme.Role) {
            for (index, phrase) in phrases.enumerated() {
                trie.add(phrase, Lexeme(lexicon: number, role: role, index: Int32(index)))
            }
        }
        for (index, entry) in lexicon.entries.enumerated() {
            for word in entry.words { trie.add(word, Lexeme(lexicon: number, role: .entry, index: Int32(index))) }
        }
        for (index, trap) in lexicon.traps.enumerated() {
            for word in trap.words { trie.add(word, Lexeme(lexicon: number, role: .trap, index: Int32(index))) }
        }
        add(lexicon.neutral, .neutral)
        add(lexicon.functionWords, .function)
        add(lexicon.conjunctions, .conjunction)
        add(lexicon.alternatives, .alternative)
        add(lexicon.headings.ingredients, .ingredientHeading)
        add(lexicon.headings.legend, .legendHeading)
        add(lexicon.headings.listEnd, .listEnd)
        add(lexicon.headings.advice, .advice)
        add(lexicon.headings.menu, .menuHeading)
        add(lexicon.declaration, .declaration)
        add(lexicon.precaution.map(\.open), .precaution)
        add(lexicon.negationBefore.map(\.open), .negation)
        add(lexicon.negationAfter, .negationAfter)
        add(lexicon.negationAfterExceptions, .negationAfterException)
        add(lexicon.optionBefore, .optionBefore)
        add(lexicon.optionAfter, .optionAfter)
        add(lexicon.additives, .additive)
        add(lexicon.sizes, .size)
        add(lexicon.units, .unit)
    }
}
