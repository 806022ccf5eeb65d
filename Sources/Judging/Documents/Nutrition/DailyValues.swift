import Core

/// The daily values of several laws. A printed percentage proves an amount and its nutrient.
enum DailyValues {
    /// Grams a day: United States and Canada now and before, European Union, Korea, Thailand.
    private static let grams: [Nutrient: [Double]] = [
        .fat: [78, 65, 75, 70, 54, 51],
        .saturatedFat: [20, 15],
        .carbohydrate: [275, 300, 260, 324, 330],
        .sugars: [50, 90, 100],
        .fibre: [28, 25, 30],
        .protein: [50, 55, 60],
        .sodium: [2.3, 2.4, 2, 1.5],
        .salt: [6],
    ]

    /// Percentages are rounded in several ways.
    private static let slack = 0.65
    /// Smaller percentages fit by chance.
    private static let least = 2

    /// True if a percentage of at least two is the share of the grams in a daily value.
    static func agrees(_ nutrient: Nutrient, _ amount: Double, _ percent: Int) -> Bool {
        percent >= least && fits(nutrient, amount, percent)
    }

    /// True if the percentage may be the share of the grams, also for nothing.
    static func fits(_ nutrient: Nutrient, _ amount: Double, _ percent: Int) -> Bool {
        (grams[nutrient] ?? []).contains { abs(100 * amount / $0 - Double(percent)) <= slack }
    }
}

extension TableValue {
    var grams: Double { value.approximate * (unit == "mg" ? 0.001 : 1) }

    /// True if its percentage proves it.
    var isDailyShare: Bool { percent.map { DailyValues.agrees(nutrient, grams, $0) } ?? false }
}
