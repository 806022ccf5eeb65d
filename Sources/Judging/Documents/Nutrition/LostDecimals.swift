import Core

/// Puts back decimal signs that were not read. "45 g" of fat in 133 kcal is 4.5 g: the energy, the other basis, the whole or
/// the limit of 100 g contradicts the number as it was read, and nothing contradicts it with the sign.
struct LostDecimals {
    /// Grams or millilitres of a serving; nil if unknown.
    let size: FixedDecimal?

    private static let shiftable: [Nutrient] = [.fat, .saturatedFat, .carbohydrate, .sugars, .fibre, .protein, .salt]
    private static let leastRead = FixedDecimal(10)

    func mend(_ columns: inout [TableColumn]) {
        for index in columns.indices where columns[index].per != nil {
            for _ in Self.shiftable {
                guard let mended = mended(columns, index) else { break }
                columns = mended
            }
        }
    }

    /// The columns with a decimal sign where it removes most contradictions and adds no other. Nil if no sign does, or if
    /// two do and the energy fits both alike.
    private func mended(_ columns: [TableColumn], _ index: Int) -> [TableColumn]? {
        let before = contradictions(in: columns, index)
        guard !before.isEmpty else { return nil }
        let trials = Self.shiftable.compactMap { nutrient -> (columns: [TableColumn], left: Int, error: Double)? in
            guard let value = columns[index].values[nutrient], value.decimals == 0, value.value >= Self.leastRead else {
                return nil
            }
            var trial = columns
            trial[index].values[nutrient]?.shift()
            let left = contradictions(in: trial, index)
            let error = NutritionChecks(columns: trial, size: size).energyError(trial[index]) ?? 1
            return left.isStrictSubset(of: before) ? (trial, left.count, error) : nil
        }.sorted { ($0.left, $0.error) < ($1.left, $1.error) }
        guard let best = trials.first else { return nil }
        let isClear = trials.dropFirst().allSatisfy {
            $0.left > best.left || best.error < Self.fits && $0.error > Self.differs
        }
        return isClear ? best.columns : nil
    }

    /// Shares of the energy by which the parts of the right reading and of another one miss it.
    private static let fits = 0.05
    private static let differs = 0.1

    private func contradictions(in columns: [TableColumn], _ index: Int) -> Set<String> {
        let checks = NutritionChecks(columns: columns, size: size)
        let column = columns[index]
        var found = Set(
            Nutrient.allCases.flatMap { nutrient in
                [
                    checks.servingsAgree(nutrient, column) == false ? "servings \(nutrient)" : nil,
                    checks.exceeds(nutrient, column) ? "limit \(nutrient)" : nil,
                    checks.part(nutrient, column) == false ? "part \(nutrient)" : nil,
                ].compactMap(\.self)
            })
        if checks.macros(column) == false { found.insert("macros") }
        return found
    }
}
