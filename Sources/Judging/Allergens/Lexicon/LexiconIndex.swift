import Core

/// Search index over all lexicons, built once. A reference, because every analysed text holds it.
final class LexiconIndex: Sendable {
    let lexicons: [AllergenLexicon]
    let trie: PhraseTrie
    /// Bit of the lexicon that all languages share, or 0.
    let everywhere: UInt32
    /// Bits of all lexicons.
    let all: UInt32
    let analyser: WordAnalyser
    let corrector: WordCorrector
    let cache = WordCache()
    /// The correct words of languages.
    let everyday: EverydayWords
    /// Finds the words of languages without blanks between words.
    let segmenter: UnspacedWords?
    /// Names of substitutes and words for vegan, folded, by lexicon.
    let substitutes: [[Substitute]]
    let veganWords: Set<String>
    /// Stems of words for a part of an allergen, folded.
    let partStems: [String]
    /// Stems of the cereals with gluten, folded.
    let grainStems: [String]

    /// The entries of one word, folded, by lexicon: true if the word is only spelled with accents.
    private let isAccented: [[String: Bool]]
    /// Short words before an allergen's name that deny it, lower case: "s/" of "s/gluten".
    let slashNegations: [String]

    /// Menu abbreviations with the same meaning everywhere, such as GF and GFO.
    let claimCodes: [String: AllergenLexicon.ClaimCode]
    /// Diet abbreviations without an allergen, such as V and VG.
    let dietCodes: Set<String>

    /// `AllergenLexicon.Substitute` with folded words.
    struct Substitute: Sendable {
        var allergen: Allergen
        var words, replaced: Set<String>
    }

    init(_ lexicons: [AllergenLexicon], everyday: EverydayWords = EverydayWords()) {
        self.lexicons = lexicons
        self.everyday = everyday
        all = (1 << UInt32(lexicons.count)) - 1
        everywhere = lexicons.firstIndex { $0.language == AllergenLexicon.everywhere }.map { 1 << UInt32($0) } ?? 0
        var built = PhraseTrie()
        for (number, lexicon) in lexicons.enumerated() { Self.add(lexicon, UInt8(number), to: &built) }
        Self.addInflected(lexicons, to: &built)
        let trie = built
        self.trie = trie
        segmenter = UnspacedWords(lexicons, trie)
        let fold = { (phrases: [String]) in Set(phrases.map { Folding.words(of: $0).joined(separator: " ") }) }
        substitutes = lexicons.map { lexicon in
            (lexicon.substitutes ?? []).map {
                Substitute(allergen: $0.allergen, words: fold($0.words), replaced: fold($0.replaced))
            }
        }
        claimCodes = Dictionary(
            lexicons.flatMap(\.claimCodes).map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        dietCodes = Set(lexicons.flatMap(\.dietCodes))
        slashNegations = Set(lexicons.flatMap { $0.slashNegations ?? [] }.map { $0.lowercased() }).sorted()
        isAccented = lexicons.map(Self.accents)
        veganWords = fold(lexicons.flatMap { $0.veganWords ?? [] })
        partStems = lexicons.flatMap { $0.partStems ?? [] }.map { Folding.fold($0) }
        grainStems = lexicons.flatMap { $0.grainStems ?? [] }.map { Folding.fold($0) }
        analyser = WordAnalyser(lexicons, trie)
        corrector = WordCorrector(lexicons, trie)
    }

    /// The single words of a lexicon's entries; true for a word whose spellings all have accents.
    private static func accents(_ lexicon: AllergenLexicon) -> [String: Bool] {
        var result: [String: Bool] = [:]
        for word in lexicon.entries.flatMap(\.words) {
            let folded = Folding.words(of: word)
            // "œuf" has no accent that print could leave out.
            guard folded.count == 1, folded[0].unicodeScalars.count == word.unicodeScalars.count else { continue }
            let isAccented = !word.utf8.allSatisfy { $0 < 0x80 }
            result[folded[0]] = isAccented && result[folded[0]] ?? true
        }
        return result
    }

    /// True if the lexicon spells the entry only with accents; nil if the word is no entry and no form of one.
    func isAccented(_ word: String, _ lexicon: Int) -> Bool? {
        if let known = isAccented[lexicon][word] { return known }
        for ending in lexicons[lexicon].inflections.map(Folding.fold)
        where word.hasSuffix(ending) && word.utf8.count - ending.utf8.count >= 3 {
            if let known = isAccented[lexicon][String(word.dropLast(ending.count))] { return known }
        }
        return nil
    }

    /// Languages with a complete lexicon, BCP 47.
    var languages: [String] {
        lexicons.filter { $0.isPartial != true }.map(\.language).filter { $0 != AllergenLexicon.everywhere }
    }

    /// True if the lexicon is complete enough to carry absence claims.
    func isComplete(_ number: Int) -> Bool { lexicons[number].isPartial != true }

    /// The index of the lexicon for a BCP 47 code, such as `de-AT`, or nil.
    func number(of language: String?) -> Int? {
        guard let code = language?.split(whereSeparator: { "-_".contains($0) }).first?.lowercased() else { return nil }
        if code == "no" || code == "nn" { return self.number(of: "nb") }
        return lexicons.firstIndex { $0.language == code && code != AllergenLexicon.everywhere }
    }

    /// Phrases at a position of a text, in any language. This skips language detection and is much faster than an
    /// analysis. It suffices to detect headings.
    func phrases(at start: Int, of tokens: [Token]) -> [(length: Int, node: Int32)] {
        var found: [(length: Int, node: Int32)] = []
        follow(tokens, start, start, 0, all, &found)
        return found
    }

    private func follow(
        _ tokens: [Token], _ place: Int, _ start: Int, _ node: Int32, _ languages: UInt32,
        _ found: inout [(length: Int, node: Int32)]
    ) {
        guard place < tokens.count, place == start || !tokens[place].isSeparated else { return }
        func step(_ id: Int32, _ languages: UInt32) {
            guard let child = trie.next(node, id) else { return }
            if trie.roles[Int(child)] != 0, trie.lexicons[Int(child)] & languages != 0 {
                found.append((place - start + 1, child))
            }
            follow(tokens, place + 1, start, child, languages, &found)
        }
        let token = tokens[place]
        if token.id >= 0 { step(token.id, languages) }
        // As in the analysis, an inflected form stands for its base only if it is not an entry itself.
        guard !token.isNumber, token.id < 0 || trie.aloneLexicons(token.id) == 0 else { return }
        for base in cache.analysis(of: token.text, make: analyser.analysis).bases
        where base.id != token.id && languages & (1 << UInt32(base.lexicon)) != 0 {
            step(base.id, 1 << UInt32(base.lexicon))
        }
    }

    /// The tokens of a text with their ids in the word table.
    func tokens(of text: String) -> [Token] { numbered(Folding.tokens(of: Array(text.unicodeScalars))) }

    /// The tokens with their ids in the word table.
    func numbered(_ tokens: [Token]) -> [Token] {
        var tokens = tokens
        for index in tokens.indices { tokens[index].id = trie.words[tokens[index].text] ?? -1 }
        return tokens
    }

    /// True if the phrase has the role in any language.
    func has(_ role: Lexeme.Role, _ hit: TextAnalysis.Hit) -> Bool {
        !hit.isCorrected && trie.roles[Int(hit.node)] & role.bit != 0
    }

    /// True if the single word has the role in any language.
    func has(_ role: Lexeme.Role, _ word: String) -> Bool { trie.single(word).contains { $0.role == role } }

    /// Adds inflected phrases, such as "rice noodles" for "rice noodle". The analysis does not look up the base of a
    /// form that is itself an entry, so it would miss the phrase.
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
        add(lexicon.additionWords ?? [], .addition)
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
