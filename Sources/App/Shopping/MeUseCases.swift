import Foods
import Groceries
import HTTP

extension ShoppingUseCases {
    // MARK: The person

    func account(of person: String) throws -> ShoppingAccount {
        ShoppingAccount(name: person, reputation: try groceries.reputation(of: person))
    }

    /// Everything that lists and prices keep of a person.
    func export(of person: String) throws -> PersonData { try groceries.exported(person) }

    func meContent(for person: String) throws -> MeContent {
        let favourites = try groceries.lists(of: person).flatMap { list in
            try [false, true].flatMap { try groceries.items(of: list.id, for: person, isHistory: $0) }
        }.filter(\.isFavorite)
        return MeContent(
            reputation: try groceries.reputation(of: person), favourites: favourites,
            places: try groceries.places(for: person))
    }

    // MARK: Places

    /// All places, the person's own first.
    func places(for person: String) throws -> [GroceryPlace] { try groceries.places(for: person) }

    /// Stores a place, or finds it.
    func addPlace(_ new: NewPlace, by person: String) throws -> GroceryPlace {
        try groceries.place(of: new, by: person)
    }

    /// Marks a place as favourite or usual; nil stays.
    func mark(_ id: Int64, isFavorite: Bool?, isDefault: Bool?, by person: String) throws -> GroceryPlace {
        try groceries.mark(id, isFavorite: isFavorite, isDefault: isDefault, by: person)
        guard let place = try groceries.place(id, for: person) else { throw GroceryProblem.notFound("place \(id)") }
        return place
    }

    /// Renames a place, and marks it; nil stays.
    func change(_ id: Int64, _ mark: PlaceMark, by person: String) throws -> GroceryPlace {
        if let change = mark.change { _ = try groceries.change(id, change, by: person) }
        return try self.mark(id, isFavorite: mark.isFavorite, isDefault: mark.isDefault, by: person)
    }

    /// Makes two places one; the second is kept.
    func merge(_ id: Int64, into other: Int64, by person: String) throws -> GroceryPlace {
        try groceries.merge(id, into: other, by: person)
    }

    /// The place whose name is typed, or its label; a new one if no place has it.
    func place(typed new: NewPlace, by person: String) throws -> Int64 {
        let all = try groceries.places(for: person)
        let named = all.filter { $0.name == new.name }
        let known = all.first { $0.label == new.name } ?? (named.count == 1 && new.address == nil ? named[0] : nil)
        return try known?.id ?? groceries.place(of: new, by: person).id
    }
}

/// A person who uses lists and prices.
struct ShoppingAccount: Sendable, Codable, Documented {
    var name: String
    var reputation: Reputation

    static let about: String? = "A person with an account."
}

/// What the page of a person shows.
struct MeContent: Sendable {
    var reputation: Reputation
    var favourites: [GroceryItem]
    var places: [GroceryPlace]
}

extension Reputation: Documented {
    package static let about: String? = "What contributions have earned."
}

extension PersonData: Documented {
    package static let about: String? = "Everything that lists and prices keep of one person."
    package static let fields = ["photos": Field("Photos of receipts and price tags that the person sent.")]
}

extension GroceryPlace: Documented {
    package static let about: String? = "A shop."
}

extension NewPlace: Documented {
    package static let about: String? = "A shop before it is stored."
    package static let fields = [
        "name": Field(lengths: 1...200), "latitude": Field(range: -90...90), "longitude": Field(range: -180...180),
    ]
}

extension GroceryPlace {
    /// Name with street or city, as forms propose it.
    var label: String { [name, address ?? city].compactMap { $0 }.joined(separator: ", ") }

    var fullAddress: String { [address, postcode, city].compactMap { $0 }.joined(separator: ", ") }
}
