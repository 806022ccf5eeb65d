import Foods
import Core
import Foundation
import GRDB

package struct GroceryPlace: Sendable, Hashable, Codable, FetchableRecord {
    package var id: Int64
    /// `osm:NODE:1` for a place of OpenStreetMap, otherwise made here.
    package var uid: String
    package var name: String
    package var address: String?
    package var city: String?
    package var state: String?
    package var postcode: String?
    package var country: String?
    /// Degrees, WGS 84.
    package var latitude: Double?
    package var longitude: Double?
    /// For the person who asks.
    package var isDefault: Bool
    package var isFavorite: Bool
}

/// A place before it is stored.
package struct NewPlace: Sendable, Hashable, Codable {
    package var uid: String?
    package var name: String
    package var address: String?
    package var city: String?
    package var state: String?
    package var postcode: String?
    package var country: String?
    package var latitude: Double?
    package var longitude: Double?
}

extension NewPlace {
    package init(name: String, address: String? = nil, city: String? = nil, postcode: String? = nil) {
        self.init(uid: nil, name: name, address: address, city: city, postcode: postcode)
    }
}

extension Groceries {
    /// All places, the person's default and favourites first, then by name.
    package func places(for person: String) throws -> [GroceryPlace] {
        try store.read { try Self.places($0, person, "1") }
    }

    package func place(_ id: Int64, for person: String = "") throws -> GroceryPlace? {
        try store.read { try Self.places($0, person, "place.id = \(id)").first }
    }

    func known(place id: Int64, for person: String) throws -> GroceryPlace {
        guard let place = try place(id, for: person) else { throw GroceryProblem.notFound("place \(id)") }
        return place
    }

    private static func places(_ database: Database, _ person: String, _ condition: SQL) throws -> [GroceryPlace] {
        try GroceryPlace.fetchAll(
            database,
            literal: """
                SELECT place.*, coalesce(isFavorite, 0) AS isFavorite, coalesce(isDefault, 0) AS isDefault
                FROM grocery_place AS place LEFT JOIN grocery_mark ON grocery_mark.place = place.id AND person = \(person)
                WHERE \(condition) ORDER BY isDefault DESC, isFavorite DESC, name, place.id
                """)
    }

    /// Stores a place, or finds the one with its `uid`, or with its name, address and city.
    package func place(of new: NewPlace, by person: String?) throws -> GroceryPlace {
        try known(place: try store.write { try self.placeID($0, new, by: person) }, for: person ?? "")
    }

    func placeID(_ database: Database, _ new: NewPlace, by person: String?) throws -> Int64 {
        // What other programs export may be longer than what people may type.
        let imported = new.uid.map { DisplayName.cleaned(new.name, most: 200) ?? $0 }
        let name =
            if let imported, imported.count > DisplayName.longest {
                try Self.text(imported, "a name", most: 200)
            } else {
                try Self.name(imported ?? new.name)
            }
        let parts = try [new.address, new.city, new.state, new.postcode, new.country].map { part in
            try part.map { try Self.text($0, "a part of an address", most: 300, allowsEmpty: true) }.flatMap {
                $0.isEmpty ? nil : $0
            }
        }
        guard new.latitude.map({ (-90...90).contains($0) }) ?? true,
            new.longitude.map({ (-180...180).contains($0) }) ?? true
        else { throw GroceryProblem.bad("coordinates are degrees: latitude -90 to 90, longitude -180 to 180") }
        let known: Int64?
        if let uid = new.uid {
            known = try Int64.fetchOne(database, literal: "SELECT id FROM grocery_place WHERE uid = \(uid)")
        } else {
            known = try Row.fetchAll(
                database, sql: "SELECT id, name FROM grocery_place WHERE address IS ? AND city IS ? ORDER BY id",
                arguments: [parts[0], parts[1]]
            ).first { DisplayName.areEqual($0["name"], name) }?["id"]
        }
        if let known { return known }
        let uid = try Self.text(new.uid ?? "place:\(UUID().uuidString.lowercased())", "an id", most: 100)
        try database.execute(
            literal: """
                INSERT INTO grocery_place
                    (uid, name, chain, address, city, state, postcode, country, latitude, longitude, by)
                VALUES (\(uid), \(name), \(chain(name)), \(parts[0]), \(parts[1]), \(parts[2]), \(parts[3]),
                    \(parts[4]), \(new.latitude), \(new.longitude), \(person))
                """)
        return database.lastInsertedRowID
    }

    /// The chain of a place's name; see ``ProductNames/chain(_:rules:)``.
    func chain(_ name: String) -> String { ProductNames.chain(name, rules: rules) }

    /// Marks a place as favourite or usual; nil stays.
    ///
    /// - Parameter isDefault: true makes it the only default of the person.
    @discardableResult
    package func mark(
        _ place: Int64, isFavorite: Bool? = nil, isDefault: Bool? = nil, by person: String
    ) throws -> GroceryPlace {
        try store.write { database in
            try Self.require(database, "place", place)
            if isDefault == true {
                try database.execute(literal: "UPDATE grocery_mark SET isDefault = 0 WHERE person = \(person)")
            }
            try database.execute(
                literal: """
                    INSERT INTO grocery_mark
                    VALUES (\(person), \(place), coalesce(\(isFavorite), 0), coalesce(\(isDefault), 0))
                    ON CONFLICT (person, place) DO UPDATE SET
                        isFavorite = coalesce(\(isFavorite), isFavorite), isDefault = coalesce(\(isDefault), isDefault)
                    """)
        }
        return try known(place: place, for: person)
    }

    /// The place of a receipt: the one that a person named for this print, the only place of the merchant's chain, or
    /// the one whose postcode or street the address has. A merchant that is no chain may be a name that was corrected
    /// before. Nil if none or several fit.
    func place(_ database: Database, merchant: String?, address: String?) throws -> Int64? {
        guard let merchant else { return nil }
        let named = try Row.fetchAll(
            database,
            literal: """
                SELECT shop.address AS printed, place, chain, postcode FROM grocery_shop_name AS shop
                JOIN grocery_place ON grocery_place.id = place
                WHERE shop.name = \(ProductNames.normalised(merchant)) ORDER BY place
                """)
        let words = ProductNames.normalised(address ?? "")
        if let same = named.first(where: { $0["printed"] == words }) { return same["place"] }
        let (found, isChain) = try place(database, chain: chain(merchant), address)
        if found != nil || isChain { return found }
        for other in Set(named.map { $0["chain"] as String }) {
            if let found = try place(database, chain: other, address).found { return found }
        }
        let places = Set(named.map { $0["place"] as Int64 })
        guard places.count == 1, let only = named.first else { return nil }
        // Another postcode is another shop.
        let codes = Folding.words(of: address ?? "").filter { $0.count >= 4 && $0.allSatisfy(\.isNumber) }
        let own = (only["postcode"] as String?).map { ProductNames.normalised($0) }
        let isOther = own.map { !codes.isEmpty && !codes.contains($0) } ?? false
        return isOther ? nil : only["place"]
    }

    /// - Returns: the place, and whether the chain has any.
    private func place(
        _ database: Database, chain: String, _ address: String?
    ) throws -> (found: Int64?, isChain: Bool) {
        let rows = try Row.fetchAll(
            database, literal: "SELECT id, address, postcode FROM grocery_place WHERE chain = \(chain) LIMIT 500")
        let printed = Set(Folding.words(of: address ?? ""))
        let fitting = rows.filter { row in
            let postcode = row["postcode"] as String?
            return postcode.map { printed.contains(ProductNames.normalised($0)) } ?? false
                || (row["address"] as String?).map { street in
                    let words = Folding.words(of: street)
                    return words.count > 1 && words.allSatisfy(printed.contains)
                } ?? false
        }
        if fitting.count == 1 { return (fitting[0]["id"], true) }
        let isOnly =
            rows.count == 1 && fitting.isEmpty && (printed.isEmpty || rows[0]["postcode"] as String? == nil)
        return (isOnly ? rows[0]["id"] : nil, !rows.isEmpty)
    }
}
