import Baskets
import Core
import Foundation
import Groceries
import HTTP
import Meals

/// What the page List shows.
struct ListContent: Sendable {
    /// All lists of the person.
    var lists: [GroceryList]
    /// The list that is shown; nil for a person without lists.
    var list: GroceryList?
    /// Entries on the list, in its order.
    var items: [GroceryItem] = []
    /// Names of entries that were on the list before.
    var earlier: [String] = []
    /// Everybody with an account.
    var people: [String]
    var today: Day
    /// The people whom products are judged for, and the verdicts by product number.
    var household: [AllergenProfile] = []
    var verdicts: [String: Verdicts] = [:]
    /// What the open entries cost; nil for a list without open entries.
    var comparison: ComparisonReport?
    /// Products that were often bought with those of the list.
    var companions: [Companion] = []
}

/// A question or a message about what was just done.
enum ListNotice {
    /// The list has the same or a similar product.
    case duplicate(ListAddition, of: GroceryItem, ProductNames.Duplicate)
    case refused(Problem)
    /// The product of a photo's barcode; nil if none was read.
    case photo(NewProduct?)
}

/// What a person adds to a list.
struct ListAddition {
    /// A name, a number under a barcode, or a category such as `en:bananas`.
    var text: String
    /// A product of the search instead of a text.
    var product: Int64?
    /// As typed; empty for one.
    var quantity: String
    var unit: PriceUnit
    var isAnyway: Bool

    init(_ form: FormBody) {
        text = String(form["text"].prefix(200))
        product = Int64(form["product"])
        quantity = String(form["quantity"].prefix(20))
        unit = PriceUnit(rawValue: form["unit"]) ?? .piece
        isAnyway = form["anyway"] == "yes"
    }
}

/// A shopping list.
struct ListPage {
    let content: ListContent
    let person: String
    let language: PageLanguage
    /// The number of the first open entry that is shown.
    var from = 0
    var notice: ListNotice?

    /// Entries on one page; the rest of a longer list is on the next one.
    static let shown = 20
    private static let shownDone = 12

    private var texts: PageTexts { language.texts }
    private var words: GroceryText { GroceryText(texts, today: content.today) }
    private var chips: ListChips {
        ListChips(verdicts: content.verdicts, household: content.household, language: language)
    }

    func values() -> Values {
        var values: Values = [
            "lists": content.lists.map { list -> Values in
                ["id": "\(list.id)", "name": list.name, "isCurrent": list.id == content.list?.id]
            }, "hasMore": content.lists.count > 1, "isNew": content.list == nil,
        ]
        switch notice {
        case .duplicate(let addition, let item, let kind)?:
            values["duplicate"] =
                [
                    "question": texts.text("list.duplicate.\(kind.rawValue)", ["name": item.name]),
                    "text": addition.text, "product": addition.product.map { "\($0)" } ?? "",
                    "quantity": addition.quantity, "unit": addition.unit.rawValue,
                ] as Values
        case .refused(let problem)?: values["error"] = AddPage.refusal(problem, texts)
        case .photo(let product?)?:
            let name = product.name ?? product.gtin ?? ""
            values["scanned"] =
                ["text": texts.text("list.photo.found", ["name": name]), "number": product.gtin ?? ""] as Values
        case .photo(nil)?: values["error"] = texts.text("list.photo.none")
        case nil: break
        }
        guard let list = content.list else { return values }
        let open = content.items.filter { !$0.isCompleted }
        let done = content.items.filter(\.isCompleted)
        let from = min(max(from, 0), max(open.count - 1, 0)) / Self.shown * Self.shown
        values["list"] =
            [
                "id": "\(list.id)", "name": list.name, "from": "\(from)",
                "count": words.count("list.items", open.count),
                "isShared": list.people.count > 1, "shared": texts.list(list.people),
                "open": open.enumerated().dropFirst(from).prefix(Self.shown).map { place, item in
                    entry(item, isFirst: place == 0, isLast: place == open.count - 1)
                },
                "isEmpty": open.isEmpty, "done": done.prefix(Self.shownDone).map { entry($0) },
                "hasDone": !done.isEmpty, "hasOpen": !open.isEmpty,
                "units": units(.piece), "earlier": content.earlier, "isOwner": list.owner == person,
                "others": list.people.filter { $0 != list.owner }.map { name -> Values in
                    ["name": name, "forbid": texts.text("list.unshare", ["name": name])]
                },
                "candidates": content.people.filter { !list.people.contains($0) },
                "hasCandidates": !Set(content.people).subtracting(list.people).isEmpty,
            ] as Values
        if let comparison = content.comparison { values["cheapest"] = cheapest(comparison) }
        values["companions"] = content.companions.map { companion -> Values in
            [
                "product": "\(companion.product)", "name": companion.name,
                "add": texts.text("goods.add.name", ["name": companion.name]),
                "reason": texts.text(
                    "list.companion",
                    ["name": companion.with, "n": "\(companion.days)", "all": "\(companion.allDays)"]),
            ]
        }
        values["hasCompanions"] = !content.companions.isEmpty
        if from > 0 { values["before"] = "\(from - Self.shown)" }
        if open.count > from + Self.shown {
            values["after"] = "\(from + Self.shown)"
            values["afterText"] = texts.text("list.more", ["n": "\(open.count - from - Self.shown)"])
        }
        return values
    }

    /// Where the list is cheapest, or how much of it is known.
    private func cheapest(_ report: ComparisonReport) -> Values {
        if let group = report.currencies.first, let first = group.cheapest.first {
            return [
                "figure": words.range(first.low, first.high),
                "text": texts.text(
                    "list.cheapest.text",
                    ["place": first.placeName, "n": "\(first.lines.count)", "all": "\(report.entries)"]),
            ]
        }
        let text = report.closest.map {
            texts.text("list.cheapest.few", ["place": $0.placeName, "n": "\($0.count)", "all": "\(report.entries)"])
        }
        return ["figure": false, "text": text ?? texts.text("list.cheapest.none")]
    }

    func units(_ chosen: PriceUnit) -> [Values] { Self.units(chosen, [.piece, .kilogram, .litre], texts) }

    static func units(_ chosen: PriceUnit, _ all: [PriceUnit], _ texts: PageTexts) -> [Values] {
        all.map { unit in
            ["value": unit.rawValue, "text": texts.text("shop.unit.\(unit.rawValue)"), "isChosen": unit == chosen]
        }
    }

    private func entry(_ item: GroceryItem, isFirst: Bool = true, isLast: Bool = true) -> Values {
        var facts = [words.quantity(item.quantity, item.unit), item.brand ?? ""]
        if item.isFavorite { facts.append("★ " + texts.text("list.favourite")) }
        facts += item.tags
        let shown = facts.filter { !$0.isEmpty }
        return [
            "entry": "\(item.id)", "product": "\(item.product)", "name": item.name,
            "tick": item.isCompleted ? "open" : "done",
            "facts": shown.isEmpty ? false : shown.joined(separator: ", "), "isOnSale": item.isOnSale,
            "mark": texts.text(item.isCompleted ? "list.open.name" : "list.done.name", ["name": item.name]),
            "up": isFirst ? false : texts.text("list.up", ["name": item.name]),
            "down": isLast ? false : texts.text("list.down", ["name": item.name]),
            "edit": texts.text("diary.edit", ["name": item.name]), "chips": item.isCompleted ? [] : chips.values(item),
        ]
    }
}

/// One entry, to change or to remove.
struct ListEntryPage {
    let item: GroceryItem
    let words: GroceryText
    var error: Problem?

    func values() -> Values {
        var values: Values = [
            "entry": "\(item.id)", "list": "\(item.list)", "product": "\(item.product)", "name": item.name,
            "quantity": words.number(item.quantity), "isFavourite": item.isFavorite,
            "units": ListPage.units(item.unit, [.piece, .kilogram, .litre], words.texts),
            "added": words.texts.text(
                "list.added",
                ["name": item.addedBy ?? words.texts.text("shop.nobody"), "day": words.date(item.addedAt)]
            ),
        ]
        if let error { values["error"] = AddPage.refusal(error, words.texts) }
        return values
    }
}
