import Foods
import Core
import Foundation
import GRDB

struct PriceKey: Hashable {
    var product: Int64
    var place: Int64
    var currency: String
    var per: String
}

extension PriceKey: FetchableRecord {
    init(_ price: NewPrice) {
        (product, place) = (price.product, price.place)
        (currency, per) = (price.price.currency.code, price.per.rawValue)
    }

    init(row: Row) {
        (product, place, currency, per) = (row["product"], row["place"], row["currency"], row["per"])
    }

    /// Whether a price is about the same.
    var isSame: SQL {
        "product = \(product) AND place = \(place) AND currency = \(currency) AND per = \(per)"
    }
}

/// The price that the comparison takes for a product at a place.
package struct PriceQuote: Sendable, Hashable {
    package var place: Int64
    package var price: Money
    package var per: PriceUnit
    package var date: Day
    package var isDiscounted: Bool
}

extension PriceQuote {
    fileprivate init?(_ row: Row) {
        guard let price = Money(row), let per = PriceUnit(rawValue: row["per"]) else { return nil }
        self.init(
            place: row["place"], price: price, per: per, date: Day(number: row["day"]),
            isDiscounted: row["isDiscounted"])
    }
}

extension Money {
    /// The amount of a row in its currency; nil without one.
    init?(_ row: Row, _ column: String = "amount") {
        guard let parts = row[column] as Int64?, let currency = (row["currency"] as String?).flatMap({ Currency($0) })
        else { return nil }
        self.init(parts: parts, currency: currency)
    }
}

extension Groceries {
    /// The present prices of a product, the newest first.
    package func quotes(of product: Int64) throws -> [PriceQuote] {
        try store.read { database in
            try Row.fetchAll(
                database,
                literal: "SELECT * FROM grocery_quote WHERE product = \(product) ORDER BY day DESC, place LIMIT 500")
        }.compactMap { PriceQuote($0) }
    }

    /// The newest present price of each product, at any place; products without a price are left out.
    package func newestQuotes(of products: [Int64]) throws -> [Int64: PriceQuote] {
        guard !products.isEmpty else { return [:] }
        return try store.read { database in
            try Row.fetchAll(
                database,
                literal: """
                    SELECT *, max(day) FROM grocery_quote WHERE product IN \(SQL.any(of: products)) GROUP BY product
                    """
            ).reduce(into: [:]) { quotes, row in quotes[row["product"]] = PriceQuote(row) }
        }
    }

    private static let mostObservations = 50

    /// Days after which a price counts half; nil until it was measured.
    static func halfLife(_ database: Database) throws -> Double? {
        try Double.fetchOne(database, literal: "SELECT value FROM grocery_figure WHERE name = 'halfLife'")
    }

    /// Accepted and rejected contributions by person, read once for many quotes.
    typealias Records = [String: (accepted: Int, rejected: Int)]

    /// Chooses the most trusted observation of each of these keys again.
    func quote(_ database: Database, _ keys: some Sequence<PriceKey>) throws {
        let trust = PriceTrust(rules, halfLife: try Self.halfLife(database))
        var records: Records = [:]
        for key in keys { try quote(database, key, trust, &records) }
    }

    private func quote(
        _ database: Database, _ key: PriceKey, _ trust: PriceTrust, _ records: inout Records
    ) throws {
        let rows = try SQLRequest<Row>(
            literal: """
                SELECT amount, day, proof, confidence, contributor, isDiscounted FROM grocery_price
                WHERE \(key.isSame) AND isRejected = 0 ORDER BY day DESC, id DESC LIMIT \(Self.mostObservations)
                """, cached: true
        ).fetchAll(database)
        let prices = try rows.map { row in
            let contributor = row["contributor"] as String?
            if let contributor, records[contributor] == nil {
                records[contributor] = try Self.record(database, of: contributor)
            }
            let record = contributor.flatMap { records[$0] }
            return TrustedPrice(
                parts: row["amount"], day: row["day"], proof: PriceProof(rawValue: row["proof"]) ?? .typed,
                confidence: row["confidence"], contributor: contributor, accepted: record?.accepted ?? 0,
                rejected: record?.rejected ?? 0)
        }
        guard let best = trust.best(prices) else {
            return try database.execute(literal: "DELETE FROM grocery_quote WHERE \(key.isSame)")
        }
        let chosen = prices[best.index]
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO grocery_quote VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            .execute(arguments: [
                key.product, key.place, key.currency, key.per, chosen.parts, chosen.day, best.base,
                rows[best.index]["isDiscounted"] as Bool,
            ])
    }

    /// Pairs of one product at one place that the half-life is measured from.
    private static let mostPairs = 6

    /// Measures the half-life of prices and chooses all quotes again.
    ///
    /// - Returns: the half-life in days, or nil if there are too few observations; the one of the rules then holds.
    @discardableResult
    package func measure() throws -> Double? {
        try store.write { database in
            var pairs: [PriceHalfLife.Pair] = []
            var before: (key: PriceKey, day: Int, amount: Int64)?
            var ofKey = 0
            let cursor = try Row.fetchCursor(
                database,
                sql: """
                    SELECT product, place, currency, per, day, amount FROM grocery_price
                    WHERE isRejected = 0 AND isDiscounted = 0 
                    ORDER BY product, place, currency, per, day, id LIMIT 5000000
                    """)
            while let row = try cursor.next() {
                let (key, day, amount): (PriceKey, Int, Int64) = (PriceKey(row: row), row["day"], row["amount"])
                ofKey = before?.key == key ? ofKey : 0
                // Many prices of one product at one place say little of how long prices stay in general.
                if let before, before.key == key, day > before.day, ofKey < Self.mostPairs {
                    ofKey += 1
                    pairs.append(.init(days: day - before.day, isChanged: amount != before.amount))
                }
                before = (key, day, amount)
            }
            let halfLife = PriceHalfLife.days(pairs, rules: rules)
            try database.execute(literal: "DELETE FROM grocery_figure WHERE name = 'halfLife'")
            if let halfLife {
                try database.execute(literal: "INSERT INTO grocery_figure VALUES ('halfLife', \(halfLife))")
            }
            let keys = try PriceKey.fetchAll(
                database,
                literal: "SELECT DISTINCT product, place, currency, per FROM grocery_price WHERE isRejected = 0")
            try database.execute(literal: "DELETE FROM grocery_quote")
            try quote(database, keys)
            return halfLife
        }
    }
}
