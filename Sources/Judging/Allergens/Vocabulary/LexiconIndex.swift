import Core

/// Search index over all lexicons, made once from the compiled vocabulary. A reference, because every analysed text
/// holds it.
final class LexiconIndex: Sendable {
    let lexicons: [AllergenLexicon]
    let trie: PhraseTrie
    let vocabulary: Vocabulary
    /// Bits of the lexicons in which a word is a food, a trap or harmless, by word id; it then is no form of another word:
    /// "Butter" is no form of "Butt". Dishes, headings and names of lists may be forms besides.
    let certain: [UInt32]
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
    /// Short words before an allergen's name that deny it, lower case: "s/" of "s/gluten".
    let slashNegations: [String]
    /// Long words of what is done with food, of languages with compounds, folded.
    let handlingEnds: [String]
    /// Parts of words about allergies of all languages, folded.
    let allergyStems: [String]
    /// Beginnings of words that recommend a food, of all languages, folded, by their first byte.
    private let suitableStems: [UInt8: [String]]

    /// Menu abbreviations with the same meaning everywhere, such as GF and GFO.
    let claimCodes: [String: AllergenLexicon.ClaimCode]
    /// Diet abbreviations without an allergen, such as V and VG.
    let dietCodes: Set<String>

    /// `AllergenLexicon.Substitute` with folded words.
    struct Substitute: Sendable {
        var allergen: Allergen
        var words, replaced: Set<String>
    }

    init(_ vocabulary: Vocabulary, everyday: EverydayWords = EverydayWords()) {
        self.vocabulary = vocabulary
        self.everyday = everyday
        let lexicons = vocabulary.lexicons
        let trie = vocabulary.trie
        (self.lexicons, self.trie) = (lexicons, trie)
        certain = (0..<Int32(trie.count)).map { id in
            trie.single(id).reduce(0) { bits, lexeme in
                let isCertain =
                    switch lexeme.role {
                    case .entry:
                        !vocabulary.isListed(lexeme)
                            && lexicons[Int(lexeme.lexicon)].entries[Int(lexeme.index)].kind != .dish
                    case .trap, .neutral, .function: true
                    default: false
                    }
                return isCertain ? bits | 1 << UInt32(lexeme.lexicon) : bits
            }
        }
        all = (1 << UInt32(lexicons.count)) - 1
        everywhere = lexicons.firstIndex { $0.language == AllergenLexicon.everywhere }.map { 1 << UInt32($0) } ?? 0
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
        handlingEnds = Set(lexicons.filter(\.compounds).flatMap { $0.handling ?? [] }.map(Folding.fold)).sorted()
            .filter { $0.utf8.count >= 10 && !$0.contains(" ") }
        allergyStems = Set(lexicons.flatMap { $0.allergyStems ?? [] }.map(Folding.fold)).sorted()
        let suitable = Set(lexicons.flatMap { $0.suitableStems ?? [] }.map(Folding.fold))
        suitableStems = Dictionary(grouping: suitable) { $0.utf8.first ?? 0 }
        slashNegations = Set(lexicons.flatMap { $0.slashNegations ?? [] }.map { $0.lowercased() }).sorted()
        veganWords = fold(lexicons.flatMap { $0.veganWords ?? [] })
        partStems = lexicons.flatMap { $0.partStems ?? [] }.map { Folding.fold($0) }
        grainStems = lexicons.flatMap { $0.grainStems ?? [] }.map { Folding.fold($0) }
        analyser = WordAnalyser(vocabulary)
        corrector = WordCorrector(vocabulary, analyser)
    }

    /// True for a folded word that recommends a food: "suitable", "geeignet".
    func isRecommendation(_ word: String) -> Bool {
        suitableStems[word.utf8.first ?? 0]?.contains { word.utf8.starts(with: $0.utf8) } ?? false
    }

    /// True if the lexicon spells the entry only with accents; nil if the word is no entry and no form of one.
    func isAccented(_ word: String, _ lexicon: Int) -> Bool? {
        let bit: UInt32 = 1 << UInt32(lexicon)
        func known(_ word: String) -> Bool? {
            guard let id = trie.id(of: word).map(Int.init) else { return nil }
            if vocabulary.plain[id] & bit != 0 { return false }
            return vocabulary.accented[id] & bit != 0 ? true : nil
        }
        if let found = known(word) { return found }
        for ending in lexicons[lexicon].inflections.map(Folding.fold)
        where word.hasSuffix(ending) && word.utf8.count - ending.utf8.count >= 3 {
            if let found = known(String(word.dropLast(ending.count))) { return found }
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

    /// True if a phrase with a role begins at a position of a text, in any language.
    func hasPhrase(_ role: Lexeme.Role, at start: Int, of tokens: [Token]) -> Bool {
        phrases(at: start, of: tokens).contains { trie.roles[Int($0.node)] & role.bit != 0 }
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
        guard !token.isNumber else { return }
        for base in bases(of: token) where languages & (1 << UInt32(base.lexicon)) != 0 {
            step(base.id, 1 << UInt32(base.lexicon))
        }
    }

    /// The words that the token is a form of, other than itself.
    func bases(of token: Token) -> ArraySlice<WordBase> {
        if token.id >= 0 { return vocabulary.bases(of: token.id) }
        return cache.analysis(of: token.text, make: analyser.analysis).bases[...]
    }

    /// The tokens of a text with their ids in the word table.
    func tokens(of text: String) -> [Token] { numbered(Folding.tokens(of: Array(text.unicodeScalars))) }

    /// The tokens with their ids in the word table.
    func numbered(_ tokens: [Token]) -> [Token] {
        var tokens = tokens
        for index in tokens.indices { tokens[index].id = trie.id(of: tokens[index].text) ?? -1 }
        return tokens
    }

    /// True if the phrase has the role in any language.
    func has(_ role: Lexeme.Role, _ hit: TextAnalysis.Hit) -> Bool {
        !hit.isCorrected && trie.roles[Int(hit.node)] & role.bit != 0
    }

    /// True if the single word has the role in any language.
    func has(_ role: Lexeme.Role, _ word: String) -> Bool { trie.single(word).contains { $0.role == role } }
}
