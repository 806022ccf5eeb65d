import Core

/// Finds the decimals of a price that are printed small and raised beside it and were read as a row of their own: "199"
/// with "99" at its upper right.
struct RaisedDecimals {
    let page: PrintedPage

    struct Joined {
        var price: TagPrice
        /// The two figures.
        var used: [(row: Int, range: Range<Int>)]
    }

    /// A figure and the rectangle of its words on the deskewed page.
    private struct Placed {
        var row: Int
        var figure: Figure
        var left, right, middle, height: Double
        var top: Double { middle - height / 2 }
    }

    /// The digits of a price are this much taller than the page's print.
    private static let tall = 1.3
    /// Heights of the decimals, as a share of the height of the digits before them.
    private static let heights = 0.2...0.7
    /// Gap between both, and the distance of their upper edges, as shares of the height of the digits.
    private static let gap = -0.25...0.6
    private static let rise = -0.3...0.3

    func prices(currency: String?) -> [Joined] {
        guard !(currency.map(TagNumbers.withoutCents.contains) ?? false) else { return [] }
        let all = page.rows.enumerated().flatMap { index, row in row.figures.compactMap { placed($0, index, row) } }
        return all.compactMap { whole in
            guard whole.figure.wholeDigits <= 4, whole.height >= Self.tall * page.height else { return nil }
            let decimals = all.filter { one in
                one.row != whole.row && one.figure.range.count == 2
                    && Self.heights.contains(one.height / whole.height)
                    && Self.gap.contains((one.left - whole.right) / whole.height)
                    && Self.rise.contains((one.top - whole.top) / whole.height)
            }
            guard decimals.count == 1 else { return nil }
            let cents = decimals[0]
            return Joined(
                price: TagPrice(
                    row: whole.row, range: whole.figure.range,
                    value: whole.figure.value + FixedDecimal(parts: cents.figure.value.parts / 100),
                    isMarked: whole.figure.isMarked, currency: whole.figure.currency, height: whole.height,
                    confidence: min(whole.figure.confidence, cents.figure.confidence), decimals: 2, isJoined: true),
                used: [(whole.row, whole.figure.range), (cents.row, cents.figure.range)])
        }
    }

    private func placed(_ figure: Figure, _ index: Int, _ row: PrintedRow) -> Placed? {
        guard figure.decimals == 0, !figure.isPercent, !figure.isGlued, figure.unit.isEmpty, figure.value >= .zero
        else {
            return nil
        }
        let words = row.wordIndices(figure.range).map { row.words[$0] }
        guard let left = words.map(\.left).min(), let right = words.map(\.right).max(),
            let height = words.map(\.height).max(), height > 0
        else { return nil }
        return Placed(
            row: index, figure: figure, left: left, right: right,
            middle: words.reduce(0) { $0 + $1.middle } / Double(words.count), height: height)
    }
}
