import Core

/// The open dish: its print, why it warns, and what an adult can correct.
struct OpenDish {
    struct Form {
        let name, price, description, section: String
        /// The person who is shown, to come back to; empty for everybody.
        let shownFor: String
        /// The headings of the page.
        let sections: [String]
        let answers: AnswerForm
        let shape: DishShape
    }

    /// What the program had read of a corrected dish.
    struct Correction {
        let text: String
        let undo: [String]
        let mayUndo: Bool
    }

    struct Instead { let name, price, address: String }

    static let mostInstead = 4

    let crop: PhotoOverlay?
    let evidence: [Evidence]
    let instead: [Instead]
    let correction: Correction?
    let form: Form?

    /// - Parameter instead: what could be eaten instead; empty for a dish that is not out.
    init(_ item: Menu.Item, section: String?, instead others: [Menu.Item], _ shown: ShownOutcome) {
        crop = item.box.flatMap { shown.crop($0, shown.ofShown(item.findings, item.verdicts).flatMap(\.underlines)) }
        evidence = Evidence.all(item.findings, item.verdicts, shown)
        instead = others.map {
            Instead(name: $0.name, price: shown.prices($0.prices), address: shown.address(opening: $0) + "#open")
        }
        correction = item.corrected.map { Correction($0, shown) }
        let prices = shown.prices(item.prices)
        form =
            shown.mayCorrect
            ? Form(
                name: item.name, price: prices, description: item.description ?? "", section: section ?? "",
                shownFor: shown.place.person ?? "",
                sections: (shown.outcome.menu?.sections ?? []).compactMap(\.title),
                answers: AnswerForm(
                    of: item.corrected?.system?.name ?? item.name, at: item.box, item.verdicts, item.statements ?? [],
                    item.findings, shown), shape: DishShape(item, shown)) : nil
    }
}

extension OpenDish.Correction {
    fileprivate init(_ correction: Menu.DishCorrection, _ shown: ShownOutcome) {
        let who = ["name": correction.by, "time": shown.moment(correction.at)]
        if let system = correction.system {
            let read = [system.name, system.description, shown.prices(system.prices)]
                .compactMap(\.self).filter { !$0.isEmpty }
            text =
                shown.texts.text("dish.corrected", who) + " "
                + shown.texts.text(
                    "dish.read", ["x": read.joined(separator: ", ")])
        } else {
            text = shown.texts.text("dish.added", who)
        }
        undo = shown.undo(correction.reviews)
        mayUndo = !undo.isEmpty
    }
}

/// The lines that were not understood.
struct UnreadLines {
    struct Line {
        let n, place: String
        /// Nil if nothing was read.
        let text: String?
        let crop: PhotoOverlay?
        let dish, description: String?
        let isForm: Bool
    }

    /// The allergens that these lines name and that may be in any dish; nil if they name none.
    let warning: String?
    let head: String
    let lines: [Line]
    /// How many are not shown.
    let more: String?

    private static let most = 12

    /// Nil if all were understood.
    init?(_ lines: [Menu.UnreadLine], _ shown: ShownOutcome) {
        guard !lines.isEmpty else { return nil }
        let items = shown.outcome.menu?.sections.flatMap(\.items) ?? []
        warning = Self.warning(lines.flatMap { $0.findings ?? [] }, items, shown)
        head = shown.texts.text("unread.head", ["n": "\(lines.count)"])
        self.lines = lines.prefix(Self.most).enumerated().map { number, line in
            let dish = items.first { $0.name == line.dish }
            return Line(
                n: "\(number + 1)", place: line.box.rectangle, text: line.text.isEmpty ? nil : line.text,
                crop: shown.crop(line.box, []), dish: dish?.name, description: dish.map { $0.description ?? "" },
                isForm: shown.mayCorrect)
        }
        let rest = lines.count - self.lines.count
        more = rest > 0 ? shown.texts.text("result.more", ["n": "\(rest)"]) : nil
    }

    /// "peanuts (“cacahuetes”, “peanuts”), milk (“nata”)", of what the people who are shown watch.
    private static func warning(_ findings: [AllergenFinding], _ items: [Menu.Item], _ shown: ShownOutcome) -> String? {
        let watched = Set(
            items.flatMap { item in shown.names.flatMap { item.verdicts[$0].map { Array($0.keys) } ?? [] } })
        let named = shown.ofShown(findings, items.first?.verdicts ?? [:]).filter {
            watched.isEmpty || watched.contains($0.allergen)
        }
        guard !named.isEmpty else { return nil }
        let groups = Dictionary(grouping: named, by: shown.language.wording.name)
        let parts = groups.sorted { $0.key < $1.key }.map { name, findings in
            let words = Set(findings.flatMap { $0.evidence.map(\.text) }).sorted().prefix(mostWords)
            return "\(name) (\(words.map(shown.texts.quoted).joined(separator: ", ")))"
        }
        return shown.texts.text("unread.names", ["x": parts.joined(separator: ", ")])
    }

    private static let mostWords = 3
}

/// The form for a dish that the program did not find.
struct MissingDish {
    let sections: [String]

    /// Nil for whoever may not correct.
    init?(_ menu: Menu, _ shown: ShownOutcome) {
        guard shown.mayCorrect else { return nil }
        sections = menu.sections.compactMap(\.title)
    }
}
