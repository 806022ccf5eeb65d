/// The energy that a record or a table states for 100 g or 100 ml, and what its other figures say of it.
package struct EnergyFigures: Sendable {
    package static let kilojoulesPerKilocalorie = 4.184
    /// Kilocalories of 100 g of fat, the food with the most energy, and the rounding of a label.
    package static let most = 901.0

    private let kilocalories, kilojoules: Double?
    /// Grams of protein, carbohydrate and fat; nil if one is missing.
    private let macros: (protein: Double, carbs: Double, fat: Double)?

    package init(
        kilocalories: Double?, kilojoules: Double?, protein: Double? = nil, carbs: Double? = nil, fat: Double? = nil
    ) {
        (self.kilocalories, self.kilojoules) = (kilocalories, kilojoules)
        if let protein, let carbs, let fat { macros = (protein, carbs, fat) } else { macros = nil }
    }

    /// The energy in kilocalories; nil if none is stated, if it is impossible, or if both units contradict each other and
    /// the nutrients do not decide.
    package var believed: Double? {
        let fromJoules = kilojoules.map { $0 / Self.kilojoulesPerKilocalorie }
        if let kilocalories, let kilojoules, !Self.agree(kilojoules: kilojoules, kilocalories: kilocalories) {
            let proved = [kilocalories, fromJoules].compactMap(\.self).filter { fitsMacros($0) && $0 <= Self.most }
            return proved.count == 1 ? proved[0] : nil
        }
        return (kilocalories ?? fromJoules).flatMap { $0 <= Self.most ? $0 : nil }
    }

    /// 4 kcal for each gram of protein and carbohydrate and 9 of fat, within a fifth.
    private func fitsMacros(_ energy: Double) -> Bool {
        guard let macros else { return false }
        let sum = 4 * macros.protein + 4 * macros.carbs + 9 * macros.fat
        return abs(energy - sum) <= max(8, sum / 5)
    }

    /// kJ = 4.184 kcal, within five per cent and the rounding.
    package static func agree(kilojoules: Double, kilocalories: Double) -> Bool {
        abs(kilojoules - kilojoulesPerKilocalorie * kilocalories) <= max(6, 0.05 * kilojoules)
    }
}
