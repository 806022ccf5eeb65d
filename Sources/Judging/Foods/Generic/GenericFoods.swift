import Core

/// A food without a brand, with figures per 100 g and portions: a record of USDA's FoodData Central.
package struct GenericFood: Sendable, Hashable {
    /// Of FoodData Central.
    package var id: Int64
    /// `Egg, whole, raw, fresh`.
    package var description: String
    package var nutrients: Per100
    /// The usual one first.
    package var portions: [Portion]

    package struct Portion: Sendable, Hashable {
        /// `1 cup`.
        package var label: String
        package var grams: Double
    }
}

/// Generic foods, found by names in ten languages and by their English descriptions: `models/foods`.
package struct GenericFoods: Sendable {
    /// The source of these records, as in `fdc:171287`.
    package static let source = "fdc"
    /// Names that score less are not what was typed as a whole.
    package static let wholeName = 0.93

    /// A food that a text means.
    package struct Match: Sendable {
        /// Its portions are in the language of ``name``.
        package var food: GenericFood
        /// The name by which it was found, or its description.
        package var name: String
        /// 0…1; ``GenericFoods/wholeName`` and above if the text is a name of the food.
        package var score: Double
    }

    private let foods: [GenericFood]
    private let names: FoodNames
    private let search: NameSearch
    package let words: FoodWords
    /// What the search covers; its numbers are places here.
    private let entries: [Entry]

    private struct Entry: Sendable {
        var food: Int
        /// Nil for a description.
        var name: FoodNames.Name?
        /// Part of the score: a name of a taxonomy is less sure than one of ``FoodNames``.
        var share = 1.0
    }

    /// Descriptions say more than what was typed. A synonym counts less than the plural of a name, and more than
    /// ``wholeName``.
    private static let (described, headed) = (0.88, 0.04)
    private static let synonym = 0.94

    /// - Throws: `StartupError` that names the file, the row and the remedy.
    package init(models: ModelFolder, words: FoodWords) throws {
        self.init(
            try models.load(GenericFoodFile.self, from: "foods/usda.json").foods,
            names: try models.load(FoodNames.self, from: FoodNames.path),
            synonyms: try models.load(FoodSynonyms.self, from: FoodSynonyms.path).all, words: words)
    }

    init(_ foods: [GenericFood], names: FoodNames, synonyms: [FoodNames.Name] = [], words: FoodWords) {
        let numbers = Dictionary(foods.indices.map { (foods[$0].id, $0) }) { first, _ in first }
        // Names come before descriptions, which decides between equal scores.
        let named = names.all.compactMap { name in numbers[name.food].map { Entry(food: $0, name: name) } }
        let others = synonyms.compactMap { name in
            numbers[name.food].map { Entry(food: $0, name: name, share: Self.synonym) }
        }
        let entries = named + others + foods.indices.map { Entry(food: $0) }
        search = NameSearch(
            entries.enumerated().map { (Int64($0), $1.name?.text ?? foods[$1.food].description) }, foods: words)
        (self.foods, self.names, self.entries, self.words) = (foods, names, entries, words)
    }

    package var count: Int { foods.count }

    /// The foods that a text may mean, best first.
    package func matches(_ typed: String, limit: Int) -> [Match] {
        let typedWords = Folding.words(of: typed)
        var best: [Int: Match] = [:]
        for match in search.matches(typed, limit: limit * 12) {
            let entry = entries[Int(match.id)]
            let food = foods[entry.food]
            var score = match.score * entry.share
            if entry.name == nil {
                // The first word of a description is what the food is: `Noodles, egg` is no egg.
                let head = Folding.words(of: food.description).first ?? ""
                score = score * Self.described + (typedWords.contains { head.hasPrefix($0) } ? Self.headed : 0)
            }
            guard score > best[entry.food]?.score ?? 0 else { continue }
            best[entry.food] = Match(
                food: entry.name.map { names.translated(food, by: $0) } ?? food,
                name: entry.name?.text ?? food.description,
                score: score)
        }
        let order = best.sorted { ($1.value.score, $0.key) < ($0.value.score, $1.key) }
        return order.prefix(limit).map(\.value)
    }
}

/// `models/foods/usda.json`, which `scripts/tool foods.build` makes.
struct GenericFoodFile: DataFile {
    static let schema = "tablesight.generic-foods/1"

    let foods: [GenericFood]

    private enum CodingKeys: String, CodingKey { case foods }

    init(from decoder: any Decoder) throws {
        let rows = try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .foods)
        foods = try rows.enumerated().map { index, row in
            guard let food = GenericFood(row: row) else {
                throw DataFileProblem(
                    "foods[\(index)]", "must be an id, a description, eight figures and portions: \(row)")
            }
            return food
        }
    }

    func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(
            !foods.isEmpty && Set(foods.map(\.id)).count == foods.count, "foods", "must have foods with different ids")
    }
}

extension GenericFood {
    /// `171287|Egg, whole, raw, fresh|143|12.56|…|1 large=50;…`; nil for a row of another form.
    fileprivate init?(row: String) {
        let cells = row.split(separator: "|", omittingEmptySubsequences: false)
        guard cells.count == 11, let id = Int64(cells[0]), id > 0, !cells[1].isEmpty, !cells[2].isEmpty else {
            return nil
        }
        let figures = cells[2..<10].map { Double($0) }
        guard zip(cells[2..<10], figures).allSatisfy({ $0.isEmpty == ($1 == nil) }),
            figures.compactMap(\.self).allSatisfy({ (0...910).contains($0) })
        else { return nil }
        var nutrients = Per100()
        (nutrients.energyKcal, nutrients.protein, nutrients.carbohydrate) = (figures[0], figures[1], figures[2])
        (nutrients.fat, nutrients.saturatedFat, nutrients.fibre) = (figures[3], figures[4], figures[5])
        (nutrients.sugars, nutrients.salt) = (figures[6], figures[7])
        var portions: [Portion] = []
        for text in cells[10].split(separator: ";") {
            let parts = text.split(separator: "=")
            guard parts.count == 2, let grams = Double(parts[1]), grams > 0 else { return nil }
            // What a portion measures across is no part of what people call it.
            let label = parts[0].prefix { $0 != "(" }.trimmingSuffix { $0 == " " || $0 == "," }
            guard !portions.contains(where: { $0.label == label }) else { continue }
            portions.append(Portion(label: String(label), grams: grams))
        }
        self.init(id: id, description: String(cells[1]), nutrients: nutrients, portions: portions)
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
