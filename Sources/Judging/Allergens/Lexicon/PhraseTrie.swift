import Core

/// The meaning of a phrase in one lexicon.
struct Lexeme: Sendable, Hashable {
    /// The role of a phrase.
    enum Role: UInt8, Sendable, CaseIterable {
        case entry, trap, neutral, function, conjunction, alternative
        case ingredientHeading, legendHeading, listEnd, advice
        case declaration, precaution, negation, negationAfter, negationAfterException
        case optionBefore, optionAfter, additive, menuHeading, size, unit, addition

        var bit: UInt32 { 1 << UInt32(rawValue) }
    }

    /// Index of the lexicon.
    var lexicon: UInt8
    var role: Role
    /// Index in the lexicon's list for that role.
    var index: Int32
}

/// A trie over word ids with the phrases of all lexicons. One walk finds the phrases of every language at a position.
struct PhraseTrie: Sendable {
    private(set) var words: [String: Int32] = [:]
    /// The words by id.
    private(set) var texts: [String] = []
    /// Bits of the lexicons that contain the word, alone or in a phrase.
    private(set) var wordLexicons: [UInt32] = []
    private var children: [UInt64: Int32] = [:]
    /// Child of the root by word id; 0 means none.
    private var first: [Int32] = []
    private(set) var lexemes: [[Lexeme]] = [[]]
    private(set) var lexicons: [UInt32] = [0]
    private(set) var roles: [UInt32] = [0]

    /// Adds a phrase in all its spellings.
    mutating func add(_ phrase: String, _ lexeme: Lexeme) {
        for words in Folding.spellings(of: phrase) where !words.isEmpty {
            var node: Int32 = 0
            for word in words {
                let id = number(of: word)
                wordLexicons[Int(id)] |= 1 << UInt32(lexeme.lexicon)
                node = child(of: node, id)
            }
            guard !lexemes[Int(node)].contains(lexeme) else { continue }
            lexemes[Int(node)].append(lexeme)
            lexicons[Int(node)] |= 1 << UInt32(lexeme.lexicon)
            roles[Int(node)] |= lexeme.role.bit
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
        if let known = next(node, id) { return known }
        let new = Int32(lexemes.count)
        lexemes.append([])
        lexicons.append(0)
        roles.append(0)
        if node == 0 { first[Int(id)] = new } else { children[UInt64(node) << 32 | UInt64(id)] = new }
        return new
    }

    /// The child of `node` for the word; nil if no phrase continues this way.
    func next(_ node: Int32, _ id: Int32) -> Int32? {
        if node == 0 {
            let child = first[Int(id)]
            return child == 0 ? nil : child
        }
        return children[UInt64(node) << 32 | UInt64(id)]
    }

    /// Bits of the lexicons in which the single word is a phrase.
    func aloneLexicons(_ id: Int32) -> UInt32 { next(0, id).map { lexicons[Int($0)] } ?? 0 }

    /// Lexemes of exactly this word.
    func single(_ id: Int32) -> [Lexeme] { next(0, id).map { lexemes[Int($0)] } ?? [] }

    /// Lexemes of exactly this folded word.
    func single(_ word: String) -> [Lexeme] { words[word].map(single) ?? [] }
}
