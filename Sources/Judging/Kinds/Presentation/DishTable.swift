import Core

/// What photos show as comma-separated values, for spreadsheets: dishes, products, labels, and prices of receipts and tags.
///
/// One row for each of them, person and allergen; one row where nothing was judged. Keys are those of outcomes.
package enum DishTable {
    /// What a row is about.
    package enum Kind: String, CaseIterable {
        case dish, label, product, receiptItem, priceTag
    }

    /// The line of the columns' names.
    package static let heading = CSVLine.text([
        "photo", "section", "dish", "description", "prices", "currency", "person", "allergen", "verdict", "risk",
        "probability", "kind", "gtin", "quantity",
    ])

    /// The rows of a photo in the order of the page, then of people's names and of the law.
    package static func rows(of outcome: Outcome, _ kinds: [Kind] = [.dish]) -> String {
        kinds.flatMap { things(in: outcome, $0) }.map { thing in
            let about = [
                outcome.source.path, thing.section ?? "", thing.name ?? "", thing.description ?? "",
                thing.prices.joined(separator: "; "), thing.currency ?? "",
            ]
            let last = [thing.kind.rawValue, thing.gtin ?? "", thing.quantity ?? ""]
            let verdicts = verdicts(thing.verdicts ?? [:])
            return (verdicts.isEmpty ? [["", "", "", "", ""]] : verdicts).map { CSVLine.text(about + $0 + last) }
                .joined()
        }.joined()
    }

    private struct Thing {
        var kind: Kind
        var name: String?
        var section, description, currency, gtin, quantity: String?
        var prices: [String] = []
        var verdicts: Verdicts?
    }

    private static func things(in outcome: Outcome, _ kind: Kind) -> [Thing] {
        switch kind {
        case .dish:
            (outcome.menu?.sections ?? []).flatMap { section in
                section.items.map { dish in
                    Thing(
                        kind: kind, name: dish.name, section: section.title, description: dish.description,
                        currency: outcome.menu?.currency,
                        prices: dish.prices.map { [$0.label, $0.amount].compactMap(\.self).joined(separator: " ") },
                        verdicts: dish.verdicts)
                }
            }
        case .label:
            outcome.label.map { label in
                [
                    Thing(
                        kind: kind, description: label.ingredients.map(\.text).joined(separator: ", "),
                        verdicts: label.verdicts)
                ]
            } ?? []
        case .product:
            (outcome.products ?? []).map {
                Thing(
                    kind: kind, name: $0.name, section: $0.brand, description: $0.ingredients, gtin: $0.gtin,
                    verdicts: $0.verdicts)
            }
        case .receiptItem:
            (outcome.receipt?.items ?? []).map {
                Thing(
                    kind: kind, name: $0.name.value, section: outcome.receipt?.merchant?.value,
                    currency: outcome.receipt?.currency?.sureCurrency, quantity: $0.quantity?.value,
                    prices: [$0.amount.value], verdicts: $0.verdicts)
            }
        case .priceTag:
            (outcome.priceTags ?? [outcome.priceTag].compactMap(\.self)).map {
                Thing(
                    kind: kind, name: $0.product?.value, section: $0.brand?.value, currency: $0.currency?.sureCurrency,
                    gtin: $0.gtin?.value, prices: [$0.price?.value].compactMap(\.self), verdicts: $0.verdicts)
            }
        }
    }

    /// Person, allergen, verdict, risk and probability (0…1).
    private static func verdicts(_ verdicts: Verdicts) -> [[String]] {
        verdicts.sorted { $0.key < $1.key }.flatMap { person, verdicts in
            Allergen.allCases.compactMap { allergen in
                verdicts[allergen].map {
                    [person, allergen.rawValue, $0.verdict.rawValue, $0.risk.rawValue, "\($0.probability)"]
                }
            }
        }
    }
}
