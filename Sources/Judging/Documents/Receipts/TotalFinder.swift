import Core

/// Finds the total among all amounts of a receipt.
struct TotalFinder {
    let receipt: ReceiptPage
    /// The amounts of the items, in order.
    let items: [FixedDecimal]

    struct Candidate {
        var value: FixedDecimal
        var features: Features
        /// The row and the figure with the best evidence.
        var row: Int
        var figure: Figure
    }

    private struct Place {
        var row: Int
        var figure: Figure
        /// The row whose words describe the amount.
        var words: Int
    }

    /// Words beside "total" that make it the total of something else.
    private static let plain: Set<ReceiptMeaning> = [
        .subtotal, .tax, .count, .discount, .service, .rounding, .change,
    ]

    /// Each different amount above zero, or below zero behind the words of a total, of the page with its features, in order of first print.
    func candidates() -> [Candidate] {
        let rows = receipt.rows
        var places: [Place] = []
        for index in rows.indices {
            let words = wordRow(of: index)
            for figure in rows[index].amounts where figure.decimals == receipt.decimals {
                // More was given back than bought.
                let isOwed =
                    figure.value < .zero && rows[words].has([.grandTotal, .total]) && !rows[words].has(Self.plain)
                guard figure.value > .zero || isOwed else { continue }
                places.append(Place(row: index, figure: figure, words: words))
            }
        }
        guard let largest = places.map(\.figure.value).max() else { return [] }
        let byValue = Dictionary(grouping: places, by: \.figure.value)
        let counts = byValue.mapValues(\.count)
        let changes = pairs(.cash, minus: .change)
        let sums = subtotalSums()
        let itemSums = runningSums()
        let roundings = Set(
            rows.indices.filter { rows[$0].has(.rounding) }.compactMap { receipt.amount(of: $0)?.value.magnitude }
                .filter { $0 > .zero && $0 < FixedDecimal(parts: 1000) }
                + [FixedDecimal(parts: 100), FixedDecimal(parts: 200)].filter { _ in rows.contains { $0.has(.rounding) }
                })
        let lastTotal = rows.indices.last { rows[$0].has([.grandTotal, .total]) && receipt.amount(of: $0) != nil }
        let hasGrand = rows.indices.contains { rows[$0].has(.grandTotal) && receipt.amount(of: $0) != nil }
        let height = max(1, receipt.page.height)
        return byValue.map { value, places -> Candidate in
            var features = Features()
            func any(_ name: FeatureName, _ test: (Place) -> Bool) { features.set(name, places.contains(where: test)) }
            any("grand") { rows[$0.words].has(.grandTotal) && !rows[$0.words].has([.count, .discount]) }
            any("total") { rows[$0.words].has(.total) && !rows[$0.words].has(Self.plain) }
            any("totalMixed") { rows[$0.words].has(.total) && rows[$0.words].has(Self.plain) }
            any("subtotal") { rows[$0.words].has(.subtotal) }
            any("tax") { rows[$0.words].has(.tax) }
            any("rounding") { rows[$0.words].has(.rounding) && !rows[$0.words].has([.grandTotal, .total]) }
            any("cash") { rows[$0.words].has(.cash) }
            any("card") { rows[$0.words].has(.card) }
            any("change") { rows[$0.words].has(.change) }
            any("discount") { rows[$0.words].has(.discount) }
            any("count") { rows[$0.words].has(.count) }
            any("service") { rows[$0.words].has(.service) }
            features.set("repeated", places.count > 1)
            features["prints"] = Double(min(places.count, 4))
            features.set("largest", value == largest)
            features["share"] = largest > .zero ? value.approximate / largest.approximate : 0
            any("lastTotal") { $0.words == lastTotal }
            any("rightmost") { rows[$0.row].last?.range == $0.figure.range }
            features["tall"] = (places.map { rows[$0.row].printed.height }.max() ?? height) / height - 1
            any("marked") { $0.figure.isMarked }
            features.set("cashLessChange", changes.contains(value))
            features.set("subtotalPlus", sums.contains(value))
            // Of two totals that the printed rounding separates, the round one is paid.
            let partners = roundings.flatMap { [value + $0, value - $0] }.filter { byValue[$0] != nil }
            features.set("rounded", !partners.isEmpty && value.parts % 500 == 0)
            features.set("unrounded", partners.contains { $0.parts % 500 == 0 } && value.parts % 500 != 0)
            any("roundedTotal") { rows[$0.words].has(.rounding) && value > FixedDecimal(parts: 1000) }
            features.set("itemSum", itemSums.contains(value))
            features.set("noGrand", !hasGrand)
            features.set("lone", counts.count == 1)
            features["depth"] = Double(places.map(\.row).max() ?? 0) / Double(max(1, rows.count))
            features.set("bare", places.allSatisfy { rows[$0.words].hits.isEmpty })
            let best =
                places.max { one, other in strength(one) < strength(other) } ?? places[0]
            return Candidate(value: value, features: features, row: best.row, figure: best.figure)
        }.sorted { ($0.row, $0.value) < ($1.row, $1.value) }
    }

    private func strength(_ place: Place) -> Double {
        let row = receipt.rows[place.words]
        return (row.has(.grandTotal) ? 3 : row.has(.total) ? 2 : 0) - (row.has([.subtotal, .tax, .count]) ? 1.5 : 0)
            + place.figure.confidence
    }

    /// The row whose words belong to the amounts of a row: itself, or the row above if this one has no words.
    private func wordRow(of index: Int) -> Int {
        let rows = receipt.rows
        guard rows[index].hits.isEmpty, rows[index].printed.letters < 4, index > 0 else { return index }
        let above = rows[index - 1]
        let gap = rows[index].printed.middle - above.printed.middle
        guard above.amounts.isEmpty, !above.hits.isEmpty, gap < 2.5 * above.printed.height else { return index }
        return index - 1
    }

    /// Cash less change, for every pair of such rows.
    private func pairs(_ one: ReceiptMeaning, minus other: ReceiptMeaning) -> Set<FixedDecimal> {
        let rows = receipt.rows
        let given = rows.indices.filter { rows[$0].has(one) }.compactMap { receipt.amount(of: $0)?.value.magnitude }
        let returned = rows.indices.filter { rows[$0].has(other) }.compactMap {
            receipt.amount(of: $0)?.value.magnitude
        }
        var values: Set<FixedDecimal> = []
        for cash in given {
            for change in returned where change <= cash && change > .zero { values.insert(cash - change) }
        }
        return values
    }

    /// A subtotal with tax, service and rounding, in the combinations that are printed.
    private func subtotalSums() -> Set<FixedDecimal> {
        let rows = receipt.rows
        func values(_ meaning: ReceiptMeaning) -> [FixedDecimal] {
            rows.indices.filter { rows[$0].has(meaning) && !rows[$0].has([.grandTotal]) }
                .compactMap { receipt.amount(of: $0)?.value }
        }
        let bases =
            values(.subtotal)
            + rows.indices.filter { rows[$0].has(.total) }.compactMap { receipt.amount(of: $0)?.value }
        var sums: Set<FixedDecimal> = []
        let extras = [values(.tax), values(.service), values(.rounding), values(.discount)]
        for base in bases.prefix(6) {
            var partial: Set<FixedDecimal> = [base]
            for group in extras {
                for value in group.prefix(3) where value != .zero {
                    for one in partial { partial.formUnion([one + value, one - value.magnitude]) }
                    if partial.count > 200 { break }
                }
            }
            partial.remove(base)
            sums.formUnion(partial)
        }
        return sums
    }

    /// Sums of the last amounts of consecutive rows from the first item on.
    private func runningSums() -> Set<FixedDecimal> {
        let rows = receipt.rows
        var sums: Set<FixedDecimal> = []
        var total = FixedDecimal.zero
        var count = 0
        for row in rows.prefix(receipt.firstTotal) {
            guard let amount = row.last, !row.has([.subtotal, .cash, .change, .contact]) else { continue }
            total = total + amount.value
            count += 1
            if count > 1 { sums.insert(total) }
        }
        total = .zero
        for (index, amount) in items.enumerated() {
            total = total + amount
            if index > 0 { sums.insert(total) }
        }
        return sums
    }
}
