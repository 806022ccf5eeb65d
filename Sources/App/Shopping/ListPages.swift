import Baskets
import Groceries
import HTTP
import HTTPTypes
import Hummingbird

extension PathParameter where Value == Int64 {
    fileprivate static var entry: Self { PathParameter(number: "entry", "The entry's number.") }
}

// The page List and its forms.
extension ShoppingPages {
    var listRoutes: [Route] {
        [
            shell.page(.get, "list", for: .adult, in: .list) { visit in
                let query = visit.call.query
                return try await showList(try query.number("list"), from: Int(query["from"]) ?? 0, to: visit)
            },
            listForm("list/new") { visit, form in
                "?list=\(try await cases.makeList(form["name"], by: visit.call.person).id)"
            },
            listForm("list/do") { visit, form in
                let list = try form.list
                let from = Int(form["from"]).map { "&from=\($0)" } ?? ""
                let changed = try await change(form, of: list, by: visit.call.person)
                return "?list=\(list)\(from)\(changed.map { "#e\($0)" } ?? "")"
            },
            listForm("list/share") { visit, form in
                let (list, name, person) = (try form.list, form["name"], try visit.call.person)
                if form["allowed"] == "yes" {
                    _ = try await cases.share(list, with: name, by: person)
                } else {
                    _ = try await cases.unshare(list, from: name, by: person)
                }
                return name == person ? "" : "?list=\(list)#share"
            },
            listForm("list/delete") { visit, form in
                try await cases.removeList(try form.list, by: visit.call.person)
                return ""
            },
            form("list/add", in: .list, again: showRefused) { visit, form in
                try await add(ListAddition(form), to: try form.list, visit)
            },
        ] + photoRoutes
    }

    /// Adding by a photo of a barcode.
    private var photoRoutes: [Route] {
        [
            shell.page(.post, "list/photo", for: .adult, in: .list) { visit in
                let list = try visit.call.query.number("list")
                return try await Visit.answer {
                    guard let photo = try await PhotoAPI(cases: photos).receive(visit.call).first else {
                        throw PhotoUseCases.unknown
                    }
                    return Visit.next("/list/photo/\(photo.id)" + (list.map { "?list=\($0)" } ?? ""))
                } refused: {
                    try await showList(list, notice: .refused($0), to: visit)
                }
            },
            shell.page(.get, "list/photo/\(.photo)", for: .adult, in: .list) { visit in
                let id = try visit.call[.photo]
                let list = try visit.call.query.number("list")
                switch try await cases.scanned(id) {
                case .product(let product): return try await showList(list, notice: .photo(product), to: visit)
                case .noBarcode: return try await showList(list, notice: .photo(nil), to: visit)
                case .unread:
                    _ = try await photos.photo(id)
                    return try visit.show(ProgressPage(id, visit.texts))
                }
            },
        ]
    }

    var entryRoutes: [Route] {
        [
            shell.page(.get, "list/entries/\(.entry)", for: .adult, in: .list) { visit in
                try await showEntry(to: visit)
            },
            form("list/entries/\(.entry)", in: .list, again: { try await showEntry(error: $2, to: $0) }) {
                visit, form in
                let (id, isRemoved) = (try visit.call[.entry], form["do"] == "remove")
                let change = EntryChange(
                    isInShoppingList: isRemoved ? false : nil,
                    isFavorite: isRemoved ? nil : form["favourite"] == "yes",
                    quantity: form["quantity"].isEmpty ? nil : try form.thousandths("quantity"),
                    unit: PriceUnit(rawValue: form["unit"]))
                let item = try await cases.change(id, change, by: visit.call.person)
                return Visit.next("/list?list=\(item.list)#e\(id)")
            },
        ]
    }

    /// A form that leads back to the list.
    ///
    /// - Parameter body: gives the end of the list's address.
    private func listForm(
        _ path: RoutePath, _ body: @escaping @Sendable (Visit, FormBody) async throws -> String
    ) -> Route {
        form(path, in: .list, again: showRefused) { Visit.next("/list" + (try await body($0, $1))) }
    }

    // MARK: Pages

    /// - Parameter list: nil for the person's first list.
    private func showList(
        _ list: Int64?, from: Int = 0, notice: ListNotice? = nil, to visit: Visit
    ) async throws -> Response {
        let person = try visit.call.person
        var content = try await cases.listContent(list, for: person)
        content.household = judged.people
        content.verdicts = try await verdicts.verdicts(
            of: content.items.compactMap(\.gtin), for: content.household)
        let status: HTTPResponse.Status =
            switch notice {
            case .duplicate?: .conflict
            case .refused(let problem)?: problem.status
            case .photo?, nil: .ok
            }
        return try visit.show(
            ListPage(content, for: person, visit.language, from: from, notice: notice), status: status)
    }

    @Sendable private func showRefused(
        _ visit: Visit, _ form: FormBody, _ problem: Problem
    ) async throws -> Response {
        try await showList(try form.number("list"), notice: .refused(problem), to: visit)
    }

    private func showEntry(error: Problem? = nil, to visit: Visit) async throws -> Response {
        let item = try await cases.entry(try visit.call[.entry], for: visit.call.person)
        let page = ListEntryPage(item, words: GroceryText(visit.texts, today: cases.today), error: error)
        return try visit.show(page, status: error?.status ?? .ok)
    }

    // MARK: Changes

    private func add(_ addition: ListAddition, to list: Int64, _ visit: Visit) async throws -> Response {
        let entry = NewEntry(
            product: try await cases.wanted(addition.product, typed: addition.text),
            quantity: addition.quantity.isEmpty ? 1000 : try FormBody.thousandths(addition.quantity),
            unit: addition.unit)
        switch try await cases.add(entry, to: list, anyway: addition.isAnyway, by: visit.call.person) {
        case .added(let item): return Visit.next("/list?list=\(list)#e\(item.id)")
        case .duplicate(let item, let kind):
            return try await showList(list, notice: .duplicate(addition, of: item, kind), to: visit)
        }
    }

    /// Does what the pressed button says.
    ///
    /// - Returns: the entry that was changed.
    private func change(_ form: FormBody, of list: Int64, by person: String) async throws -> Int64? {
        for (button, isCompleted) in [("done", true), ("open", false)] {
            guard let entry = try form.number(button) else { continue }
            return try await cases.change(entry, EntryChange(isCompleted: isCompleted), by: person).id
        }
        for (button, step) in [("up", -1), ("down", 1)] {
            guard let entry = try form.number(button) else { continue }
            try await cases.move(entry, by: step, of: list, for: person)
            return entry
        }
        switch form["all"] {
        case "undo":
            guard try await cases.undo(list, by: person) > 0 else {
                throw Problem(409, "nothing", "there is nothing of yours to undo")
            }
        case "done": _ = try await cases.sweep(list, .completeAll, by: person)
        case "clear": _ = try await cases.sweep(list, .removeCompleted, by: person)
        default: throw Problem(400, "badRequest", "press one of the buttons of the list")
        }
        return nil
    }
}

extension FormBody {
    fileprivate var list: Int64 {
        get throws { try number("list", orSay: "choose a list") }
    }
}
