import Core

/// Words of common goods with their aisle and their names in other languages: `models/groceries/foods.json`.
package struct FoodWords: DataFile, Sendable {
    package static let schema = "tablesight.grocery-foods/1"
    /// The aisle of what no word names.
    package static let other = "other"

    package struct Aisle: Sendable, Decodable {
        package var name: String
        /// Goods: folded words that mean the same, separated by blanks.
        package var words: [String]
    }

    /// In the order of a shop.
    private let aisles: [Aisle]
    private let byWord: [String: (aisle: Int, others: Set<String>)]

    /// The words that a misspelt one may mean. With those of ten languages most would be near to several.
    private let spelt: [String]

    /// Sorts and makes of goods by the word for all of them: cheese, with gouda and brie.
    private let kinds: [String: [String]]

    /// Folded words that name nothing: with, à, para. A search passes over them.
    package private(set) var small: Set<String> = []

    private enum CodingKeys: String, CodingKey { case aisles, kinds, small }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode([Aisle].self, forKey: .aisles),
            kinds: try container.decodeIfPresent([String: String].self, forKey: .kinds) ?? [:])
        let small = try container.decodeIfPresent([String: String].self, forKey: .small) ?? [:]
        self.small = Set(small.values.flatMap { $0.split(separator: " ").map(String.init) })
    }

    /// - Parameters:
    ///   - aisles: none for lists without aisles and searches in one language.
    ///   - kinds: words of sorts and makes, separated by blanks, by the word for all of them.
    package init(_ aisles: [Aisle] = [], kinds: [String: String] = [:]) {
        var byWord: [String: (aisle: Int, others: Set<String>)] = [:]
        for (index, aisle) in aisles.enumerated() {
            for goods in aisle.words {
                let words = goods.split(separator: " ").map(String.init)
                for word in words { byWord[word, default: (index, [])].others.formUnion(words.filter { $0 != word }) }
            }
        }
        (self.aisles, self.byWord, spelt) = (aisles, byWord, Array(byWord.keys))
        self.kinds = kinds.mapValues { $0.split(separator: " ").map(String.init) }
    }

    /// The words of the models, with those of the commonest foods in ten languages.
    ///
    /// - Throws: `StartupError` that names the file, the key and the remedy.
    package init(models: ModelFolder) throws {
        self = try models.load(Self.self, from: "groceries/foods.json").joined(
            with: models.load(FoodNames.self, from: FoodNames.path))
    }

    /// With the names of one word that are new here. A word that is known keeps its meaning: `raisin` is a grape in French.
    private func joined(with names: FoodNames) -> FoodWords {
        var byWord = byWord
        for words in names.words {
            let known = words.filter { self.byWord[$0] != nil }
            guard let aisle = known.first.flatMap({ self.byWord[$0]?.aisle }) else { continue }
            let new = words.filter { $0.count >= 3 && byWord[$0] == nil }
            for word in new { byWord[word] = (aisle, Set(known + new).subtracting([word])) }
            for word in known { byWord[word]?.others.formUnion(new) }
        }
        return FoodWords(self, byWord: byWord)
    }

    private init(_ words: FoodWords, byWord: [String: (aisle: Int, others: Set<String>)]) {
        (aisles, spelt, kinds, small) = (words.aisles, words.spelt, words.kinds, words.small)
        self.byWord = byWord
    }

    /// The words of a text that name something; all of them where none does.
    package func meaningful(_ words: [String]) -> [String] {
        let named = words.filter { !small.contains($0) }
        return named.isEmpty ? words : named
    }

    package func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(
            !aisles.isEmpty && Set(aisles.map(\.name)).count == aisles.count, "aisles",
            "must have one or more aisles with different names")
        for (kind, words) in kinds {
            try DataFileProblem.check(byWord[kind] != nil, "kinds", "must be words of the aisles: \(kind) is not")
            for word in words {
                try DataFileProblem.check(
                    Folding.words(of: word) == [word], "kinds", "must have folded words: \(word) is not")
            }
        }
        for word in small {
            try DataFileProblem.check(
                Folding.words(of: word) == [word] && byWord[word] == nil, "small",
                "must be folded words that are no goods: \(word) is not")
        }
        for word in byWord.keys {
            try DataFileProblem.check(
                Folding.words(of: word) == [word], "aisles.words", "must be folded words: \(word) is not")
        }
    }

    /// Names of the aisles in the order of a shop, ``other`` last.
    package var order: [String] { aisles.map(\.name) + [Self.other] }

    /// The aisle of a product: of its category if a word of that is known, or else of its name.
    ///
    /// - Parameter category: such as `en:whole-milks`.
    package func aisle(of name: String, category: String? = nil) -> String {
        [category.flatMap { $0.split(separator: ":").last }.map(String.init), name].compactMap { $0 }.lazy
            .compactMap { aisle(Folding.words(of: $0)) }.first ?? Self.other
    }

    /// The word at the end decides: `chocolate milk` is milk, `milk chocolate` is chocolate.
    private func aisle(_ words: [String]) -> String? {
        words.reversed().lazy.compactMap { word in self.known(word).map { self.aisles[$0.aisle].name } }.first
    }

    /// True for a word of common goods, also with an ending of the plural.
    func isKnown(_ word: String) -> Bool { stems(of: word).contains { byWord[$0] != nil } }

    /// A word that is known with an umlaut for two letters: kuchen of kuechen. Any other word stays.
    func withoutDigraphs(_ word: String) -> String {
        guard byWord[word] == nil else { return word }
        let folded = word.replacing("ae", with: "a").replacing("oe", with: "o").replacing("ue", with: "u")
        return folded != word && isKnown(folded) ? folded : word
    }

    /// The same goods in other languages; empty for an unknown word.
    /// The word itself is one where it is a compound or a plural of it.
    package func translations(of word: String) -> Set<String> {
        known(word).map { $0.others.union([$0.base]).subtracting([word]) } ?? []
    }

    /// Sorts and makes of the goods that a word means: of `fromage` those of cheese. Empty for any other word.
    package func sorts(of word: String) -> Set<String> {
        let same = translations(of: word).union([word])
        let names = known(word) == nil ? same : same.union(stems(of: word))
        return names.reduce(into: []) { $0.formUnion(kinds[$1] ?? []) }
    }

    /// True for a name of the goods that somebody typed with more words: of `milk` for `Whole Milk 1 l`, and neither for
    /// `coconut milk`, which is other goods, nor for `milk powder`, where the word at the end decides.
    package func isSort(_ name: String, of typed: String) -> Bool {
        let (words, wanted) = (Folding.words(of: name), Folding.words(of: typed))
        let meant = wanted.reduce(into: Set<String>()) { $0.formUnion(stems(of: $1)) }
        func isMeant(_ word: String) -> Bool { !stems(of: word).isDisjoint(with: meant) }
        guard wanted.contains(where: isKnown), let last = words.lastIndex(where: isMeant),
            wanted.allSatisfy({ word in words.contains { !stems(of: $0).isDisjoint(with: stems(of: word)) } })
        else { return false }
        return !words.contains { isKnown($0) && !isMeant($0) }
            && words[(last + 1)...].allSatisfy { $0.count <= 2 || $0.contains(where: \.isNumber) }
    }

    /// The word without an ending of the plural.
    private func stems(of word: String) -> Set<String> {
        Set(Self.endings.filter { word.hasSuffix($0) }.map { String(word.dropLast($0.count)) })
            .union(word.hasSuffix("ies") ? [word.dropLast(3) + "y"] : [])
    }

    /// The one word that a typed word is most nearly, if it is misspelt; nil for a known word, and between equally near ones.
    ///
    /// - Parameter distance: wrong letters of the typed word in another one; more than it may have counts as nil.
    func meant(by typed: String, distance: (_ other: String) -> Int?) -> String? {
        guard known(typed) == nil else { return nil }
        var best: (word: String, errors: Int, isOnly: Bool)?
        for other in spelt where abs(other.count - typed.count) <= 2 {
            guard let errors = distance(other) else { continue }
            if errors < best?.errors ?? .max {
                best = (other, errors, true)
            } else if errors == best?.errors {
                best?.isOnly = false
            }
        }
        return best.flatMap { $0.isOnly ? $0.word : nil }
    }

    /// Of the plural.
    private static let endings = ["", "s", "n", "e", "es", "en", "er"]

    /// The goods of a word: itself, without an ending of the plural, or the last part of a compound.
    private func known(_ word: String) -> (base: String, aisle: Int, others: Set<String>)? {
        for start in word.indices.prefix(24) {
            let rest = word[start...]
            // Short words end many others: `ei` is no part of `blei`.
            guard start == word.startIndex || rest.count >= 4 else { return nil }
            if rest.hasSuffix("ies"), let found = byWord[rest.dropLast(3) + "y"] {
                return (rest.dropLast(3) + "y", found.aisle, found.others)
            }
            for ending in Self.endings where rest.hasSuffix(ending) {
                let stem = rest.dropLast(ending.count)
                guard ending.isEmpty || stem.count >= 3 else { continue }
                if let found = byWord[String(stem)] { return (String(stem), found.aisle, found.others) }
            }
        }
        return nil
    }
}
