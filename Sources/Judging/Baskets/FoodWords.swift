import Core

/// Words of common goods with their aisle and their names in other languages: `models/groceries/foods.json`.
public struct FoodWords: DataFile, Sendable {
    public static let schema = "tablesight.grocery-foods/1"
    /// The aisle of what no word names.
    public static let other = "other"

    public struct Aisle: Sendable, Decodable {
        public var name: String
        /// Goods: folded words that mean the same, separated by blanks.
        public var words: [String]
    }

    /// In the order of a shop.
    private let aisles: [Aisle]
    private let byWord: [String: (aisle: Int, others: Set<String>)]

    private enum CodingKeys: String, CodingKey { case aisles }

    public init(from decoder: any Decoder) throws {
        self.init(try decoder.container(keyedBy: CodingKeys.self).decode([Aisle].self, forKey: .aisles))
    }

    /// - Parameter aisles: none for lists without aisles and searches in one language.
    public init(_ aisles: [Aisle] = []) {
        var byWord: [String: (aisle: Int, others: Set<String>)] = [:]
        for (index, aisle) in aisles.enumerated() {
            for goods in aisle.words {
                let words = goods.split(separator: " ").map(String.init)
                for word in words { byWord[word, default: (index, [])].others.formUnion(words.filter { $0 != word }) }
            }
        }
        (self.aisles, self.byWord) = (aisles, byWord)
    }

    public func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(
            !aisles.isEmpty && Set(aisles.map(\.name)).count == aisles.count, "aisles",
            "must have one or more aisles with different names")
        for word in byWord.keys {
            try DataFileProblem.check(
                Folding.words(of: word) == [word], "aisles.words", "must be folded words: \(word) is not")
        }
    }

    /// Names of the aisles in the order of a shop, ``other`` last.
    public var order: [String] { aisles.map(\.name) + [Self.other] }

    /// The aisle of a product: of its category if a word of that is known, or else of its name.
    ///
    /// - Parameter category: such as `en:whole-milks`.
    public func aisle(of name: String, category: String? = nil) -> String {
        [category.flatMap { $0.split(separator: ":").last }.map(String.init), name].compactMap { $0 }.lazy
            .compactMap { aisle(Folding.words(of: $0)) }.first ?? Self.other
    }

    /// The word at the end decides: `chocolate milk` is milk, `milk chocolate` is chocolate.
    private func aisle(_ words: [String]) -> String? {
        words.reversed().lazy.compactMap { word in self.known(word).map { self.aisles[$0.aisle].name } }.first
    }

    /// The same goods in other languages; empty for an unknown word.
    public func translations(of word: String) -> Set<String> { known(word)?.others ?? [] }

    /// Of the plural.
    private static let endings = ["", "s", "n", "e", "es", "en", "er"]

    /// The goods of a word: itself, without an ending of the plural, or the last part of a compound.
    private func known(_ word: String) -> (aisle: Int, others: Set<String>)? {
        for start in word.indices.prefix(24) {
            let rest = word[start...]
            // Short words end many others: `ei` is no part of `blei`.
            guard start == word.startIndex || rest.count >= 4 else { return nil }
            for ending in Self.endings where rest.hasSuffix(ending) {
                let stem = rest.dropLast(ending.count)
                guard ending.isEmpty || stem.count >= 3 else { continue }
                if let found = byWord[String(stem)] { return found }
            }
        }
        return nil
    }
}
