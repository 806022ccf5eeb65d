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

    init(_ lexicons: [AllergenLexicon]) {
        self.lexicons = lexicons
        all = (1 << UInt32(lexicons.count)) - 1
        everywhere = lexicons.firstIndex { $0.language == AllergenLexicon.everywhere }.map { 1 << UInt32($0) } ?? 0
        var trie = PhraseTrie()
        for (number, lexicon) in lexicons.enumerated() { Self.add(lexicon, UInt8(number), to: &trie) }
        self.trie = trie
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
