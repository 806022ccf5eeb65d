import Core
import GRDB

/// What changes of a place, and what it is to a person; nil stays.
package struct PlaceMark: Sendable, Hashable, Codable {
    package var isFavorite, isDefault: Bool?
    package var name: String?
    /// An empty text removes it.
    package var address, city, postcode: String?

    package static let unchanged = PlaceMark()
}

extension Groceries {
    /// Renames a place, and marks it. Its prices stay with it; receipts that print the old name still find it.
    ///
    /// - Throws: ``GroceryProblem``; `bad` if another place has this name, street and city.
    package func change(_ place: Int64, _ change: PlaceMark, by person: String) throws -> GroceryPlace {
        let isRenamed = [change.name, change.address, change.city, change.postcode].contains { $0 != nil }
        if isRenamed { try rename(place, change) }
        return try mark(place, isFavorite: change.isFavorite, isDefault: change.isDefault, by: person)
    }

    private func rename(_ place: Int64, _ change: PlaceMark) throws {
        try store.write { database in
            let old = try Self.placeRow(database, place)
            let former: String = old["name"]
            let name = try change.name.map { (text) throws(GroceryProblem) in try Self.name(text) } ?? former
            func part(_ new: String?, _ column: String) throws -> String? {
                guard let new else { return old[column] }
                let text = try Self.text(new, "a part of an address", most: 300, allowsEmpty: true)
                return text.isEmpty ? nil : text
            }
            let address = try part(change.address, "address")
            let city = try part(change.city, "city")
            let same = try String.fetchAll(
                database,
                literal:
                    "SELECT name FROM grocery_place WHERE id <> \(place) AND address IS \(address) AND city IS \(city)")
            guard !same.contains(where: { DisplayName.areEqual($0, name) }) else {
                throw GroceryProblem.bad("there is another shop “\(name)”: merge the two instead")
            }
            try Self.remember(database, former, nil, as: place)
            try database.execute(
                sql: "UPDATE grocery_place SET name = ?, chain = ?, address = ?, city = ?, postcode = ? WHERE id = ?",
                arguments: [name, self.chain(name), address, city, try part(change.postcode, "postcode"), place])
            try Self.moveNames(database, from: old["chain"], to: self.chain(name))
        }
    }

    /// Makes two places one: prices, waiting prices, marks, experiences and printed names follow to `other`.
    package func merge(_ place: Int64, into other: Int64, by person: String) throws -> GroceryPlace {
        try store.write { database in
            let (old, kept) = (try Self.placeRow(database, place), try Self.placeRow(database, other))
            guard place != other else { throw GroceryProblem.bad("choose another shop to merge this one with") }
            try Self.remember(database, old["name"], old["address"], as: other)
            let keys = try PriceKey.fetchAll(
                database,
                literal:
                    "SELECT DISTINCT product, \(other) AS place, currency, per FROM grocery_price WHERE place = \(place)"
            )
            try database.execute(
                literal: """
                    UPDATE grocery_shop_name SET place = \(other) WHERE place = \(place);
                    INSERT INTO grocery_mark
                    SELECT person, \(other), isFavorite, isDefault FROM grocery_mark WHERE place = \(place)
                    ON CONFLICT (person, place) DO UPDATE SET isFavorite = max(isFavorite, excluded.isFavorite),
                        isDefault = max(isDefault, excluded.isDefault);
                    UPDATE grocery_price SET place = \(other) WHERE place = \(place);
                    UPDATE grocery_experience SET place = \(other) WHERE place = \(place);
                    UPDATE grocery_review SET draft = CAST(json_set(CAST(draft AS TEXT), '$.place', \(other)) AS BLOB)
                    WHERE json_extract(CAST(draft AS TEXT), '$.place') = \(place);
                    DELETE FROM grocery_quote WHERE place = \(place);
                    DELETE FROM grocery_place WHERE id = \(place)
                    """)
            // An import finds its place again.
            let (oldID, keptID): (String, String) = (old["uid"], kept["uid"])
            if keptID.hasPrefix("place:"), !oldID.hasPrefix("place:") {
                try database.execute(literal: "UPDATE grocery_place SET uid = \(oldID) WHERE id = \(other)")
            }
            try quote(database, keys)
            try Self.moveNames(database, from: old["chain"], to: kept["chain"])
        }
        return try known(place: other, for: person)
    }

    private static func placeRow(_ database: Database, _ place: Int64) throws -> Row {
        guard
            let row = try Row.fetchOne(database, literal: "SELECT * FROM grocery_place WHERE id = \(place)")
        else { throw GroceryProblem.notFound("place \(place)") }
        return row
    }

    /// Gives the printed names of products that a chain's receipts taught to another chain, once no place has the former.
    private static func moveNames(_ database: Database, from chain: String, to other: String) throws {
        let isUsed = try Bool.fetchOne(
            database, literal: "SELECT EXISTS (SELECT 1 FROM grocery_place WHERE chain = \(chain))")
        guard chain != other, isUsed != true else { return }
        try database.execute(
            literal: """
                INSERT INTO grocery_abbreviation
                SELECT \(other), printed, product, confirmed, rejected FROM grocery_abbreviation WHERE chain = \(chain)
                ON CONFLICT (chain, printed, product) DO UPDATE SET confirmed = confirmed + excluded.confirmed,
                    rejected = rejected + excluded.rejected
                """)
        try database.execute(literal: "DELETE FROM grocery_abbreviation WHERE chain = \(chain)")
    }
}
