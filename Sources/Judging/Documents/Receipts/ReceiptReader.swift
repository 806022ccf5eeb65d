import Core
import Foundation

/// Interprets a page as a receipt. Pure: the same rows give the same receipt.
struct ReceiptReader: Sendable {
    let phrases: Phrases<ReceiptMeaning>
    let weights: FittedWeights
    let chains: Chains

    /// Values below this probability are left out: a wrong value is worse than a missing one.
    private static let least = 0.5
    /// Of the names of shops below this probability one in six was right on photos that nobody had seen.
    private static let leastOfMerchant = 0.6

    /// - Parameter dates: those of each row.
    func page(_ page: PrintedPage, _ dates: [[DateReading]]) -> ReceiptPage {
        ReceiptPage(page, phrases, dates, chain: chains.merchant(in: page))
    }

    func receipt(from receipt: ReceiptPage) -> Receipt {
        var result = Receipt()
        let currency = currency(of: receipt)
        result.currency = currency
        result.merchant = merchant(of: receipt)
        result.address = address(of: receipt, result.merchant?.value)
        setDate(&result, receipt, currency?.value)
        var items = ItemFinder(receipt: receipt).items()
        let totals = TotalFinder(receipt: receipt, items: items.map(\.amount.value)).candidates()
        let likeliest = weights.best(
            "receipt.total", of: totals.map(\.features), notes: totals.map { $0.value.text(decimals: receipt.decimals) }
        ).map { Self.proved($0, totals) }
        let chosen = Self.owed(totals, items.map(\.amount.value)) ?? likeliest
        if let chosen {
            Self.keepTotalled(&items, by: totals[chosen.index].value)
            Self.correctSign(&items, receipt, by: totals[chosen.index].value)
        }
        result.checks = checks(receipt, items, chosen.map { totals[$0.index].value })
        let itemsHold = result.checks.first { $0.check == "itemsMakeTotal" }?.holds
        if let chosen {
            let total = totals[chosen.index]
            var evidence = Features()
            evidence["logit"] = Self.logit(chosen.probability)
            evidence["reading"] = total.figure.confidence
            evidence.set("itemsHold", itemsHold == true)
            evidence.set("corrected", total.figure.isCorrected)
            evidence.set(
                "proved",
                total.features["cashLessChange"] + total.features["subtotalPlus"] + total.features["itemSum"] > 0)
            var probability = weights.calibrated(
                "receipt.total",
                weights.probability(
                    "receipt.total.confidence", evidence, note: total.value.text(decimals: receipt.decimals)))
            if total.value < .zero || Self.isProvedTwice(total, itemsHold: itemsHold == true) {
                probability = max(probability, Self.proof)
            }
            if probability >= Self.least {
                result.total = ReadValue(
                    value: total.value.text(decimals: receipt.decimals), confidence: probability,
                    box: receipt.rows[total.row].printed.box(total.figure.range))
            }
        }
        result.items = items.map { item in
            var features = item.features
            features.set("sumHolds", itemsHold == true)
            features.set("sumFails", itemsHold == false)
            let probability = weights.calibrated(
                "receipt.item", weights.probability("receipt.item", features, note: item.name + "\t" + item.amount.text)
            )
            return self.item(item, receipt, probability)
        }.filter { $0.amount.confidence >= 0.35 }
        setAmounts(&result, receipt)
        return result
    }

    /// Probability of a total that two independent sums give, and of a merchant whose site has its name.
    private static let proof = 0.93

    /// True if two sums give the total: cash less change, the items, the subtotal with tax, the printed rounding.
    private static func isProvedTwice(_ total: TotalFinder.Candidate, itemsHold: Bool) -> Bool {
        let sums = [
            itemsHold, total.features["cashLessChange"] == 1, total.features["subtotalPlus"] == 1,
            total.features["rounded"] == 1,
        ]
        let isNamed = ["grand", "total", "lastTotal", "roundedTotal"].contains { total.features[$0] == 1 }
        return isNamed && (sums.count { $0 } >= 2 || sums[1] && total.features["prints"] >= 3)
    }

    /// The chosen total; the named amount that is cash less change where the cash itself was chosen.
    private static func proved(
        _ chosen: (index: Int, probability: Double), _ totals: [TotalFinder.Candidate]
    ) -> (index: Int, probability: Double) {
        let features = totals[chosen.index].features
        guard features["cash"] == 1, features["itemSum"] == 0 else { return chosen }
        let isNamed = features["grand"] + features["total"] > 0
        let others = totals.indices.filter { index in
            // "UKUPNO" behind the cash is the sum of what was given.
            let proof: FeatureName = isNamed ? "itemSum" : "cashLessChange"
            return totals[index].features[proof] == 1 && totals[index].value < totals[chosen.index].value
                && totals[index].features["grand"] + totals[index].features["total"] > 0
        }
        return others.count == 1 ? (others[0], 0.5) : chosen
    }

    /// Leaves out the summary behind the items that make the total: "Food and drink  10.20", sales of each rate of tax.
    private static func keepTotalled(_ items: inout [ItemFinder.Item], by total: FixedDecimal) {
        guard items.reduce(FixedDecimal.zero, { $0 + $1.amount.value }) != total else { return }
        var sum = FixedDecimal.zero
        for (index, item) in items.enumerated() {
            let rest = items[index...].map(\.amount.value)
            if sum == total, item.amount.value == total || index > 1 && rest.allSatisfy({ $0 >= .zero }) {
                items.removeSubrange(index...)
                return
            }
            sum = sum + item.amount.value
        }
    }

    /// Digits that OCR reads for a currency's sign.
    private static let signs: [(sign: Unicode.Scalar, digits: [Int])] = [("$", [5, 8]), ("€", [6])]

    /// Takes the first digit from the one amount by which the items are too large, if other amounts have a sign there:
    /// "518.99" among "$4.50" and "$2.00".
    private static func correctSign(
        _ items: inout [ItemFinder.Item], _ receipt: ReceiptPage, by total: FixedDecimal
    ) {
        let excess = items.reduce(FixedDecimal.zero) { $0 + $1.amount.value } - total
        guard excess >= FixedDecimal(50) else { return }
        let wrong = items.indices.filter { index in
            let amount = items[index].amount
            let text = receipt.rows[items[index].row].printed.text[amount.range]
            guard !amount.isMarked, let digit = text.first.flatMap({ Int(String($0)) }) else { return false }
            let scale = (1..<max(1, amount.wholeDigits)).reduce(1) { one, _ in one * 10 }
            return excess == FixedDecimal(digit * scale)
                && signs.contains { sign, digits in
                    digits.contains(digit)
                        && items.contains { other in
                            receipt.rows[other.row].printed.text[..<other.amount.range.lowerBound].last == sign
                        }
                }
        }
        guard wrong.count == 1, let index = wrong.first else { return }
        items[index].amount.value = items[index].amount.value - excess
        items[index].amount.wholeDigits -= 1
        items[index].amount.isCorrected = true
    }

    /// The amount below zero that is called the total and is the sum of the items: more was given back than bought.
    private static func owed(
        _ totals: [TotalFinder.Candidate], _ items: [FixedDecimal]
    ) -> (index: Int, probability: Double)? {
        let sum = items.reduce(FixedDecimal.zero, +)
        guard sum < .zero else { return nil }
        return totals.indices.first {
            totals[$0].value == sum && totals[$0].features["grand"] + totals[$0].features["total"] > 0
        }.map { ($0, proof) }
    }

    static func logit(_ probability: Double) -> Double {
        let bounded = min(0.9999, max(0.0001, probability))
        return log(bounded / (1 - bounded))
    }

    // MARK: Parts

    private func item(_ item: ItemFinder.Item, _ receipt: ReceiptPage, _ probability: Double) -> Receipt.Item {
        func value(_ part: (figure: Figure, row: Int)?) -> ReadValue? {
            part.map {
                ReadValue(
                    value: $0.figure.text, confidence: max(probability, 0.9 * $0.figure.confidence),
                    box: receipt.rows[$0.row].printed.box($0.figure.range))
            }
        }
        return Receipt.Item(
            name: ReadValue(value: item.name, confidence: min(probability, item.nameConfidence), box: item.nameBox),
            quantity: value(item.quantity), unitPrice: value(item.unitPrice),
            amount: ReadValue(
                value: item.amount.text, confidence: probability,
                box: receipt.rows[item.row].printed.box(item.amount.range)))
    }

    private func currency(of receipt: ReceiptPage) -> ReadValue? {
        var counts: [String: Int] = [:]
        var box: [String: Quad] = [:]
        for row in receipt.rows {
            for code in row.figures.compactMap(\.currency) { counts[code, default: 0] += 2 }
            for (code, range) in chains.currencies(in: row.printed.text) {
                counts[code, default: 0] += 1
                box[code] = box[code] ?? row.printed.box(range)
            }
        }
        guard let best = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
            return chains.country(in: receipt.page).map {
                ReadValue(value: $0.code, confidence: $0.isSure ? 0.9 : 0.7, box: $0.box, derived: true)
            }
        }
        // The dollar sign alone names no country.
        let isDollar = best.key == "USD"
        let code = isDollar ? chains.dollar(in: receipt.page) ?? best.key : best.key
        return ReadValue(
            value: code, confidence: isDollar && code == "USD" ? 0.6 : best.value > 1 ? 0.97 : 0.9, box: box[best.key])
    }

    private func merchant(of receipt: ReceiptPage) -> ReadValue? {
        if let known = receipt.chain { return known }
        let finder = MerchantFinder(receipt: receipt)
        let candidates = finder.candidates()
        if let named = finder.namedBySite(candidates) {
            return ReadValue(value: named.text, confidence: Self.proof, box: named.box)
        }
        guard
            let best = weights.best(
                "receipt.merchant", of: candidates.map(\.features), notes: candidates.map(\.text))
        else { return nil }
        let candidate = candidates[best.index]
        var evidence = Features()
        evidence["logit"] = Self.logit(best.probability)
        evidence["reading"] = candidate.confidence
        let probability = weights.calibrated(
            "receipt.merchant", weights.probability("receipt.merchant.confidence", evidence, note: candidate.text))
        guard probability >= Self.leastOfMerchant else { return nil }
        return ReadValue(value: candidate.text, confidence: probability, box: candidate.box)
    }

    private func address(of receipt: ReceiptPage, _ merchant: String?) -> ReadValue? {
        guard let found = AddressFinder(receipt: receipt, merchant: merchant).address() else { return nil }
        let probability = weights.calibrated(
            "receipt.address", weights.probability("receipt.address.confidence", found.features, note: found.text))
        guard probability >= Self.least else { return nil }
        return ReadValue(
            value: found.text, confidence: probability,
            box: Quad(around: found.rows.compactMap { receipt.rows[$0].printed.box() }))
    }

    private func setDate(_ result: inout Receipt, _ receipt: ReceiptPage, _ currency: String?) {
        let finder = ReceiptDates(receipt: receipt, currency: currency)
        let candidates = finder.candidates()
        guard
            let best = weights.best(
                "receipt.date", of: candidates.map(\.features),
                notes: candidates.map { finder.day(of: $0.reading).day.iso })
        else { return }
        let candidate = candidates[best.index]
        let row = receipt.rows[candidate.row]
        let (day, others, isCertain) = finder.day(of: candidate.reading)
        var evidence = Features()
        evidence["logit"] = Self.logit(best.probability)
        evidence["reading"] = row.printed.confidence(candidate.reading.range)
        evidence.set("ambiguous", !isCertain)
        evidence.set("agrees", candidates.contains { $0.row != candidate.row && finder.day(of: $0.reading).day == day })
        evidence.set("weak", candidate.reading.isWeak)
        let probability = weights.calibrated(
            "receipt.date", weights.probability("receipt.date.confidence", evidence, note: day.iso))
        guard probability >= Self.least, day.day != nil, day.year != nil else { return }
        result.date = ReadValue(
            value: day.iso, confidence: probability, box: row.printed.box(candidate.reading.range),
            alternatives: others.isEmpty ? nil : others.map(\.iso))
        for index in [candidate.row, candidate.row + 1] where index < receipt.rows.count {
            guard let range = receipt.rows[index].timeRange else { continue }
            let printed = receipt.rows[index].printed
            let time = printed.string(range)
            result.time = ReadValue(
                value: time.count == 4 ? "0" + time : time, confidence: printed.confidence(range),
                box: printed.box(range))
            break
        }
    }

    private func setAmounts(_ result: inout Receipt, _ receipt: ReceiptPage) {
        let rows = receipt.rows
        func value(_ index: Int) -> ReadValue? {
            receipt.amount(of: index).map {
                ReadValue(value: $0.text, confidence: 0.9 * $0.confidence, box: rows[index].printed.box($0.range))
            }
        }
        if let index = rows.indices.first(where: { rows[$0].isSubtotal && receipt.amount(of: $0) != nil }) {
            result.subtotal = value(index)
        }
        result.tax = rows.indices.filter {
            rows[$0].has(.tax) && !rows[$0].has([.grandTotal, .total, .subtotal, .contact]) && rows[$0].last != nil
                && !rows[$0].printed.figures.contains { $0.isGlued }
        }.prefix(4).compactMap(value)
        for (index, row) in rows.enumerated() where row.has([.card, .cash]) && receipt.amount(of: index) != nil {
            guard let hit = row.hits.first(where: { $0.meaning == .card || $0.meaning == .cash }) else { continue }
            result.payment = ReadValue(
                value: hit.meaning == .card ? "card" : "cash", confidence: 0.9 * row.printed.confidence(hit.range),
                box: row.printed.box(hit.range))
            break
        }
    }

    /// The arithmetic of the receipt, as far as its parts are printed.
    private func checks(_ receipt: ReceiptPage, _ items: [ItemFinder.Item], _ total: FixedDecimal?) -> [ArithmeticCheck]
    {
        guard let total else { return [] }
        let rows = receipt.rows
        var checks: [ArithmeticCheck] = []
        func values(_ meaning: ReceiptMeaning) -> [FixedDecimal] {
            rows.indices.filter { rows[$0].has(meaning) && !rows[$0].has(.grandTotal) }.compactMap {
                receipt.amount(of: $0)?.value
            }
        }
        if !items.isEmpty {
            let sum = items.reduce(FixedDecimal.zero) { $0 + $1.amount.value }
            // Tax, service and rounding may stand between the items and the total.
            var reachable: Set<FixedDecimal> = [sum]
            for group in [values(.tax), values(.service), values(.rounding)] {
                for value in group.prefix(3) {
                    for one in reachable { reachable.formUnion([one + value, one - value.magnitude]) }
                }
            }
            // A discount makes no total larger. A bag of "SPAR", a discount in Danish, is in the sum already.
            let bought = Set(items.map(\.row))
            let discounts = rows.indices.filter {
                rows[$0].has(.discount) && !rows[$0].has(.grandTotal) && !bought.contains($0)
            }.compactMap { receipt.amount(of: $0)?.value }
            for value in discounts.prefix(3) {
                reachable.formUnion(reachable.map { $0 - value.magnitude })
            }
            let subtotals = values(.subtotal)
            let holds =
                reachable.contains(total) || subtotals.contains(sum)
                || (sum - total).magnitude <= FixedDecimal(parts: 400)
            checks.append(ArithmeticCheck(check: "itemsMakeTotal", holds: holds))
        }
        let cash = values(.cash).map(\.magnitude)
        let change = values(.change).map(\.magnitude)
        if let given = cash.max(), let back = change.first, given >= total {
            checks.append(ArithmeticCheck(check: "cashLessChange", holds: given - back == total))
        }
        return checks
    }
}
