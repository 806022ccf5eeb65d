import Foods
import Groceries
import HTTP
import Hummingbird

// Entries of a list as JSON, the page of one, and what adds one to the page List.
extension ShoppingRoutes {
    var entryRoutes: [Route] {
        [
            Route(
                .get, "v1/items", for: .adult, "The entries of a list in its order", query: EntryQuery.self,
                gives: [200: "The entries."], refuses: Self.unknown
            ) { call, query in
                try await cases.entries(of: query.list, isHistory: query.history == .yes, for: call.person)
            },
            Route(
                .post, "v1/items", for: .adult, "Adds to a list", body: NewItem.self, gives: [201: "Added."],
                refuses: Self.unknown
            ) { call, new in
                let added = try await cases.add(
                    new.entry, to: new.list, anyway: new.anyway ?? false, by: call.person)
                return Answered(added.status, added)
            }
            .giving(GroceryItem.self, with: 201, "Added.")
            .giving(DuplicateEntry.self, with: 409, "The list has it already; send anyway to add it."),
            Route(
                .patch, "v1/items/\(.number)", for: .adult, "Changes an entry", body: EntryChange.self,
                gives: [200: "The entry."], refuses: Self.conflicts
            ) { call, change in try await cases.change(try call[.number], change, by: call.person) },
            Route(
                .delete, "v1/items/\(.number)", for: .adult, "Takes an entry off the list; it stays in the history",
                gives: [204: "Removed."], refuses: Self.conflicts
            ) { call in
                try await cases.remove(try call[.number], by: call.person)
                return Nothing()
            },
            Route(
                .post, "v1/items/\(.number)/move", for: .adult,
                "Moves an entry behind another one, or to the beginning", body: EntryMove.self, gives: [204: "Moved."],
                refuses: Self.conflicts
            ) { call, move in
                try await cases.move(try call[.number], after: move.after, by: call.person)
                return Nothing()
            },

            form("list/add", in: .list, again: showRefused) { visit, form in
                try await add(ListAddition(form), to: try await listToAddTo(form, visit), visit)
            },
            shell.page(.get, "list/entries/\(.entry)", for: .adult, in: .list) { visit in
                try await showEntry(to: visit)
            },
            form("list/entries/\(.entry)", in: .list, again: { try await showEntry(error: $2, to: $0) }) {
                visit, form in
                let (id, isRemoved) = (try visit.call[.entry], form["do"] == "remove")
                if ["up", "down"].contains(form["do"]) {
                    try await cases.move(id, isUp: form["do"] == "up", for: visit.call.person)
                    return Visit.next("/list/entries/\(id)")
                }
                let change = EntryChange(
                    isInShoppingList: isRemoved ? false : nil,
                    isFavorite: isRemoved ? nil : form["favourite"] == "yes",
                    quantity: form["quantity"].isEmpty ? nil : try form.thousandths("quantity"),
                    unit: PriceUnit(rawValue: form["unit"]))
                let item = try await cases.change(id, change, by: visit.call.person)
                return Visit.next("/list?list=\(item.list)#e\(id)")
            },
        ] + photoRoutes
    }

    /// Adding by a photo of a barcode or a price tag.
    private var photoRoutes: [Route] {
        [
            shell.page(.post, "list/photo", for: .adult, in: .list) { visit in
                let list = try visit.call.query.number("list")
                return try await Visit.answer {
                    guard let photo = try await PhotoReceipt(cases: photos).receive(visit.call).first else {
                        throw PhotoUseCases.unknown
                    }
                    return Visit.next("/list/photo/\(photo.id)" + (list.map { "?list=\($0)" } ?? ""))
                } refused: {
                    try await showList(list, notice: .refused($0), to: visit)
                }
            },
            shell.page(.get, "list/photo/\(.photo)", for: .adult, in: .list) { visit in
                try await showCard(for: visit.call.query.number("list"), to: visit)
            },
            form(
                "list/photo/\(.photo)", in: .list,
                again: { try await showCard(for: $1.number("list"), draft: $1, error: $2, to: $0) }
            ) { visit, form in
                let person = try visit.call.person
                let scanned = try await cases.scanned(try visit.call[.photo], for: form.number("list"), of: person)
                guard case .product(let content) = scanned else { throw PhotoUseCases.unknown }
                let card = try form.card(of: content)
                let list = try await listToAddTo(form, visit)
                return try await showAdded(
                    try await cases.add(card, to: list, by: person), ListAddition(card), to: list,
                    visit)
            },
        ]
    }

    private func showCard(
        for list: Int64?, draft: FormBody? = nil, error: Problem? = nil, to visit: Visit
    ) async throws -> Response {
        let id = try visit.call[.photo]
        switch try await cases.scanned(id, for: list, of: visit.call.person) {
        case .product(let content):
            return try visit.show(
                CardPage(content, visit.texts, draft: draft, error: error), status: error?.status ?? .ok)
        case .nothing: return try await showList(list, notice: .photoShowsNothing, to: visit)
        case .unread:
            _ = try await photos.photo(id)
            return try visit.show(ProgressPage(id, visit.texts))
        }
    }

    private func showEntry(error: Problem? = nil, to visit: Visit) async throws -> Response {
        let item = try await cases.entry(try visit.call[.entry], for: visit.call.person)
        let people = try await cases.avoiding(among: judged.people)
        let chips = ListChips(
            verdicts: try await verdicts.verdicts(of: [item], for: people),
            shared: SharedVerdicts(household: people, language: visit.language))
        let page = ListEntryPage(
            item, chips: chips.all(item), words: GroceryText(visit.texts, today: cases.today), error: error)
        return try visit.show(page, status: error?.status ?? .ok)
    }

    private func listToAddTo(_ form: FormBody, _ visit: Visit) async throws -> Int64 {
        try await cases.listToAddTo(
            form.number("list"), named: visit.texts.text("list.head"), by: visit.call.person)
    }

    private func add(_ addition: ListAddition, to list: Int64, _ visit: Visit) async throws -> Response {
        let entry =
            addition.quantity.isEmpty
            ? try await cases.entry(addition.product, typed: addition.text)
            : NewEntry(
                product: try await cases.wanted(addition.product, typed: addition.text),
                quantity: try FormBody.thousandths(addition.quantity), unit: addition.unit)
        return try await showAdded(
            try await cases.add(entry, to: list, anyway: addition.isAnyway, by: visit.call.person), addition, to: list,
            visit)
    }

    private func showAdded(
        _ added: AddedEntry, _ addition: ListAddition, to list: Int64, _ visit: Visit
    ) async throws -> Response {
        switch added {
        case .added(let item): return Visit.next("/list?list=\(list)#e\(item.id)")
        case .duplicate(let item, let kind):
            return try await showList(list, notice: .duplicate(addition, of: item, kind), to: visit)
        }
    }
}

struct EntryQuery: Decodable, Sendable, Documented {
    enum Flag: String, Decodable, CaseIterable {
        case yes = "true", no = "false"
    }

    var list: Int64
    var history: Flag?

    static let fields = [
        "list": Field.number("The list's number."), "history": Field("true for removed entries."),
    ]
}

struct NewItem: Decodable, Sendable, Documented {
    var list: Int64
    var gtin, category, name, brand: String?
    var quantity: Int64?
    var unit: PriceUnit?
    /// True adds also what the list has already.
    var anyway: Bool?

    var entry: NewEntry {
        NewEntry(
            product: NewProduct(gtin: gtin, category: category, name: name, brand: brand), quantity: quantity ?? 1000,
            unit: unit ?? .piece)
    }

    static let about: String? = "A product by name, number or category."
    static let fields = [
        "list": Field.number(), "name": Field(lengths: 0...200),
        "quantity": Field("Thousandths of the unit.", range: 1...1_000_000), "unit": Field("All but 100g."),
        "anyway": Field("True adds also what the list has already."),
    ]
}

struct EntryMove: Decodable, Sendable, Documented {
    var after: Int64?

    static let about: String? = "A place."
    static let fields = ["after": Field.number()]
}
