import Baskets
import Catalogue
import Core
import Foundation
import Groceries
import HTTP
import Household
import Meals
import Store

/// Answers requests about lists and prices. Runs on its own thread, because SQLite blocks.
actor GroceryService: APIGroceries {
    private let executor = ThreadExecutor(label: "groceries")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let groceries: Groceries
    let store: OutcomeStore
    private let catalogue: Catalogue
    /// The picture at an address on another server as a JPEG; nil while it is fetched, and without one.
    let picture: @Sendable (_ address: String) async -> Data?

    /// - Parameter picture: the picture at an address on another server as a JPEG; nil while it is fetched, and without one.
    init(
        _ groceries: Groceries, _ store: OutcomeStore, catalogue: Catalogue,
        picture: @escaping @Sendable (_ address: String) async -> Data?
    ) {
        self.store = store
        self.groceries = groceries
        self.picture = picture
        self.catalogue = catalogue
    }

    func answer(_ request: GroceryRequest) async throws -> GroceryAnswer {
        try Self.explaining { try route(request, request.person) }
    }

    /// Turns the errors of lists and prices into problem details.
    static func explaining<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let problem as GroceryProblem {
            switch problem {
            case .notFound: throw Problem(404, "notFound", problem.message)
            case .bad: throw Problem(400, "badRequest", problem.message)
            case .changed, .own: throw Problem(409, "conflict", problem.message)
            }
        }
    }

    private func route(_ request: GroceryRequest, _ person: String) throws -> GroceryAnswer {
        switch request.operation {
        case .account(.account):
            try .json(AccountData(name: person, reputation: try groceries.reputation(of: person)))
        case .account(.exportAccount): try .json(try groceries.exported(person))
        case .list(let operation): try list(operation, request, person)
        case .item(let operation): try item(operation, request, person)
        case .price(let operation): try price(operation, request, person)
        case .place(let operation): try place(operation, request, person)
        case .experience(let operation): try experience(operation, request, person)
        }
    }

    private struct AccountData: Encodable {
        var name: String
        var reputation: Reputation
    }

    // MARK: Lists

    private struct NewList: Decodable { var name: String }
    private struct Sweep: Decodable { var action: Groceries.SweepAction }
    private struct Count: Encodable { var changed: Int }

    private func list(
        _ operation: GroceryRequest.ListOperation, _ request: GroceryRequest, _ person: String
    ) throws -> GroceryAnswer {
        switch operation {
        case .lists: return try .json(try groceries.lists(of: person))
        case .createList:
            let new: NewList = try request.decoded()
            return try .json(try groceries.makeList(new.name, by: person), status: 201)
        case .compare:
            let currency = try request.query["currency"].map { text in
                guard let currency = Currency(text) else {
                    throw Problem(400, "badRequest", "currency is not a code such as EUR")
                }
                return currency
            }
            let list = try request.number("list")
            return try .json(ComparisonReport(try groceries.compare(list, for: person, currency: currency)))
        case .list: return try .json(try groceries.list(try request.id, of: person))
        case .removeList:
            try groceries.removeList(try request.id, by: person)
            return GroceryAnswer(status: 204)
        case .shareList, .unshareList:
            let other = request.path["name"] ?? ""
            let isAllowed = operation == .shareList
            let member = try Household(store).member(named: other)
            guard !isAllowed || member?.role == .adult else {
                throw Problem(404, "notFound", "\(other.printable) is no adult of this household")
            }
            return try .json(
                try groceries.share(try request.id, with: member?.name ?? other, isAllowed: isAllowed, by: person))
        case .undo: return try .json(Count(changed: try groceries.undo(try request.id, by: person)))
        case .sweep:
            let sweep: Sweep = try request.decoded()
            return try .json(Count(changed: try groceries.sweep(try request.id, sweep.action, by: person)))
        }
    }

    private struct NewItem: Decodable {
        var list: Int64
        var gtin, category, name, brand: String?
        var quantity: Int64?
        var unit: PriceUnit?
        /// True adds also what the list has already.
        var anyway: Bool?
    }
    private struct Duplicate: Encodable {
        var duplicate: ProductNames.Duplicate
        var item: GroceryItem
    }
    private struct Move: Decodable { var after: Int64? }

    private func item(
        _ operation: GroceryRequest.ItemOperation, _ request: GroceryRequest, _ person: String
    ) throws -> GroceryAnswer {
        switch operation {
        case .items:
            let isHistory = request.query["history"] == "true"
            return try .json(try groceries.items(of: try request.number("list"), for: person, isHistory: isHistory))
        case .addItem:
            let new: NewItem = try request.decoded()
            var product = NewProduct(gtin: new.gtin, category: new.category, name: new.name, brand: new.brand)
            complete(&product)
            let entry = NewEntry(product: product, quantity: new.quantity ?? 1000, unit: new.unit ?? .piece)
            switch try groceries.add(entry, to: new.list, by: person, anyway: new.anyway ?? false) {
            case .added(let item): return try .json(item, status: 201)
            case .duplicate(let item, let kind): return try .json(Duplicate(duplicate: kind, item: item), status: 409)
            }
        case .changeItem: return try .json(try groceries.change(try request.id, try request.decoded(), by: person))
        case .moveItem:
            let move: Move = try request.decoded()
            try groceries.move(try request.id, after: move.after, by: person)
            return GroceryAnswer(status: 204)
        case .removeItem:
            _ = try groceries.change(try request.id, EntryChange(isInShoppingList: false), by: person)
            return GroceryAnswer(status: 204)
        }
    }

    /// Fills the name of a numbered product from the catalogue.
    func complete(_ product: inout NewProduct) {
        guard product.name == nil, let gtin = product.gtin.flatMap({ GTIN($0) }) else { return }
        guard let known = try? catalogue.product(gtin) else { return }
        product.name = known.name
        product.brand = known.brand
        product.quantity = known.quantity
    }

    // MARK: Prices

    private struct NewObservation: Decodable {
        var product: Int64?
        var gtin: String?
        var place: Int64
        var price: Money
        var per: PriceUnit?
        var isDiscounted: Bool?
        var date: Day?
    }
    private struct Recorded: Encodable {
        /// `accepted` or `waiting`.
        var state: String
        var id: Int64?
        var reason: ReviewReason?
    }
    private struct PhotoPlace: Decodable {
        var place: Int64?
        var date: Day?
    }

    private func price(
        _ operation: GroceryRequest.PriceOperation, _ request: GroceryRequest, _ person: String
    ) throws -> GroceryAnswer {
        switch operation {
        case .prices:
            let place = try request.query["place"].map { _ in try request.number("place") }
            let limit = Int(request.query["limit"] ?? "") ?? 200
            return try .json(try groceries.prices(of: try request.number("product"), at: place, limit: limit))
        case .addPrice:
            let new: NewObservation = try request.decoded()
            var product = NewProduct(gtin: new.gtin)
            complete(&product)
            let id = try new.product ?? groceries.product(of: product, by: person).id
            let recorded = try groceries.record(
                NewPrice(
                    product: id, place: new.place, price: new.price, per: new.per ?? .piece,
                    isDiscounted: new.isDiscounted ?? false, date: new.date ?? groceries.today, contributor: person))
            switch recorded {
            case .accepted(let id): return try .json(Recorded(state: "accepted", id: id), status: 201)
            case .waiting(let id, let reason):
                return try .json(Recorded(state: "waiting", id: id, reason: reason), status: 202)
            case .known: return try .json(Recorded(state: "accepted"))
            }
        case .priceReviews:
            let after = try request.query["after"].map { _ in try request.number("after") } ?? 0
            let limit = Int(request.query["limit"] ?? "") ?? 100
            return try .json(try groceries.reviews(of: request.query["photo"], after: after, limit: limit))
        case .decidePrice:
            let answer: ReviewAnswer = try request.decoded()
            switch try groceries.decide(try request.id, answer, by: person) {
            case .accepted(let id): return try .json(Recorded(state: "accepted", id: id))
            case .waiting(let id, let reason):
                return try .json(Recorded(state: "waiting", id: id, reason: reason), status: 202)
            case .known: return try .json(Recorded(state: "accepted"))
            case nil: return try .json(Recorded(state: "rejected"))
            }
        case .photoPrices:
            let content = request.path["id"] ?? ""
            guard let json = try store.outcomeJSON(forContent: content) else {
                throw Problem(404, "notFound", "there is no photo \(content)")
            }
            let given: PhotoPlace = try request.body.isEmpty ? PhotoPlace() : request.decoded()
            let outcome = try JSONCoding.decode(Outcome.self, from: json)
            return try .json(
                try groceries.record(outcome, place: given.place, date: given.date, by: person), status: 201)
        }
    }

    // MARK: Places, products, experiences

    private struct Mark: Decodable {
        var isFavorite, isDefault: Bool?
    }

    private func place(
        _ operation: GroceryRequest.PlaceOperation, _ request: GroceryRequest, _ person: String
    ) throws -> GroceryAnswer {
        switch operation {
        case .places: return try .json(try groceries.places(for: person))
        case .addPlace: return try .json(try groceries.place(of: try request.decoded(), by: person), status: 201)
        case .groceryProducts:
            let limit = Int(request.query["limit"] ?? "") ?? 50
            return try .json(
                try groceries.products(
                    matching: request.query["q"] ?? "", category: request.query["category"], tag: request.query["tag"],
                    limit: limit))
        case .setTags:
            let id = try request.id
            try groceries.setTags(try request.decoded(), of: id, by: person)
            guard let product = try groceries.product(id) else { throw GroceryProblem.notFound("product \(id)") }
            return try .json(product)
        case .markPlace:
            let (id, mark): (Int64, Mark) = (try request.id, try request.decoded())
            try groceries.mark(id, isFavorite: mark.isFavorite, isDefault: mark.isDefault, by: person)
            guard let place = try groceries.place(id, for: person) else { throw GroceryProblem.notFound("place \(id)") }
            return try .json(place)
        }
    }

    private struct Comment: Decodable {
        var text: String
        var answering: Int64?
    }

    private func experience(
        _ operation: GroceryRequest.ExperienceOperation, _ request: GroceryRequest, _ person: String
    ) throws -> GroceryAnswer {
        switch operation {
        case .experiences:
            func number(_ name: String) throws -> Int64? {
                try request.query[name].map { _ in try request.number(name) }
            }
            let kind = try request.query["kind"].map { text in
                guard let kind = Experience.Kind(rawValue: text) else {
                    let names = Experience.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Problem(400, "badRequest", "kind is one of \(names)")
                }
                return kind
            }
            return try .json(
                try groceries.experiences(
                    kind: kind, product: try number("product"), place: try number("place"),
                    before: try number("before"),
                    limit: Int(request.query["limit"] ?? "") ?? 50))
        case .postExperience:
            return try .json(try groceries.post(try request.decoded(), by: person), status: 201)
        case .comment:
            let new: Comment = try request.decoded()
            return try .json(
                try groceries.comment(new.text, on: try request.id, answering: new.answering, by: person), status: 201)
        }
    }
}

extension GroceryAnswer {
    static func json(_ value: some Encodable, status: Int = 200) throws -> Self {
        Self(status: status, json: try GroceryJSON.encode(value))
    }
}

extension GroceryRequest {
    /// The number in the path.
    fileprivate var id: Int64 {
        get throws {
            guard let id = path["id"].flatMap({ Int64($0) }), id > 0 else {
                throw Problem(404, "notFound", "there is nothing under this address")
            }
            return id
        }
    }

    fileprivate func number(_ name: String) throws -> Int64 {
        guard let number = query[name].flatMap({ Int64($0) }), number > 0 else {
            throw Problem(400, "badRequest", "\(name) must be a number above 0")
        }
        return number
    }

    /// The body as JSON.
    func decoded<Value: Decodable>() throws -> Value {
        do { return try GroceryJSON.decode(Value.self, from: body) } catch let error as DecodingError {
            let path: [any CodingKey] =
                switch error {
                case .keyNotFound(let key, let context): context.codingPath + [key]
                case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                    context.codingPath
                @unknown default: []
                }
            let key = path.map(\.stringValue).joined(separator: ".")
            throw Problem(400, "badRequest", key.isEmpty ? "the body is not JSON" : "\(key) is missing or wrong")
        }
    }
}
