import Foundation
import Vocabulary

/// An outcome in a few lines for people. Nothing here may sound as if a thing could be eaten without asking.
struct OutcomeText {
    let lines: [String]

    /// - Parameter date: the day that ages are counted to.
    init(_ outcome: Outcome, asOf date: Date = Date()) {
        var lines = [Self.headline(outcome)]
        if let reason = outcome.reason { lines.append("  \(reason.detail); \(reason.hint)") }
        if let menu = outcome.menu { lines += Self.menu(menu) }
        if let label = outcome.label { lines += Self.label(label) }
        lines += (outcome.readings.barcodes ?? []).map { barcode in
            let rescue = barcode.rescue == "none" ? "" : ", read after: \(barcode.rescue)"
            return "  barcode  \(barcode.format) \(barcode.text) (\(Self.percent(barcode.confidence))\(rescue))"
        }
        lines += (outcome.products ?? []).flatMap { Self.product($0, asOf: date) }
        if let frame = outcome.readings.pieces, !frame.pieces.isEmpty { lines.append(Self.board(frame)) }
        if let game = outcome.game { lines.append(Self.game(game)) }
        if outcome.menu != nil || outcome.label != nil || outcome.products?.isEmpty == false {
            lines.append("  What is not mentioned may still be in it: ask staff, check the package.")
        }
        // Names of files and words on photos may hold anything: they must write no lines of their own.
        self.lines = lines.map(\.printable)
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
                    + section.items.flatMap { item in
                        let prices = item.prices.map { price in
                            [price.label, price.amount, menu.currency].compactMap(\.self).joined(separator: " ")
                        }.joined(separator: ", ")
                        return ["  \(item.name)\(prices.isEmpty ? "" : "  \(prices)")"] + verdicts(item.verdicts)
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
        return ["  label    \(count) ingredient\(count == 1 ? "" : "s") read"] + verdicts(label.verdicts)
    }

    /// Each person's verdicts on a line, the gravest first, every allergen by its name.
    private static func verdicts(_ verdicts: Verdicts) -> [String] {
        verdicts.sorted { $0.key < $1.key }.map { name, verdicts in
            func allergens(_ word: AllergenVerdict.Word) -> [(key: Allergen, value: AllergenVerdict)] {
                verdicts.filter { $0.value.verdict == word }.sorted { $0.key.rawValue < $1.key.rawValue }
            }
            var parts: [String] = []
            for (word, title) in [(AllergenVerdict.Word.contains, "CONTAINS"), (.likely, "LIKELY")] {
                let named = allergens(word)
                guard !named.isEmpty else { continue }
                parts.append(
                    "\(title) "
                        + named.map { "\(key(of: $0.key)) \(percent($0.value.probability))\(by($0.value))" }
                        .joined(separator: ", "))
            }
            // How often a warned-of trace is there nobody states: a figure would read like a coin toss.
            let traces = allergens(.mayContain)
            if !traces.isEmpty {
                parts.append("MAY CONTAIN " + traces.map { key(of: $0.key) + by($0.value) }.joined(separator: ", "))
            }
            for (reason, unknown) in Dictionary(grouping: allergens(.cannotTell), by: { $0.value.reason ?? "" })
                .sorted(by: { $0.key < $1.key })
            {
                let names = unknown.map { key(of: $0.key) + by($0.value) }.joined(separator: ", ")
                parts.append("cannot tell: \(names)" + (VerdictReason.words(reason).map { " (\($0))" } ?? ""))
            }
            let silent = allergens(.notFoundInText)
            if !silent.isEmpty {
                parts.append("not mentioned: " + silent.map { key(of: $0.key) + by($0.value) }.joined(separator: ", "))
            }
            return "      \(name): " + parts.joined(separator: "; ")
        }
    }

    /// Who corrected it; empty where nobody did.
    private static func by(_ verdict: AllergenVerdict) -> String {
        verdict.by.map { " (corrected by \($0))" } ?? ""
    }

    private static func key(of allergen: Allergen) -> String {
        allergen == .personal ? "own words" : allergen.rawValue
    }

    private static func product(_ product: Product, asOf date: Date) -> [String] {
        var lines: [String] = []
        if let name = product.name {
            let brand = product.brand.map { " by \($0)" } ?? ""
            let age = product.recorded.flatMap { RecordAge.words(since: $0, asOf: date) }
            let source = [product.trust?.words, age].compactMap(\.self).joined(separator: ", ")
            lines.append("  product  \(product.gtin): \(name)\(brand)\(source.isEmpty ? "" : " (\(source))")")
        } else {
            let why = product.reason.flatMap(VerdictReason.words) ?? "no record"
            lines.append("  product  \(product.gtin): \(why)")
        }
        if product.agreement?.printedDigits == .disagrees {
            lines.append("      the bars and the digits printed below them say different numbers: neither is believed")
        }
        if let verdicts = product.verdicts, !verdicts.isEmpty { lines += Self.verdicts(verdicts) }
        for one in product.contradictions ?? [] {
            lines.append(
                "      \(one.profile), \(key(of: one.allergen)): the record says \(words(one.record)), "
                    + "the label says \(words(one.label)); the graver one counts")
        }
        return lines
    }

    private static func words(_ word: AllergenVerdict.Word) -> String {
        word.rawValue.replacing("_", with: " ").lowercased()
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
