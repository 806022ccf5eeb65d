import Foods
import Core
import Foundation
import GRDB

/// A product or loose goods, as lists and prices know it.
package struct GroceryProduct: Sendable, Hashable, Codable, FetchableRecord {
    package var id: Int64
    /// 14 digits; nil for loose goods and for products that were typed.
    package var gtin: String?
    /// Loose goods: a category of Open Food Facts such as `en:bananas`.
    package var category: String?
    /// The aisle that a person gave it, such as `dairy`; nil where the words of the name decide.
    package var aisle: String?
    package var name: String
    package var brand: String?
    package var pack: PackSize?
    /// Address of a picture on another server.
    package var image: String?
    package var tags: [GroceryTag]
}

package struct GroceryTag: Sendable, Hashable, Codable, FetchableRecord {
    package var name: String
    /// `#rrggbb`.
    package var colour: String

    package init(name: String, colour: String) {
        self.name = name
        self.colour = colour
    }
}

/// A product before it is stored.
package struct NewProduct: Sendable, Hashable, Codable {
    package var gtin: String?
    package var category: String?
    package var name: String?
    package var brand: String?
    /// As printed, `500 g`.
    package var quantity: String?
    package var image: String?
}

extension NewProduct {
    package init(
        gtin: String? = nil, category: String? = nil, name: String? = nil, brand: String? = nil, quantity: String? = nil
    ) {
        self.init(gtin: gtin, category: category, name: name, brand: brand, quantity: quantity, image: nil)
    }
}

extension Groceries {
    package func product(_ id: Int64) throws -> GroceryProduct? {
        try store.read { try Self.products($0, "product.id = \(id)").first }
    }

    package func known(product id: Int64) throws -> GroceryProduct {
        guard let product = try product(id) else { throw GroceryProblem.notFound("product \(id)") }
        return product
    }

    package func product(_ gtin: GTIN) throws -> GroceryProduct? {
        try store.read { try Self.products($0, "product.gtin = \(gtin.number)").first }
    }

    /// Products whose name has words with these beginnings, or with this category, tag or number; by name.
    package func products(matching text: String = "", category: String? = nil, tag: String? = nil, limit: Int = 50)
        throws -> [GroceryProduct]
    {
        var conditions: [SQL] = ["1"]
        if let gtin = GTIN(typed: text) {
            conditions.append("product.gtin = \(gtin.number)")
        } else {
            // Folded words have letters and digits only.
            for word in Folding.words(of: text).prefix(8) {
                conditions.append("' ' || words LIKE '% ' || \(word) || '%'")
            }
        }
        if let category { conditions.append("(category = \(category) OR aisle = \(category))") }
        if let tag {
            conditions.append(
                """
                product.id IN (SELECT product FROM grocery_product_tag JOIN grocery_tag ON grocery_tag.id = tag
                    WHERE grocery_tag.name = \(tag))
                """)
        }
        let condition = conditions.joined(separator: " AND ")
        return try store.read {
            try Self.products($0, "\(condition) ORDER BY words, product.id LIMIT \(min(max(limit, 1), 500))")
        }
    }

    static func products(_ database: Database, _ condition: SQL) throws -> [GroceryProduct] {
        try GroceryProduct.fetchAll(
            database,
            literal: """
                SELECT id, \(sql: digits), category, aisle, name, brand, image,
                    iif(pack, json_object('thousandths', pack, 'dimension', dimension), NULL) AS pack,
                    (SELECT json_group_array(json_object('name', name, 'colour', colour)) FROM (
                        SELECT name, colour FROM grocery_product_tag JOIN grocery_tag ON grocery_tag.id = tag
                        WHERE product = product.id ORDER BY name)) AS tags
                FROM grocery_product AS product WHERE \(condition)
                """)
    }

    /// The 14 digits of a product's number, as a column of a query.
    static let digits = "iif(product.gtin, printf('%014d', product.gtin), NULL) AS gtin"

    static func pack(_ row: Row) -> PackSize? {
        guard let thousandths = row["pack"] as Int64?,
            let dimension = (row["dimension"] as String?).flatMap({ PackSize.Dimension(rawValue: $0) })
        else { return nil }
        return PackSize(thousandths: thousandths, dimension)
    }

    /// Finds a product by number, then by category, then by name and brand, or stores a new one.
    package func product(of new: NewProduct, by person: String?) throws -> GroceryProduct {
        try known(product: try store.write { try Self.productID($0, new, by: person) })
    }

    static func productID(_ database: Database, _ new: NewProduct, by person: String?) throws -> Int64 {
        let gtin = try new.gtin.map { (text) throws(GroceryProblem) in
            guard let gtin = GTIN(typed: text) else {
                throw .bad("\(text.prefix(30)) is not a product number with a valid check digit")
            }
            return gtin
        }
        let category = try new.category.map { try text($0, "a category", most: 100) }
        let brand = try new.brand.map { try text($0, "a brand", most: 200, allowsEmpty: true) }
        let image = try new.image.map { try RemoteImages.address($0).absoluteString }
        let condition: SQL
        if let gtin {
            condition = "gtin = \(gtin.number)"
        } else if let category, new.name == nil {
            condition = "category = \(category) AND gtin IS NULL AND words = \(words(ofCategory: category))"
        } else if let words = new.name.map(ProductNames.normalised) {
            condition = "words = \(words) AND gtin IS NULL AND brand IS \(brand) AND category IS \(category)"
        } else {
            throw GroceryProblem.bad("a product needs a name, a number or a category")
        }
        let known = try Int64.fetchOne(
            database, literal: "SELECT id FROM grocery_product WHERE \(condition) ORDER BY id")
        let amount = new.quantity.flatMap { ServingText.quantity(String($0.prefix(100))) }
        let pack = amount.flatMap { amount in
            PackSize(
                thousandths: NSDecimalNumber(decimal: amount.value * 1000).int64Value,
                amount.dimension == .mass ? .mass : .volume)
        }
        if let known {
            // Facts that were missing are added; nobody's are replaced. A name that is the number is missing.
            if let name = new.name, let gtin {
                let (name, words) = (try text(name, "a name", most: 200), ProductNames.normalised(name))
                try database.execute(
                    literal: """
                        UPDATE grocery_product SET name = \(name), words = \(words)
                        WHERE id = \(known) AND name = \(gtin.normalised)
                        """)
            }
            try database.execute(
                literal: """
                    UPDATE grocery_product SET pack = coalesce(pack, \(pack?.thousandths)),
                        dimension = coalesce(dimension, \(pack?.dimension.rawValue)), brand = coalesce(brand, \(brand)),
                        image = coalesce(image, \(image)), category = coalesce(category, \(category))
                    WHERE id = \(known)
                    """)
            return known
        }
        let name = try text(new.name ?? category.map(words(ofCategory:)) ?? gtin?.normalised ?? "", "a name", most: 200)
        try database.execute(
            literal: """
                INSERT INTO grocery_product (gtin, category, name, words, brand, pack, dimension, image, by)
                VALUES (\(gtin?.number), \(category), \(name), \(ProductNames.normalised(name)), \(brand),
                    \(pack?.thousandths), \(pack?.dimension.rawValue), \(image), \(person))
                """)
        return database.lastInsertedRowID
    }

    static func removeUnused(_ database: Database, product: Int64) throws {
        let users = ["entry", "price", "abbreviation", "experience"].map {
            "AND NOT EXISTS (SELECT 1 FROM grocery_\($0) WHERE product = grocery_product.id)"
        }
        try database.execute(
            literal: """
                DELETE FROM grocery_product WHERE id = \(product) AND gtin IS NULL \(sql: users.joined(separator: " "))
                """)
    }

    /// `en:fresh-bananas` → `fresh bananas`.
    private static func words(ofCategory category: String) -> String {
        ProductNames.normalised(String(category.split(separator: ":").last ?? ""))
    }

    package func rename(_ product: Int64, to name: String) throws -> GroceryProduct {
        let name = try Self.text(name, "a name", most: 200)
        let changed = try store.execute(
            literal: """
                UPDATE grocery_product SET name = \(name), words = \(ProductNames.normalised(name)) WHERE id = \(product)
                """)
        guard changed == 1 else { throw GroceryProblem.notFound("product \(product)") }
        return try known(product: product)
    }

    // MARK: Aisles and tags

    /// Sets the aisle of a product.
    ///
    /// - Parameter aisle: nil lets the words of the name decide.
    package func setAisle(_ aisle: String?, of product: Int64) throws {
        let aisle = try aisle.map { try Self.text($0, "an aisle", most: 40) }
        let changed = try store.execute(literal: "UPDATE grocery_product SET aisle = \(aisle) WHERE id = \(product)")
        guard changed == 1 else { throw GroceryProblem.notFound("product \(product)") }
    }

    /// Sets a product's tags; unknown ones are made.
    @discardableResult
    package func setTags(_ tags: [GroceryTag], of product: Int64, by person: String?) throws -> GroceryProduct {
        try store.write { database in
            try Self.require(database, "product", product)
            guard tags.count <= 20 else { throw GroceryProblem.bad("a product has at most 20 tags") }
            try database.execute(literal: "DELETE FROM grocery_product_tag WHERE product = \(product)")
            for tag in tags {
                let name = try Self.text(tag.name, "a tag", most: 40)
                guard tag.colour.wholeMatch(of: /#[0-9a-fA-F]{6}/) != nil else {
                    throw GroceryProblem.bad("a colour has the form #rrggbb")
                }
                try database.execute(
                    literal: """
                        INSERT INTO grocery_tag (name, colour, by) VALUES (\(name), \(tag.colour.lowercased()), \(person))
                        ON CONFLICT (name) DO UPDATE SET colour = excluded.colour;
                        INSERT OR IGNORE INTO grocery_product_tag SELECT \(product), id FROM grocery_tag WHERE name = \(name)
                        """)
            }
        }
        return try known(product: product)
    }

    /// The categories of loose goods and products and the aisles that people gave, by name.
    package func categories() throws -> [String] {
        try store.read(
            String.fetchAll,
            """
            SELECT category FROM grocery_product WHERE category IS NOT NULL
            UNION SELECT aisle FROM grocery_product WHERE aisle IS NOT NULL ORDER BY 1 LIMIT 500
            """)
    }

    package func tags() throws -> [GroceryTag] {
        try store.read(GroceryTag.fetchAll, "SELECT name, colour FROM grocery_tag ORDER BY name")
    }
}
