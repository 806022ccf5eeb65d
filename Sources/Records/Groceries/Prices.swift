import Foods
import Core
import Foundation
import GRDB

/// A price of a product at a place on a day.
package struct PriceObservation: Sendable, Hashable, Codable {
    package var id: Int64
    package var product: Int64
    package var place: Int64
    package var price: Money
    package var per: PriceUnit
    package var isDiscounted: Bool
    package var date: Day
    package var proof: PriceProof
    /// `sha256:…` of the receipt's or tag's photo.
    package var photo: String?
    package var contributor: String?
    /// Probability 0…1 that the price was read or typed right.
    package var confidence: Double
    package var isRejected: Bool
    /// True for a price of a line of a receipt, which is corrected there.
    package var isOfReceipt: Bool
}

/// A price before it is checked.
package struct NewPrice: Sendable, Hashable {
    package var product: Int64
    package var place: Int64
    package var price: Money
    package var per = PriceUnit.piece
    package var isDiscounted = false
    package var date: Day
    package var proof = PriceProof.typed
    package var photo: String?
    package var contributor: String?
    package var confidence: Double = 1
    /// The same for the same observation: a second import or reading changes nothing.
    package var source: String?
}

package enum RecordedPrice: Sendable, Hashable {
    case accepted(Int64)
    /// It waits for a person, under this number, for this reason.
    case waiting(Int64, ReviewReason)
    /// The same observation was recorded before.
    case known
}

/// A price that was removed, for a person who takes it back.
package struct RemovedPrice: Sendable {
    fileprivate let id: Int64
    fileprivate let key: PriceKey
    fileprivate let columns: [String]
    fileprivate let values: [DatabaseValue]
    fileprivate let isDeleted: Bool
}

extension Groceries {
    /// Records a price. An outlier waits in review.
    package func record(_ price: NewPrice) throws -> RecordedPrice {
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
        try Self.require(database, "product", price.product)
        try Self.require(database, "place", price.place)
        if let source = price.source, !isChecked, try Self.isKnown(database, source) { return .known }
        if !isChecked, let median = try outlier(database, price) {
            let draft = PriceDraft(price, median: Money(parts: median, currency: price.price.currency))
            return .waiting(
                try Self.queue(database, draft, .outlier, source: price.source, by: price.contributor), .outlier)
        }
        if price.proof == .typed, price.contributor != nil, try Self.isKnown(database, price) { return .known }
        let before = try Self.latest(database, price)
        try database.execute(
            literal: """
                INSERT INTO grocery_price (product, place, amount, currency, per, isDiscounted, day, proof, photo,
                    confidence, contributor, source, recorded)
                        VALUES (\(price.product), \(price.place), \(price.price.parts), \(price.price.currency.code),
                        \(price.per.rawValue), \(price.isDiscounted), \(price.date.number), \(price.proof.rawValue),
                        \(price.photo), \(min(max(price.confidence, 0), 1)), \(price.contributor), \(price.source),
                        \(today.number))
                """)
        let id = database.lastInsertedRowID
        try quote(database, [PriceKey(price)])
        if let before, before != price.price.parts, price.contributor != nil, price.proof != .imported {
            try post(database, price, before: before)
        }
        return .accepted(id)
    }

    /// True if the person typed the same price before.
    private static func isKnown(_ database: Database, _ price: NewPrice) throws -> Bool {
        try Bool.fetchOne(
            database,
            literal: """
                SELECT 1 FROM grocery_price WHERE \(PriceKey(price).isSame) AND day = \(price.date.number)
                    AND amount = \(price.price.parts) AND isDiscounted = \(price.isDiscounted)
                    AND contributor = \(price.contributor) AND isRejected = 0
                """) ?? false
    }

    /// Accepted prices of a product that a new one is compared with.
    private static let mostReferences = 300

    /// The median that an outlier contradicts, among the last accepted prices of the product.
    ///
    /// A price for another unit is compared by the price of a kilogram or litre. What the contributor said before counts
    /// only where others said too little, so that nobody walks a price down step by step.
    func outlier(_ database: Database, _ price: NewPrice) throws -> Int64? {
        let currency = price.price.currency
        let pack = try Row.fetchOne(
            database, literal: "SELECT pack, dimension FROM grocery_product WHERE id = \(price.product)"
        ).flatMap(Self.pack)
        func unitPrice(_ parts: Int64, _ per: PriceUnit) -> UnitPrice? {
            Offer(
                product: price.product, price: Money(parts: parts, currency: currency), per: per, pack: pack, spread: 0
            )
            .unitPrice
        }
        let own = unitPrice(price.price.parts, price.per)
        let rows = try Row.fetchAll(
            database,
            literal: """
                SELECT place, amount, per, contributor FROM grocery_price
                WHERE product = \(price.product) AND currency = \(currency.code) AND isRejected = 0
                ORDER BY day DESC, id DESC LIMIT \(Self.mostReferences)
                """)
        var seen: Set<String> = []
        var references: [(parts: Int64, isOwn: Bool)] = []
        for row in rows {
            let (parts, contributor) = (row["amount"] as Int64, row["contributor"] as String?)
            guard let per = PriceUnit(rawValue: row["per"]),
                seen.insert("\(row["place"] as Int64) \(contributor ?? "")").inserted
            else { continue }
            let isOwn = contributor != nil && contributor == price.contributor
            if per == price.per {
                references.append((parts, isOwn))
            } else if let own, let other = unitPrice(parts, per), other.per == own.per {
                // As much more or less as a kilogram or a litre costs.
                let ratio = Double(other.price.parts) / Double(max(1, own.price.parts))
                references.append((Int64(nearest: ratio * Double(price.price.parts)), isOwn))
            }
        }
        let others = references.filter { !$0.isOwn }
        let used = others.count >= rules.outlier.references ? others : references
        return PriceOutlier.median(contradicting: price.price.parts, used.map(\.parts), rules: rules)
    }

    /// The newest accepted price of the same key from before or on the day.
    private static func latest(_ database: Database, _ price: NewPrice) throws -> Int64? {
        try Int64.fetchOne(
            database,
            literal: """
                SELECT amount FROM grocery_price WHERE \(PriceKey(price).isSame) AND day <= \(price.date.number)
                    AND isRejected = 0 ORDER BY day DESC, id DESC LIMIT 1
                """)
    }

    /// The newest observations of a product, those at one place or at all places.
    package func prices(of product: Int64, at place: Int64? = nil, limit: Int = 200) throws -> [PriceObservation] {
        let isAt: SQL = "(\(place) IS NULL OR place = \(place))"
        return try store.read {
            try Self.prices($0, "product = \(product) AND \(isAt)", limit: min(max(limit, 1), 5000))
        }
    }

    static func prices(_ database: Database, _ condition: SQL, limit: Int) throws -> [PriceObservation] {
        try Row.fetchAll(
            database,
            literal: "SELECT * FROM grocery_price WHERE \(condition) ORDER BY day DESC, id DESC LIMIT \(limit)"
        ).compactMap { row in
            guard let price = Money(row) else { return nil }
            return PriceObservation(
                id: row["id"], product: row["product"], place: row["place"], price: price,
                per: PriceUnit(rawValue: row["per"]) ?? .piece, isDiscounted: row["isDiscounted"],
                date: Day(number: row["day"]), proof: PriceProof(rawValue: row["proof"]) ?? .typed, photo: row["photo"],
                contributor: row["contributor"], confidence: row["confidence"], isRejected: row["isRejected"],
                isOfReceipt: isOfReceipt(row))
        }
    }

    /// What a person typed over the print of a line has the line's source too.
    private static func isOfReceipt(_ row: Row) -> Bool {
        let isLine = (row["source"] as String?)?.contains("#\(PriceProof.receipt.rawValue)") == true
        return isLine && row["photo"] as String? != nil
    }

    private static let mostCurrencies = 4

    /// The currencies of the household's own prices, the newest first.
    package func currencies() throws -> [String] {
        try store.read(
            String.fetchAll,
            """
            SELECT currency FROM grocery_price WHERE contributor IS NOT NULL
            GROUP BY currency ORDER BY max(id) DESC LIMIT \(Self.mostCurrencies)
            """)
    }

    /// Removes a price that is wrong: a person's own typed one is deleted, another is rejected, which counts against its
    /// contributor.
    ///
    /// - Returns: what brings it back.
    /// - Throws: ``GroceryProblem/notFound(_:)``; ``GroceryProblem/bad(_:)`` for a price of a receipt, which is corrected
    ///   there.
    package func remove(_ price: Int64, by person: String) throws -> RemovedPrice {
        try store.write { database in
            let row = try Row.fetchOne(
                database, literal: "SELECT * FROM grocery_price WHERE id = \(price) AND isRejected = 0")
            guard let row else { throw GroceryProblem.notFound("price \(price)") }
            guard !Self.isOfReceipt(row) else {
                throw GroceryProblem.bad("this price is of a receipt: correct it there")
            }
            let isDeleted = row["contributor"] as String? == person && row["source"] as String? == nil
            try database.execute(
                literal: isDeleted
                    ? "DELETE FROM grocery_price WHERE id = \(price)"
                    : "UPDATE grocery_price SET isRejected = 1 WHERE id = \(price)")
            if isDeleted { try Self.removePost(database, row) }
            try quote(database, [PriceKey(row: row)])
            return RemovedPrice(
                id: price, key: PriceKey(row: row), columns: Array(row.columnNames), values: Array(row.databaseValues),
                isDeleted: isDeleted)
        }
    }

    package func restore(_ removed: RemovedPrice) throws {
        try store.write { database in
            if removed.isDeleted {
                let columns = removed.columns.joined(separator: ", ")
                let marks = databaseQuestionMarks(count: removed.columns.count)
                try database.execute(
                    sql: "INSERT OR IGNORE INTO grocery_price (\(columns)) VALUES (\(marks))",
                    arguments: StatementArguments(removed.values))
            } else {
                try database.execute(
                    literal: "UPDATE grocery_price SET isRejected = 0 WHERE id = \(removed.id)")
            }
            try quote(database, [removed.key])
        }
    }

    /// What a person's contributions have earned.
    package func reputation(of person: String) throws -> Reputation {
        try store.read { try self.reputation($0, of: person) }
    }

    package func levels(of people: some Sequence<String>) throws -> [String: String] {
        try store.read { database in
            try Set(people).reduce(into: [:]) { $0[$1] = try reputation(database, of: $1).level }
        }
    }

    func reputation(_ database: Database, of person: String) throws -> Reputation {
        let (accepted, rejected) = try Self.record(database, of: person)
        return Reputation(accepted: accepted, rejected: rejected, rules: rules)
    }

    /// Who rejects a price of another person takes something from that person's record only with so many accepted ones.
    private static let judgesFrom = 10

    /// Accepted and rejected contributions.
    ///
    /// A price counts once for a product, place and week, once for each amount, only if nobody else noted one for that day
    /// before, and, if it was typed, not if it was more than a month old. A rejection counts if the price contradicted others, and
    /// if who rejected it has contributed themselves.
    static func record(_ database: Database, of person: String) throws -> (accepted: Int, rejected: Int) {
        let row = try Row.fetchOne(
            database,
            literal: """
                WITH own AS (
                    SELECT product, place, amount, day FROM grocery_price AS price
                    WHERE contributor = \(person) AND isRejected = 0
                        AND (proof <> 'typed' OR coalesce(recorded, day) - day <= 31)
                        AND NOT EXISTS (
                            SELECT 1 FROM grocery_price AS earlier
                            WHERE earlier.product = price.product AND earlier.place = price.place
                                AND earlier.day = price.day AND earlier.id < price.id AND earlier.isRejected = 0
                                AND earlier.contributor <> \(person)))
                SELECT
                    (SELECT count(*) FROM (SELECT DISTINCT product, place, amount FROM own)) AS amounts,
                    (SELECT count(*) FROM (SELECT DISTINCT product, place, day / 7 FROM own)) AS weeks,
                    (SELECT count(*) FROM grocery_price WHERE contributor = \(person) AND isRejected = 1) AS rejected
                """)
        let accepted = min(row?["amounts"] ?? 0, row?["weeks"] ?? 0)
        var rejected: Int = row?["rejected"] ?? 0
        rejected +=
            try Int.fetchOne(
                database,
                literal: """
                    SELECT count(*) FROM grocery_review AS review
                    WHERE contributor = \(person) AND state = 'rejected' AND reason = 'outlier'
                        AND (decidedBy = \(person) OR (
                            SELECT count(DISTINCT product) FROM grocery_price
                            WHERE contributor = review.decidedBy AND isRejected = 0) >= \(Self.judgesFrom))
                    """) ?? 0
        return (accepted, rejected)
    }
}
