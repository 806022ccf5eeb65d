import Core

/// A word of a name or of a label, with the numbers by which names are found.
struct NameWord: Sendable, Hashable {
    /// Folded.
    var text: String
    /// Number of the word and of its singular among the words of all names; `unknown` for a word of no name.
    var number: Int32
    var singular: Int32
    /// True for an article or a preposition inside a name.
    var isFiller: Bool

    /// True if it has digits only.
    var isNumber: Bool {
        // Most words start with a small letter; a look at each character takes longer.
        if let first = text.utf8.first, (0x61...0x7A).contains(first) { return false }
        return text.allSatisfy(\.isNumber)
    }

    static let unknown: Int32 = -1
}

/// The words of all names, numbered, so that a name is found without building its text.
struct NameWords: Sendable {
    private var known: [String: NameWord] = [:]
    private var count: Int32 = 0

    /// The word, as far as names have it or its singular.
    subscript(_ text: String) -> NameWord {
        if let word = known[text] { return word }
        let singular = SubjectIndex.singular(text)
        return NameWord(
            text: text, number: NameWord.unknown,
            singular: singular == text ? NameWord.unknown : known[singular]?.number ?? NameWord.unknown,
            isFiller: IngredientWords.isFiller(text))
    }

    /// The number of a word of a name; a new one if no name had it.
    mutating func add(_ text: String) -> Int32 {
        if let word = known[text] { return word.number }
        let number = count
        count += 1
        let singular = SubjectIndex.singular(text)
        known[text] = NameWord(
            text: text, number: number, singular: singular == text ? number : add(singular),
            isFiller: IngredientWords.isFiller(text))
        return number
    }
}

/// Values of names, found word by word.
struct NameTable<Value: Sendable>: Sendable {
    private var children: [UInt64: Int32] = [:]
    private var values: [Value?] = [nil]

    /// The value of exactly these words, by their numbers.
    func value(of words: some Sequence<Int32>) -> Value? {
        var node: Int32 = 0
        for word in words {
            guard word >= 0, let next = children[Self.key(node, word)] else { return nil }
            node = next
        }
        return values[Int(node)]
    }

    /// Sets the value of a name from the one it has so far.
    mutating func update(_ words: some Sequence<Int32>, _ change: (Value?) -> Value) {
        var node: Int32 = 0
        for word in words {
            let key = Self.key(node, word)
            if let next = children[key] {
                node = next
            } else {
                node = Int32(values.count)
                values.append(nil)
                children[key] = node
            }
        }
        values[Int(node)] = change(values[Int(node)])
    }

    private static func key(_ node: Int32, _ word: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: node)) << 32 | UInt64(UInt32(bitPattern: word))
    }
}
