import Core

/// Receipts, price tags, nutrition tables and dates in a few lines for people.
package struct DocumentText {
    private let wording: Wording

    package init(_ wording: Wording) { self.wording = wording }

    /// - Parameter below: what follows the line of an item.
    package func lines(of receipt: Receipt, below: (Receipt.Item) -> [String] = { _ in [] }) -> [String] {
        var lines: [String] = []
        func add(_ phrase: Wording.Phrase, _ value: ReadValue?, suffix: String = "") {
            guard let value else { return }
            lines.append("  \(wording.phrase(phrase)): \(shown(value))\(suffix)")
        }
        let currency = receipt.currency?.sureCurrency.map { " " + $0 } ?? ""
        add(.receiptMerchant, receipt.merchant)
        add(.receiptDate, receipt.date, suffix: receipt.time.map { " " + $0.value } ?? "")
        for item in receipt.items {
            let count = item.quantity.map { quantity in
                "  (\(quantity.value)" + (item.unitPrice.map { " × \($0.value)" } ?? "") + ")"
            }
            lines.append("    \(item.name.value)  \(item.amount.value)\(count ?? "")\(doubt(item.amount))".printable)
            lines += below(item)
        }
        add(.receiptTotal, receipt.total, suffix: currency)
        return lines + result(of: receipt.checks.filter { $0.check == "itemsMakeTotal" })
    }

    /// Whether the amounts of a receipt or a tag agree; no line without a check.
    private func result(of checks: [ArithmeticCheck]) -> [String] {
        guard !checks.isEmpty else { return [] }
        return ["  " + wording.phrase(checks.allSatisfy(\.holds) ? .checkHolds : .checkFails)]
    }

    package func lines(of tag: PriceTag) -> [String] {
        var lines: [String] = []
        if let product = tag.product { lines.append("  \(shown(product))") }
        if let price = tag.price {
            lines.append(
                "  \(wording.phrase(.tagPrice)): \(shown(price))" + (tag.currency?.sureCurrency.map { " " + $0 } ?? ""))
        }
        if let price = tag.unitPrice {
            lines.append("    \(shown(price))" + (tag.unit.map { " / \(wording.unit($0.value))" } ?? ""))
        }
        if let code = tag.gtin { lines.append("    \(shown(code))") }
        if let words = tag.promotion { lines.append("    \(shown(words))") }
        return lines + result(of: tag.checks)
    }

    package func lines(of nutrition: Nutrition) -> [String] {
        let columns = nutrition.basis.flatMap { basis in
            let size = basis.servingSize.map { " (\($0.value))" } ?? ""
            return ["  " + wording.phrase(.nutritionPer, ["per": wording.unit(basis.per)]) + size.printable]
                + basis.named.map { name, value -> String in
                    let amount = [value.value, value.unit].compactMap(\.self).joined(separator: " ")
                    return "    \(wording.nutrient(name)): \(amount)\(doubt(value))".printable
                }
        }
        return columns + (wording.agreement(of: nutrition).map { ["  " + $0] } ?? [])
    }

    package func lines(of dates: [PrintedDate]) -> [String] {
        dates.map { date in
            let phrase: Wording.Phrase =
                switch date.kind {
                case .bestBefore: .dateBestBefore
                case .useBy: .dateUseBy
                case .sellBy: .dateSellBy
                case .packed: .datePacked
                }
            let others = date.alternatives.map {
                ", " + wording.phrase(.ambiguous, ["other": $0.joined(separator: ", ")])
            }
            return "  \(wording.phrase(phrase)): \(date.value)\(others ?? "")\(doubt(date.confidence))".printable
        }
    }

    private func shown(_ value: ReadValue) -> String {
        let others = value.alternatives.map { ", " + wording.phrase(.ambiguous, ["other": $0.joined(separator: ", ")]) }
        return (value.value + (others ?? "") + doubt(value)).printable
    }

    private func doubt(_ value: ReadValue) -> String { doubt(value.confidence) }

    /// The confidence of a value that is not high.
    private func doubt(_ score: Double) -> String {
        let level = Confidence(score).level
        return level == .high ? "" : " (" + wording.phrase(.confidence, ["level": wording.level(level)]) + ")"
    }
}

extension Nutrition.Basis {
    /// The names of ``named``, with or without a value.
    static let names = all(Nutrition.Basis(per: "")).map(\.name)

    /// The values that are present, in the order of European tables, by their JSON keys.
    package var named: [(name: String, value: ReadValue)] {
        Self.all(self).compactMap { name, value in value.map { (name, $0) } }
    }

    private static func all(_ basis: Self) -> [(name: String, value: ReadValue?)] {
        [
            ("energyKJ", basis.energyKJ), ("energyKcal", basis.energyKcal), ("fat", basis.fat),
            ("saturatedFat", basis.saturatedFat), ("carbohydrate", basis.carbohydrate), ("sugars", basis.sugars),
            ("polyols", basis.polyols), ("fibre", basis.fibre), ("protein", basis.protein), ("salt", basis.salt),
            ("sodium", basis.sodium),
        ]
    }
}
