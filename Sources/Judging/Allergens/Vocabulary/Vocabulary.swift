import Core

/// A word of which another word is a form: "oeuf" of "oeufs".
struct WordBase: Sendable, Hashable {
    /// Index of the lexicon whose endings or lists say so.
    var lexicon: UInt8
    /// Id of the base in the trie.
    var id: Int32
}

/// The compiled words of all lexicons and name lists, and the grammar of each language: what `VocabularyFile` stores and
/// `VocabularyBuilder` makes. Arrays without another comment are indexed by word id.
struct Vocabulary: Sendable {
    /// The lexicons by number, with the grammar, and with the meanings of entries and traps but not their words.
    var lexicons: [AllergenLexicon]
    var trie: PhraseTrie
    /// Bits of the lexicons that spell the entry only with accents, and of those that also spell it without.
    var accented, plain: [UInt32]
    /// Bits of the allergens that a word names alone, or as the telling word of a phrase, by place in
    /// `Allergen.allCases`. A misread form of such a word is suspect.
    var allergens: [UInt64]
    /// The bases of the word `id` are `allBases[baseStarts[id]..<baseStarts[id + 1]]`.
    var baseStarts: [UInt32]
    var allBases: [WordBase]

    /// True for an entry that only name lists have.
    func isListed(_ lexeme: Lexeme) -> Bool {
        lexeme.role == .entry && lexicons[Int(lexeme.lexicon)].entries[Int(lexeme.index)].isListed == true
    }

    func bases(of id: Int32) -> ArraySlice<WordBase> {
        allBases[Int(baseStarts[Int(id)])..<Int(baseStarts[Int(id) + 1])]
    }
}

extension Allergen {
    private static let places: [Allergen: Int] = Dictionary(
        uniqueKeysWithValues: Allergen.allCases.enumerated().map { ($1, $0) })

    /// The allergen's bit in masks: its place in `Allergen.allCases`.
    var bit: UInt64 { 1 << UInt64(Self.places[self] ?? 63) }
}

/// The endings of each language, which turn a form into its base.
struct WordEndings: Sendable {
    /// Folded, the longest first, by lexicon.
    private let endings: [[[UInt8]]]

    init(_ lexicons: [AllergenLexicon]) {
        endings = lexicons.map { lexicon in
            lexicon.inflections.map { Array(Folding.fold($0).utf8) }.sorted { $0.count > $1.count }
        }
    }

    var lexicons: Range<Int> { endings.indices }

    /// The longest word of the lexicon that is followed by an ending of its language; nil without one.
    func base(of word: ArraySlice<UInt8>, in number: Int, _ trie: PhraseTrie) -> Int32? {
        for ending in endings[number].reversed() {
            let rest = word.count - ending.count
            // Short words take only short endings. "alen" is no form of "ale".
            guard rest >= 3, rest > ending.count, word.suffix(ending.count).elementsEqual(ending),
                let id = trie.id(of: word.prefix(rest)), trie.wordLexicons[Int(id)] & (1 << UInt32(number)) != 0
            else { continue }
            return id
        }
        return nil
    }

    /// The word's beginnings without one of the endings of the lexicon's language, of at least four letters.
    func stems(of word: [UInt8], in number: Int) -> [ArraySlice<UInt8>] {
        endings[number].reversed().filter { ending in
            word.count - ending.count >= 4 && word.suffix(ending.count).elementsEqual(ending)
        }.map { word.dropLast($0.count) }
    }
}
