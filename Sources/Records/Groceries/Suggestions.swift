import Foods
import Core
import GRDB

/// What the field of a list proposes for a typed word.
package struct GrocerySuggestion: Sendable, Hashable, Codable {
    package var name: String
    /// Nil for a product of the catalogue that no list and no price has yet, and for a generic food.
    package var product: Int64?
    /// 14 digits; nil for loose goods and for products that were typed.
    package var gtin: String?
    package var brand: String?
    /// The newest price, for one unit, and where and when it was seen; nil without one.
    package var price: Money?
    package var per: PriceUnit?
    package var place: String?
    package var date: Day?
    /// Thousandths of `unit` when it was last on a list of the person; nil if it never was.
    package var quantity: Int64?
    package var unit: PriceUnit?
    package var isOnList = false
}

/// The names of all products, prepared for a search, and the state of the table that they were read at.
package struct PreparedNames: Sendable {
    fileprivate var state: [Int64]
    fileprivate var search: NameSearch

    /// From which score on a printed name means a product.
    private static let meant = 0.6

    /// The products that most of the words mean, best first.
    func products(meantBy words: String, limit: Int) -> [Int64] {
        search.matches(words, limit: limit).filter { $0.score >= Self.meant }.map(\.id)
    }
}

extension Groceries {
    /// The names of the products, prepared again only if products were added or deleted since.
    package func prepared(_ names: PreparedNames?, foods: FoodWords) throws -> PreparedNames {
        try store.read { database in
            let row = try Row.fetchOne(
                database,
                literal: "SELECT count(*), coalesce(max(id), 0), coalesce(sum(length(words)), 0) FROM grocery_product")
            let state: [Int64] = row.map { [$0[0], $0[1], $0[2]] } ?? []
            if let names, names.state == state { return names }
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT id, words || ' ' || coalesce(brand, '') AS text FROM grocery_product ORDER BY id DESC")
            return PreparedNames(state: state, search: NameSearch(rows.map { ($0["id"], $0["text"]) }, foods: foods))
        }
    }

    /// Products for a typed word, best first: by the name, then by what the person's lists had, then by known prices.
    ///
    /// - Parameter list: the list that the word is for.
    package func suggestions(
        for typed: String, in names: PreparedNames, list: Int64?, of person: String, limit: Int
    ) throws -> [GrocerySuggestion] {
        // Many products have equally good names; habits decide between them.
        let matches = names.search.matches(typed, limit: limit * 10)
        guard !matches.isEmpty else { return [] }
        let scores = Dictionary(matches.map { ($0.id, $0.score) }, uniquingKeysWith: max)
        let products = SQL.any(of: matches.map(\.id))
        return try store.read { database in
            let rows = try Row.fetchAll(
                database,
                literal: """
                    SELECT product.id, product.gtin, product.name, product.brand, entry.quantity, entry.unit, times,
                        entry.onList, price.amount, price.currency, price.per, price.day, place.name AS placeName
                    FROM grocery_product AS product
                    LEFT JOIN (SELECT product, quantity, unit, count(*) AS times, max(updated),
                            max(list = \(list) AND isInShoppingList) AS onList
                        FROM grocery_entry WHERE product IN \(products)
                            AND list IN (SELECT list FROM grocery_member WHERE person = \(person))
                        GROUP BY product) AS entry ON entry.product = product.id
                    LEFT JOIN (SELECT product, place, amount, currency, per, max(day) AS day FROM grocery_quote
                        WHERE product IN \(products) GROUP BY product) AS price ON price.product = product.id
                    LEFT JOIN grocery_place AS place ON place.id = price.place
                    WHERE product.id IN \(products)
                    """)
            let found = rows.map { row -> (suggestion: GrocerySuggestion, score: Double) in
                let suggestion = GrocerySuggestion(row)
                let habit = suggestion.quantity == nil ? 0 : 0.06
                let known = suggestion.price == nil ? 0 : 0.03
                return (suggestion, (scores[row["id"]] ?? 0) + habit + known)
            }
            return found.sorted {
                ($1.score, $0.suggestion.name.count, $0.suggestion.name) < (
                    $0.score, $1.suggestion.name.count, $1.suggestion.name
                )
            }
            .prefix(limit).map(\.suggestion)
        }
    }
}

extension GrocerySuggestion {
    fileprivate init(_ row: Row) {
        self.init(
            name: row["name"], gtin: (row["gtin"] as Int64?).flatMap { GTIN(number: $0)?.digits }, brand: row["brand"])
        product = row["id"]
        quantity = row["quantity"]
        unit = (row["unit"] as String?).flatMap { PriceUnit(rawValue: $0) }
        isOnList = row["onList"] ?? false
        price = Money(row)
        guard price != nil else { return }
        per = PriceUnit(rawValue: row["per"])
        place = row["placeName"]
        date = Day(number: row["day"])
    }
}
