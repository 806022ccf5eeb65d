import Core

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

    /// GF, GFO: what a menu's abbreviation claims everywhere.
    let claimCodes: [String: AllergenLexicon.ClaimCode]
    /// V, VG: abbreviations that speak of no allergen.
    let dietCodes: Set<String>

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
        claimCodes = Dictionary(
            lexicons.flatMap(\.claimCodes).map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        dietCodes = Set(lexicons.flatMap(\.dietCodes))
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

    /// The phrases that stand at a place of a text in any language, without asking which language it is: much quicker than an
    /// analysis, and enough to see that a row is a heading or none.
    func phrases(at start: Int, of tokens: [Token]) -> [(length: Int, node: Int32)] {
        var found: [(length: Int, node: Int32)] = []
        follow(tokens, start, start, 0, all, &found)
        return found
    }

    private func follow(
        _ tokens: [Token], _ place: Int, _ start: Int, _ node: Int32, _ languages: UInt32,
        _ found: inout [(length: Int, node: Int32)]
    ) {
        guard place < tokens.count, place == start || !tokens[place].isApart else { return }
        func step(_ id: Int32, _ languages: UInt32) {
            guard let child = trie.next(node, id) else { return }
            if trie.roles[Int(child)] != 0, trie.lexicons[Int(child)] & languages != 0 {
                found.append((place - start + 1, child))
            }
            follow(tokens, place + 1, start, child, languages, &found)
        }
        let token = tokens[place]
        if token.id >= 0 { step(token.id, languages) }
        // A form stands for its word where it is none of its own, as in an analysis.
        guard !token.isNumber, token.id < 0 || trie.aloneLexicons(token.id) == 0 else { return }
        for base in memo.analysis(of: token.text, make: analyser.analysis).bases
        where base.id != token.id && languages & (1 << UInt32(base.lexicon)) != 0 {
            step(base.id, 1 << UInt32(base.lexicon))
        }
    }

    /// The words of a text with their numbers in the table.
    func tokens(of text: String) -> [Token] {
        var tokens = Folding.tokens(of: Array(text.unicodeScalars))
        for index in tokens.indices { tokens[index].id = trie.words[tokens[index].text] ?? -1 }
        return tokens
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
