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
            set("100g", in: &columns) { fit(full: $0, serving: serving, factor) }
        } else if pers.count(where: { $0.hasPrefix("100") }) == 1, !pers.contains("serving"),
            let known = columns.firstIndex(where: { $0.per?.hasPrefix("100") == true })
        {
            let full = columns[known]
            set("serving", in: &columns) { fit(full: full, serving: $0, factor) }
        }
    }

    /// Gives `per` to the only unnamed column that fits.
    private func set(_ per: String, in columns: inout [TableColumn], _ fits: (TableColumn) -> Bool) {
        let found = columns.indices.filter { columns[$0].per == nil && fits(columns[$0]) }
        guard found.count == 1 else { return }
        columns[found[0]].per = per
        columns[found[0]].isNamed = true
    }

    /// True if enough amounts of the serving are those of 100 g times the factor, and hardly any is not.
    private func fit(full: TableColumn, serving: TableColumn, _ factor: Double) -> Bool {
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
        return agreeing >= Self.least && differing * 5 <= agreeing
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
