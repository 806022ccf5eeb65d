import Foods
import Foundation
import Groceries
import HTTP

/// A question or a message about what was just done.
enum ListNotice {
    /// The list has the same or a similar product.
    case duplicate(ListAddition, of: GroceryItem, ProductNames.Duplicate)
    /// Neither a barcode nor a price tag was read on a photo.
    case photoShowsNothing
    /// A shopping trip is over: the basket was emptied.
    case trip
}

/// What a person adds to a list.
struct ListAddition {
    /// A name, a number under a barcode, or a category such as `en:bananas`.
    var text: String
    /// A product of the search instead of a text.
    var product: Int64?
    /// As typed in a field of its own; empty if the text says it, or for one.
    var quantity: String
    var unit: PriceUnit
    var isAnyway: Bool
    /// True for words that are not linked to a product.
    var isAsTyped = false

    init(_ form: FormBody) {
        // A suggestion of the catalogue instead of what was typed.
        text = String((form["gtin"].isEmpty ? form["text"] : form["gtin"]).prefix(200))
        product = Int64(form["product"])
        quantity = String(form["quantity"].prefix(20))
        unit = PriceUnit(rawValue: form["unit"]) ?? .piece
        isAnyway = form["anyway"] == "yes"
        isAsTyped = form["typed"] == "yes"
    }

    init(_ card: FilledCard) {
        text = card.product.gtin ?? card.product.name ?? ""
        quantity = "\(Decimal(card.quantity) / 1000)"
        (unit, isAnyway) = (.piece, false)
    }
}

struct ListPage: Page {
    static let template = "list"
    static let styles = ["form", "shop"]
    static let scripts = ["shop"]

    struct Duplicate { let question, text, product, quantity, unit: String }
    struct Sharer { let name, forbid: String }

    struct Cheapest {
        /// `≈ €23.40 at Aldi`; nil where too little is known.
        let figure: String?
        /// From where to where the total may be.
        let range: String?
        let known: String
    }

    struct Companion { let product, name, add, reason: String }

    struct Entry {
        let entry, product, name: String
        /// The button that completes the entry, or opens it again, and its name.
        let tick, mark: String
        let facts: String?
        let isOnSale: Bool
        /// What the text of the product says that it contains for somebody: `milk · Maria`.
        let flag: String?
        /// Nil if no price is known.
        let price: String?
    }

    struct Aisle {
        let name: String
        let entries: [Entry]
    }

    struct Shown {
        let id, from, count: String
        let isShared: Bool
        let shared: String
        let aisles: [Aisle]
        let done: [Entry]
        let hasOpen: Bool
        let isOwner: Bool
        let others: [Sharer]
        let candidates: [String]
    }

    let heading: String
    let lists: [ListLink]
    let hasMore: Bool
    /// True for a person without lists.
    let isNew: Bool
    let list: Shown?
    var error: String?
    var duplicate: Duplicate?
    var rating: RatingPrompt?
    var cheapest: Cheapest?
    let companions: [Companion]
    /// Numbers of the first open entries of the pages around this one.
    var before, after: String?
    var afterText: String?

    /// Entries on one page; the rest of a longer list is on the next one.
    private static let shown = 20
    private static let shownDone = 12
    static let units: [PriceUnit] = [.piece, .kilogram, .litre]

    /// - Parameter from: the number of the first open entry that is shown.
    init(_ content: ListContent, for person: String, _ language: PageLanguage, from: Int = 0, notice: ListNotice? = nil)
    {
        let texts = language.texts
        let words = GroceryText(texts, today: content.today)
        heading = content.list?.name ?? texts.text("list.head")
        lists = ListLink.all(content.lists, current: content.list)
        hasMore = lists.count > 1
        isNew = content.list == nil
        companions = content.companions.map { companion in
            Companion(
                product: "\(companion.product)", name: companion.name,
                add: texts.text("goods.add.name", ["name": companion.name]),
                reason: texts.text(
                    "list.companion",
                    ["name": companion.with, "n": "\(companion.days)", "all": "\(companion.allDays)"]))
        }
        cheapest = content.comparison.map { Self.cheapest($0, words) }
        let open = content.open.count
        let from = min(max(from, 0), max(open - 1, 0)) / Self.shown * Self.shown
        list = content.list.map { Self.list($0, content, of: person, from: from, language) }
        if from > 0 { before = "\(from - Self.shown)" }
        if open > from + Self.shown {
            after = "\(from + Self.shown)"
            afterText = texts.text("list.more", ["n": "\(open - from - Self.shown)"])
        }
        switch notice {
        case .duplicate(let addition, let item, let kind)?:
            duplicate = Duplicate(
                question: texts.text("list.duplicate.\(kind.rawValue)", ["name": item.name]), text: addition.text,
                product: addition.product.map { "\($0)" } ?? "", quantity: addition.quantity,
                unit: addition.unit.rawValue)
        case .photoShowsNothing?: error = texts.text("list.photo.none")
        case .trip?: rating = RatingPrompt(of: content.places, list: content.list?.id, texts)
        case nil: break
        }
    }

    private static func list(
        _ list: GroceryList, _ content: ListContent, of person: String, from: Int, _ language: PageLanguage
    ) -> Shown {
        let texts = language.texts
        let words = GroceryText(texts, today: content.today)
        let chips = ListChips(
            verdicts: content.verdicts, shared: SharedVerdicts(household: content.household, language: language))
        let open = content.open
        let done = content.items.filter(\.isCompleted)
        let candidates = content.people.filter { !list.people.contains($0) }
        func entries(_ items: some Sequence<GroceryItem>) -> [Entry] {
            items.map { entry($0, chips.flag($0), content.prices[$0.id] ?? content.quoted[$0.product], words) }
        }
        let aisles = open.dropFirst(from).prefix(shown).reduce(into: [(name: String, items: [GroceryItem])]()) {
            if $0.last?.name == $1.aisle {
                $0[$0.count - 1].items.append($1.item)
            } else {
                $0.append(($1.aisle, [$1.item]))
            }
        }
        return Shown(
            id: "\(list.id)", from: "\(from)", count: words.count("list.items", open.count),
            isShared: list.people.count > 1, shared: texts.list(list.people),
            aisles: aisles.map { Aisle(name: texts.text("aisle.\($0.name)"), entries: entries($0.items)) },
            done: entries(done.prefix(shownDone)),
            hasOpen: !open.isEmpty, isOwner: list.owner == person,
            others: list.people.filter { $0 != list.owner }.map {
                Sharer(name: $0, forbid: texts.text("list.unshare", ["name": $0]))
            }, candidates: candidates)
    }

    private static func entry(
        _ item: GroceryItem, _ flag: String?, _ price: EntryPrice?, _ words: GroceryText
    ) -> Entry {
        let (texts, name) = (words.texts, ["name": item.name])
        var facts = [words.quantity(item.quantity, item.unit)]
        if let typed = item.typed { facts.append(texts.text("list.typed", ["text": typed])) }
        if item.isFavorite { facts.append("★ " + texts.text("list.favourite")) }
        let shown = facts.filter { !$0.isEmpty }
        return Entry(
            entry: "\(item.id)", product: "\(item.product)", name: item.name, tick: item.isCompleted ? "open" : "done",
            mark: texts.text(item.isCompleted ? "list.open.name" : "list.done.name", name),
            facts: shown.isEmpty ? nil : shown.joined(separator: ", "), isOnSale: item.isOnSale, flag: flag,
            price: price.map { words.price($0.amount.rounded, $0.per) })
    }

    /// Where the list is cheapest, or how much of it is known.
    private static func cheapest(_ report: ComparisonReport, _ words: GroceryText) -> Cheapest {
        let texts = words.texts
        if let first = report.currencies.first?.cheapest.first {
            return Cheapest(
                figure: texts.text(
                    "list.cheapest.at", ["total": words.money(first.total.rounded), "place": first.placeName]),
                range: words.range(first.low, first.high),
                known: texts.text("list.known", ["n": "\(first.lines.count)", "all": "\(report.entries)"]))
        }
        let text = report.closest.map {
            texts.text("list.cheapest.few", ["place": $0.placeName, "n": "\($0.count)", "all": "\(report.entries)"])
        }
        // The entries show prices for other units as well.
        let none = report.otherUnits.isEmpty ? "list.cheapest.none" : "list.cheapest.other"
        return Cheapest(figure: nil, range: nil, known: text ?? texts.text(none))
    }
}

/// One entry, to change or to remove.
struct ListEntryPage: Page {
    static let template = "listentry"
    static let styles = ["form", "shop"]

    let heading: String
    let entry, list, product, quantity: String
    let isFavourite: Bool
    let units: [Choice]
    let added: String
    let chips: [ListChip]
    /// Names of the buttons that move it within its aisle; nil for an entry in the basket.
    let up, down: String?
    /// The button that makes what was typed the product again; nil for an entry that is not linked.
    let unlink: String?
    /// Products that a typed name may mean.
    let offers: [Offer]
    let hasOffers: Bool

    struct Offer { let product, name, facts: String }

    init(_ item: GroceryItem, offers: [GrocerySuggestion], chips: [ListChip], words: GroceryText) {
        let texts = words.texts
        unlink = item.typed.map { texts.text("list.unlink", ["text": $0]) }
        hasOffers = !offers.isEmpty
        self.offers = offers.map { offer in
            let price = offer.price.map { words.price($0, offer.per ?? .piece) }
            return Offer(
                product: "\(offer.product ?? 0)", name: offer.name,
                facts: [offer.brand, price ?? texts.text("suggest.noprice")].compactMap(\.self).joined(separator: ", "))
        }
        heading = item.name
        entry = "\(item.id)"
        list = "\(item.list)"
        product = "\(item.product)"
        quantity = words.number(item.quantity)
        isFavourite = item.isFavorite
        units = Choice.units(item.unit, ListPage.units, texts)
        added = texts.text(
            "list.added", ["name": words.contributor(item.addedBy), "day": words.date(item.addedAt)])
        self.chips = chips
        up = item.isCompleted ? nil : texts.text("list.up", ["name": item.name])
        down = item.isCompleted ? nil : texts.text("list.down", ["name": item.name])
    }
}
