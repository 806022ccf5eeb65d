import Baskets
import Core
import Foundation
import Groceries
import HTTP
import HTTPTypes
import Hummingbird

// The page List.
extension WebRoutes {
    /// The pages of lists and prices.
    func addGroceries(to routes: RouterGroup<APIContext>) {
        addList(to: routes)
        addCompare(to: routes)
        addGoods(to: routes)
        addItem(to: routes)
        addPrices(to: routes)
        addFeed(to: routes)
        addMe(to: routes)
    }

    private func addList(to routes: RouterGroup<APIContext>) {
        routes.get("list") { request, context in
            try await shopPage(request, context, section: "list") { shopper in
                let query = FormBody(queryOf: request)
                return try await listPage(
                    request, shopper, try Self.number(query["list"]), from: Int(query["from"]) ?? 0)
            }
        }
        routes.post("list/new") { request, context in
            try await listForm(request, context) { shopper, form in
                let list = try await groceries.run { try $0.makeList(form["name"], by: shopper.person) }
                return "/list?list=\(list.id)"
            }
        }
        routes.post("list/do") { request, context in
            try await listForm(request, context) { shopper, form in
                let list = try Self.listNumber(form)
                let from = Int(form["from"]).map { "&from=\($0)" } ?? ""
                let changed = try await change(form, of: list, by: shopper)
                return "/list?list=\(list)\(from)\(changed.map { "#e\($0)" } ?? "")"
            }
        }
        routes.post("list/share") { request, context in
            try await listForm(request, context) { shopper, form in
                let (list, name, isAllowed) = (try Self.listNumber(form), form["name"], form["allowed"] == "yes")
                let people = try await groceries.people()
                guard !isAllowed || people.contains(name) else {
                    throw Problem(404, "notFound", "\(name.prefix(60)) is no adult of this household")
                }
                _ = try await groceries.run {
                    try $0.share(list, with: name, isAllowed: isAllowed, by: shopper.person)
                }
                return name == shopper.person ? "/list" : "/list?list=\(list)#share"
            }
        }
        routes.post("list/delete") { request, context in
            try await listForm(request, context) { shopper, form in
                let list = try Self.listNumber(form)
                try await groceries.run { try $0.removeList(list, by: shopper.person) }
                return "/list"
            }
        }
        routes.post("list/add") { request, context in
            try await shopPage(request, context, section: "list") { shopper in
                let form = try await FormBody(request)
                let list = try Self.listNumber(form)
                do { return try await add(ListAddition(form), to: list, request, shopper) } catch let problem as Problem
                    where problem.status.code < 500
                {
                    return try await listPage(request, shopper, list, notice: .refused(problem))
                }
            }
        }
        addListPhotos(to: routes)
        routes.get("list/entries/{entry}") { request, context in
            try await shopPage(request, context, section: "list") {
                try await entry(request, $0, Self.id(context, "entry"))
            }
        }
        routes.post("list/entries/{entry}") { request, context in
            let id = try Self.id(context, "entry")
            return try await shopForm(
                request, context, section: "list", again: { try await entry(request, $0, id, error: $2) }
            ) { shopper, form in
                let change = EntryChange(
                    isInShoppingList: form["do"] == "remove" ? false : nil,
                    isFavorite: form["do"] == "remove" ? nil : form["favourite"] == "yes",
                    quantity: form["quantity"].isEmpty ? nil : try form.thousandths("quantity"),
                    unit: PriceUnit(rawValue: form["unit"]))
                let item = try await groceries.run { try $0.change(id, change, by: shopper.person) }
                return "/list?list=\(item.list)#e\(id)"
            }
        }
    }

    /// Adding by a photo of a barcode.
    private func addListPhotos(to routes: RouterGroup<APIContext>) {
        routes.post("list/photo") { request, context in
            try await shopPage(request, context, section: "list") { shopper in
                let list = try Self.number(FormBody(queryOf: request)["list"])
                do {
                    guard let photo = try await receivePhotos(request, context).first else {
                        throw ImageRoutes.unknown
                    }
                    return Self.seeOther("/list/photo/\(photo.id)" + (list.map { "?list=\($0)" } ?? ""))
                } catch let problem as Problem where problem.status.code < 500 {
                    return try await listPage(request, shopper, list, notice: .refused(problem))
                }
            }
        }
        routes.get("list/photo/{id}") { request, context in
            try await shopPage(request, context, section: "list") { shopper in
                let id = try context.parameters.imageID()
                guard let json = try await source.outcome(id) else {
                    guard try await images.image(id) != nil else { throw ImageRoutes.unknown }
                    return try page(
                        request, "progress", section: "list",
                        heading: try language(request).texts.text("progress.head"), ["id": id, "refresh": true])
                }
                let outcome = try JSONCoding.decode(Outcome.self, from: json)
                let gtin = outcome.products?.first { GTIN($0.gtin) != nil }?.gtin
                let list = try Self.number(FormBody(queryOf: request)["list"])
                let product =
                    if let gtin { try await groceries.completed(NewProduct(gtin: gtin)) } else { NewProduct?.none }
                return try await listPage(request, shopper, list, notice: .photo(product))
            }
        }
    }

    private func listForm(
        _ request: Request, _ context: APIContext, _ body: (Shopper, FormBody) async throws -> String
    ) async throws -> Response {
        try await shopForm(
            request, context, section: "list",
            again: { try await listPage(request, $0, Self.number($1["list"]), notice: .refused($2)) }, body)
    }

    // MARK: Pages

    /// - Parameter list: nil for the person's first list.
    private func listPage(
        _ request: Request, _ shopper: Shopper, _ list: Int64?, from: Int = 0, notice: ListNotice? = nil
    ) async throws -> Response {
        let people = try await groceries.people()
        var content = try await groceries.run { groceries in
            let lists = try groceries.lists(of: shopper.person)
            // A list that is not the person's is not found; the message names it.
            let shown = try list.map { try groceries.list($0, of: shopper.person) } ?? lists.first
            var content = ListContent(lists: lists, list: shown, people: people, today: groceries.today)
            guard let shown else { return content }
            content.items = try groceries.items(of: shown.id, for: shopper.person)
            content.earlier = try groceries.items(of: shown.id, for: shopper.person, isHistory: true)
                .prefix(Self.proposed).map(\.name)
            if content.items.contains(where: { !$0.isCompleted }) {
                content.comparison = ComparisonReport(try groceries.compare(shown.id, for: shopper.person))
            }
            content.companions = try groceries.companions(of: shown.id, for: shopper.person)
            return content
        }
        content.household = source.people
        content.verdicts = try await source.verdicts(ofProducts: content.items.compactMap(\.gtin))
        let language = try language(request)
        let texts = language.texts
        let shown = ListPage(
            content: content, person: shopper.person, language: language, from: from, notice: notice)
        let status: HTTPResponse.Status =
            switch notice {
            case .duplicate?: .conflict
            case .refused(let problem)?: problem.status
            case .photo?, nil: .ok
            }
        return try page(
            request, "list", section: "list", heading: content.list?.name ?? texts.text("list.head"), shown.values(),
            status: status)
    }

    /// Earlier entries that the field for a new one proposes.
    private static let proposed = 30

    private func entry(
        _ request: Request, _ shopper: Shopper, _ id: Int64, error: Problem? = nil
    ) async throws -> Response {
        let (item, today) = try await groceries.run { (try $0.item(id, for: shopper.person), $0.today) }
        let shown = ListEntryPage(
            item: item, words: GroceryText(try language(request).texts, today: today), error: error)
        return try page(
            request, "listentry", section: "list", heading: item.name, shown.values(), status: error?.status ?? .ok)
    }

    // MARK: Changes

    private func add(
        _ addition: ListAddition, to list: Int64, _ request: Request, _ shopper: Shopper
    ) async throws -> Response {
        let entry = NewEntry(
            product: try await product(addition),
            quantity: addition.quantity.isEmpty ? 1000 : try FormBody.thousandths(addition.quantity),
            unit: addition.unit)
        let added = try await groceries.run {
            try $0.add(entry, to: list, by: shopper.person, anyway: addition.isAnyway)
        }
        switch added {
        case .added(let item): return Self.seeOther("/list?list=\(list)#e\(item.id)")
        case .duplicate(let item, let kind):
            return try await listPage(request, shopper, list, notice: .duplicate(addition, of: item, kind))
        }
    }

    private func product(_ addition: ListAddition) async throws -> NewProduct {
        if let id = addition.product {
            guard let known = try await groceries.run({ try $0.product(id) }) else {
                throw Problem(404, "notFound", "there is no product \(id)")
            }
            return NewProduct(
                gtin: known.gtin, category: known.gtin == nil ? known.category : nil, name: known.name,
                brand: known.brand)
        }
        let text = addition.text
        if let gtin = GTIN(text) ?? GTIN(upcE: text) {
            return try await groceries.completed(NewProduct(gtin: gtin.digits))
        }
        if text.wholeMatch(of: /[a-z]{2}:[a-z0-9-]+/) != nil { return NewProduct(category: text) }
        return NewProduct(name: text)
    }

    /// Does what the pressed button says.
    ///
    /// - Returns: the entry that was changed.
    private func change(_ form: FormBody, of list: Int64, by shopper: Shopper) async throws -> Int64? {
        let person = shopper.person
        for (button, isCompleted) in [("done", true), ("open", false)] {
            guard let entry = try Self.number(form[button]) else { continue }
            _ = try await groceries.run { try $0.change(entry, EntryChange(isCompleted: isCompleted), by: person) }
            return entry
        }
        for (button, step) in [("up", -1), ("down", 1)] {
            guard let entry = try Self.number(form[button]) else { continue }
            try await groceries.run { try $0.move(entry, by: step, of: list, for: person) }
            return entry
        }
        switch form["all"] {
        case "undo":
            guard try await groceries.run({ try $0.undo(list, by: person) }) > 0 else {
                throw Problem(409, "nothing", "there is nothing of yours to undo")
            }
        case "done": _ = try await groceries.run { try $0.sweep(list, .completeAll, by: person) }
        case "clear": _ = try await groceries.run { try $0.sweep(list, .removeCompleted, by: person) }
        default: throw Problem(400, "badRequest", "press one of the buttons of the list")
        }
        return nil
    }

    // MARK: Values

    /// A number of an address or a form; nil for an empty one.
    ///
    /// - Throws: `Problem` (404) for other text.
    static func number(_ text: String) throws -> Int64? {
        guard !text.isEmpty else { return nil }
        guard let number = Int64(text), number > 0 else {
            throw Problem(404, "notFound", "there is no number \(text.prefix(20))")
        }
        return number
    }

    private static func listNumber(_ form: FormBody) throws -> Int64 {
        guard let list = try number(form["list"]) else { throw Problem(400, "badRequest", "choose a list") }
        return list
    }

    static func id(_ context: APIContext, _ name: String) throws -> Int64 {
        guard let number = try number(context.parameters.require(name)) else {
            throw Problem(404, "notFound", "there is nothing under this address")
        }
        return number
    }
}

extension FormBody {
    /// A typed number in thousandths, above 0.
    ///
    /// - Throws: `Problem` (400) for other text.
    func thousandths(_ name: String) throws -> Int64 { try Self.thousandths(self[name]) }

    static func thousandths(_ text: String) throws -> Int64 {
        guard text.wholeMatch(of: /[0-9]{1,6}([.,][0-9]{1,3})?/) != nil,
            let value = Decimal(string: text.replacing(",", with: ".")), value > 0
        else { throw Problem(400, "badRequest", "“\(text.prefix(20))” is not a number above 0 such as 1.5") }
        return NSDecimalNumber(decimal: value * 1000).int64Value
    }
}
