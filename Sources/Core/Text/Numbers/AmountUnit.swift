import Foundation

/// A unit of mass or volume as written on packages and in kitchens.
package enum AmountUnit: Sendable, Hashable, CaseIterable {
    case milligram, gram, decagram, kilogram, ounce, pound, jin
    case millilitre, centilitre, decilitre, litre, fluidOunce, pint, gallon
    case teaspoon, tablespoon, cup

    /// What an amount measures; its base unit is the gram or the millilitre.
    package enum Dimension: String, Sendable, Hashable { case mass, volume }

    package var dimension: Dimension {
        switch self {
        case .milligram, .gram, .decagram, .kilogram, .ounce, .pound, .jin: .mass
        case .millilitre, .centilitre, .decilitre, .litre, .fluidOunce, .pint, .gallon, .teaspoon, .tablespoon, .cup:
            .volume
        }
    }

    /// Grams or millilitres of one unit. Ounce and pound are avoirdupois; pint and gallon are US liquid measures; the jin
    /// is that of China; fluid ounce, cup and spoons are those of US
    /// nutrition labels (21 CFR 101.9(b)(5)(viii)).
    package var baseUnits: Decimal {
        switch self {
        case .milligram: Decimal(sign: .plus, exponent: -3, significand: 1)
        case .gram, .millilitre: 1
        case .kilogram, .litre: 1000
        case .ounce: Decimal(sign: .plus, exponent: -9, significand: 28_349_523_125)
        case .pound: Decimal(sign: .plus, exponent: -8, significand: 45_359_237_000)
        case .jin: 500
        case .pint: Decimal(sign: .plus, exponent: -6, significand: 473_176_473)
        case .gallon: Decimal(sign: .plus, exponent: -6, significand: 3_785_411_784)
        case .centilitre, .decagram: 10
        case .decilitre: 100
        case .fluidOunce: 30
        case .teaspoon: 5
        case .tablespoon: 15
        case .cup: 240
        }
    }

    /// True for grams, litres and their parts.
    package var isMetric: Bool {
        switch self {
        case .milligram, .gram, .decagram, .kilogram, .millilitre, .centilitre, .decilitre, .litre: true
        case .ounce, .pound, .jin, .fluidOunce, .pint, .gallon, .teaspoon, .tablespoon, .cup: false
        }
    }

    /// True for the metric units of a content or a serving: all but the milligram, in which nutrients are stated.
    package var isContent: Bool { isMetric && self != .milligram }

    /// True for cups and spoons, which packages print beside the real amount.
    package var isHousehold: Bool {
        switch self {
        case .teaspoon, .tablespoon, .cup: true
        case .milligram, .gram, .decagram, .kilogram, .ounce, .pound, .jin, .millilitre, .centilitre, .decilitre,
            .litre,
            .fluidOunce, .pint, .gallon:
            false
        }
    }

    /// The unit of a word in any case; nil for other words.
    package init?(word: some StringProtocol) {
        guard let unit = Self.words[word.lowercased()] else { return nil }
        self = unit
    }

    private static let words: [String: AmountUnit] = {
        let all: [(AmountUnit, String)] = [
            (.milligram, "mg mgr milligram milligrams milligramm мг 毫克"),
            (.gram, "g gr grm gm gram grams gramm gramme grammes grammi gramos gramas г гр 克 グラム"),
            (.decagram, "dag dkg deka dekagramm"),
            (.kilogram, "kg kgs kilo kilos kilogram kilograms kilogramm кг 公斤 千克"),
            (.ounce, "oz onz ounce ounces"), (.pound, "lb lbs pound pounds"),
            (.millilitre, "ml mlt cc millilitre millilitres milliliter milliliters мл 毫升"),
            (.centilitre, "cl centilitre centilitres centiliter zentiliter сл"),
            (.decilitre, "dl decilitre decilitres deciliter deziliter дл"),
            (.litre, "l lt ltr litre litres liter liters litro litros litri л 升"),
            (.fluidOunce, "floz"), (.pint, "pt pint pints"), (.gallon, "gal gallon gallons"), (.jin, "斤"),
            (.teaspoon, "tsp teaspoon teaspoons tl teelöffel"),
            (.tablespoon, "tbsp tablespoon tablespoons el esslöffel"), (.cup, "cup cups"),
        ]
        return Dictionary(
            all.flatMap { unit, words in words.split(separator: " ").map { (String($0), unit) } },
            uniquingKeysWith: { first, _ in first })
    }()
}

/// What print writes behind a number of things: a measure, or a word for pieces.
extension AmountUnit {
    /// Words for pieces in lower case.
    package static let pieces: Set<String> = [
        "x", "×", "pc", "pcs", "pce", "piece", "pieces", "ea", "each", "unit", "units", "unité", "unite", "u", "nos",
        "st", "stk", "stck",
        "stuck",
        "stück", "stücke", "pièce", "pièces", "pieza", "piezas", "ud", "uds", "unidad", "unidades", "unidade", "pz",
        "pezzo",
        "pezzi", "stuk", "stuks", "szt", "sztuk", "ks", "db",
    ]
    /// What stands behind the number of pieces in a pack, in lower case: `10er`, `12ct`.
    private static let packs: Set<String> = ["er", "ct", "pk", "p"]

    /// The unit of a word of print; nil for other words, and for cups and spoons.
    package init?(printed word: some StringProtocol) {
        guard let unit = Self(word: word), !unit.isHousehold else { return nil }
        self = unit
    }

    /// True for a word that says what a number counts or measures, as in `500 g` and `2 Stk`.
    package static func counts(_ word: some StringProtocol) -> Bool {
        AmountUnit(printed: word) != nil || pieces.contains(word.lowercased())
    }

    /// True for a unit of mass, volume or length.
    package static func measures(_ word: some StringProtocol) -> Bool {
        AmountUnit(printed: word) != nil || lengths.contains(word.lowercased())
    }

    private static let lengths: Set<String> = ["mm", "cm", "km", "inch"]

    /// True for a number with its unit in one word: `33cl`, `500g`, `10er`.
    package static func isAmount(_ word: some StringProtocol) -> Bool {
        let unit = word.drop { $0.isASCII && $0.isNumber }
        return unit.startIndex > word.startIndex && (counts(unit) || packs.contains(unit.lowercased()))
    }
}
