import Core
import Foundation
import Store

/// The part of a result page about a menu: its dishes in bands, one of them open.
struct MenuResult {
    struct BandCount {
        let style, word, count: String
        /// Of its dishes on the page; nil without any.
        let target: String?
    }

    /// A choice of the people who are shown.
    struct Choice {
        let name, address: String
        let mark: PersonMark?
        let isCurrent: Bool
    }

    struct Group {
        let key, style, word, note, count: String
        let dishes: [Dish]
        /// Those that a tap on `fold` shows.
        let rest: [Dish]
        let fold: String
        let isUnfolded: Bool
    }

    struct Dish {
        let n, name, price: String
        let text: String?
        /// Opens the dish, or closes the open one.
        let address: String
        let chips: [DishChip]
        let open: OpenDish?
        /// A line of the dish that was not understood.
        let isUnclear: Bool
        let saved: SavedBar?
        let save: SaveButton?
    }

    /// What people said is no dish.
    struct NotDish {
        let name, by: String
        let chips: [DishChip]
        let undo: [String]
        let mayUndo: Bool
    }

    /// What a person should do about the whole menu: "avoid 4, ask about 6 of 44".
    struct Lead {
        let mark: PersonMark
        let text: String
        /// The card for staff; nil where there is nothing to ask.
        let card: String?
    }

    let count: String
    let leads: [Lead]
    let unread: UnreadLines?
    /// On allergens that depend on what the kitchen buys.
    let kitchen: String?
    let bands: [BandCount]
    let choices: [Choice]
    let groups: [Group]
    let saved: SavedBar?
    let notDishes: [NotDish]
    let missing: MissingDish?
    /// A warning where dishes may be missing, merged or split.
    let doubt: String?
    /// What was said when the menu was photographed before is on the cards.
    let isKnown: Bool
    let emergency: String

    /// Nil for a photo without dishes.
    init?(_ shown: ShownOutcome) {
        let texts = shown.texts
        guard let menu = shown.outcome.menu, menu.sections.contains(where: { !$0.items.isEmpty }) || menu.unread != nil
        else { return nil }
        let ranked = Self.ranked(shown)
        count =
            ranked.count == 1
            ? texts.text("result.dish") : texts.text("result.dishes", ["n": "\(ranked.count)"])
        let asked = AskCard.all(shown).map(\.person)
        leads = shown.marked.map { name, mark in
            let bands = ranked.map { $0.band(for: [name]) }
            let (avoid, ask) = (bands.count { $0 == .contains || $0 == .likely }, bands.count { $0 == .ask })
            let numbers = ["avoid": "\(avoid)", "ask": "\(ask)", "n": "\(bands.count)"]
            var place = StaffPlace()
            place.person = name
            return Lead(
                mark: mark, text: texts.text("result.lead", numbers),
                card: asked.contains(name) ? place.address(of: shown.id) : nil)
        }
        unread = UnreadLines(menu.unread ?? [], shown)
        kitchen = shown.language.wording.kitchenSentence(menu.kitchenDecides(for: shown.marked.map(\.name)))
        let groups = Band.allCases.map { band in (band, ranked.enumerated().filter { $0.element.band == band }) }
        // Four counts are always shown; denials only where there are any.
        bands = groups.filter { $0.0 != .denied || !$0.1.isEmpty }.map { band, dishes in
            BandCount(
                style: band.style, word: texts.text("band.\(band.key)"), count: "\(dishes.count)",
                target: dishes.isEmpty ? nil : "#band-\(band.key)")
        }
        choices = Self.choices(shown)
        self.groups = groups.filter { !$0.1.isEmpty }.map { band, dishes in
            Group(band, dishes.map { Dish($0.element, number: $0.offset + 1, among: ranked, shown) }, texts)
        }
        let isBeside = self.groups.contains { ($0.dishes + $0.rest).contains { $0.saved != nil } }
        saved = isBeside ? nil : SavedBar(shown)
        notDishes = (menu.notDishes ?? []).map { item in
            let undo = shown.undo((item.corrected?.reviews ?? []).suffix(1))
            return NotDish(
                name: item.name,
                by: item.corrected.map { texts.text("dish.not.by", ["name": $0.by, "time": shown.moment($0.at)]) }
                    ?? "",
                chips: DishChip.all(item, shown).filter(\.isWarning),
                undo: undo, mayUndo: !undo.isEmpty)
        }
        missing = MissingDish(menu, shown)
        isKnown = !shown.earlier.ofDish.isEmpty
        doubt = Confidence(menu.confidence?.score ?? 1).level == .high ? nil : texts.text("result.layout")
        emergency = shown.language.wording.emergency
    }

    /// A dish with its band for the people who are shown.
    fileprivate struct Ranked {
        let item: Menu.Item
        let section: String?
        let isUnclear: Bool
        /// True if staff said that it contains an allergen of the people who are shown, the last time.
        let wasContained: Bool
        let weight: Double
        var band = Band.notMentioned

        /// The most serious band for some people.
        func band(for people: [String]) -> Band {
            let own = people.compactMap { item.verdicts[$0] }.flatMap(\.values)
            let worst = own.map(Band.init).min { $0.rawValue < $1.rawValue } ?? .notMentioned
            return (isUnclear || wasContained) && worst.rawValue > Band.ask.rawValue ? .ask : worst
        }

        /// What to eat instead of a dish that is out: the dishes of its section that are not, the least serious first.
        func instead(_ all: [Ranked]) -> [Menu.Item] {
            guard band == .contains || band == .likely else { return [] }
            return all.filter { $0.section == section && $0.band.rawValue >= Band.ask.rawValue }
                .reversed().prefix(OpenDish.mostInstead).map(\.item)
        }
    }

    /// The dishes, the most serious first: by the verdict, then by how many people it warns and how much.
    private static func ranked(_ shown: ShownOutcome) -> [Ranked] {
        let unclear = Set((shown.outcome.menu?.unread ?? []).compactMap(\.dish))
        let people = shown.marked.map(\.name)
        let dishes = (shown.outcome.menu?.sections ?? []).flatMap { section in
            section.items.map { item -> Ranked in
                let weights = people.compactMap { item.verdicts[$0] }.map(\.gravity)
                let wasContained = !shown.contained(before: item).isEmpty
                var dish = Ranked(
                    item: item, section: section.title, isUnclear: unclear.contains(item.name),
                    wasContained: wasContained,
                    weight: (wasContained ? 1_000_000 : 0) + (weights.max() ?? 0).rounded(.down) * 1000
                        + weights.reduce(0, +))
                dish.band = dish.band(for: people)
                return dish
            }
        }
        return dishes.enumerated().sorted {
            (-$0.element.band.rawValue, $0.element.weight, -$0.offset)
                > (-$1.element.band.rawValue, $1.element.weight, -$1.offset)
        }.map(\.element)
    }

    private static func choices(_ shown: ShownOutcome) -> [Choice] {
        let all = shown.marks(of: shown.names)
        guard all.count > 1 else { return [] }
        let everybody = Choice(
            name: shown.texts.text("band.all"), address: shown.address(for: nil), mark: nil,
            isCurrent: shown.place.person == nil)
        return [everybody]
            + all.map { name, mark in
                Choice(
                    name: mark.name, address: shown.address(for: name), mark: mark,
                    isCurrent: shown.place.person == name)
            }
    }

    /// The lines of the dishes, with the words of their findings.
    static func marks(_ shown: ShownOutcome) -> PhotoMarks {
        let dishes = ranked(shown).map(\.item)
        let judged = Set(dishes.flatMap { $0.verdicts.values.flatMap(\.keys) })
        return PhotoMarks(
            items: dishes.enumerated().compactMap { index, item in
                item.box.map {
                    .init(
                        number: index + 1, label: item.name, box: $0,
                        target: shown.address(opening: item) + "#d\(index + 1)")
                }
            },
            underlines: dishes.flatMap { item in
                shown.ofShown(item.findings, item.verdicts).filter { judged.contains($0.allergen) || !shown.isEU }
                    .flatMap(\.underlines)
            })
    }
}

extension MenuResult.Group {
    /// Dishes of a long band that are shown at once.
    private static let mostAsked = 10
    /// A band is not folded for less.
    private static let fewestFolded = 4

    fileprivate init(_ band: Band, _ all: [MenuResult.Dish], _ texts: PageTexts) {
        let most =
            switch band {
            case .contains, .likely: all.count
            case .ask: Self.mostAsked
            case .denied, .notMentioned: 0
            }
        let shown = all.count - most < Self.fewestFolded ? all.count : most
        (key, style, count) = (band.key, band.style, "\(all.count)")
        (word, note) = (texts.text("band.\(band.key)"), texts.text("band.\(band.key).note"))
        (dishes, rest) = (Array(all.prefix(shown)), Array(all.dropFirst(shown)))
        fold = texts.text(shown > 0 ? "band.more" : "band.show", ["n": "\(rest.count)"])
        isUnfolded = rest.contains { $0.open != nil || $0.saved != nil }
    }
}

extension MenuResult.Dish {
    fileprivate init(
        _ ranked: MenuResult.Ranked, number: Int, among all: [MenuResult.Ranked], _ shown: ShownOutcome
    ) {
        let item = ranked.item
        let isOpen = shown.isOpen(item)
        n = "\(number)"
        name = item.name
        price = item.prices.map { shown.texts.amount($0.amount, nil) }.joined(separator: " / ")
        text = item.description
        address = (isOpen ? shown.address(for: shown.place.person) : shown.address(opening: item)) + "#d\(number)"
        chips = DishChip.all(item, shown)
        isUnclear = ranked.isUnclear
        open = isOpen ? OpenDish(item, section: ranked.section, instead: ranked.instead(all), shown) : nil
        saved = shown.saved.first?.concerns(item) == true ? SavedBar(shown) : nil
        save = SaveButton(.dish, SavedItem.key(ofDish: name, at: item.box), named: name, shown)
    }
}

/// The reason of verdicts: one allergen and kind of evidence.
struct Evidence {
    struct Word { let text, style: String }

    let allergen: String
    let words: [Word]
    let how, percent, level, levelWord: String

    static func all(
        _ findings: [AllergenFinding], _ verdicts: Verdicts, _ shown: ShownOutcome
    ) -> [Evidence] {
        shown.ofShown(findings, verdicts).compactMap { finding in
            let isWatched = shown.names.contains { verdicts[$0]?[finding.allergen] != nil }
            guard let kind = finding.kind, !finding.evidence.isEmpty, isWatched || !shown.isEU else { return nil }
            return Evidence(finding, kind, shown)
        }
    }

    private init(_ finding: AllergenFinding, _ kind: AllergenVerdict.Kind, _ shown: ShownOutcome) {
        let texts = shown.texts
        allergen = shown.language.wording.name(of: finding)
        var seen: Set<String> = []
        words = finding.evidence.map(\.text).filter { seen.insert($0).inserted }.map {
            Word(text: $0, style: kind.style)
        }
        how = texts.text("s.\(finding.strength.rawValue)")
        percent = Chip.percent(finding.probability...finding.probability)
        level = Confidence(finding.probability).level.rawValue
        levelWord = texts.text("level.\(level)")
    }
}
