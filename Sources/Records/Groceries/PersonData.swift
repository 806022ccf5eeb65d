import Foods
import Foundation
import GRDB
import Household

package struct PersonData: Sendable, Hashable, Codable {
    /// `tablesight.groceries/1`.
    package var schema: String
    package var person: String
    package var reputation: Reputation
    package var lists: [ListData]
    package var places: [GroceryPlace]
    package var prices: [PriceObservation]
    package var waiting: [PriceReview]
    /// Photos of receipts and price tags that the person sent, `sha256:…`.
    package var photos: [String]
    package var experiences: [Experience]
    /// Products that occur above, by their numbers.
    package var products: [GroceryProduct]

    package struct ListData: Sendable, Hashable, Codable {
        package var list: GroceryList
        package var items: [GroceryItem]
        package var history: [GroceryItem]
        /// What was cleared from the list as bought, newest first.
        package var baskets: [PastBasket]
    }
}

extension Groceries: MemberData {
    /// Everything of one person, shared lists included.
    package func exported(_ person: String) throws -> PersonData {
        let lists = try lists(of: person).map { list in
            PersonData.ListData(
                list: list, items: try items(of: list.id, for: person),
                history: try items(of: list.id, for: person, isHistory: true),
                baskets: try store.read { try Self.baskets($0, of: list.id) })
        }
        let places = try places(for: person).filter { $0.isDefault || $0.isFavorite }
        return try store.read { database in
            let prices = try Self.prices(database, "contributor = \(person)", limit: 1_000_000)
            let experiences = try self.experiences(
                database,
                """
                experience.by = \(person)
                OR experience.id IN (SELECT experience FROM grocery_comment WHERE by = \(person))
                """, limit: 100_000)
            let waiting = try PriceReview.fetchAll(
                database, literal: "SELECT * FROM grocery_review WHERE contributor = \(person) ORDER BY id")
            let used = Set(
                lists.flatMap { ($0.items + $0.history).map(\.product) + $0.baskets.flatMap(\.products) }
                    + prices.map(\.product) + experiences.compactMap(\.product))
            return PersonData(
                schema: "tablesight.groceries/1", person: person,
                reputation: try self.reputation(database, of: person), lists: lists, places: places, prices: prices,
                waiting: waiting, photos: try Self.uploads(database, of: person),
                experiences: experiences,
                products: try used.sorted().flatMap { try Self.products(database, "product.id = \($0)") })
        }
    }

    package func count(_ member: Member, in report: inout Member.Report) throws {
        let data = try exported(member.name)
        report.lists = data.lists.count { $0.list.people.count <= 1 }
        report.sharedLists = data.lists.count - report.lists
        report.prices = data.prices.count
        report.experiences = data.experiences.count { $0.by == member.name }
    }

    package func erase(_ member: String) throws { try erase(member, isAlone: false) }

    /// Erases everything of one person: lists that nobody else has, contributions, marks, experiences and comments.
    ///
    /// A shared list passes to another person. An experience with answers of others stays without its text and name.
    /// Deleted pages are overwritten.
    ///
    /// - Parameter isAlone: true if no daemon has the database open; the file is then rewritten.
    package func erase(_ person: String, isAlone: Bool) throws {
        try store.overwriteDeleted()
        try store.write { database in
            try Self.eraseLists(database, person)
            let keys = try PriceKey.fetchAll(
                database,
                sql: "SELECT DISTINCT product, place, currency, per FROM grocery_price WHERE contributor = ?",
                arguments: [person])
            try database.execute(literal: "DELETE FROM grocery_price WHERE contributor = \(person)")
            try quote(database, keys)
            try database.execute(literal: "DELETE FROM grocery_review WHERE contributor = \(person)")
            try database.execute(literal: "DELETE FROM grocery_upload WHERE person = \(person)")
            try database.execute(literal: "UPDATE grocery_review SET decidedBy = NULL WHERE decidedBy = \(person)")
            // What others answered stays; what nobody answered goes.
            for (table, text, child) in [("comment", "text", "parent"), ("experience", "comment", "experience")] {
                try database.execute(
                    literal: "UPDATE grocery_\(sql: table) SET by = NULL, \(sql: text) = '' WHERE by = \(person)")
                let answered = "SELECT \(child) FROM grocery_comment WHERE \(child) IS NOT NULL"
                repeat {
                    try database.execute(
                        literal: "DELETE FROM grocery_\(sql: table) WHERE by IS NULL AND id NOT IN (\(sql: answered))")
                } while table == "comment" && database.changesCount > 0
            }
            try database.execute(literal: "DELETE FROM grocery_mark WHERE person = \(person)")
            try Self.eraseFacts(database, person)
        }
        try store.removeTraces(isAlone: isAlone)
    }

    private static func eraseLists(_ database: Database, _ person: String) throws {
        try database.execute(
            literal: """
                DELETE FROM grocery_member WHERE person = \(person);
                DELETE FROM grocery_change WHERE person = \(person);
                -- The numbers of changes may be given again.
                UPDATE grocery_basket SET batch = NULL WHERE batch NOT IN (SELECT batch FROM grocery_change);
                DELETE FROM grocery_list WHERE id NOT IN (SELECT list FROM grocery_member);
                UPDATE grocery_list SET owner = (SELECT min(person) FROM grocery_member WHERE list = grocery_list.id)
                WHERE owner = \(person);
                UPDATE grocery_entry SET by = NULL WHERE by = \(person)
                """)
    }

    /// Typed products, tags and places that only this person used go; others lose the name.
    private static func eraseFacts(_ database: Database, _ person: String) throws {
        let products = try Int64.fetchAll(database, literal: "SELECT id FROM grocery_product WHERE by = \(person)")
        for product in products { try removeUnused(database, product: product) }
        try database.execute(
            literal: """
                DELETE FROM grocery_tag WHERE by = \(person) AND id NOT IN (SELECT tag FROM grocery_product_tag);
                DELETE FROM grocery_place WHERE by = \(person) AND id NOT IN (SELECT place FROM grocery_price)
                    AND id NOT IN (SELECT place FROM grocery_experience WHERE place IS NOT NULL)
                    AND id NOT IN (SELECT place FROM grocery_mark);
                UPDATE grocery_product SET by = NULL WHERE by = \(person);
                UPDATE grocery_tag SET by = NULL WHERE by = \(person);
                UPDATE grocery_place SET by = NULL WHERE by = \(person)
                """)
    }
}
