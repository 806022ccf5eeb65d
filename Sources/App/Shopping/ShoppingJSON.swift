import Baskets
import Groceries
import HTTP
import Meals

// The queries, bodies and answers of ``ShoppingAPI`` that only JSON has.

/// Numbers of things that are stored.
private let numbers = 1...Double.infinity

// MARK: Lists

struct NewList: Decodable, Sendable, Documented {
    var name: String

    static let about: String? = "A list."
    static let fields = ["name": Field(lengths: 1...100)]
}

struct ListSweep: Decodable, Sendable, Documented {
    var action: Groceries.SweepAction

    static let about: String? = "An action."
}

struct ChangedEntries: Codable, Sendable, Documented {
    var changed: Int

    static let about: String? = "How many entries changed."
}

struct CompareQuery: Decodable, Sendable, Documented {
    var list: Int64
    var currency: Currency?

    static let fields = [
        "list": Field("The list's number.", range: numbers), "currency": Field("The currency that comes first."),
    ]
}

struct EntryQuery: Decodable, Sendable, Documented {
    enum Flag: String, Decodable, CaseIterable {
        case yes = "true", no = "false"
    }

    var list: Int64
    var history: Flag?

    static let fields = [
        "list": Field("The list's number.", range: numbers), "history": Field("true for removed entries."),
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
        "list": Field(range: numbers), "name": Field(lengths: 0...200),
        "quantity": Field("Thousandths of the unit.", range: 1...1_000_000), "unit": Field("All but 100g."),
        "anyway": Field("True adds also what the list has already."),
    ]
}

struct DuplicateEntry: Codable, Sendable, Documented {
    var duplicate: ProductNames.Duplicate
    var item: GroceryItem

    static let about: String? = "The list has the same or a similar product already."
}

extension AddedEntry: Encodable {
    var status: Int {
        switch self {
        case .added: 201
        case .duplicate: 409
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .added(let item): try item.encode(to: encoder)
        case .duplicate(let item, let kind): try DuplicateEntry(duplicate: kind, item: item).encode(to: encoder)
        }
    }
}

struct EntryMove: Decodable, Sendable, Documented {
    var after: Int64?

    static let about: String? = "A place."
    static let fields = ["after": Field(range: numbers)]
}

// MARK: Prices

struct PriceQuery: Decodable, Sendable, Documented {
    var product: Int64
    var place: Int64?
    var limit: Int?

    static let usual = 200
    static let fields = [
        "product": Field("The product's number.", range: numbers),
        "place": Field("The place's number.", range: numbers),
        "limit": Field("At most so many.", range: 1...5000, usual: "\(usual)"),
    ]
}

struct ReviewQuery: Decodable, Sendable, Documented {
    var photo: String?
    var after: Int64?
    var limit: Int?

    static let usual = 100
    static let fields = [
        "photo": Field("Only the prices of this photo.", pattern: "^sha256:[0-9a-f]{64}$"),
        "after": Field("Leaves out those up to this number.", range: numbers),
        "limit": Field("1 to 1000, default 100.", range: 1...1000, usual: "\(usual)"),
    ]
}

extension SeenPrice: Documented {
    static let about: String? = "A price that a person saw; product or gtin is needed."
    static let fields = ["product": Field(range: numbers), "place": Field(range: numbers)]
}

/// What became of a price.
struct PriceState: Codable, Sendable, Documented {
    enum State: String, Codable, CaseIterable {
        case accepted, waiting, rejected
    }

    var state: State
    /// Nil for a price that was recorded before or rejected.
    var id: Int64?
    /// Why it waits.
    var reason: ReviewReason?

    var isWaiting: Bool { state == .waiting }

    /// - Parameter recorded: nil for a rejected price.
    init(_ recorded: RecordedPrice?) {
        switch recorded {
        case .accepted(let id)?: (state, self.id) = (.accepted, id)
        case .waiting(let id, let reason)?: (state, self.id, self.reason) = (.waiting, id, reason)
        case .known?: state = .accepted
        case nil: state = .rejected
        }
    }

    static let about: String? = "What became of a price."
}

struct PhotoPlace: Decodable, Sendable {
    var place: Int64?
    var date: Day?

    static let schema = Schema(
        type: "object", "Where and when a tag was photographed.",
        properties: ["place": Schema(type: "integer", minimum: 1), "date": Day.schema])
}

struct PlaceMark: Decodable, Sendable, Documented {
    var isFavorite, isDefault: Bool?

    static let about: String? = "Marks."
}

// MARK: Products and experiences

struct ProductQuery: Decodable, Sendable, Documented {
    var q, category, tag: String?
    var limit: Int?

    static let usual = 50
    static let fields = [
        "q": Field("Words or a product number."), "category": Field("A category."), "tag": Field("A tag."),
        "limit": Field("At most so many.", range: 1...500, usual: "\(usual)"),
    ]
}

struct ExperienceQuery: Decodable, Sendable, Documented {
    var kind: Experience.Kind?
    var product, place, before: Int64?
    var limit: Int?

    static let usual = 50
    static let fields = [
        "kind": Field("One kind."), "product": Field("The product's number.", range: numbers),
        "place": Field("The place's number.", range: numbers),
        "before": Field("Only smaller numbers, for the next page.", range: numbers),
        "limit": Field("At most so many.", range: 1...200, usual: "\(usual)"),
    ]
}

struct NewComment: Decodable, Sendable, Documented {
    var text: String
    var answering: Int64?

    static let about: String? = "A comment."
    static let fields = ["text": Field(lengths: 1...2000), "answering": Field(range: numbers)]
}
