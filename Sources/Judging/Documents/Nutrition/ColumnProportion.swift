import Core

/// Names a column whose head was not read by its proportion to a named one: the amounts of a serving are those of 100 g
/// times its size.
struct ColumnProportion {
    /// Grams or millilitres of a serving.
    let size: FixedDecimal

    /// Nutrients that must fit. Fewer may fit by chance.
    private static let least = 4

    /// Names the one column that fits; columns with a basis keep it.
    func name(_ columns: inout [TableColumn]) {
        let factor = size.approximate / 100
        // A serving of about 100 g has the same amounts in both columns: nothing distinguishes them.
        guard factor > 0, factor < 0.8 || factor > 1.25 else { return }
        let pers = columns.compactMap(\.per)
        if pers.count(where: { $0 == "serving" }) == 1, let known = columns.firstIndex(where: { $0.per == "serving" }),
            !pers.contains(where: { $0.hasPrefix("100") })
        {
            let serving = columns[known]
            set("100g", in: &columns) { fit(full: $0, serving: serving) }
        } else if pers.count(where: { $0.hasPrefix("100") }) == 1, !pers.contains("serving"),
            let known = columns.firstIndex(where: { $0.per?.hasPrefix("100") == true })
        {
            let full = columns[known]
            set("serving", in: &columns) { fit(full: full, serving: $0) }
        }
    }

    /// Gives `per` to the only unnamed column that fits.
    private func set(_ per: String, in columns: inout [TableColumn], _ fits: (TableColumn) -> Bool) {
        let found = columns.indices.filter { columns[$0].per == nil && fits(columns[$0]) }
        guard found.count == 1 else { return }
        columns[found[0]].per = per
        columns[found[0]].isNamed = true
    }

    // MARK: Several portions

    /// Names two columns of portions, one a whole number of times the other: the smaller one is the serving, the larger
    /// one the package.
    static func nameWhole(_ columns: inout [TableColumn], _ both: [Int]) {
        let ratios = Nutrient.allCases.compactMap { nutrient -> Double? in
            guard let one = columns[both[0]].values[nutrient], let other = columns[both[1]].values[nutrient],
                one.unit == other.unit, one.value > .zero, other.value > .zero
            else { return nil }
            return other.value.approximate / one.value.approximate
        }.sorted()
        guard ratios.count >= least, let ratio = ratios.median else { return }
        let times = max(ratio, 1 / ratio)
        let alike = ratios.count { abs($0 - ratio) < 0.12 * ratio }
        guard alike >= least, times >= 1.5, abs(times - times.rounded()) < 0.1 else { return }
        let (small, large) = ratio >= 1 ? (both[0], both[1]) : (both[1], both[0])
        (columns[small].per, columns[large].per) = ("serving", "package")
    }

    // MARK: Misplaced amounts

    /// Amounts that must fit before others are moved.
    private static let leastKept = 3
    /// Rows around a nutrient's own in which a bent page may have put its amount.
    private static let nearRows = 1
    /// Heights of the print between an amount and its column.
    private static let columnReach = 3.0

    /// Puts back the amounts that a bent page moved to the next row: those of the other column prove them. What they
    /// contradict and nothing replaces is left out.
    func mend(_ columns: inout [TableColumn], on page: PrintedPage) {
        guard let serving = columns.firstIndex(where: { $0.per == "serving" }),
            let full = columns.firstIndex(where: { $0.per?.hasPrefix("100") == true })
        else { return }
        let (agreeing, differing) = compared(full: columns[full], serving: columns[serving])
        guard agreeing >= Self.leastKept, differing * 2 <= agreeing else { return }
        func isMissing(_ nutrient: Nutrient) -> Bool {
            (columns[serving].values[nutrient] == nil) != (columns[full].values[nutrient] == nil)
        }
        // What is missing takes the amount of the row that a contradiction would take else.
        for nutrient in Nutrient.allCases where isMissing(nutrient) {
            if let found = moved(nutrient, in: columns, serving, full, on: page) { columns = found }
        }
        for nutrient in Nutrient.allCases {
            let checks = NutritionChecks(columns: columns, size: size)
            guard checks.servingsAgree(nutrient, columns[full]) == false else { continue }
            if let found = moved(nutrient, in: columns, serving, full, on: page) {
                columns = found
            } else {
                columns[serving].values[nutrient] = nil
                columns[full].values[nutrient] = nil
            }
        }
    }

    /// The columns with the amount of one of them put right by the other; nil unless just one can be.
    private func moved(
        _ nutrient: Nutrient, in columns: [TableColumn], _ serving: Int, _ full: Int, on page: PrintedPage
    ) -> [TableColumn]? {
        let found = [(serving, columns[full]), (full, columns[serving])].compactMap { column, other in
            other.values[nutrient].flatMap { replaced(nutrient, in: columns, column, beside: $0, on: page) }
        }
        return found.count == 1 ? found[0] : nil
    }

    /// The columns with the only number near the row and the column that agrees with the amount beside it.
    private func replaced(
        _ nutrient: Nutrient, in columns: [TableColumn], _ column: Int, beside known: TableValue, on page: PrintedPage
    ) -> [TableColumn]? {
        let checks = NutritionChecks(columns: columns, size: size)
        let taken = columns[column].values.filter { checks.servingsAgree($0.key, columns[column]) == true }.values
        let rows = page.rows.indices.clamped(to: (known.row - Self.nearRows)..<(known.row + Self.nearRows + 1))
        let trials = rows.flatMap { row in
            page.rows[row].figures.filter { figure in
                figure.unit == known.figure.unit && !figure.isPercent
                    && !taken.contains { $0.row == row && $0.figure.range == figure.range }
                    && abs(figure.center - columns[column].x) < Self.columnReach * page.height
            }.compactMap { figure -> [TableColumn]? in
                var value = known
                (value.figure, value.row, value.x) = (figure, row, figure.center)
                (value.value, value.decimals, value.isCorrected) = (figure.value, figure.decimals, true)
                var trial = columns
                trial[column].values[nutrient] = value
                let checks = NutritionChecks(columns: trial, size: size)
                return checks.servingsAgree(nutrient, trial[column]) == true ? trial : nil
            }
        }
        return trials.count == 1 ? trials[0] : nil
    }

    // MARK: Fit

    /// True if enough amounts of the serving are those of 100 g times the factor, and hardly any is not.
    private func fit(full: TableColumn, serving: TableColumn) -> Bool {
        let (agreeing, differing) = compared(full: full, serving: serving)
        return agreeing >= Self.least && differing * 5 <= agreeing
    }

    /// How many amounts of the serving are those of 100 g times the factor, and how many are not.
    private func compared(full: TableColumn, serving: TableColumn) -> (agreeing: Int, differing: Int) {
        let factor = size.approximate / 100
        var agreeing = 0
        var differing = 0
        for (nutrient, value) in full.values {
            guard let other = serving.values[nutrient], value.unit == other.unit, value.value > .zero else { continue }
            let expected = value.value.approximate * factor
            // Half of the last printed digit on both sides.
            let rounding = 0.5 * other.step + 0.5 * value.step * factor
            if abs(other.value.approximate - expected) <= rounding + 0.04 * expected {
                agreeing += 1
            } else {
                differing += 1
            }
        }
        return (agreeing, differing)
    }
}

extension TableValue {
    /// The value of one in the last printed digit.
    fileprivate var step: Double {
        switch decimals {
        case ...0: 1
        case 1: 0.1
        default: 0.01
        }
    }
}
