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

    /// The columns with the one sign that removes most contradictions and adds none; nil if there is none, or if two do.
    private func mended(_ columns: [TableColumn], _ index: Int) -> [TableColumn]? {
        let before = contradictions(in: columns, index)
        guard !before.isEmpty else { return nil }
        var best: (columns: [TableColumn], left: Int, isAlone: Bool)?
        for nutrient in Self.shiftable {
            guard let value = columns[index].values[nutrient], value.decimals == 0, value.value >= Self.leastRead else {
                continue
            }
            var trial = columns
            trial[index].values[nutrient]?.shift()
            let left = contradictions(in: trial, index)
            guard left.isStrictSubset(of: before) else { continue }
            if let known = best, known.left <= left.count {
                if known.left == left.count { best?.isAlone = false }
            } else {
                best = (trial, left.count, true)
            }
        }
        return best.flatMap { $0.isAlone ? $0.columns : nil }
    }

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
