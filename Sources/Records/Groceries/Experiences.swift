import Foods
import Foundation
import GRDB

/// What a person reports about a price, a shop or a product.
package struct Experience: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case priceUpdate = "price_update", storeReview = "store_review", productReview = "product_review"
        case newProduct = "new_product", general
    }

    package var id: Int64
    package var kind: Kind
    /// 1…5; nil without one.
    package var rating: Int?
    package var comment: String
    package var product: Int64?
    package var productName: String?
    package var place: Int64?
    package var placeName: String?
    /// The prices of an update.
    package var priceBefore: Money?
    package var price: Money?
    /// Nil for a person whose data was erased.
    package var by: String?
    /// The person's level now.
    package var level: String?
    package var at: Date
    /// Nested answers, oldest first.
    package var comments: [Answer]

    package struct Answer: Sendable, Hashable, Codable {
        package var id: Int64
        package var text: String
        package var by: String?
        package var level: String?
        package var at: Date
        package var answers: [Answer]
    }
}

/// An experience before it is stored.
package struct NewExperience: Sendable, Hashable, Codable {
    package var kind: Experience.Kind
    package var rating: Int?
    package var comment = ""
    package var product: Int64?
    package var place: Int64?
}

extension NewExperience {
    package init(_ kind: Experience.Kind) { self.init(kind: kind, comment: "") }
}

extension Groceries {
    /// Experiences of one person in 24 hours, so that nobody drives the others' away.
    private static let mostPosts = 20

    package func post(_ new: NewExperience, by person: String) throws -> Experience {
        let comment = try Self.text(new.comment, "a comment", most: 2000, allowsEmpty: new.rating != nil)
        guard new.rating.map({ (1...5).contains($0) }) ?? true else { throw GroceryProblem.bad("a rating is 1 to 5") }
        guard new.kind != .priceUpdate else {
            throw GroceryProblem.bad("a change of a price is posted with the price: type the price")
        }
        let now = seconds
        return try store.write { database in
            let today = try Int.fetchOne(
                database,
                literal: """
                    SELECT count(*) FROM grocery_experience
                    WHERE by = \(person) AND kind <> 'price_update' AND at > \(now - 86_400)
                    """)
            guard (today ?? 0) < Self.mostPosts else {
                throw GroceryProblem.bad("a person posts at most \(Self.mostPosts) experiences a day")
            }
            if let product = new.product { try Self.require(database, "product", product) }
            if let place = new.place { try Self.require(database, "place", place) }
            try database.execute(
                literal: """
                    INSERT INTO grocery_experience (kind, rating, comment, product, place, by, at) VALUES
                    (\(new.kind.rawValue), \(new.rating), \(comment), \(new.product), \(new.place), \(person), \(now))
                    """)
            return try self.experiences(database, "experience.id = \(database.lastInsertedRowID)", limit: 1)[0]
        }
    }

    func post(_ database: Database, _ price: NewPrice, before: Int64) throws {
        try database.execute(
            literal: """
                INSERT INTO grocery_experience (kind, comment, product, place, amountBefore, amount, currency, by, at)
                VALUES ('price_update', '', \(price.product), \(price.place), \(before), \(price.price.parts),
                    \(price.price.currency.code), \(price.contributor), \(seconds))
                """)
    }

    /// Deletes the newest post of a change to this price, a row of `grocery_price`.
    static func removePost(_ database: Database, _ price: Row) throws {
        try database.execute(
            literal: """
                DELETE FROM grocery_experience WHERE id = (
                    SELECT max(id) FROM grocery_experience WHERE kind = 'price_update'
                        AND product = \(price["product"] as Int64) AND place = \(price["place"] as Int64)
                        AND amount = \(price["amount"] as Int64) AND currency = \(price["currency"] as String)
                            AND by = \(price["contributor"] as String?))
                """)
    }

    /// Experiences, newest first.
    ///
    /// - Parameter before: only those with a smaller number, for the next page.
    package func experiences(
        kind: Experience.Kind? = nil, product: Int64? = nil, place: Int64? = nil, before: Int64? = nil, limit: Int = 50
    ) throws -> [Experience] {
        var conditions: [SQL] = ["1"]
        if let kind { conditions.append("kind = \(kind.rawValue)") }
        if let product { conditions.append("experience.product = \(product)") }
        if let place { conditions.append("experience.place = \(place)") }
        if let before { conditions.append("experience.id < \(before)") }
        let condition = conditions.joined(separator: " AND ")
        return try store.read { try self.experiences($0, condition, limit: min(max(limit, 1), 200)) }
    }

    package func experience(_ id: Int64) throws -> Experience {
        guard let found = try store.read({ try self.experiences($0, "experience.id = \(id)", limit: 1) }).first
        else { throw GroceryProblem.notFound("experience \(id)") }
        return found
    }

    func experiences(_ database: Database, _ condition: SQL, limit: Int) throws -> [Experience] {
        let rows = try Row.fetchAll(
            database,
            literal: """
                SELECT experience.*, product.name AS productName, place.name AS placeName
                FROM grocery_experience AS experience
                LEFT JOIN grocery_product AS product ON product.id = experience.product
                LEFT JOIN grocery_place AS place ON place.id = experience.place
                WHERE \(condition) ORDER BY experience.id DESC LIMIT \(limit)
                """)
        var levels: [String: String] = [:]
        func level(_ person: String?) throws -> String? {
            guard let person else { return nil }
            if levels[person] == nil { levels[person] = try reputation(database, of: person).level }
            return levels[person]
        }
        return try rows.map { row in
            let id: Int64 = row["id"]
            let comments = try Row.fetchAll(
                database, literal: "SELECT * FROM grocery_comment WHERE experience = \(id) ORDER BY id LIMIT 1000")
            return Experience(
                id: row["id"], kind: Experience.Kind(rawValue: row["kind"]) ?? .general, rating: row["rating"],
                comment: row["comment"], product: row["product"], productName: row["productName"], place: row["place"],
                placeName: row["placeName"], priceBefore: Money(row, "amountBefore"), price: Money(row), by: row["by"],
                level: try level(row["by"]), at: Self.date(row["at"]),
                comments: try Self.answers(comments, level))
        }
    }

    /// The tree of comments. A comment always comes after the one that it answers, so one pass backwards is enough.
    private static func answers(_ rows: [Row], _ level: (String?) throws -> String?) throws -> [Experience.Answer] {
        var children: [Int64: [Experience.Answer]] = [:]
        var top: [Experience.Answer] = []
        for row in rows.reversed() {
            let id: Int64 = row["id"]
            let answer = Experience.Answer(
                id: id, text: row["text"], by: row["by"], level: try level(row["by"]), at: date(row["at"]),
                answers: (children[id] ?? []).reversed())
            if let parent = row["parent"] as Int64? {
                children[parent, default: []].append(answer)
            } else {
                top.append(answer)
            }
        }
        return top.reversed()
    }

    /// Levels of answers; deeper ones are refused.
    private static let deepest = 8

    package func comment(
        _ text: String, on experience: Int64, answering parent: Int64? = nil, by person: String
    ) throws -> Experience {
        let text = try Self.text(text, "a comment", most: 2000)
        let now = seconds
        return try store.write { database in
            try Self.require(database, "experience", experience)
            var (depth, above) = (1, parent)
            while let comment = above {
                let row = try Row.fetchOne(
                    database,
                    literal: "SELECT parent FROM grocery_comment WHERE id = \(comment) AND experience = \(experience)")
                guard let row else { throw GroceryProblem.notFound("comment \(comment)") }
                above = row["parent"]
                depth += 1
                guard depth <= Self.deepest else { throw GroceryProblem.bad("answers go \(Self.deepest) levels deep") }
            }
            try database.execute(
                literal: """
                    INSERT INTO grocery_comment (experience, parent, text, by, at)
                    VALUES (\(experience), \(parent), \(text), \(person), \(now))
                    """)
            return try self.experiences(database, "experience.id = \(experience)", limit: 1)[0]
        }
    }
}
