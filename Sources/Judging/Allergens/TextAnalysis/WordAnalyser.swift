import Core

/// The possible compositions, in every language, of a word that is not a lexicon entry. A reference, because every token
/// of a text holds one.
final class WordAnalysis: Sendable {
    /// The lexicon word that this word is a form of: "oeuf" for "oeufs".
    struct Base: Sendable {
        var lexicon: UInt8
        var id: Int32
    }

    /// Parts of a compound, or a stem.
    struct Parts: Sendable {
        var lexicon: UInt8
        var lexemes: [Lexeme]
        var text: String
        /// True if known parts cover the whole word.
        var isWhole: Bool
    }

    let bases: [Base]
    let stems, compounds: [Parts]
    /// "glutenfrei", "bezglutenowy".
    let denials: [Parts]
    /// Bits of the lexicons that know the word.
    let lexicons: UInt32

    init(bases: [Base] = [], stems: [Parts] = [], compounds: [Parts] = [], denials: [Parts] = []) {
        (self.bases, self.stems, self.compounds, self.denials) = (bases, stems, compounds, denials)
        let known = stems + denials + compounds.filter(\.isWhole)
        lexicons = (bases.map(\.lexicon) + known.map(\.lexicon)).reduce(0) { $0 | 1 << UInt32($1) }
    }
}

/// Analyses words: endings, stems, compounds, negations.
struct WordAnalyser: Sendable {
    private let endings: [[String]]
    /// Stems of all languages by text.
    private let stems: [String: [Lexeme]]
    private let longestStem: Int
    private let prefixes, suffixes: [[String]]
    private let splitters: [CompoundSplitter?]
    private let words: [String: Int32]
    private let wordLexicons: [UInt32]
    private let singles: PhraseTrie

    init(_ lexicons: [AllergenLexicon], _ trie: PhraseTrie) {
        words = trie.words
        wordLexicons = trie.wordLexicons
        singles = trie
        endings = lexicons.map { $0.inflections.map(Folding.fold).sorted { $0.utf8.count > $1.utf8.count } }
        prefixes = lexicons.map { ($0.negationPrefixes ?? []).map(Folding.fold) }
        suffixes = lexicons.map { $0.negationSuffixes.map(Folding.fold) }
        splitters = lexicons.enumerated().map { number, lexicon in
            lexicon.compounds ? CompoundSplitter(lexicon, UInt8(number)) : nil
        }
        var stems: [String: [Lexeme]] = [:]
        for (number, lexicon) in lexicons.enumerated() {
            for (index, entry) in lexicon.entries.enumerated() {
                for stem in entry.stems ?? [] {
                    let lexeme = Lexeme(lexicon: UInt8(number), role: .entry, index: Int32(index))
                    stems[Folding.fold(stem), default: []].append(lexeme)
                }
            }
        }
        self.stems = stems
        longestStem = stems.keys.map(\.utf8.count).max() ?? 0
    }

    func analysis(of word: String) -> WordAnalysis {
        let length = word.utf8.count
        guard length >= 3, length <= 60 else { return WordAnalysis() }
        var bases: [WordAnalysis.Base] = []
        var compounds: [WordAnalysis.Parts] = []
        var denials: [WordAnalysis.Parts] = []
        for number in endings.indices {
            if let base = base(of: word, number) { bases.append(.init(lexicon: UInt8(number), id: base)) }
        }
        for number in endings.indices {
            for prefix in prefixes[number] where word.hasPrefix(prefix) && length - prefix.utf8.count >= 3 {
                let found = meaning(of: String(word.dropFirst(prefix.count)), number)
                if !found.isEmpty {
                    denials.append(.init(lexicon: UInt8(number), lexemes: found, text: word, isWhole: true))
                }
            }
            for suffix in suffixes[number] where word.hasSuffix(suffix) && length - suffix.utf8.count >= 3 {
                let found = meaning(of: String(word.dropLast(suffix.count)), number)
                if !found.isEmpty {
                    denials.append(.init(lexicon: UInt8(number), lexemes: found, text: word, isWhole: true))
                    break
                }
            }
            if let parts = splitters[number]?.parts(of: word) { compounds.append(parts) }
        }
        return WordAnalysis(bases: bases, stems: stem(of: word), compounds: compounds, denials: denials)
    }

    /// The longest stem in the lexicon that is followed by an ending of the language.
    private func base(of word: String, _ number: Int) -> Int32? {
        let bytes = word.utf8
        for ending in endings[number].reversed() {
            guard bytes.count - ending.utf8.count >= 3, word.hasSuffix(ending) else { continue }
            let rest = String(word.dropLast(ending.count))
            // Short words take only short endings. "alen" is no form of "ale".
            guard rest.utf8.count > ending.utf8.count, let id = words[rest],
                wordLexicons[Int(id)] & (1 << UInt32(number)) != 0
            else { continue }
            return id
        }
        return nil
    }

    private func stem(of word: String) -> [WordAnalysis.Parts] {
        var found: [WordAnalysis.Parts] = []
        var seen: UInt32 = 0
        var length = min(word.count, longestStem)
        while length >= 3 {
            let start = String(word.prefix(length))
            for (lexicon, lexemes) in Dictionary(grouping: stems[start] ?? [], by: \.lexicon)
            where seen & (1 << UInt32(lexicon)) == 0 {
                seen |= 1 << UInt32(lexicon)
                found.append(.init(lexicon: lexicon, lexemes: lexemes, text: start, isWhole: true))
            }
            length -= 1
        }
        return found.sorted { $0.lexicon < $1.lexicon }
    }

    /// Entries that match a word, an inflected word or a compound of one language.
    private func meaning(of word: String, _ number: Int) -> [Lexeme] {
        func entries(_ id: Int32) -> [Lexeme] {
            singles.single(id).filter { $0.lexicon == UInt8(number) && $0.role == .entry }
        }
        if let id = words[word] {
            let found = entries(id)
            if !found.isEmpty { return found }
        }
        if let id = base(of: word, number) {
            let found = entries(id)
            if !found.isEmpty { return found }
        }
        if let found = stem(of: word).first(where: { $0.lexicon == UInt8(number) }) { return found.lexemes }
        return splitters[number]?.parts(of: word)?.lexemes.filter { $0.role == .entry } ?? []
    }
}
