import HTTP
import Core
import Kinds
import Presentation

/// The part of a result page about a receipt, a price tag, a nutrition table or dates.
struct DocumentResult {
    let page: ResultPage

    private var texts: PageTexts { page.texts }
    private var outcome: Outcome { page.outcome }

    /// True if the outcome holds a receipt or a price tag.
    static func fits(_ outcome: Outcome) -> Bool { outcome.receipt != nil || outcome.priceTag != nil }

    private var tags: [PriceTag] { outcome.allPriceTags }

    /// The values of a receipt and of price tags.
    func values() -> Values {
        var values: Values = [:]
        if let receipt = outcome.receipt { values["receipt"] = self.receipt(receipt) }
        if !tags.isEmpty { values["tags"] = tags.map(tag) }
        return values
    }

    /// Where the values are printed.
    var marks: PhotoMarks {
        PhotoMarks(documentValues: outcome.values.compactMap(\.value.box?.corners))
    }

    private func receipt(_ receipt: Receipt) -> Values {
        let currency = receipt.currency.map { " " + $0.value } ?? ""
        var values: Values = ["hasItems": !receipt.items.isEmpty]
        values["facts"] = facts([
            ("doc.merchant", receipt.merchant, ""), ("doc.address", receipt.address, ""),
            ("doc.date", receipt.date, receipt.time.map { " " + $0.value } ?? ""),
            ("doc.total", receipt.total, currency), ("doc.subtotal", receipt.subtotal, currency),
        ])
        values["items"] = receipt.items.map { item -> Values in
            let count = [item.quantity?.value, item.unitPrice?.value].compactMap(\.self).joined(separator: " × ")
            return [
                "name": item.name.value, "count": count, "amount": item.amount.value,
                "doubt": doubt(item.amount.confidence),
            ]
        }
        if let check = receipt.checks.first(where: { $0.check == "itemsMakeTotal" }) {
            values["check"] = page.language.wording.phrase(check.holds ? .checkHolds : .checkFails)
        }
        return values
    }

    private func tag(_ tag: PriceTag) -> Values {
        let currency = tag.currency.map { " " + $0.value } ?? ""
        let unit = tag.unit.map { " / " + page.language.wording.unit($0.value) } ?? ""
        return [
            "facts": facts([
                ("doc.product", tag.product, ""), ("doc.brand", tag.brand, ""), ("doc.price", tag.price, currency),
                ("doc.was", tag.wasPrice, currency),
                ("doc.unitPrice", tag.unitPrice, currency + unit), ("result.number", tag.gtin, ""),
                ("doc.offer", tag.promotion, ""),
            ])
        ]
    }

    private func facts(_ values: [(key: String, value: ReadValue?, suffix: String)]) -> [Values] {
        values.compactMap { key, value, suffix in
            value.map { value in
                let others = value.alternatives.map { alternatives in
                    ", "
                        + page.language.wording.phrase(.ambiguous, ["other": alternatives.joined(separator: ", ")])
                }
                return [
                    "head": texts.text(key), "text": value.value + suffix + (others ?? ""),
                    "doubt": doubt(value.confidence),
                ]
            }
        }
    }

    /// The level of a confidence that is not high; false otherwise, because templates show sections of empty texts.
    private func doubt(_ score: Double) -> Any {
        let level = Confidence(score).level
        return level == .high
            ? false : texts.text("result.confidence", ["level": texts.text("level.\(level.rawValue)")])
    }

    // MARK: Packets

    /// The nutrition table and the dates of a packet, for the page of a product.
    func packageValues(_ label: Label) -> Values {
        var values: Values = [:]
        if let nutrition = label.nutrition { values["nutrition"] = table(nutrition) }
        if let dates = label.dates {
            values["dates"] =
                [
                    "facts": dates.map { date -> Values in
                        let others = date.alternatives.map { alternatives in
                            ", "
                                + page.language.wording.phrase(
                                    .ambiguous, ["other": alternatives.joined(separator: ", ")])
                        }
                        return [
                            "head": texts.text("date.\(date.kind.rawValue)"), "text": date.value + (others ?? ""),
                            "doubt": doubt(date.confidence),
                        ]
                    }
                ] as Values
        }
        return values
    }

    private func table(_ nutrition: Nutrition) -> Values {
        let names = nutrition.basis.flatMap { $0.named.map(\.name) }
        var shown: [String] = []
        for name in names where !shown.contains(name) { shown.append(name) }
        return [
            "heads": nutrition.basis.map { basis in
                texts.text("per.\(basis.per)") + (basis.servingSize.map { " (\($0.value))" } ?? "")
            },
            "rows": shown.map { name -> Values in
                [
                    "name": texts.text("nutrient.\(name)"),
                    "cells": nutrition.basis.map { basis -> Values in
                        guard let value = basis.named.first(where: { $0.name == name })?.value else {
                            return ["text": "–", "doubt": false]
                        }
                        return [
                            "text": [value.value, value.unit].compactMap(\.self).joined(separator: " "),
                            "doubt": doubt(value.confidence),
                        ]
                    },
                ]
            },
        ]
    }
}
