import Core
import Foundation
import HTTP

/// A row of the history, also on the first page.
struct HistoryRow {
    let id: String?
    let title: String
    let kinds: [String]
    let time, datetime, delete: String
    let hasPhoto: Bool
    let dishes: String?
    let tags: [String]
    let chip: Chip?

    init(_ item: HistoryItem, _ texts: PageTexts) {
        id = item.id
        let title = item.title ?? texts.untitled(item.domains, status: item.status, path: item.path)
        self.title = title
        kinds = texts.kinds(item.domains, reason: item.reason)
        datetime = item.read.formatted(.iso8601)
        time = texts.moment(item.read)
        delete = texts.text("history.delete", ["title": title])
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
        } else if item.status != .completed {
            tags.append(texts.text("history.\(item.status.rawValue)"))
        }
        self.tags = tags
        let worst = AllergenVerdict.Kind.bySeverity.first { item.worst[$0.rawValue, default: 0] > 0 }
        // The count has labels and products too, so beside them it is no number of dishes.
        let hasOnlyDishes = item.dishes > 0 && !item.domains.contains(.label) && !item.domains.contains(.barcode)
        chip = worst.map { worst in
            let count = item.worst[worst.rawValue, default: 0]
            let names = count == 1 ? texts.text("history.in.one") : texts.text("history.in", ["n": "\(count)"])
            var chip = Chip(worst, names: hasOnlyDishes ? names : nil, texts)
            chip.isQuiet = false
            return chip
        }
    }
}

/// Everything that was read, with a search.
struct HistoryPage: Page {
    static let template = "history"
    static let styles = ["form"]

    struct Option {
        let value, text: String
        let isChosen: Bool
    }

    /// A kind of photo as a filter.
    struct Filter {
        let text, address: String
        let isChosen: Bool
    }

    let heading, words, since, shown: String
    let filters: [Filter]
    /// True where a filter besides the kind is set: its fields are open then.
    let isNarrowed: Bool
    let kind: String
    let people, verdicts: [Option]
    let rows: [HistoryRow]
    let isEmpty: Bool
    /// The address of the next page.
    let next: String?

    init(_ found: History, _ query: HistoryQuery, people: [AllergenProfile], _ texts: PageTexts) {
        func options(_ any: String, _ all: [(String, String)], _ chosen: String?) -> [Option] {
            ([("", texts.text("history.any.\(any)"))] + all).map { value, text in
                Option(value: value, text: text, isChosen: value == (chosen ?? ""))
            }
        }
        heading = texts.text("history.head")
        words = query.q ?? ""
        since = String((query.since?.text ?? "").prefix(10))
        shown = texts.text("history.shown", ["n": "\(found.items.count)", "all": "\(found.total)"])
        kind = query.domain?.rawValue ?? ""
        isNarrowed = query.person != nil || query.verdict != nil || query.since != nil
        let kinds: [Outcome.Domain?] = [nil, .menu, .label, .receipt, .priceTag, .board]
        filters = kinds.map { kind in
            var only = query
            only.domain = kind
            return Filter(
                text: texts.text("history.only.\(kind?.rawValue ?? "all")"), address: Self.address(only, nil),
                isChosen: query.domain == kind)
        }
        self.people = options("person", people.map { ($0.name, texts.person($0.name)) }, query.person)
        verdicts = options(
            "verdict", AllergenVerdict.Kind.bySeverity.map { ($0.rawValue, texts.text("v.\($0.rawValue)")) },
            query.verdict?.rawValue)
        rows = found.items.map { HistoryRow($0, texts) }
        isEmpty = found.items.isEmpty
        next = found.next.map { Self.address(query, $0) }
    }

    private static func address(_ query: HistoryQuery, _ cursor: HistoryCursor?) -> String {
        let parts = [
            ("q", query.q), ("domain", query.domain?.rawValue), ("person", query.person),
            ("verdict", query.verdict?.rawValue), ("since", query.since?.text), ("cursor", cursor?.text),
        ]
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_."))
        return "/history?"
            + parts.compactMap { name, value in
                value.map { "\(name)=\($0.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
            }.joined(separator: "&")
    }
}
