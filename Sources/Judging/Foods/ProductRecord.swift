import Core

/// What a catalogue knows of one product, as its file has it.
struct ProductRecord: Decodable {
    /// 8, 12, 13 or 14 digits, the last a check digit.
    var gtin: String
    var name: String
    var brand: String?
    /// BCP 47, of the texts below.
    var language: String
    /// The list of ingredients as printed.
    var ingredients: String?
    /// The allergens that the record declares as contained, and the words that declare them.
    var contains: [Allergen]
    var containsText: String?
    /// The allergens that the record declares as possible traces, and the words that declare them.
    var mayContain: [Allergen]
    var mayContainText: String?
    var trust: Product.Trust
    /// When the record was made or last confirmed.
    var recorded: CalendarDay

    /// What is wrong with the record, for the person who keeps the file; nil where nothing is.
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
        return nil
    }
}

extension String {
    /// True for a text of nothing but white space.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
