import Core

extension ProductKind {
    package static func lines(of outcome: Outcome, in text: OutcomeText) -> [String] {
        (outcome.readings.barcodes ?? []).map { line(of: $0, text) }
            + (outcome.products ?? []).flatMap { lines(of: $0, text) }
    }

    private static func line(of barcode: BarcodeReading, _ text: OutcomeText) -> String {
        let name = text.common.phrase(.barcode).padding(8)
        return "  \(name) \(barcode.format) \(barcode.text.printable) (\(text.percent(barcode.confidence)))"
    }

    private static func lines(of product: Product, _ text: OutcomeText) -> [String] {
        let head = "  \(text.common.phrase(.product).padding(8)) \(product.gtin): "
        var lines: [String] = []
        if let name = product.name {
            let title = [name, product.brand].compactMap(\.self).joined(separator: " · ")
            let age = product.recorded.flatMap { text.common.age(since: $0, asOf: text.date) }
            let source = [product.trust.map(text.common.source), age].compactMap(\.self).joined(separator: ", ")
            lines.append(head + title.printable + (source.isEmpty ? "" : " (\(source))"))
        } else {
            lines.append(
                head + (product.reason.flatMap(text.common.reason) ?? text.common.reason("notInCatalogue") ?? ""))
        }
        if product.agreement?.printedDigits == .disagrees { lines.append("      " + text.common.phrase(.codesDiffer)) }
        if let verdicts = product.verdicts { lines += text.verdicts(verdicts) }
        for one in product.contradictions ?? [] {
            let wording = text.wordings.wording(for: text.people.first { $0.name == one.profile })
            let values = [
                "person": one.profile, "x": wording.name(of: one.allergen), "record": wording.label(one.record),
                "label": wording.label(one.label),
            ]
            lines.append("      " + wording.phrase(.contradiction, values).printable)
        }
        return lines
    }
}
