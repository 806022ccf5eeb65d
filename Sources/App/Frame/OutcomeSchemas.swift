import Core
import HTTP

// What the declarations of an outcome's parts do not say.

extension Outcome: Documented {
    package static var about: String? { "See docs/outcome.md." }
    package static var fields: [String: Field] {
        [
            "schema": Field(constant: "tablesight.outcome/1"),
            "priceTags": Field("All tags of a shelf photo; absent for a photo of one tag."),
        ]
    }
}

extension PageKindReading: Documented {
    package static var about: String? { "What a printed page was taken for, and the second most likely kind." }
    package static var fields: [String: Field] {
        ["value": Field(choices: ["receipt", "priceTag", "label", "menu", "board", none])]
    }
}

extension PageKindReading.Choice: Documented {
    package static var fields: [String: Field] {
        ["value": Field(choices: ["receipt", "priceTag", "label", "menu", PageKindReading.none])]
    }
}

extension ReadValue: Documented {
    package static var about: String? { "A value read from a document, with its evidence." }
    package static var fields: [String: Field] {
        [
            "value": Field("A number with a point, an ISO 8601 date, a code, or words as printed."),
            "confidence": Field(range: 0...1),
        ]
    }
}

extension Nutrition.Basis: Documented {
    package static var fields: [String: Field] {
        ["per": Field(choices: ["100g", "100ml", "serving", "package"])]
    }
}

extension PrintedDate: Documented {
    package static var fields: [String: Field] {
        ["value": Field("ISO 8601: 2027-03-31, 2027-03, or --02-18 without a year.")]
    }
}
