import Core

/// What people call the commonest foods in ten languages, and words of portions: `models/foods/names.json`.
package struct FoodNames: DataFile, Sendable {
    package static let schema = "tablesight.food-names/1"
    static let path = "foods/names.json"
    package static let languages = ["en", "de", "fr", "es", "it", "nl", "pl", "cs", "hu", "pt"]

    struct Name: Sendable {
        /// The id of the food.
        var food: Int64
        /// Place in ``FoodNames/languages``.
        var language: Int
        var text: String
    }

    /// The shown name of each food in each language, then the others.
    let all: [Name]
    /// The foods whose first portion is one piece, with the English names of that.
    private let pieces: [Int64: String]
    /// Words of portions in each language by the English word: slice.
    private let portions: [String: [String]]

    private enum CodingKeys: String, CodingKey { case foods, portions }

    /// The shown names with the ids of their foods.
    package var shown: [(food: Int64, name: String)] { all.prefix(shownCount).map { ($0.food, $0.text) } }
    private let shownCount: Int

    /// The folded names of one word of each food, English ones first.
    var words: [[String]] {
        var found: [[String]] = []
        for (_, names) in Dictionary(grouping: all, by: \.food).sorted(by: { $0.key < $1.key }) {
            let single = names.sorted { $0.language < $1.language }.map { Folding.words(of: $0.text) }.filter {
                $0.count == 1
            }
            found.append(single.reduce(into: []) { if !$0.contains($1[0]) { $0.append($1[0]) } })
        }
        return found
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        portions = try container.decode([String: String].self, forKey: .portions).mapValues {
            $0.split(separator: "|").map(String.init)
        }
        var (shown, others, pieces): ([Name], [Name], [Int64: String]) = ([], [], [:])
        for (index, row) in try container.decode([String].self, forKey: .foods).enumerated() {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == Self.languages.count + 2, let food = Int64(cells[0]) else {
                throw DataFileProblem("foods[\(index)]", "must be an id, a portion and names in ten languages: \(row)")
            }
            for names in Name.all(of: food, in: cells[2...]) {
                shown += names.prefix(1)
                others += names.dropFirst()
            }
            if Self.isPiece(cells[1], of: cells[2]) { pieces[food] = cells[1] }
        }
        (all, shownCount, self.pieces) = (shown + others, shown.count, pieces)
    }

    package func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(!all.isEmpty, "foods", "must have names")
        for (word, translated) in portions {
            try DataFileProblem.check(
                translated.count == Self.languages.count, "portions.\(word)",
                "must have a word in each of ten languages")
        }
    }

    /// A size, or the food itself: `1 large` of eggs, `1 bagel`; not `1 slice` of bread.
    private static func isPiece(_ portion: String, of names: String) -> Bool {
        let words = Folding.words(of: portion)
        let food = Set(Folding.words(of: names))
        return words.count >= 2 && words[0] == "1" && (sizes.contains(words[1]) || food.contains(words[1]))
    }

    private static let sizes: Set = ["large", "medium", "small", "fruit"]

    /// The shown name of the food in the language of a name: one piece of `Eier` is `1 Ei`.
    private func singular(of name: Name) -> String {
        all.prefix(shownCount).first { $0.food == name.food && $0.language == name.language }?.text ?? name.text
    }

    /// The food with portions in the language of a name: `1 Ei`, `1 Scheibe`.
    func translated(_ food: GenericFood, by name: Name) -> GenericFood {
        var food = food
        food.portions = food.portions.enumerated().map { index, portion in
            var portion = portion
            if index == 0, pieces[food.id] != nil {
                portion.label = "1 \(singular(of: name))"
            } else if let word = portions.keys.first(where: { portion.label == "1 \($0)" }),
                let translated = portions[word]?[name.language]
            {
                portion.label = portion.label.replacing("1 \(word)", with: "1 \(translated)", maxReplacements: 1)
            }
            return portion
        }
        return food
    }
}

extension FoodNames.Name {
    /// The names of a food in each language, separated by `/`.
    fileprivate static func all(of food: Int64, in cells: ArraySlice<String>) -> [[Self]] {
        cells.enumerated().map { language, names in
            names.split(separator: "/").map { Self(food: food, language: language, text: String($0)) }
        }
    }
}

/// Further names of generic foods: `models/foods/synonyms.json`, which `scripts/tool foods.synonyms` makes.
struct FoodSynonyms: DataFile {
    static let schema = "tablesight.food-synonyms/1"
    static let path = "foods/synonyms.json"

    let all: [FoodNames.Name]

    private enum CodingKeys: String, CodingKey { case foods }

    init(from decoder: any Decoder) throws {
        let rows = try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .foods)
        all = try rows.enumerated().flatMap { index, row in
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == FoodNames.languages.count + 1, let food = Int64(cells[0]) else {
                throw DataFileProblem("foods[\(index)]", "must be an id and names in ten languages: \(row)")
            }
            return FoodNames.Name.all(of: food, in: cells[1...]).flatMap(\.self)
        }
    }
}
