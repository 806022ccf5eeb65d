import Allergens
import Core
import Foundation

/// An outcome in a few lines for people, with each person's verdicts in their own language. No text may imply that
/// food can be eaten without asking.
package struct OutcomeText {
    let wordings: Wordings
    let people: [AllergenProfile]
    let style: TextStyle
    let date: Date
    /// Each dish of a menu with its prices and verdicts, beside what concerns people.
    let isWhole: Bool
    /// The wording of texts for everybody.
    let common: Wording

    /// - Parameters:
    ///   - people: the profiles of the outcomes, which determine the languages.
    ///   - date: the current date, for ages of records.
    ///   - isWhole: true for each dish of a menu, beside those that concern people.
    package init(
        for people: [AllergenProfile], _ wordings: Wordings, style: TextStyle = .plain, asOf date: Date = Date(),
        isWhole: Bool = false
    ) {
        self.isWhole = isWhole
        self.wordings = wordings
        self.people = people
        self.style = style
        self.date = date
        common = wordings.common(people)
    }

    /// The lines of one outcome. Control characters in file names and recognised words are escaped.
    package func lines(of outcome: Outcome) -> [String] {
        var lines = [headline(outcome)]
        if let reason = outcome.reason, reason.code != ItemFailure.Code.unreadScript.rawValue {
            lines.append("  " + self.reason(reason))
        }
        lines += (outcome.readings.text?.unreadScripts ?? []).map { script in
            "  " + common.phrase(.unreadScript, ["script": common.name(of: script)])
        }
        for kind in kinds { lines += kind.lines(of: outcome, in: self) }
        if people.count > 1 || outcome.menu != nil, let household = outcome.household {
            lines += table(household, of: outcome)
        }
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

    // MARK: Verdicts

    /// Each person's verdicts, most serious first, with the names of the allergens.
    func verdicts(_ verdicts: Verdicts) -> [String] {
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
        let meant = verdicts.filter { $0.value.verdict == word && !($0.value.isUnlikely && word == .cannotTell) }.sorted
        { $0.key.rawValue < $1.key.rawValue }
        let groups = Dictionary(grouping: meant) { word == .cannotTell ? $0.value.reason ?? "" : "" }
        return groups.sorted { $0.key < $1.key }.map { reason, group in
            let names = group.map { allergen, verdict -> String in
                let isOwn = allergen == .personal && !words.isEmpty
                var name = isOwn ? words.joined(separator: ", ").printable : wording.name(of: allergen)
                // The frequency of traces is unknown, so a percentage would mislead.
                if word == .contains || word == .likely || verdict.isPossible {
                    name += " " + percent(verdict.probability)
                }
                if verdict.reason == "exempt", let why = wording.reason("exempt") { name += " (\(why))" }
                if let reviewer = verdict.by {
                    let phrase: Wording.Phrase =
                        switch verdict.said {
                        case .absent: .deniedBy
                        case .canOmit: .canOmitBy
                        case .unknown: .askedBy
                        case .contains, .mayContain, nil: .correctedBy
                        }
                    name += " (" + wording.phrase(phrase, ["name": reviewer.printable]) + ")"
                }
                return name
            }.joined(separator: ", ")
            let isQuiet = word == .cannotTell || word == .notFoundInText
            let why = wording.reason(reason).map { " (\($0))" } ?? ""
            return style.styled(wording.label(word) + (isQuiet ? ": " : " ") + names + why, as: word)
        }
    }

    /// What each person must avoid or ask about, over the whole photo.
    private func table(_ household: [String: Outcome.PersonalSummary], of outcome: Outcome) -> [String] {
        let rows = people.flatMap { person in
            household[person.name].map { self.rows($0, of: person, outcome) } ?? []
        }
        let nameWidth = people.map(\.name.printable.count).max() ?? 0
        let titleWidth = rows.map(\.title.count).max() ?? 0
        let lines = rows.flatMap { row in
            let start = "    \(row.person.padding(nameWidth))  " + row.title.padding(titleWidth)
            let lines = row.things.isEmpty ? [start] : style.wrapped(row.things, after: start)
            return lines.map { style.coloured($0, as: row.kind) }
        }
        return ["", "  " + style.heading(common.phrase(.household))] + lines + [""]
    }

    /// What somebody must avoid, ask about, or find nothing of, with the number of dishes on a menu.
    private struct TableRow {
        var person, title: String
        var things: [String]
        var kind: AllergenVerdict.Kind
    }

    private func rows(
        _ summary: Outcome.PersonalSummary, of person: AllergenProfile, _ outcome: Outcome
    ) -> [TableRow] {
        let wording = wordings.wording(for: person)
        let isMenu = outcome.menu != nil
        let things: [(Wording.Phrase, [String], AllergenVerdict.Kind)] = [
            (.avoid, summary.avoid, .contains), (.ask, summary.ask, .cannotTell),
            (.notMentioned, summary.notMentioned, .notFoundInText),
        ]
        return things.filter { !$0.1.isEmpty }.enumerated().map { index, row in
            let (phrase, names, kind) = row
            let isCounted = isMenu && !isWhole && kind == .notFoundInText
            let shown = isCounted ? [] : names.map { thing(named: $0, as: kind, of: outcome, for: person, wording) }
            return TableRow(
                person: index == 0 ? person.name.printable : "",
                title: wording.phrase(phrase) + (isMenu ? " \(names.count)" : "") + (isCounted ? "" : ":"),
                things: shown, kind: kind)
        }
    }

    /// A dish, label or product with the reason why somebody must avoid it or ask.
    private func thing(
        named name: String, as kind: AllergenVerdict.Kind, of outcome: Outcome, for person: AllergenProfile,
        _ wording: Wording
    ) -> String {
        let own = outcome.things.filter { $0.name == name }.compactMap { $0.verdicts[person.name] }.flatMap(\.self)
        func names(_ isMeant: (AllergenVerdict) -> Bool) -> String {
            let meant = own.filter { isMeant($0.value) }.sorted {
                ($1.value.probability, $0.key.rawValue) < ($0.value.probability, $1.key.rawValue)
            }
            return meant.map { allergen, verdict in
                let isOwn = allergen == .personal && person.words?.isEmpty == false
                let name = isOwn ? (person.words ?? []).joined(separator: ", ").printable : wording.name(of: allergen)
                return verdict.isPossible ? name + " " + percent(verdict.probability) : name
            }.joined(separator: ", ")
        }
        let kinds: [AllergenVerdict.Kind] = kind == .contains ? [.contains, .likely] : [.mayContain]
        var parts = kinds.map { kind in (wording.label(kind) + " ", names { $0.verdict == kind }) }
        if kind == .cannotTell { parts.append(("", names(\.isPossible))) }
        let reasons = parts.filter { !$0.1.isEmpty }.map { $0.0 + $0.1 }
        let shown = name == Outcome.labelName ? wording.phrase(.wholeLabel) : name.printable
        return kind == .notFoundInText || reasons.isEmpty ? shown : shown + " (\(reasons.joined(separator: "; ")))"
    }

    func percent(_ value: Double) -> String { "\(Int(nearest: value * 100)) %" }
}

extension String {
    /// The text padded with spaces to at least `width` characters.
    func padding(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// A camel-case key as words: `correctPlacement` becomes `correct placement`.
    var words: String {
        reduce(into: "") { text, letter in
            if letter.isUppercase, let last = text.last, last.isLowercase {
                text += " " + letter.lowercased()
            } else {
                text.append(letter)
            }
        }
    }
}
