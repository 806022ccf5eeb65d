import Core
import Foundation
import GRDB

/// A product that people bought together with those of a list.
package struct Companion: Sendable, Hashable, Codable {
    package var product: Int64
    package var name: String
    /// The product of the list that it was bought with most often.
    package var with: String
    /// Number of shopping days with both.
    package var days: Int
    /// Number of shopping days with ``with``.
    package var allDays: Int
}

/// What a person put in the basket and cleared from a list on one day.
package struct PastBasket: Sendable, Hashable, Codable {
    package var day: Day
    package var products: [Int64]
}

// What was bought together: cleared baskets of a person's lists, and receipts. A receipt and a cleared list of one day are
// one trip, so days are counted.
extension Groceries {
    /// Shopping days that are needed before a product is proposed: one may be chance.
    private static let fewestDays = 2
    /// The newest shopping days of a product that are looked at.
    private static let mostDays = 60

    /// Products that are not on a list and were often bought on the same days as those on it, the most frequent first.
    package func companions(of list: Int64, for person: String, limit: Int = 4) throws -> [Companion] {
        let listed = try items(of: list, for: person)
        let names = Dictionary(listed.map { ($0.product, $0.name) }, uniquingKeysWith: { first, _ in first })
        return try store.read { database in
            var best: [Int64: (with: Int64, days: Int, all: Int)] = [:]
            var contents: [Int: Set<Int64>] = [:]
            for product in names.keys.sorted() {
                let days = try Self.days(database, of: product, person)
                guard days.count >= Self.fewestDays else { continue }
                var counts: [Int64: Int] = [:]
                for day in days {
                    let bought = try contents[day] ?? Self.products(database, on: day, person)
                    contents[day] = bought
                    for other in bought where names[other] == nil { counts[other, default: 0] += 1 }
                }
                for (other, count) in counts where count >= Self.fewestDays && count > best[other]?.days ?? 0 {
                    best[other] = (product, count, days.count)
                }
            }
            let sorted = best.sorted { ($1.value.days, $0.key) < ($0.value.days, $1.key) }
            return try sorted.prefix(max(limit, 0)).compactMap { other, found in
                try Self.products(database, "id = \(other)").first.map {
                    Companion(
                        product: other, name: $0.name, with: names[found.with] ?? "", days: found.days,
                        allDays: found.all)
                }
            }
        }
    }

    private static func days(_ database: Database, of product: Int64, _ person: String) throws -> [Int] {
        try Int.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT day FROM grocery_basket_product AS bought JOIN grocery_basket ON grocery_basket.id = basket
                    WHERE bought.product = ?1 AND list IN (SELECT list FROM grocery_member WHERE person = ?2)
                    UNION SELECT day FROM grocery_price
                    WHERE product = ?1 AND isRejected = 0 AND proof = 'receipt' AND photo IS NOT NULL
                    ORDER BY day DESC LIMIT ?3
                    """), arguments: [product, person, mostDays])
    }

    private static func products(_ database: Database, on day: Int, _ person: String) throws -> Set<Int64> {
        try Int64.fetchSet(
            database.cachedStatement(
                sql: """
                    SELECT bought.product FROM grocery_basket JOIN grocery_basket_product AS bought ON basket = id
                    WHERE day = ?1 AND list IN (SELECT list FROM grocery_member WHERE person = ?2)
                    UNION SELECT product FROM grocery_price
                    WHERE day = ?1 AND isRejected = 0 AND proof = 'receipt' AND photo IS NOT NULL
                    """), arguments: [day, person])
    }

    /// Notes what was bought when a basket is cleared.
    ///
    /// - Parameter batch: the change that undo takes back, with the basket.
    static func noteBasket(
        _ database: Database, _ entries: [Int64], of list: Int64, on day: Day, batch: Int64
    ) throws {
        guard !entries.isEmpty else { return }
        try database.execute(
            literal: "INSERT INTO grocery_basket (list, day, batch) VALUES (\(list), \(day.number), \(batch))")
        let basket = database.lastInsertedRowID
        for entry in entries {
            try database.execute(
                literal: """
                    INSERT OR IGNORE INTO grocery_basket_product
                    SELECT \(basket), product FROM grocery_entry WHERE id = \(entry)
                    """)
        }
    }

    static func baskets(_ database: Database, of list: Int64) throws -> [PastBasket] {
        let rows = try Row.fetchAll(
            database,
            literal: """
                SELECT day, group_concat(product) AS products FROM grocery_basket
                JOIN grocery_basket_product ON basket = id WHERE list = \(list) GROUP BY id ORDER BY day DESC, id DESC
                """)
        return rows.map { row in
            PastBasket(
                day: Day(number: row["day"]),
                products: (row["products"] as String).split(separator: ",").compactMap { Int64($0) }.sorted())
        }
    }
}
