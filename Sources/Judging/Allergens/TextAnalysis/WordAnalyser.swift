import Core

/// The possible compositions, in every language, of a word that is not a lexicon entry. A reference, because every token
/// of a text holds one.
final class WordAnalysis: Sendable {
    /// Parts of a compound, or a stem.
    struct Parts: Sendable {
        var lexicon: UInt8
        var lexemes: [Lexeme]
        var text: String
        /// True if known parts cover the whole word.
        var isWhole: Bool
    }

    let bases: [WordBase]
    let stems, compounds: [Parts]
    /// "glutenfrei", "bezglutenowy".
    let denials: [Parts]
    /// Bits of the lexicons that know the word.
    let lexicons: UInt32

    init(bases: [WordBase] = [], stems: [Parts] = [], compounds: [Parts] = [], denials: [Parts] = []) {
        (self.bases, self.stems, self.compounds, self.denials) = (bases, stems, compounds, denials)
        let known = stems + denials + compounds.filter(\.isWhole)
        lexicons = (bases.map(\.lexicon) + known.map(\.lexicon)).reduce(0) { $0 | 1 << UInt32($1) }
    }
}

/// Analyses words: endings, stems, compounds, negations.
struct WordAnalyser: Sendable {
    private let endings: WordEndings
    /// Stems of all languages by text.
    private let stems: [String: [Lexeme]]
    private let longestStem: Int
    private let prefixes, suffixes: [[String]]
    let splitters: [CompoundSplitter?]
    private let trie: PhraseTrie

    init(_ vocabulary: Vocabulary) {
        let lexicons = vocabulary.lexicons
        trie = vocabulary.trie
        endings = WordEndings(lexicons)
        prefixes = lexicons.map { ($0.negationPrefixes ?? []).map(Folding.fold) }
        suffixes = lexicons.map { $0.negationSuffixes.map(Folding.fold) }
        splitters = lexicons.indices.map { number in
            lexicons[number].compounds ? CompoundSplitter(vocabulary, UInt8(number)) : nil
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
        var bases: [WordBase] = []
        var compounds: [WordAnalysis.Parts] = []
        var denials: [WordAnalysis.Parts] = []
        let bytes = Array(word.utf8)
        for number in endings.lexicons {
            guard let base = endings.base(of: bytes[...], in: number, trie) else { continue }
            bases.append(WordBase(lexicon: UInt8(number), id: base))
        }
        for number in endings.lexicons {
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
        func entries(_ id: Int32?) -> [Lexeme] {
            id.map { trie.single($0).filter { $0.lexicon == UInt8(number) && $0.role == .entry } } ?? []
        }
        let exact = entries(trie.id(of: word))
        if !exact.isEmpty { return exact }
        let inflected = entries(endings.base(of: Array(word.utf8)[...], in: number, trie))
        if !inflected.isEmpty { return inflected }
        if let found = stem(of: word).first(where: { $0.lexicon == UInt8(number) }) { return found.lexemes }
        return splitters[number]?.parts(of: word)?.lexemes.filter { $0.role == .entry } ?? []
    }
}
