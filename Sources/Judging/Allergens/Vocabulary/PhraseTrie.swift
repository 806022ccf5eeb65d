import Core

/// The meaning of a phrase in one lexicon.
struct Lexeme: Sendable, Hashable {
    /// The role of a phrase.
    enum Role: UInt8, Sendable, CaseIterable {
        case entry, trap, neutral, function, conjunction, alternative
        case ingredientHeading, legendHeading, listEnd, advice
        case declaration, precaution, negation, negationAfter, negationAfterException
        case optionBefore, optionAfter, additive, menuHeading, size, unit, addition
        case reversal, contrast, place, handling
        /// An entry that counts only as a whole ingredient (`AllergenLexicon.Kind.homograph`).
        case homograph
        /// Begins a warning of raw food in general, which names no ingredient.
        case advisory

        var bit: UInt32 { 1 << UInt32(rawValue) }
    }

    /// Index of the lexicon.
    var lexicon: UInt8
    var role: Role
    /// Index in the lexicon's list for that role.
    var index: Int32
}

/// A trie over word ids with the phrases of all lexicons. One walk finds the phrases of every language at a position.
///
/// Its tables are flat arrays, so that `VocabularyFile` loads them by copying. `PhraseTrieBuilder` makes them. A reference,
/// because every look-up would otherwise retain each table.
final class PhraseTrie: Sendable {
    /// The stored tables.
    struct Tables: Sendable {
        /// UTF-8 of all words, by id; the word `id` is `wordBytes[wordStarts[id]..<wordStarts[id + 1]]`.
        var wordBytes: [UInt8] = []
        var wordStarts: [UInt32] = [0]
        /// Open addressing by hash of the word: its id + 1, or 0 for an empty place. The size is a power of two.
        var wordTable: [UInt32] = [0]
        /// Bits of the lexicons that contain the word, alone or in a phrase.
        var wordLexicons: [UInt32] = []
        /// Child of the root by word id; 0 means none.
        var first: [Int32] = []
        /// Open addressing by hash of a key (node << 32 | word id); 0 is an empty place. The size is a power of two.
        var childKeys: [UInt64] = [0]
        /// The children of `childKeys`.
        var childNodes: [Int32] = [0]
        /// The lexemes of the node `n` are `allLexemes[lexemeStarts[n]..<lexemeStarts[n + 1]]`.
        var lexemeStarts: [UInt32] = [0]
        var allLexemes: [Lexeme] = []
    }

    let tables: Tables
    /// Bits of the lexicons and of the roles of each node's lexemes.
    let lexicons, roles: [UInt32]

    init(_ tables: Tables) {
        self.tables = tables
        let nodes = zip(tables.lexemeStarts, tables.lexemeStarts.dropFirst()).map { start, end in
            tables.allLexemes[Int(start)..<Int(end)]
        }
        lexicons = nodes.map { $0.reduce(0) { $0 | 1 << UInt32($1.lexicon) } }
        roles = nodes.map { $0.reduce(0) { $0 | $1.role.bit } }
    }

    var wordLexicons: [UInt32] { tables.wordLexicons }

    /// Number of words.
    var count: Int { wordLexicons.count }

    /// FNV-1a.
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.withContiguousStorageIfAvailable { hash(UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { hash($0) }
    }

    /// FNV-1a of the bytes of a list, which has a million words.
    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    static func hash(_ key: UInt64) -> UInt64 {
        let mixed = (key ^ key >> 31) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29
    }

    /// The id of a folded word; nil if no lexicon has it.
    func id(of word: String) -> Int32? {
        word.utf8.withContiguousStorageIfAvailable { id(of: $0) } ?? id(of: Array(word.utf8))
    }

    func id(of bytes: some RandomAccessCollection<UInt8>) -> Int32? {
        let mask = UInt64(tables.wordTable.count - 1)
        var place = Self.hash(bytes) & mask
        while true {
            let entry = tables.wordTable[Int(place)]
            if entry == 0 { return nil }
            let range = Int(tables.wordStarts[Int(entry) - 1])..<Int(tables.wordStarts[Int(entry)])
            if range.count == bytes.count, tables.wordBytes[range].elementsEqual(bytes) { return Int32(entry) - 1 }
            place = (place + 1) & mask
        }
    }

    /// The folded word.
    func text(_ id: Int32) -> String { String(decoding: bytes(id), as: UTF8.self) }

    func bytes(_ id: Int32) -> ArraySlice<UInt8> {
        tables.wordBytes[Int(tables.wordStarts[Int(id)])..<Int(tables.wordStarts[Int(id) + 1])]
    }

    /// The child of `node` for the word; nil if no phrase continues this way.
    func next(_ node: Int32, _ id: Int32) -> Int32? {
        if node == 0 {
            let child = tables.first[Int(id)]
            return child == 0 ? nil : child
        }
        let key = UInt64(node) << 32 | UInt64(id)
        let mask = UInt64(tables.childKeys.count - 1)
        var place = Self.hash(key) & mask
        while true {
            let known = tables.childKeys[Int(place)]
            if known == key { return tables.childNodes[Int(place)] }
            if known == 0 { return nil }
            place = (place + 1) & mask
        }
    }

    func lexemes(_ node: Int32) -> ArraySlice<Lexeme> {
        tables.allLexemes[Int(tables.lexemeStarts[Int(node)])..<Int(tables.lexemeStarts[Int(node) + 1])]
    }

    /// Bits of the lexicons in which the single word is a phrase.
    func aloneLexicons(_ id: Int32) -> UInt32 { next(0, id).map { lexicons[Int($0)] } ?? 0 }

    /// Lexemes of exactly this word.
    func single(_ id: Int32) -> ArraySlice<Lexeme> { next(0, id).map(lexemes) ?? [] }

    /// Lexemes of exactly this folded word.
    func single(_ word: String) -> ArraySlice<Lexeme> { id(of: word).map(single) ?? [] }
}

/// Collects phrases and makes the tables of a trie.
struct PhraseTrieBuilder {
    private var words: [String: Int32] = [:]
    private var texts: [String] = []
    private var wordLexicons: [UInt32] = []
    private var children: [UInt64: Int32] = [:]
    private var first: [Int32] = []
    private var lexemes: [[Lexeme]] = [[]]

    /// Adds a phrase in all its spellings.
    mutating func add(_ phrase: String, _ lexeme: Lexeme) {
        for words in Folding.spellings(of: phrase) where !words.isEmpty {
            var node: Int32 = 0
            for word in words {
                let id = number(of: word)
                wordLexicons[Int(id)] |= 1 << UInt32(lexeme.lexicon)
                node = child(of: node, id)
            }
            if !lexemes[Int(node)].contains(lexeme) { lexemes[Int(node)].append(lexeme) }
        }
    }

    private mutating func number(of word: String) -> Int32 {
        if let id = words[word] { return id }
        let id = Int32(words.count)
        words[word] = id
        texts.append(word)
        wordLexicons.append(0)
        first.append(0)
        return id
    }

    private mutating func child(of node: Int32, _ id: Int32) -> Int32 {
        let key = UInt64(node) << 32 | UInt64(id)
        let known = node == 0 ? first[Int(id)] : children[key] ?? 0
        if known != 0 { return known }
        let new = Int32(lexemes.count)
        lexemes.append([])
        if node == 0 { first[Int(id)] = new } else { children[key] = new }
        return new
    }

    /// True if the lexicon has the folded word, alone or in a phrase.
    func has(_ word: String, lexicon: Int) -> Bool {
        words[word].map { wordLexicons[Int($0)] & (1 << UInt32(lexicon)) != 0 } ?? false
    }

    /// The lexemes of exactly this phrase of folded words.
    func lexemes(of phrase: [String]) -> [Lexeme] {
        var node: Int32 = 0
        for word in phrase {
            guard let id = words[word] else { return [] }
            node = node == 0 ? first[Int(id)] : children[UInt64(node) << 32 | UInt64(id)] ?? 0
            if node == 0 { return [] }
        }
        return lexemes[Int(node)]
    }

    func frozen() -> PhraseTrie {
        var trie = PhraseTrie.Tables()
        trie.wordLexicons = wordLexicons
        trie.first = first
        trie.wordTable = [UInt32](repeating: 0, count: Self.size(for: texts.count))
        for (id, word) in texts.enumerated() {
            trie.wordBytes += word.utf8
            trie.wordStarts.append(UInt32(trie.wordBytes.count))
            let mask = UInt64(trie.wordTable.count - 1)
            var place = PhraseTrie.hash(word.utf8) & mask
            while trie.wordTable[Int(place)] != 0 { place = (place + 1) & mask }
            trie.wordTable[Int(place)] = UInt32(id) + 1
        }
        trie.childKeys = [UInt64](repeating: 0, count: Self.size(for: children.count))
        trie.childNodes = [Int32](repeating: 0, count: trie.childKeys.count)
        // In the order of the keys, so that the same lists give the same file.
        for (key, child) in children.sorted(by: { $0.key < $1.key }) {
            let mask = UInt64(trie.childKeys.count - 1)
            var place = PhraseTrie.hash(key) & mask
            while trie.childKeys[Int(place)] != 0 { place = (place + 1) & mask }
            trie.childKeys[Int(place)] = key
            trie.childNodes[Int(place)] = child
        }
        trie.lexemeStarts = [0]
        for own in lexemes {
            trie.allLexemes += own
            trie.lexemeStarts.append(UInt32(trie.allLexemes.count))
        }
        return PhraseTrie(trie)
    }

    /// A power of two above twice the count.
    private static func size(for count: Int) -> Int {
        var size = 4
        while size < 2 * count + 2 { size *= 2 }
        return size
    }
}
