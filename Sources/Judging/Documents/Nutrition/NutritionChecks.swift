import Core

/// The arithmetic of a nutrition table. The numbers prove or refute each other.
struct NutritionChecks {
    let columns: [TableColumn]
    /// Grams or millilitres of a serving; nil if unknown.
    let size: FixedDecimal?

    private func grams(_ nutrient: Nutrient, _ column: TableColumn) -> Double? {
        column.values[nutrient].map { $0.value.approximate * ($0.unit == "mg" ? 0.001 : 1) }
    }

    /// kJ = 4.184 kcal, within five per cent and the rounding; nil if one is missing.
    func kilojoules(_ column: TableColumn) -> Bool? {
        guard let joules = column.values[.energyKJ]?.value.approximate,
            let calories = column.values[.energyKcal]?.value.approximate
        else { return nil }
        return EnergyFigures.agree(kilojoules: joules, kilocalories: calories)
    }

    /// The energy is 4 kcal for each gram of carbohydrate and protein, 9 of fat, 2 of fibre, within a fifth; nil if a
    /// part is missing. Polyols, acids and rounding widen the range.
    func macros(_ column: TableColumn) -> Bool? {
        guard let (low, high) = energyRange(column), let energy = kilocalories(column) else { return nil }
        return energy >= low * 0.86 - 8 && energy <= high * 1.14 + 8
    }

    /// How far the energy is from that of its parts, as a share of it; nil if one is missing.
    func energyError(_ column: TableColumn) -> Double? {
        guard let (low, high) = energyRange(column), let energy = kilocalories(column), energy > 0 else { return nil }
        return max(0, low - energy, energy - high) / energy
    }

    /// The kilocalories of fat, carbohydrate, protein and fibre: fibre and polyols count between none and all.
    private func energyRange(_ column: TableColumn) -> (low: Double, high: Double)? {
        guard let fat = grams(.fat, column), let carbohydrate = grams(.carbohydrate, column),
            let protein = grams(.protein, column)
        else { return nil }
        let fibre = grams(.fibre, column) ?? 0
        let high = 9 * fat + 4 * carbohydrate + 4 * protein + 2 * fibre
        return (high - 4 * fibre - 2 * (grams(.polyols, column) ?? 0), high)
    }

    /// A part is at most its whole; nil if one is missing.
    func parts(_ column: TableColumn) -> Bool? {
        let found = [Nutrient.saturatedFat, .sugars].compactMap { part($0, column) }
        return found.isEmpty ? nil : found.allSatisfy(\.self)
    }

    /// The same for one part; nil also for a nutrient that is no part of another.
    func part(_ nutrient: Nutrient, _ column: TableColumn) -> Bool? {
        let wholes: [Nutrient: Nutrient] = [.saturatedFat: .fat, .sugars: .carbohydrate]
        guard let whole = wholes[nutrient],
            let one = grams(nutrient, column), let other = grams(whole, column)
        else { return nil }
        return one <= other + 0.11
    }

    /// True for more grams than 100 g hold, or than the energy allows, whatever the other parts are.
    func exceeds(_ nutrient: Nutrient, _ column: TableColumn) -> Bool {
        guard !nutrient.isEnergy, let amount = grams(nutrient, column) else { return false }
        if column.per == "100g", amount > 100 { return true }
        let energies: [Nutrient: Double] = [.fat: 9, .saturatedFat: 9, .carbohydrate: 2, .sugars: 4, .protein: 4]
        guard let each = energies[nutrient], let energy = kilocalories(column) else { return false }
        return each * amount * 0.86 - 8 > energy
    }

    private func kilocalories(_ column: TableColumn) -> Double? {
        column.values[.energyKcal]?.value.approximate ?? column.values[.energyKJ].map { $0.value.approximate / 4.184 }
    }

    /// True if the arithmetic of the column proves a value, false if it refutes it, nil if it says nothing.
    func witness(_ nutrient: Nutrient, _ column: TableColumn) -> Bool? {
        if exceeds(nutrient, column) { return false }
        switch nutrient {
        case .energyKJ, .energyKcal:
            if let holds = kilojoules(column), let macros = macros(column) { return holds || macros }
            return kilojoules(column) ?? macros(column)
        case .fat, .carbohydrate, .protein:
            if parts(column) == false, nutrient != .protein { return false }
            return macros(column)
        case .saturatedFat, .sugars:
            return part(nutrient, column) == false ? false : nil
        case .fibre:
            return grams(.fibre, column).map { $0 <= 100 ? nil : false } ?? nil
        case .salt, .sodium, .polyols: return nil
        }
    }

    /// True if the value of a serving is that of 100 g times the size; nil without two columns and a size.
    func servingsAgree(_ nutrient: Nutrient, _ column: TableColumn) -> Bool? {
        guard let size = size?.approximate, size > 0,
            let serving = columns.first(where: { $0.per == "serving" }),
            let full = columns.first(where: { $0.per == "100g" || $0.per == "100ml" }),
            column.per == "serving" || column.per == "100g" || column.per == "100ml",
            let one = grams(nutrient, serving) ?? nil, let other = grams(nutrient, full)
        else { return nil }
        let expected = other * size / 100
        let unit = nutrient.isEnergy ? 1.0 : nutrient == .sodium ? 0.001 : 0.1
        return abs(one - expected) <= max(unit * 1.2, 0.06 * expected) + unit * size / 200
    }

    var checks: [ArithmeticCheck] {
        let bases = columns.filter { $0.per != nil }
        var result: [ArithmeticCheck] = []
        for (name, test) in [("kilojoules", kilojoules), ("macros", macros), ("parts", parts)] {
            let answers = bases.compactMap(test)
            if !answers.isEmpty { result.append(ArithmeticCheck(check: name, holds: answers.allSatisfy(\.self))) }
        }
        let servings = Nutrient.allCases.compactMap { nutrient in bases.first.flatMap { servingsAgree(nutrient, $0) } }
        if !servings.isEmpty {
            result.append(ArithmeticCheck(check: "servings", holds: servings.count { !$0 } * 4 <= servings.count))
        }
        return result
    }
}
