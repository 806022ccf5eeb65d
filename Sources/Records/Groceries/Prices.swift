import Baskets
import Core
import Foundation
import GRDB
import Meals

/// A price of a product at a place on a day.
public struct PriceObservation: Sendable, Hashable, Codable {
    public var id: Int64
    public var product: Int64
    public var place: Int64
    public var price: Money
    public var per: PriceUnit
    public var isDiscounted: Bool
    public var date: Day
    public var proof: PriceProof
    /// `sha256:…` of the receipt's or tag's photo.
    public var photo: String?
    public var contributor: String?
    /// Probability 0…1 that the price was read or typed right.
    public var confidence: Double
    public var isRejected: Bool
}

/// A price before it is checked.
public struct NewPrice: Sendable, Hashable, Codable {
    public var product: Int64
    public var place: Int64
    public var price: Money
    public var per: PriceUnit
    public var isDiscounted: Bool
    public var date: Day
    public var proof: PriceProof
    public var photo: String?
    public var contributor: String?
    public var confidence: Double
    /// The same for the same observation: a second import or reading changes nothing.
    public var source: String?

    public init(
        product: Int64, place: Int64, price: Money, per: PriceUnit = .piece, isDiscounted: Bool = false, date: Day,
        proof: PriceProof = .typed, photo: String? = nil, contributor: String? = nil, confidence: Double = 1,
        source: String? = nil
    ) {
        self.product = product
        self.place = place
        self.price = price
        self.per = per
        self.isDiscounted = isDiscounted
        self.date = date
        self.proof = proof
        self.photo = photo
        self.contributor = contributor
        self.confidence = min(max(confidence, 0), 1)
        self.source = source
    }
}

/// What became of a price.
public enum RecordedPrice: Sendable, Hashable {
    case accepted(Int64)
    /// It waits for a person, under this number, for this reason.
    case waiting(Int64, ReviewReason)
    /// The same observation was recorded before.
    case known
}

extension Groceries {
    /// Records a price. An outlier waits in review.
    ///
    /// - Throws: ``GroceryProblem``.
    public func record(_ price: NewPrice) throws -> RecordedPrice {
        try check(price)
        return try store.write { try self.record($0, price, isChecked: false) }
    }

    func check(_ price: NewPrice) throws(GroceryProblem) {
        guard (1...100_000_000_000).contains(price.price.parts) else {
            throw .bad("a price is above 0 and at most \(Money.largest)")
        }
        // Another time zone may be a day ahead.
        guard price.date.number <= today.number + 1, price.date.number > 0 else {
            throw .bad("\(price.date) is in the future: a price needs the day on which it was seen")
        }
    }

    /// - Parameter isChecked: true for a price that a person accepted in review.
    func record(_ database: Database, _ price: NewPrice, isChecked: Bool) throws -> RecordedPrice {
        for (table, id) in [("product", price.product), ("place", price.place)] {
            let exists = try Bool.fetchOne(
                database, sql: "SELECT 1 FROM grocery_\(table) WHERE id = ?", arguments: [id])
            guard exists == true else { throw GroceryProblem.notFound("\(table) \(id)") }
        }
        if let source = price.source, !isChecked {
            let isKnown = try Bool.fetchOne(
                database,
                sql: """
                    SELECT 1 FROM grocery_price WHERE source = ?1
                    UNION ALL SELECT 1 FROM grocery_review WHERE source = ?1
                    """, arguments: [source])
            if isKnown == true { return .known }
        }
        if !isChecked, let median = try outlier(database, price) {
            let draft = PriceDraft(price, median: Money(parts: median, currency: price.price.currency))
            return .waiting(
                try Self.queue(database, draft, .outlier, source: price.source, by: price.contributor), .outlier)
        }
        let before = try Self.latest(database, price)
        try database.execute(
            sql: """
                INSERT INTO grocery_price (product, place, amount, currency, per, isDiscounted, day, proof, photo,
                    confidence, contributor, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                price.product, price.place, price.price.parts, price.price.currency.code, price.per.rawValue,
                price.isDiscounted, price.date.number, price.proof.rawValue, price.photo, price.confidence,
                price.contributor, price.source,
            ])
        let id = database.lastInsertedRowID
        let halfLife = try Self.halfLife(database)
        try quote(database, PriceKey(price), halfLife)
        if let before, before != price.price.parts, price.contributor != nil, price.proof != .imported {
            try post(database, price, before: before)
        }
        return .accepted(id)
    }

    /// The median that an outlier contradicts, among the last accepted prices of the product.
    func outlier(_ database: Database, _ price: NewPrice) throws -> Int64? {
        let references = try Int64.fetchAll(
            database,
            sql: """
                SELECT amount FROM grocery_quote WHERE product = ? AND currency = ? AND per = ? ORDER BY day DESC
                LIMIT 100
                """, arguments: [price.product, price.price.currency.code, price.per.rawValue])
        return PriceOutlier.median(contradicting: price.price.parts, references, rules: rules)
    }

    /// The newest accepted price of the same key from before or on the day.
    private static func latest(_ database: Database, _ price: NewPrice) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT amount FROM grocery_price WHERE product = ? AND place = ? AND currency = ? AND per = ?
                    AND day <= ? AND isRejected = 0 ORDER BY day DESC, id DESC LIMIT 1
                """,
            arguments: [
                price.product, price.place, price.price.currency.code, price.per.rawValue, price.date.number,
            ])
    }

    /// The newest observations of a product, those at one place or at all places.
    public func prices(of product: Int64, at place: Int64? = nil, limit: Int = 200) throws -> [PriceObservation] {
        try store.read {
            try Self.prices(
                $0, "product = ? AND (? IS NULL OR place = ?)", [product, place, place], limit: min(max(limit, 1), 5000)
            )
        }
    }

    static func prices(
        _ database: Database, _ condition: String, _ arguments: StatementArguments, limit: Int
    ) throws -> [PriceObservation] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT * FROM grocery_price WHERE \(condition) ORDER BY day DESC, id DESC LIMIT ?",
            arguments: arguments + [limit])
        return rows.compactMap { row in
            guard let currency = Currency(row["currency"]) else { return nil }
            return PriceObservation(
                id: row["id"], product: row["product"], place: row["place"],
                price: Money(parts: row["amount"], currency: currency), per: PriceUnit(rawValue: row["per"]) ?? .piece,
                isDiscounted: row["isDiscounted"], date: Day(number: row["day"]),
                proof: PriceProof(rawValue: row["proof"]) ?? .typed, photo: row["photo"],
                contributor: row["contributor"], confidence: row["confidence"], isRejected: row["isRejected"])
        }
    }

    /// The currency of the price that was recorded last.
    public func lastCurrency() throws -> String? {
        try store.read {
            try String.fetchOne($0, sql: "SELECT currency FROM grocery_price ORDER BY id DESC LIMIT 1")
        }
    }

    /// Rejects an accepted price, which then counts against its contributor.
    public func reject(_ price: Int64) throws {
        try store.write { database in
            guard
                let row = try Row.fetchOne(
                    database, sql: "SELECT * FROM grocery_price WHERE id = ? AND isRejected = 0", arguments: [price])
            else { throw GroceryProblem.notFound("price \(price)") }
            try database.execute(sql: "UPDATE grocery_price SET isRejected = 1 WHERE id = ?", arguments: [price])
            try quote(database, PriceKey(row), try Self.halfLife(database))
        }
    }

    /// What a person's contributions have earned.
    public func reputation(of person: String) throws -> Reputation {
        try store.read { try self.reputation($0, of: person) }
    }

    func reputation(_ database: Database, of person: String) throws -> Reputation {
        let (accepted, rejected) = try Self.record(database, of: person)
        return Reputation(accepted: accepted, rejected: rejected, rules: rules)
    }

    /// Accepted and rejected contributions. A price that repeats another of the person does not count: neither the same
    /// amount again, nor another amount of the same product, place and day.
    static func record(_ database: Database, of person: String) throws -> (accepted: Int, rejected: Int) {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT
                    (SELECT count(*) FROM (SELECT DISTINCT product, place, currency, per, amount FROM grocery_price
                        WHERE contributor = ?1 AND isRejected = 0)) AS amounts,
                    (SELECT count(*) FROM (SELECT DISTINCT product, place, currency, per, day FROM grocery_price
                        WHERE contributor = ?1 AND isRejected = 0)) AS days,
                    (SELECT count(*) FROM grocery_price WHERE contributor = ?1 AND isRejected = 1) AS rejected
                """, arguments: [person])
        let accepted = min(row?["amounts"] ?? 0, row?["days"] ?? 0)
        var rejected: Int = row?["rejected"] ?? 0
        rejected +=
            try Int.fetchOne(
                database,
                // Where no price was read, none was wrong.
                sql: """
                    SELECT count(*) FROM grocery_review WHERE contributor = ? AND state = 'rejected'
                        AND reason <> 'unread'
                    """, arguments: [person]) ?? 0
        return (accepted, rejected)
    }
}
