import Core

/// Nutrients per 100 g or 100 ml; nil if not read.
package struct NutritionPer100: Sendable, Hashable, Codable {
    /// Kilojoules.
    package var energyKJ: Double?
    /// Grams.
    package var fat, saturatedFat, carbohydrate, sugars, fibre, protein, salt: Double?
    /// Share of fruit, vegetables and legumes in percent.
    package var fruitShare: Double?
    /// Probability 0…1 that the table was read correctly.
    package var confidence: Double

    package init(
        energyKJ: Double? = nil, fat: Double? = nil, saturatedFat: Double? = nil, carbohydrate: Double? = nil,
        sugars: Double? = nil, fibre: Double? = nil, protein: Double? = nil, salt: Double? = nil,
        fruitShare: Double? = nil, confidence: Double = 1
    ) {
        self.energyKJ = energyKJ
        self.fat = fat
        self.saturatedFat = saturatedFat
        self.carbohydrate = carbohydrate
        self.sugars = sugars
        self.fibre = fibre
        self.protein = protein
        self.salt = salt
        self.fruitShare = fruitShare
        self.confidence = confidence
    }

    private enum CodingKeys: String, CodingKey {
        case energy_kj, energy_kcal, fat, saturated_fat, carbohydrates, sugars, salt, sodium, fiber, fibre, proteins
        case protein, fvl, confidence
    }

    /// Accepts the keys of the Nutri-Score vectors: `energy_kj`, `saturated_fat`, `fiber`, `proteins`, `fvl` in percent.
    /// Energy may be in kilocalories and salt may be given as sodium.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ keys: CodingKeys...) throws -> Double? {
            for key in keys {
                guard let value = try values.decodeIfPresent(Double.self, forKey: key) else { continue }
                guard value.isFinite, (0...100_000).contains(value) else {
                    throw DecodingError.dataCorruptedError(
                        forKey: key, in: values, debugDescription: "\(value) is out of range")
                }
                return value
            }
            return nil
        }
        energyKJ = try number(.energy_kj) ?? number(.energy_kcal).map { $0 * 4.184 }
        fat = try number(.fat)
        saturatedFat = try number(.saturated_fat)
        carbohydrate = try number(.carbohydrates)
        sugars = try number(.sugars)
        fibre = try number(.fiber, .fibre)
        protein = try number(.proteins, .protein)
        salt = try number(.salt) ?? number(.sodium).map { $0 * 2.5 }
        fruitShare = try number(.fvl)
        confidence = try number(.confidence).map { min(1, $0) } ?? 1
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(energyKJ, forKey: .energy_kj)
        try values.encodeIfPresent(fat, forKey: .fat)
        try values.encodeIfPresent(saturatedFat, forKey: .saturated_fat)
        try values.encodeIfPresent(carbohydrate, forKey: .carbohydrates)
        try values.encodeIfPresent(sugars, forKey: .sugars)
        try values.encodeIfPresent(fibre, forKey: .fiber)
        try values.encodeIfPresent(protein, forKey: .proteins)
        try values.encodeIfPresent(salt, forKey: .salt)
        try values.encodeIfPresent(fruitShare, forKey: .fvl)
        try values.encode(confidence, forKey: .confidence)
    }
}

/// The Nutri-Score of 2023 from a nutrition table.
package struct NutriScore: Sendable {
    /// Which table applies.
    package enum Category: String, Sendable, Hashable, Codable { case general, fat, beverage }

    /// Facts about the product that the nutrition table does not show.
    package struct Flags: Sendable, Hashable, Codable {
        package var cheese, red_meat, non_nutritive_sweeteners, water: Bool?

        package init(
            cheese: Bool? = nil, redMeat: Bool? = nil, nonNutritiveSweeteners: Bool? = nil, water: Bool? = nil
        ) {
            self.cheese = cheese
            red_meat = redMeat
            non_nutritive_sweeteners = nonNutritiveSweeteners
            self.water = water
        }
    }

    /// A computed score.
    package struct Score: Sendable, Hashable {
        package var score: Int
        /// `A`…`E`.
        package var grade: String
        package var points: [String: Int]
        /// `fibreMissing`, `fruitShareMissing`, `saturatedFatMissing`, `sugarsMissing`.
        package var assumptions: [String]
    }

    /// What a product category changes.
    enum Rule: String, CaseIterable, Sendable, Hashable {
        case fat, beverage, cheese, redMeat, water, prepared
        case exempt = "none"
    }

    /// What the categories of a product say about its score.
    struct Classification: Sendable, Hashable {
        var category: Category?
        var flags = Flags()
        /// True if products of the category show no Nutri-Score.
        var isExempt = false
        /// True if the score needs the values of the prepared product.
        var isPrepared = false
    }

    private let tables: Tables
    private let rules: [String: Set<Rule>]

    /// `models/risk/nutriscore.json`: thresholds and grades.
    package struct Tables: DataFile, Sendable {
        package static let schema = "tablesight.nutriscore/1"

        struct Table: Sendable, Decodable {
            var energy, sugars, saturatedFat, salt, fruitShare, fibre, protein: [Double]
        }

        var tables: [String: Table]
        var sweetenerPoints, redMeatProteinLimit: Int
        var proteinLimits: [String: Int]
        /// The highest score of each grade, from A or, for beverages, from B.
        var grades: [String: [Int]]
        /// Categories of products without a language prefix, by what they change: a table (`fat`, `beverage`), a flag
        /// (`cheese`, `redMeat`, `water`), `prepared` (the values must be those of the prepared product) or `none` (no
        /// Nutri-Score is shown).
        var categories: [String: [String]]

        package func validate(name: String) throws(DataFileProblem) {
            for category in ["general", "fat", "beverage"] {
                try DataFileProblem.check(tables[category] != nil, "tables.\(category)", "missing")
                try DataFileProblem.check(grades[category] != nil, "grades.\(category)", "missing")
            }
            for key in categories.keys {
                try DataFileProblem.check(
                    Rule(rawValue: key) != nil, "categories.\(key)",
                    "one of \(Rule.allCases.map(\.rawValue).joined(separator: ", ")) expected")
            }
        }
    }

    package init(_ tables: Tables) {
        self.tables = tables
        var rules: [String: Set<Rule>] = [:]
        for (key, names) in tables.categories {
            guard let rule = Rule(rawValue: key) else { continue }
            for name in names { rules[name, default: []].insert(rule) }
        }
        self.rules = rules
    }

    /// - Parameter names: `en:cheeses`; unknown ones change nothing.
    func classification(of names: [String]) -> Classification {
        let found = names.reduce(into: Set<Rule>()) { found, name in
            found.formUnion(rules[name.split(separator: ":").last.map(String.init) ?? name] ?? [])
        }
        var result = Classification()
        // Water and milk drinks are beverages; a fat that is drunk does not exist.
        if found.contains(.beverage) || found.contains(.water) {
            result.category = .beverage
        } else if found.contains(.fat) {
            result.category = .fat
        } else if found.contains(.cheese) || found.contains(.redMeat) {
            result.category = .general
        }
        if found.contains(.cheese) { result.flags.cheese = true }
        if found.contains(.redMeat) { result.flags.red_meat = true }
        if found.contains(.water) { result.flags.water = true }
        result.isExempt = found.contains(.exempt)
        result.isPrepared = found.contains(.prepared)
        return result
    }

    /// Nil if energy, saturated fat, sugars or salt are missing, or fat in the category fat.
    package func score(
        of food: NutritionPer100, _ category: Category = .general, _ flags: Flags = Flags()
    ) -> Score? {
        guard let table = tables.tables[category.rawValue], let energy = food.energyKJ, let salt = food.salt else {
            return nil
        }
        var assumptions: [String] = []
        func assumed(_ value: Double?, _ key: String, if isZero: Bool) -> Double? {
            if let value { return value }
            guard isZero else { return nil }
            assumptions.append(key)
            return 0
        }
        guard let saturated = assumed(food.saturatedFat, "saturatedFatMissing", if: food.fat == 0),
            let sugars = assumed(food.sugars, "sugarsMissing", if: food.carbohydrate == 0)
        else { return nil }
        let fibre = assumed(food.fibre, "fibreMissing", if: true) ?? 0
        let fruit = assumed(food.fruitShare, "fruitShareMissing", if: true) ?? 0
        let protein = assumed(food.protein, "proteinMissing", if: true) ?? 0

        var bad: [String: Int] = [
            "sugars": Self.points(sugars, table.sugars), "salt": Self.points(salt, table.salt),
        ]
        if category == .fat {
            guard let fat = food.fat else { return nil }
            bad["energyFromSaturatedFat"] = Self.points(saturated * 37, table.energy)
            // Rounding of the quotient must not lift a value over its threshold: 33 of 100 is 33 percent.
            let ratio = fat > 0 ? (saturated / fat * 100 * 1e9).rounded() / 1e9 : 0
            bad["saturatedFatRatio"] = table.saturatedFat.count { ratio >= $0 }
        } else {
            bad["energy"] = Self.points(energy, table.energy)
            bad["saturatedFat"] = Self.points(saturated, table.saturatedFat)
        }
        if category == .beverage, flags.non_nutritive_sweeteners == true { bad["sweeteners"] = tables.sweetenerPoints }
        let negative = bad.values.reduce(0, +)

        var good: [String: Int] = [
            "fibre": Self.points(fibre, table.fibre),
            "fruitShare": Self.points(fruit, table.fruitShare),
        ]
        let countsProtein =
            category == .beverage || flags.cheese == true
            || negative < (tables.proteinLimits[category.rawValue] ?? Int.max)
        if countsProtein {
            var points = Self.points(protein, table.protein)
            if flags.red_meat == true { points = min(points, tables.redMeatProteinLimit) }
            good["protein"] = points
        }
        let score = negative - good.values.reduce(0, +)
        return Score(
            score: score, grade: grade(score, category, flags), points: bad.merging(good.mapValues { -$0 }) { $1 },
            assumptions: assumptions)
    }

    private static func points(_ value: Double, _ thresholds: [Double]) -> Int { thresholds.count { value > $0 } }

    private func grade(_ score: Int, _ category: Category, _ flags: Flags) -> String {
        if category == .beverage, flags.water == true { return "A" }
        let limits = tables.grades[category.rawValue] ?? []
        let letters = category == .beverage ? ["B", "C", "D", "E"] : ["A", "B", "C", "D", "E"]
        return letters[min(limits.count { score > $0 }, letters.count - 1)]
    }
}
