import Foundation

/// A portion that can be logged of a food.
package struct Serving: Sendable, Hashable, Codable {
    /// `1 cup (30 g)`.
    package var sizeLabel: String
    /// Grams, or millilitres of a drink; nil if unknown.
    package var grams: Decimal?
    /// The food's figures times this are the figures of the serving.
    package var multiplier: Decimal

    package init(sizeLabel: String, grams: Decimal?, multiplier: Decimal) {
        self.sizeLabel = sizeLabel
        self.grams = grams
        self.multiplier = multiplier
    }
}

/// A food of the diary. Other programs depend on the JSON names; additional names are optional.
package struct Food: Sendable, Hashable, Codable {
    /// Origin of the figures.
    package enum Source: String, Sendable, Hashable, Codable, CaseIterable { case verified, userCreated, scanned }

    /// `off:737628064502`, `usda:…`, `own:…` or `quick:…`.
    package var id: String
    package var name: String
    package var brand: String?
    package var barcode: String?
    /// Kilocalories and grams; those of ``defaultServing`` times its multiplier are what is eaten.
    package var calories, protein, carbs, fat: Decimal
    package var defaultServing: Serving
    package var altServings: [Serving]
    package var source: Source
    /// Figures that the record does not state; they are 0 above. Nil if it states all.
    package var unknown: [String]?
    /// Grams of one millilitre; nil if the record does not state it.
    package var density: Decimal?
    /// Confidence of a food that was read from a photo, 0…1.
    package var confidence: Double?

    package init(
        id: String, name: String, brand: String? = nil, barcode: String? = nil, calories: Decimal, protein: Decimal = 0,
        carbs: Decimal = 0, fat: Decimal = 0, defaultServing: Serving, altServings: [Serving] = [], source: Source,
        unknown: [String]? = nil, density: Decimal? = nil, confidence: Double? = nil
    ) {
        self.id = id
        self.name = name
        self.brand = brand
        self.barcode = barcode
        self.calories = calories
        self.protein = protein
        self.carbs = carbs
        self.fat = fat
        self.defaultServing = defaultServing
        self.altServings = altServings
        self.source = source
        self.unknown = unknown
        self.density = density
        self.confidence = confidence
    }

    /// An amount of energy without a food.
    package static func quick(
        id: String, name: String, calories: Decimal, protein: Decimal? = nil, carbs: Decimal? = nil, fat: Decimal? = nil
    ) -> Food {
        let missing = [("protein", protein), ("carbs", carbs), ("fat", fat)].filter { $0.1 == nil }.map(\.0)
        return Food(
            id: "quick:\(id)", name: name, calories: calories, protein: protein ?? 0, carbs: carbs ?? 0, fat: fat ?? 0,
            defaultServing: Serving(sizeLabel: "1 serving", grams: nil, multiplier: 1), source: .userCreated,
            unknown: missing.isEmpty ? nil : missing)
    }

    /// All servings, the default first.
    package var servings: [Serving] { [defaultServing] + altServings }

    /// The problem of a food that a client sent, for its author; nil if it is valid.
    package var fault: String? {
        if id.isEmpty || id.count > 100 { return "id has 1 to 100 characters" }
        if name.trimmingCharacters(in: .whitespaces).isEmpty || name.count > 200 {
            return "name has 1 to 200 characters"
        }
        if (brand?.count ?? 0) > 200 || (barcode?.count ?? 0) > 20 { return "brand or barcode is too long" }
        for (key, value) in [("calories", calories), ("protein", protein), ("carbs", carbs), ("fat", fat)]
        where value < 0 || value > Self.mostFigure {
            return "\(key) must be from 0 to \(Self.mostFigure)"
        }
        if altServings.count > Self.mostServings { return "a food has at most \(Self.mostServings) servings" }
        return servings.compactMap(\.fault).first
    }

    private static let mostFigure: Decimal = 20_000
    private static let mostServings = 20
}

extension Serving {
    static let mostGrams: Decimal = 20_000
    static let mostMultiplier: Decimal = 1000

    /// The problem of a serving that a client sent; nil if it is valid.
    package var fault: String? {
        if sizeLabel.isEmpty || sizeLabel.count > 120 { return "sizeLabel has 1 to 120 characters" }
        if let grams, grams <= 0 || grams > Self.mostGrams {
            return "grams must be above 0 and at most \(Self.mostGrams)"
        }
        if multiplier <= 0 || multiplier > Self.mostMultiplier {
            return "multiplier must be above 0 and at most \(Self.mostMultiplier)"
        }
        return nil
    }
}
