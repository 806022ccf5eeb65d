import Core
import Foundation
import Household

struct HistoryRow {
    struct Frames { let text, address: String }

    let id: String?
    let title: String
    let kinds: [String]
    let time, datetime: String
    let hasPhoto: Bool
    let dishes: String?
    /// All photos of the game whose newest this is.
    let frames: Frames?
    let tags: [String]
    /// The verdict of who looks, where others have another one.
    let own: Chip?
    let chip: Chip?
    /// Whom the chip warns.
    let people: [PersonMark]

    /// - Parameters:
    ///   - names: the people of the household, in its order.
    ///   - person: whose verdict the chip shows; nil for that of everybody.
    ///   - viewer: who looks.
    init(
        _ item: HistoryItem, joinsFrames: Bool = true, names: [String] = [], for person: String? = nil,
        seenBy viewer: String? = nil, _ texts: PageTexts
    ) {
        id = item.id
        title =
            item.figure.map(texts.figure) ?? item.title.map { texts.amounts(in: $0, item.domains) }
            ?? texts.untitled(item.domains, status: item.status, reason: item.reason, path: item.path)
        kinds = texts.kinds(item.domains, reason: item.reason)
        datetime = item.read.formatted(.iso8601)
        time = texts.moment(item.read)
        frames =
            joinsFrames
            ? item.session.flatMap { session in
                item.frames.flatMap { count in
                    count > 1
                        ? Frames(
                            text: texts.text("games.photos", ["n": "\(count)"]),
                            address: "/history?session=\(session.escaped)") : nil
                }
            } : nil
        hasPhoto = item.status != .failed
        dishes =
            switch item.dishes {
            case 0: nil
            case 1: texts.text("result.dish")
            default: texts.text("result.dishes", ["n": "\(item.dishes)"])
            }
        var tags: [String] = []
        if item.contradiction { tags.append(texts.text("result.differ")) }
        if texts.isNoPhoto(item.reason) {
            tags.append(texts.text("history.notAPhoto"))
        } else if texts.isUnread(item.reason) {
            tags.append(texts.text("history.unread"))
        } else if ![.completed, .unreadable].contains(item.status) {
            tags.append(texts.text("history.\(item.status.rawValue)"))
        }
        self.tags = tags
        let own = person.map { item.people[$0] ?? [] }
        let worst = AllergenVerdict.Kind.bySeverity.first {
            own?.contains($0) ?? (item.worst[$0.rawValue, default: 0] > 0)
        }
        let seen = viewer.flatMap { item.people[$0] }
        let mine = AllergenVerdict.Kind.bySeverity.first { seen?.contains($0) ?? false }
        self.own =
            person == nil && names.count > 1 && mine != worst
            ? mine.map { Chip($0, names: viewer.map { texts.person($0) }, texts) } : nil
        // The count has labels and products too, so beside them it is no number of dishes.
        // Counts of one person are not kept.
        let hasOnlyDishes =
            person == nil && item.dishes > 0 && !item.domains.contains(.label) && !item.domains.contains(.barcode)
        chip = worst.map { worst in
            let count = item.worst[worst.rawValue, default: 0]
            let names = texts.text("history.in", ["n": "\(count)"])
            var chip = Chip(worst, names: hasOnlyDishes ? names : nil, texts)
            chip.isQuiet = false
            return chip
        }
        people = PersonMark.all(names, texts).filter { mark in
            worst.map { (person ?? mark.name) == mark.name && (item.people[mark.name] ?? []).contains($0) } ?? false
        }
    }
}

struct SavedRow {
    let photo, key, address, title, kind, time, datetime: String
    /// The photo that it is from, where its title is another.
    let place: String?
    /// Says that the photo no longer shows it.
    let gone: String?
    let label: String
    /// The most serious verdict, and whom it warns.
    let chip: Chip?
    let people: [PersonMark]

    init(_ thing: SavedThing, names: [String], _ language: PageLanguage) {
        let texts = language.texts
        var open = ResultPlace()
        if thing.kind == .dish { open.open = thing.item }
        photo = thing.photo
        key = SaveButton.key(thing.kind, thing.item)
        address = open.address(of: thing.photo) + (thing.kind == .dish ? "#\(key.escaped)" : "")
        title = thing.title
        kind = texts.text("saved.kind.\(thing.kind.rawValue)")
        datetime = thing.saved.formatted(.iso8601)
        time = texts.moment(thing.saved)
        place = thing.photoTitle == thing.title || thing.kind == .figure ? nil : thing.photoTitle
        gone = thing.isRead ? nil : texts.text("saved.gone")
        label = texts.text("saved.button", ["x": title])
        let worst = thing.verdicts.values.flatMap { $0.values.map(\.verdict) }.max { $0.severity < $1.severity }
        let concerned = thing.verdicts.mapValues { own in own.filter { $0.value.verdict == worst }.map(\.key) }
        let allergens = Set(concerned.values.flatMap(\.self)).map { language.name(of: $0) }.sorted()
        chip = worst.map { worst in
            var chip = Chip(worst, names: texts.list(allergens), texts)
            chip.isQuiet = false
            return chip
        }
        people = zip(names, PersonMark.all(names, texts)).filter { concerned[$0.0]?.isEmpty == false }.map(\.1)
    }
}

/// Everything that was read, with a search.
struct HistoryPage: Page {
    static let template = "history"
    static let styles = ["form"]
    static let scripts = ["kept-pages"]

    struct Filter {
        let text, address: String
        let isChosen: Bool
    }

    let words, since, shown: String
    let filters: [Filter]
    /// True where a filter besides the kind is set: its fields are open then.
    let isNarrowed: Bool
    let kind: String
    let people, verdicts: [Choice]
    let rows: [HistoryRow]
    /// True for what the reader saved, in place of photos.
    let isSaved: Bool
    let saved: [SavedRow]
    let isEmpty: Bool
    /// When it was made, for the time without a network.
    let made: String? = Date().formatted(.iso8601)
    let next: String?

    init(
        _ found: History, _ query: HistoryQuery, people: [AllergenProfile], seenBy viewer: String? = nil,
        _ texts: PageTexts
    ) {
        func options(_ any: String, _ all: [(String, String)], _ chosen: String?) -> [Choice] {
            ([("", texts.text("history.any.\(any)"))] + all).map { value, text in
                Choice(value: value, text: text, isChosen: value == (chosen ?? ""))
            }
        }
        words = query.q ?? ""
        since = String((query.since?.text ?? "").prefix(10))
        shown = texts.text("history.shown", ["n": "\(found.items.count)", "all": "\(found.total)"])
        kind = query.domain?.rawValue ?? ""
        isNarrowed = query.person != nil || query.verdict != nil || query.since != nil
        filters = Self.filters(query, isSaved: false, texts)
        self.people = options("person", people.map { ($0.name, texts.person($0.name)) }, query.person)
        verdicts = options(
            "verdict", AllergenVerdict.Kind.bySeverity.map { ($0.rawValue, texts.text("v.\($0.rawValue)")) },
            query.verdict?.rawValue)
        let names = people.map(\.name)
        rows = found.items.map {
            HistoryRow($0, joinsFrames: query.session == nil, names: names, for: query.person, seenBy: viewer, texts)
        }
        isEmpty = found.items.isEmpty
        next = found.next.map { Self.address(query, $0) }
        isSaved = false
        saved = []
    }

    /// What the reader saved.
    ///
    /// - Parameters:
    ///   - things: one more than a page has if there are more.
    ///   - names: the people of the household, in its order.
    init(saved things: [SavedThing], _ query: SavedQuery, names: [String], _ language: PageLanguage) {
        let texts = language.texts
        let shown = things.prefix(SavedQuery.usualLimit)
        words = query.q ?? ""
        (since, kind) = ("", "")
        (isNarrowed, isSaved) = (false, true)
        (people, verdicts, rows) = ([], [], [])
        filters = Self.filters(HistoryQuery(q: query.q), isSaved: true, texts)
        saved = shown.map { SavedRow($0, names: names, language) }
        isEmpty = shown.isEmpty
        self.shown = texts.text("saved.n", ["n": "\(shown.count)"])
        let last = things.count > shown.count ? shown.last : nil
        next = last.map { "/history?saved=yes&q=\((query.q ?? "").escaped)&before=\($0.number)" }
    }

    private static func filters(_ query: HistoryQuery, isSaved: Bool, _ texts: PageTexts) -> [Filter] {
        let kinds: [Outcome.Domain?] = [nil, .menu, .label, .receipt, .priceTag, .board]
        return kinds.map { kind in
            var only = query
            (only.domain, only.session) = (kind, nil)
            return Filter(
                text: texts.text("history.only.\(kind?.rawValue ?? "all")"), address: address(only, nil),
                isChosen: !isSaved && query.session == nil && query.domain == kind)
        } + [
            Filter(
                text: texts.text("history.only.saved"), address: "/history?saved=yes&q=\((query.q ?? "").escaped)",
                isChosen: isSaved)
        ]
    }

    private static func address(_ query: HistoryQuery, _ cursor: HistoryCursor?) -> String {
        let parts = [
            ("q", query.q), ("domain", query.domain?.rawValue), ("person", query.person),
            ("verdict", query.verdict?.rawValue), ("since", query.since?.text), ("session", query.session),
            ("cursor", cursor?.text),
        ]
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_."))
        return "/history?"
            + parts.compactMap { name, value in
                value.map { "\(name)=\($0.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
            }.joined(separator: "&")
    }
}
