import Core

/// What a phrase is in one lexicon.
struct Lexeme: Sendable, Hashable {
    /// The part that a phrase plays.
    enum Role: UInt8, Sendable, CaseIterable {
        case entry, trap, neutral, function, conjunction, alternative
        case ingredientHeading, legendHeading, listEnd, advice
        case declaration, precaution, negation, negationAfter, negationAfterException
        case optionBefore, optionAfter, additive, menuHeading, size, unit

        var bit: UInt32 { 1 << UInt32(rawValue) }
    }

    /// Number of the lexicon.
    var lexicon: UInt8
    var role: Role
    /// Place in the lexicon's list of that role.
    var index: Int32
}

/// All phrases of all lexicons as one tree over word numbers: one walk finds what every language knows at a place.
struct PhraseTrie: Sendable {
    private(set) var words: [String: Int32] = [:]
    /// The words by their numbers.
    private(set) var texts: [String] = []
    /// Lexicons that have the word, alone or in a phrase.
    private(set) var wordLexicons: [UInt32] = []
    private var children: [UInt64: Int32] = [:]
    /// Child of the root by word number; 0 is none.
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

    /// The node behind `node` and the word; nil where no phrase goes on so.
    func next(_ node: Int32, _ id: Int32) -> Int32? {
        if node == 0 {
            let child = first[Int(id)]
            return child == 0 ? nil : child
        }
        return children[UInt64(node) << 32 | UInt64(id)]
    }

    /// Lexicons in which the word alone is a phrase.
    func aloneLexicons(_ id: Int32) -> UInt32 { next(0, id).map { lexicons[Int($0)] } ?? 0 }

    /// Lexemes of exactly this one word.
    func single(_ id: Int32) -> [Lexeme] { next(0, id).map { lexemes[Int($0)] } ?? [] }

    /// Lexemes of exactly this one folded word.
    func single(_ word: String) -> [Lexeme] { words[word].map(single) ?? [] }
}
