import Foods
import Groceries
import HTTP
import Household
import Hummingbird

// Entries of a list as JSON, the page of one, and what adds one to the page List.
extension ShoppingRoutes {
    var entryRoutes: [Route] {
        [
            Route(
                .get, "v1/items", for: .adult, "The entries of a list in its order", query: EntryQuery.self,
                gives: [200: "The entries."], refuses: Self.unknown
            ) { call, query in
                try await actions { try $0.items(of: query.list, for: call.person, isHistory: query.history == .yes) }
            },
            Route(
                .post, "v1/items", for: .adult, "Adds to a list", body: NewItem.self, gives: [201: "Added."],
                refuses: Self.unknown
            ) { call, new in
                let added = try await actions.add(
                    new.entry, to: new.list, anyway: new.anyway ?? false, isLinked: new.isLinked ?? true,
                    by: call.person)
                return Answered(added.status, added)
            }
            .giving(GroceryItem.self, with: 201, "Added.")
            .giving(DuplicateEntry.self, with: 409, "The list has it already; send anyway to add it."),
            Route(
                .patch, "v1/items/\(.number)", for: .adult, "Changes an entry", body: EntryChange.self,
                gives: [200: "The entry."], refuses: Self.conflicts
            ) { call, change in try await actions { try $0.change(try call[.number], change, by: call.person) } },
            Route(
                .delete, "v1/items/\(.number)", for: .adult, "Takes an entry off the list; it stays in the history",
                gives: [204: "Removed."], refuses: Self.conflicts
            ) { call in
                _ = try await actions { try $0.change(try call[.number], .removal, by: call.person) }
                return Nothing()
            },
            Route(
                .post, "v1/items/\(.number)/move", for: .adult,
                "Moves an entry behind another one, or to the beginning", body: EntryMove.self, gives: [204: "Moved."],
                refuses: Self.conflicts
            ) { call, move in
                try await actions { try $0.move(try call[.number], after: move.after, by: call.person) }
                return Nothing()
            },

            form("list/add", in: .list, again: showRefused) { visit, form in
                try await add(ListAddition(form), to: try await listToAddTo(form, visit), visit)
            },
            shell.page(.get, "list/entries/\(.entry)", for: .adult, in: .list, showEntry),
            form("list/entries/\(.entry)", in: .list, again: showEntry) { visit, form in
                let (id, isRemoved) = (try visit.call[.entry], form["do"] == "remove")
                if let link = EntryChange(link: form) {
                    let item = try await actions { try $0.change(id, link, by: visit.call.person) }
                    return Visit.next("/list?list=\(item.list)#e\(id)")
                }
                if ["up", "down"].contains(form["do"]) {
                    try await actions.move(id, isUp: form["do"] == "up", for: visit.call.person)
                    return Visit.next("/list/entries/\(id)")
                }
                var change = isRemoved ? .removal : EntryChange(isCompleted: nil)
                if !isRemoved { change.isFavorite = form["favourite"] == "yes" }
                change.quantity = form["quantity"].isEmpty ? nil : try form.thousandths("quantity")
                change.unit = PriceUnit(rawValue: form["unit"])
                let item = try await actions { [change] in try $0.change(id, change, by: visit.call.person) }
                return Visit.next("/list?list=\(item.list)#e\(id)")
            },
        ] + photoRoutes
    }

    /// Adding by a photo of a barcode or a price tag.
    private var photoRoutes: [Route] {
        [
            shell.page(.post, "list/photo", for: .adult, in: .list) { visit in
                let list = try visit.call.query.number("list")
                return try await visit.answer {
                    guard let photo = try await PhotoReceipt(cases: photos).receive(visit.call).first else {
                        throw PhotoProblem.noPhoto
                    }
                    return Visit.next("/list/photo/\(photo.id)" + (list.map { "?list=\($0)" } ?? ""))
                } refused: {
                    try await showList(list, to: $0)
                }
            },
            shell.page(.get, "list/photo/\(.photo)", for: .adult, in: .list) { visit in
                try await showCard(for: visit.call.query.number("list"), to: visit)
            },
            form(
                "list/photo/\(.photo)", in: .list,
                again: { try await showCard(for: $0.draft?.number("list"), to: $0) }
            ) { visit, form in
                let person = try visit.call.person
                let scanned = try await actions.scanned(try visit.call[.photo], for: form.number("list"), of: person)
                guard let content = scanned else { throw PhotoProblem.noPhoto }
                let card = try form.card(of: content)
                let list = try await listToAddTo(form, visit)
                return try await showAdded(
                    try await actions.add(card, to: list, by: person), ListAddition(card), to: list, visit)
            },
        ]
    }

    private func showCard(for list: Int64?, to visit: Visit) async throws -> Response {
        let id = try visit.call[.photo]
        do {
            guard let content = try await actions.scanned(id, for: list, of: visit.call.person) else {
                return try await showList(list, notice: .photoShowsNothing, to: visit)
            }
            return try visit.show(CardPage(content, visit.texts, draft: visit.draft))
        } catch GroceryProblem.noPhoto {
            _ = try await photos.photo(id)
            return try visit.show(ProgressPage(photoID: id, visit.texts))
        }
    }

    @Sendable private func showEntry(to visit: Visit) async throws -> Response {
        let item = try await actions { try $0.item(try visit.call[.entry], for: visit.call.person) }
        let people = try await actions.avoiding(among: judged.people)
        let isOpen = item.gtin == nil && item.typed == nil
        let offers = isOpen ? try await actions.meant(by: item.name, limit: 3, for: visit.call.person) : []
        let chips = ListChips(
            verdicts: try await verdicts.verdicts(of: [item], for: people),
            shared: SharedVerdicts(household: people, language: visit.language))
        let page = ListEntryPage(
            item, offers: offers.filter { $0.product != item.product }, chips: chips.all(item), words: words(visit))
        return try visit.show(page)
    }

    private func listToAddTo(_ form: FormBody, _ visit: Visit) async throws -> Int64 {
        try await actions.list(
            form.number("list"), of: visit.call.person, making: visit.texts.text("list.head")
        ).id
    }

    private func add(_ addition: ListAddition, to list: Int64, _ visit: Visit) async throws -> Response {
        let quantity = addition.quantity.isEmpty ? nil : try FormBody.thousandths(addition.quantity)
        let entry = try await actions.entry(
            addition.product, typed: addition.text, quantity: quantity, unit: quantity.map { _ in addition.unit })
        let added = try await actions.add(
            entry, to: list, anyway: addition.isAnyway, isLinked: !addition.isAsTyped, by: visit.call.person)
        return try await showAdded(added, addition, to: list, visit)
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
    /// False adds a name as it is, without the product that it means.
    var isLinked: Bool?

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
        "isLinked": Field("False adds a name as it is, without the product that it means."),
    ]
}

struct EntryMove: Decodable, Sendable, Documented {
    var after: Int64?

    static let about: String? = "A place."
    static let fields = ["after": Field.number()]
}

extension AddedEntry: Encodable {
    var status: Int {
        switch self {
        case .added: 201
        case .duplicate: 409
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .added(let item): try item.encode(to: encoder)
        case .duplicate(let item, let kind): try DuplicateEntry(duplicate: kind, item: item).encode(to: encoder)
        }
    }
}

struct DuplicateEntry: Codable, Sendable, Documented {
    var duplicate: ProductNames.Duplicate
    var item: GroceryItem

    static let about: String? = "The list has the same or a similar product already."
}

extension GroceryItem: Documented {
    package static let about: String? = "An entry of a list. Quantities are thousandths of the unit."
}

extension EntryChange: Documented {
    package static let about: String? = "What is not named stays."
    package static let fields = [
        "quantity": Field(range: 1...1_000_000),
        "product": Field("Links the entry to this product; its name so far stays as what was typed."),
        "isLinked": Field("False makes what was typed the product again."),
    ]

    /// What a button of the page of an entry links; nil for other buttons.
    fileprivate init?(link form: FormBody) {
        guard let product = Int64(form["product"]) else {
            guard form["do"] == "unlink" else { return nil }
            self.init(isCompleted: nil)
            isLinked = false
            return
        }
        self.init(isCompleted: nil)
        self.product = product
    }
}
