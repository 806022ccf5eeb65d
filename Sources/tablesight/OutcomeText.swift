import Vocabulary

/// An outcome in a few lines for people. Nothing here may sound as if a thing could be eaten without asking.
struct OutcomeText {
    let lines: [String]

    init(_ outcome: Outcome) {
        var lines = [Self.headline(outcome)]
        if let reason = outcome.reason { lines.append("  \(reason.detail); \(reason.hint)") }
        if let menu = outcome.menu { lines += Self.menu(menu) }
        if let label = outcome.label { lines += Self.label(label) }
        lines += (outcome.readings.barcodes ?? []).map { barcode in
            let rescue = barcode.rescue == "none" ? "" : ", read after: \(barcode.rescue)"
            return "  barcode  \(barcode.format) \(barcode.text) (\(Self.percent(barcode.confidence))\(rescue))"
        }
        lines += (outcome.products ?? []).map(Self.product)
        if let frame = outcome.readings.pieces, !frame.pieces.isEmpty { lines.append(Self.board(frame)) }
        if let game = outcome.game { lines.append(Self.game(game)) }
        if outcome.menu != nil || outcome.label != nil {
            lines.append("  What is not mentioned may still be in it: ask staff, check the package.")
        }
        self.lines = lines
    }

    private static func headline(_ outcome: Outcome) -> String {
        let what = outcome.domains.isEmpty ? "" : " " + outcome.domains.map(\.rawValue).joined(separator: " + ")
        let level = outcome.status == .failed ? "" : ", confidence \(outcome.confidence.level.rawValue)"
        return "\(outcome.source.path): \(outcome.status.rawValue)\(what)\(level)"
    }

    private static func menu(_ menu: Menu) -> [String] {
        layout(menu)
            + menu.sections.flatMap { section in
            (section.title.map { ["  — \($0) —"] } ?? [])
                + section.items.map { item in
                    let prices = item.prices.map { price in
                        [price.label, price.amount, menu.currency].compactMap(\.self).joined(separator: " ")
                    }.joined(separator: ", ")
                    return "  \(item.name)\(prices.isEmpty ? "" : "  \(prices)")\n      \(verdicts(item.verdicts))"
                }
        }
    }

    /// What a person should do about a layout that may have been misunderstood.
    private static func layout(_ menu: Menu) -> [String] {
        guard let confidence = menu.confidence, confidence.level != .high else { return [] }
        return [
            "  layout confidence \(confidence.level.rawValue): dishes may be missing, merged or split; compare with the photo"
        ]
    }

    private static func label(_ label: Label) -> [String] {
        let count = label.ingredients.count
        return ["  label    \(count) ingredient\(count == 1 ? "" : "s") read", "      \(verdicts(label.verdicts))"]
    }

    /// The worst profile's verdicts, worst word first; those without evidence are only counted.
    private static func verdicts(_ verdicts: Verdicts) -> String {
        verdicts.sorted { $0.key < $1.key }.map { name, verdicts in
            var parts: [String] = []
            for (word, title) in [
                (AllergenVerdict.Word.contains, "contains"), (.mayContain, "may contain"), (.likely, "likely"),
            ] {
                let named = verdicts.filter { $0.value.verdict == word }.sorted { $0.key.rawValue < $1.key.rawValue }
                guard !named.isEmpty else { continue }
                parts.append(
                    "\(title) "
                        + named.map { "\(key(of: $0.key)) \(percent($0.value.probability))" }.joined(separator: ", "))
            }
            let silent = verdicts.values.count { $0.verdict == .notFoundInText }
            let unknown = verdicts.values.count { $0.verdict == .cannotTell }
            if silent > 0 { parts.append("no mention of \(silent) others") }
            if unknown > 0 { parts.append("cannot tell for \(unknown)") }
            return "\(name): " + parts.joined(separator: "; ")
        }.joined(separator: "\n      ")
    }

    private static func key(of allergen: Allergen) -> String {
        allergen == .personal ? "own words" : allergen.rawValue
    }

    private static func product(_ product: Product) -> String {
        guard let name = product.name else {
            return "  product  \(product.gtin): \(product.reason ?? "notInCatalogue")"
        }
        let brand = product.brand.map { " by \($0)" } ?? ""
        let source = [product.trust?.rawValue, product.age].compactMap(\.self).joined(separator: ", ")
        return "  product  \(product.gtin): \(name)\(brand)\(source.isEmpty ? "" : " (\(source))")"
    }

    private static func board(_ frame: PieceFrame) -> String {
        let counts = Dictionary(frame.pieces.map { ($0.type, 1) }, uniquingKeysWith: +)
        let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value)× \($0.key)" }
        return "  pieces   \(frame.set): \(parts.joined(separator: ", "))"
    }

    private static func game(_ game: GameReport) -> String {
        let puzzle = game.puzzle.map { " “\($0)”" } ?? ""
        let placed = game.placed.flatMap { placed in game.needed.map { ", \(placed) of \($0) placed" } } ?? ""
        let outcome = game.outcome
        return
            "  game     \(game.game)\(puzzle): \(outcome.kind.rawValue) (\(outcome.reason), \(percent(outcome.confidence)))\(placed)"
    }

    private static func percent(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }
}
