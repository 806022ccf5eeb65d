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

/// A mass in grams or a volume in millilitres.
package struct Amount: Sendable, Hashable {
    /// Grams or millilitres, above 0.
    package var value: Decimal
    package var dimension: AmountUnit.Dimension

    package init(value: Decimal, dimension: AmountUnit.Dimension) {
        self.value = value
        self.dimension = dimension
    }
}
