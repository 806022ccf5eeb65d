/// A product in a catalogue file.
package struct ProductRecord: Sendable, Decodable {
    /// 8, 12, 13 or 14 digits; the last one is a check digit.
    package var gtin: String
    package var name: String
    package var brand: String?
    /// BCP 47 language of the texts.
    package var language: String
    /// The list of ingredients as printed.
    package var ingredients: String?
    /// The allergens declared as contained, and the declaring words.
    package var contains: [Allergen]
    package var containsText: String?
    /// The allergens declared as possible traces, and the declaring words.
    package var mayContain: [Allergen]
    package var mayContainText: String?
    package var trust: Product.Trust
    /// The date when the record was made or last confirmed.
    package var recorded: Day

    /// The content of the package, such as `400 g`.
    package var quantity: String?
    /// The serving as printed, such as `1 tbsp (15 g)`, and its grams or millilitres.
    package var serving: String?
    package var servingGrams: Double?
    /// The nutrition table; nil if the record has none.
    package var per100: Per100?

    /// The fault of the record, for the maintainer of the file; nil if the record is valid.
    var fault: String? {
        if GTIN(gtin) == nil { return "gtin has not 8, 12, 13 or 14 digits with a right check digit" }
        if let number = GTIN(gtin), let restriction = RestrictedPrefix(number) {
            return "gtin has a prefix that names no product (\(restriction.rawValue))"
        }
        if name.isBlank { return "name is empty" }
        if language.isBlank { return "language is empty" }
        if let twice = contains.first(where: mayContain.contains) {
            return "\(twice.rawValue) stands in contains and in mayContain"
        }
        if !contains.isEmpty, containsText?.isBlank ?? true { return "contains has no containsText that says it" }
        if !mayContain.isEmpty, mayContainText?.isBlank ?? true {
            return "mayContain has no mayContainText that says it"
        }
        if let per100, !per100.isPossible { return "per100 has no energyKcal, or a figure that 100 g cannot hold" }
        if let servingGrams, !(0.1...5000).contains(servingGrams) { return "servingGrams is not from 0.1 to 5000" }
        return nil
    }
}

/// A nutrition table per 100 g or 100 ml: kilocalories, and grams of the others; nil where the source states none.
package struct Per100: Sendable, Hashable, Decodable {
    package var energyKcal, fat, saturatedFat, carbohydrate, sugars, fibre, protein, salt: Double?

    package init() {}

    /// Pure fat has 900 kcal.
    fileprivate var isPossible: Bool {
        energyKcal.map((0...900).contains) == true
            && [fat, saturatedFat, carbohydrate, sugars, fibre, protein, salt].compactMap(\.self)
                .allSatisfy((0...100).contains)
    }
}

extension String {
    /// True if the text is empty or white space only.
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
