import Foundation
import Core

/// An outcome in a few lines for people, with each person's verdicts in their own language. No text may imply that
/// food can be eaten without asking.
public struct OutcomeText {
    private let wordings: Wordings
    private let people: [AllergenProfile]
    private let style: TextStyle
    private let date: Date
    /// The wording of texts for everybody.
    private let common: Wording

    /// - Parameters:
    ///   - people: the profiles of the outcomes, which determine the languages.
    ///   - date: the current date, for ages of records.
    public init(
        for people: [AllergenProfile], _ wordings: Wordings, style: TextStyle = .plain, asOf date: Date = Date()
    ) {
        self.wordings = wordings
        self.people = people
        self.style = style
        self.date = date
        common = wordings.common(people)
    }

    /// The lines of one outcome. Control characters in file names and recognised words are escaped.
    public func lines(of outcome: Outcome) -> [String] {
        var lines = [headline(outcome)]
        if let reason = outcome.reason, reason.code != ItemFailure.Code.unreadScript.rawValue {
            lines.append("  " + self.reason(reason))
        }
        lines += (outcome.readings.text?.unreadScripts ?? []).map { script in
            "  " + common.phrase(.unreadScript, ["script": common.name(of: script)])
        }
        if let menu = outcome.menu { lines += self.menu(menu) }
        if let label = outcome.label { lines += self.label(label) }
        let documents = DocumentText(common)
        if let nutrition = outcome.label?.nutrition { lines += documents.lines(of: nutrition) }
        if let dates = outcome.label?.dates { lines += documents.lines(of: dates) }
        if let receipt = outcome.receipt { lines += documents.lines(of: receipt) }
        for tag in outcome.priceTags ?? [outcome.priceTag].compactMap(\.self) { lines += documents.lines(of: tag) }
        lines += (outcome.readings.barcodes ?? []).map(barcode)
        lines += (outcome.products ?? []).flatMap(product)
        if people.count > 1, let household = outcome.household { lines += table(household) }
        if let frame = outcome.readings.pieces, !frame.pieces.isEmpty { lines.append(board(frame)) }
        if let game = outcome.game { lines.append(self.game(game)) }
        if outcome.household != nil { lines.append("  " + common.phrase(.askStaff)) }
        return lines
    }

    // MARK: The photo

    private func headline(_ outcome: Outcome) -> String {
        let what = outcome.domains.isEmpty ? "" : " " + outcome.domains.map(common.domain).joined(separator: " + ")
        let confidence = common.phrase(.confidence, ["level": common.level(outcome.confidence.level)])
        let level = outcome.status == .failed ? "" : ", " + confidence
        return style.heading(outcome.source.path.printable) + ": \(common.status(outcome.status))\(what)\(level)"
    }

    /// English shows the detail with its values. Other languages show a text for each kind of failure.
    private func reason(_ reason: Outcome.Reason) -> String {
        let own = common.language == "en" ? nil : common.failure(reason.code)
        return (own ?? "\(reason.detail); \(reason.hint)").printable
    }

    private func barcode(_ barcode: BarcodeReading) -> String {
        let name = common.phrase(.barcode).padding(8)
        return "  \(name) \(barcode.format) \(barcode.text.printable) (\(percent(barcode.confidence)))"
    }

    private func board(_ frame: PieceFrame) -> String {
        let counts = Dictionary(frame.pieces.map { ($0.type, 1) }, uniquingKeysWith: +)
        let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value)× \($0.key.words)" }
        return "  pieces   \(frame.set.printable): \(parts.joined(separator: ", ").printable)"
    }

    private func game(_ game: GameReport) -> String {
        let puzzle = game.puzzle.map { " “\($0)”" } ?? ""
        let placed = game.placed.flatMap { placed in game.needed.map { ", \(placed) of \($0) placed" } } ?? ""
        let outcome = game.outcome
        let what = "\(outcome.kind.rawValue.words) (\(outcome.reason.words), \(percent(outcome.confidence)))"
        return "  game     \(game.game)\(puzzle): \(what)\(placed)".printable
    }

    // MARK: What was judged

    private func menu(_ menu: Menu) -> [String] {
        layout(menu)
            + menu.sections.flatMap { section in
                (section.title.map { ["  — \($0.printable) —"] } ?? [])
                    + section.items.flatMap { item in
                        let prices = item.prices.map { price in
                            [price.label, price.amount, menu.currency].compactMap(\.self).joined(separator: " ")
                        }.joined(separator: ", ")
                        let name = style.heading(item.name.printable)
                        return ["  \(name)\(prices.isEmpty ? "" : "  \(prices.printable)")"] + verdicts(item.verdicts)
                    }
            }
    }

    /// Advice about an uncertain layout.
    private func layout(_ menu: Menu) -> [String] {
        guard let confidence = menu.confidence, confidence.level != .high else { return [] }
        return ["  " + common.phrase(.layout, ["level": common.level(confidence.level)])]
    }

    private func label(_ label: Label) -> [String] {
        let count = common.phrase(.ingredientsRead, ["n": String(label.ingredients.count)])
        return ["  \(common.domain(.label).padding(8)) \(count)"] + verdicts(label.verdicts)
    }

    private func product(_ product: Product) -> [String] {
        let head = "  \(common.phrase(.product).padding(8)) \(product.gtin): "
        var lines: [String] = []
        if let name = product.name {
            let title = [name, product.brand].compactMap(\.self).joined(separator: " · ")
            let age = product.recorded.flatMap { common.age(since: $0, asOf: date) }
            let source = [product.trust.map(common.source), age].compactMap(\.self).joined(separator: ", ")
            lines.append(head + title.printable + (source.isEmpty ? "" : " (\(source))"))
        } else {
            lines.append(head + (product.reason.flatMap(common.reason) ?? common.reason("notInCatalogue") ?? ""))
        }
        if product.agreement?.printedDigits == .disagrees { lines.append("      " + common.phrase(.codesDiffer)) }
        if let verdicts = product.verdicts { lines += self.verdicts(verdicts) }
        for one in product.contradictions ?? [] {
            let wording = wordings.wording(for: people.first { $0.name == one.profile })
            let values = [
                "person": one.profile, "x": wording.name(of: one.allergen), "record": wording.label(one.record),
                "label": wording.label(one.label),
            ]
            lines.append("      " + wording.phrase(.contradiction, values).printable)
        }
        return lines
    }

    /// Each person's verdicts, most serious first, with the names of the allergens.
    private func verdicts(_ verdicts: Verdicts) -> [String] {
        verdicts.sorted { $0.key < $1.key }.flatMap { name, verdicts in
            let profile = people.first { $0.name == name }
            let wording = wordings.wording(for: profile)
            let order: [AllergenVerdict.Kind] = [.contains, .likely, .mayContain, .cannotTell, .notFoundInText]
            let parts = order.flatMap { word in groups(of: word, verdicts, wording, words: profile?.words ?? []) }
            let person = name.printable
            return parts.enumerated().map { index, part in
                "      " + (index == 0 ? "\(person): " : String(repeating: " ", count: person.count + 2)) + part
            }
        }
    }

    /// The allergens with one verdict. CANNOT_TELL is grouped by reason.
    private func groups(
        of word: AllergenVerdict.Kind, _ verdicts: [Allergen: AllergenVerdict], _ wording: Wording, words: [String]
    ) -> [String] {
        let meant = verdicts.filter { $0.value.verdict == word }.sorted { $0.key.rawValue < $1.key.rawValue }
        let groups = Dictionary(grouping: meant) { word == .cannotTell ? $0.value.reason ?? "" : "" }
        return groups.sorted { $0.key < $1.key }.map { reason, group in
            let names = group.map { allergen, verdict -> String in
                let isOwn = allergen == .personal && !words.isEmpty
                var name = isOwn ? words.joined(separator: ", ").printable : wording.name(of: allergen)
                // The frequency of traces is unknown, so a percentage would mislead.
                if word == .contains || word == .likely { name += " " + percent(verdict.probability) }
                if verdict.reason == "exempt", let why = wording.reason("exempt") { name += " (\(why))" }
                if let reviewer = verdict.by {
                    name += " (" + wording.phrase(.correctedBy, ["name": reviewer.printable]) + ")"
                }
                return name
            }.joined(separator: ", ")
            let isQuiet = word == .cannotTell || word == .notFoundInText
            let why = wording.reason(reason).map { " (\($0))" } ?? ""
            return style.styled(wording.label(word) + (isQuiet ? ": " : " ") + names + why, as: word)
        }
    }

    /// What each person must avoid or ask about, over the whole photo.
    private func table(_ household: [String: Outcome.PersonalSummary]) -> [String] {
        let shown = people.filter { household[$0.name] != nil }
        let titles: [Wording.Phrase] = [.avoid, .ask, .notMentioned]
        let nameWidth = shown.map(\.name.printable.count).max() ?? 0
        let titleWidth =
            shown.map { wordings.wording(for: $0) }.flatMap { wording in titles.map { wording.phrase($0).count } }.max()
            ?? 0
        let rows = shown.flatMap { person in
            let wording = wordings.wording(for: person)
            let summary = household[person.name] ?? .init()
            let things = [
                (summary.avoid, AllergenVerdict.Kind.contains), (summary.ask, .cannotTell),
                (summary.notMentioned, .notFoundInText),
            ]
            let rows = zip(titles, things).filter { !$0.1.0.isEmpty }
            return rows.enumerated().flatMap { index, row in
                let (title, (names, word)) = row
                let name = (index == 0 ? person.name.printable : "").padding(nameWidth)
                let start = "    \(name)  " + (wording.phrase(title) + ":").padding(titleWidth + 1)
                let words = names.map { $0 == Outcome.labelName ? wording.phrase(.wholeLabel) : $0.printable }
                return style.wrapped(words, after: start).map { style.coloured($0, as: word) }
            }
        }
        return ["", "  " + style.heading(common.phrase(.household))] + rows + [""]
    }

    private func percent(_ value: Double) -> String { "\(Int(nearest: value * 100)) %" }
}

extension String {
    /// The text padded with spaces to at least `width` characters.
    fileprivate func padding(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// A camel-case key as words: `correctPlacement` becomes `correct placement`.
    fileprivate var words: String {
        reduce(into: "") { text, letter in
            if letter.isUppercase, let last = text.last, last.isLowercase {
                text += " " + letter.lowercased()
            } else {
                text.append(letter)
            }
        }
    }
}
