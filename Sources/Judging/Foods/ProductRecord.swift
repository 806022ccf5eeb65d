import Core

/// A product in a catalogue file.
struct ProductRecord: Decodable {
    /// 8, 12, 13 or 14 digits; the last one is a check digit.
    var gtin: String
    var name: String
    var brand: String?
    /// BCP 47 language of the texts.
    var language: String
    /// The list of ingredients as printed.
    var ingredients: String?
    /// The allergens declared as contained, and the declaring words.
    var contains: [Allergen]
    var containsText: String?
    /// The allergens declared as possible traces, and the declaring words.
    var mayContain: [Allergen]
    var mayContainText: String?
    var trust: Product.Trust
    /// The date when the record was made or last confirmed.
    var recorded: CalendarDay

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
        return nil
    }
}

extension String {
    /// True if the text is empty or white space only.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
