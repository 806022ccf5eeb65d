import Core
import Kinds

/// The part of a result page about a receipt or price tags.
struct DocumentResult {
    struct Tag {
        let facts: [Fact]
        /// What the product's name warns of.
        let chips: [ListChip]
    }

    let receipt: ReceiptResult?
    let tags: [Tag]
    /// The address where its prices are checked.
    let prices: String

    init?(_ shown: ShownOutcome) {
        let outcome = shown.outcome
        guard outcome.receipt != nil || outcome.priceTag != nil else { return nil }
        receipt = outcome.receipt.map { ReceiptResult($0, shown) }
        let hasLines = outcome.receipt.map { !$0.items.isEmpty } ?? false
        prices = hasLines && outcome.priceTag == nil ? "/receipts/\(shown.id)" : "/prices?photo=\(shown.id)"
        tags = outcome.allPriceTags.map { tag in
            let currency = tag.currency?.sureCurrency
            let unit = tag.unit.map { " / " + shown.language.wording.unit($0.value) } ?? ""
            return Tag(
                facts: [
                    Fact("doc.product", tag.product, shown), Fact("doc.brand", tag.brand, shown),
                    Fact("doc.price", tag.price, in: currency, shown),
                    Fact("doc.was", tag.wasPrice, in: currency, shown),
                    Fact("doc.unitPrice", tag.unitPrice, in: currency, suffix: unit, shown),
                    Fact("result.number", tag.gtin, shown), Fact("doc.offer", tag.promotion, shown),
                ].compactMap(\.self), chips: shown.warnings(tag.verdicts))
        }
    }

    /// Where the values are printed.
    static func marks(_ shown: ShownOutcome) -> PhotoMarks {
        PhotoMarks(documentValues: shown.outcome.values.compactMap(\.value.box?.corners))
    }
}

/// A value with its name.
struct Fact {
    let head, text: String
    /// The level of a confidence that is not high.
    let doubt: String?

    init(head: String, _ value: String, alternatives: [String]?, confidence: Double, _ shown: ShownOutcome) {
        self.head = head
        let others = alternatives.map {
            ", " + shown.language.wording.phrase(.ambiguous, ["other": $0.joined(separator: ", ")])
        }
        text = value + (others ?? "")
        doubt = shown.doubt(confidence)
    }

    /// An amount of money; nil if it was not read.
    init?(_ key: String, _ value: ReadValue?, in currency: String?, suffix: String = "", _ shown: ShownOutcome) {
        guard let value else { return nil }
        self.init(
            head: shown.texts.text(key), shown.texts.amount(value.value, currency) + suffix,
            alternatives: value.alternatives?.map { shown.texts.amount($0, currency) + suffix },
            confidence: value.confidence, shown)
    }

    /// Nil for a value that was not read.
    init?(_ key: String, _ value: ReadValue?, suffix: String = "", _ shown: ShownOutcome) {
        guard let value else { return nil }
        self.init(
            head: shown.texts.text(key), value.value + suffix, alternatives: value.alternatives,
            confidence: value.confidence, shown)
    }
}

struct ReceiptResult {
    struct Item {
        let name, count, amount: String
        let doubt: String?
        let chips: [ListChip]
    }

    let facts: [Fact]
    let items: [Item]
    /// Whether the items make the total.
    let check: String?

    init(_ receipt: Receipt, _ shown: ShownOutcome) {
        let currency = receipt.currency?.sureCurrency
        func amount(_ text: String) -> String { shown.texts.amount(text, currency) }
        facts = [
            Fact("doc.merchant", receipt.merchant, shown), Fact("doc.address", receipt.address, shown),
            Fact("doc.date", receipt.date, suffix: receipt.time.map { " " + $0.value } ?? "", shown),
            Fact("doc.total", receipt.total, in: currency, shown),
            Fact("doc.subtotal", receipt.subtotal, in: currency, shown),
        ].compactMap(\.self)
        items = receipt.items.map { item in
            Item(
                name: item.name.value,
                count: [
                    item.quantity.map { shown.texts.amount($0.value, nil) }, item.unitPrice.map { amount($0.value) },
                ].compactMap(\.self)
                    .joined(separator: " × "), amount: amount(item.amount.value),
                doubt: shown.doubt(item.amount.confidence), chips: shown.warnings(item.verdicts))
        }
        check = receipt.checks.first { $0.check == "itemsMakeTotal" }.map {
            shown.language.wording.phrase($0.holds ? .checkHolds : .checkFails)
        }
    }
}

struct NutritionResult {
    struct Cell {
        let text: String
        let doubt: String?
    }

    struct Row {
        let name: String
        let cells: [Cell]
    }

    let heads: [String]
    let rows: [Row]
    /// Whether the figures agree; nil without a check.
    let check: String?

    init(_ nutrition: Nutrition, _ shown: ShownOutcome) {
        let texts = shown.texts
        var names: [String] = []
        for name in nutrition.basis.flatMap({ $0.named.map(\.name) }) where !names.contains(name) { names.append(name) }
        heads = nutrition.basis.map { basis in
            texts.text("per.\(basis.per)") + (basis.servingSize.map { " (\($0.value))" } ?? "")
        }
        check = shown.language.wording.agreement(of: nutrition)
        rows = names.map { name in
            Row(
                name: texts.text("nutrient.\(name)"),
                cells: nutrition.basis.map { basis in
                    guard let value = basis.named.first(where: { $0.name == name })?.value else {
                        return Cell(text: "–", doubt: nil)
                    }
                    return Cell(
                        text: [shown.texts.amount(value.value, nil), value.unit].compactMap(\.self).joined(
                            separator: " "),
                        doubt: shown.doubt(value.confidence))
                })
        }
    }
}

struct DatesResult {
    let facts: [Fact]

    init(_ dates: [PrintedDate], _ shown: ShownOutcome) {
        facts = dates.map { date in
            Fact(
                head: shown.texts.text("date.\(date.kind.rawValue)"), date.value, alternatives: date.alternatives,
                confidence: date.confidence, shown)
        }
    }
}

extension ShownOutcome {
    /// What the name of a product warns of.
    fileprivate func warnings(_ verdicts: Verdicts?) -> [ListChip] {
        let people = Set(marked.map(\.name))
        return SharedVerdicts(household: self.people, language: language)
            .warnings((verdicts ?? [:]).filter { people.contains($0.key) })
    }
}

extension Outcome {
    /// True for a receipt with lines and nothing besides that warns or is counted.
    var isOnlyReceipt: Bool {
        receipt?.items.isEmpty == false && priceTag == nil && label == nil && menu == nil && game == nil
            && products?.isEmpty ?? true
    }
}
