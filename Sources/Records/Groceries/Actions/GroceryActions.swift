import Catalogue
import Core
import Foods
import Store

/// What people do with lists, prices and experiences, for every front end; here products, shops and suggestions. Runs on a
/// thread of its own, because SQLite blocks.
///
/// Each function takes the name of the person who acts. A refusal is a ``GroceryProblem``. Each front end has one list of
/// what it makes of them.
package actor GroceryActions {
    private let executor = ThreadExecutor(label: "shopping")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package nonisolated let groceries: Groceries
    package nonisolated let foods: FoodWords
    private let catalogue: Catalogue
    /// The names of the products, prepared for suggestions.
    private var names: PreparedNames?

    /// - Parameter foods: the aisles of goods and their names in other languages.
    package init(_ groceries: Groceries, catalogue: Catalogue, foods: FoodWords) {
        self.groceries = groceries
        self.catalogue = catalogue
        self.foods = foods
    }

    /// The day from which prices age.
    package nonisolated var today: Day { groceries.today }

    package func callAsFunction<Result: Sendable>(_ body: @Sendable (Groceries) throws -> Result) throws -> Result {
        try body(groceries)
    }

    // MARK: Products

    /// A numbered product with the name that the catalogue knows, or else that a person gave it on a photo.
    func completed(_ product: NewProduct) -> NewProduct {
        guard product.name == nil, let gtin = product.gtin.flatMap({ GTIN(typed: $0) }) else { return product }
        var product = product
        if let known = try? catalogue.product(gtin) {
            (product.name, product.brand, product.quantity) = (known.name, known.brand, known.quantity)
        } else {
            product.name = try? groceries.store.photographed(gtin)?.product.name
        }
        return product
    }

    /// Stores a product, or finds it.
    package func product(of new: NewProduct, by person: String) throws -> GroceryProduct {
        try groceries.product(of: completed(new), by: person)
    }

    /// Sets the aisle of a product; nil lets the words of its name decide.
    ///
    /// - Throws: ``GroceryProblem/bad(_:)`` for an aisle that no list has.
    package func setAisle(_ aisle: String?, of id: Int64) throws {
        if let aisle, !foods.order.contains(aisle) {
            throw GroceryProblem.bad("there is no aisle \(String(aisle.prefix(40)).printable)")
        }
        try groceries.setAisle(aisle, of: id)
    }

    /// What a typed word of a list may mean: products of lists and prices first, then those of the catalogue.
    ///
    /// - Parameter list: the list that the word is for.
    package func suggestions(
        for typed: String, list: Int64?, limit: Int, for person: String
    ) throws -> [GrocerySuggestion] {
        if let list { _ = try groceries.list(list, of: person) }
        let typed = TypedEntry(typed).name
        var found = try groceries.suggestions(for: typed, in: preparedNames(), list: list, of: person, limit: limit)
        // One or two letters begin too many names of a catalogue.
        if found.count < limit, typed.count >= 3 {
            let known = Set(found.map { $0.gtin ?? ProductNames.normalised($0.name) })
            found += try catalogue.search(typed, limit: limit, isUnfinished: true).map(\.product).map {
                GrocerySuggestion(name: $0.name, gtin: $0.gtin?.digits, brand: $0.brand)
            }
            .filter { !known.contains($0.gtin ?? ProductNames.normalised($0.name)) }.prefix(limit - found.count)
        }
        return found
    }

    /// Everything that a search of the page Search finds: products of lists and prices by their names, then what a list
    /// proposes for the words, which are near names, generic foods and products of the catalogue.
    ///
    /// - Parameters:
    ///   - category: with a category or a tag only products are found, because nothing else has them.
    ///   - limit: of the products, and of the others.
    package func search(
        _ text: String, category: String?, tag: String?, limit: Int, for person: String
    ) throws -> (products: [GroceryProduct], others: [GrocerySuggestion]) {
        let products = try groceries.products(matching: text, category: category, tag: tag, limit: limit)
        guard category == nil, tag == nil, !text.isEmpty else { return (products, []) }
        let known = Set(products.map(\.id))
        let names = Set(products.map { $0.gtin ?? ProductNames.normalised($0.name) })
        let others = try suggestions(for: text, list: nil, limit: limit, for: person).filter { one in
            one.product.map { !known.contains($0) }
                ?? !names.contains(one.gtin ?? ProductNames.normalised(one.name))
        }
        return (products, others)
    }

    /// Gives a product another name. Its prices, entries and what is learnt of printed names stay with it.
    package func rename(_ id: Int64, to name: String) throws -> GroceryProduct {
        // The prepared names have the old one.
        defer { names = nil }
        return try groceries.rename(id, to: name)
    }

    func preparedNames() throws -> PreparedNames {
        let prepared = try groceries.prepared(names, foods: foods)
        names = prepared
        return prepared
    }

    // MARK: Shops

    /// The shop whose name is typed, or its label; a new one if no shop has it.
    package func place(typed new: NewPlace, by person: String) throws -> GroceryPlace {
        let known = try groceries.places(for: person).first(typed: new.name)
        if let known, new.address == nil || known.label == new.name { return known }
        return try groceries.place(of: new, by: person)
    }
}

extension GroceryPlace {
    /// Name with street or city, as forms propose it.
    package var label: String { [name, address ?? city].compactMap { $0 }.joined(separator: ", ") }
}

extension [GroceryPlace] {
    /// The place with this label, or the only one with this name.
    package func first(typed name: String) -> GroceryPlace? {
        let named = filter { $0.name == name }
        return first { $0.label == name } ?? (named.count == 1 ? named[0] : nil)
    }
}
