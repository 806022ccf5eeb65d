import Core
import Foods
import Household

extension GroceryActions {
    // MARK: Lists

    /// The person's lists, and the one that is meant: the one with a number, else the first, nil for a person without lists.
    package func lists(of person: String, showing list: Int64?, hiding hidden: Set<Int64> = []) throws -> (
        all: [GroceryList], shown: GroceryList?
    ) {
        let all = try groceries.lists(of: person).filter { !hidden.contains($0.id) }
        return (all, try list.map { try groceries.list($0, of: person) } ?? all.first)
    }

    /// The list that is meant: the one with a number, else the person's first.
    ///
    /// - Parameter name: makes a list with this name for a person without lists.
    package func list(_ list: Int64?, of person: String, making name: String? = nil) throws -> GroceryList {
        if let shown = try lists(of: person, showing: list).shown { return shown }
        guard let name else { throw GroceryProblem.noList(of: person) }
        return try groceries.makeList(name, by: person)
    }

    /// Lets another adult of the household open a list, or takes a person off it, who may have left the household.
    ///
    /// - Parameter isStranger: true allows somebody who is no member of the household, as whoever uses the command line is.
    /// - Throws: ``GroceryProblem``, such as ``GroceryProblem/noAdult(_:)``.
    package func share(
        _ list: Int64, with name: String, isAllowed: Bool = true, isStranger: Bool = false, by person: String
    ) throws -> GroceryList {
        let member = try Household(groceries.store).member(named: name)
        if isAllowed, member.map({ $0.role != .adult }) ?? !isStranger { throw GroceryProblem.noAdult(name.printable) }
        return try groceries.share(list, with: member?.name ?? name, isAllowed: isAllowed, by: person)
    }

    /// Compares the open entries of a list over all places.
    ///
    /// - Parameter currency: the one that comes first.
    package func compare(_ list: Int64, currency: Currency? = nil, for person: String) throws -> ComparisonReport {
        try groceries.compare(list, for: person, currency: currency, foods: foods)
    }

    // MARK: Entries

    /// Adds to the end of a list. Typed words are linked to the product that they mean, if that is beyond doubt.
    ///
    /// - Parameters:
    ///   - anyway: true adds also what the list has already.
    ///   - isLinked: false adds words as they are.
    package func add(
        _ new: NewEntry, to list: Int64, anyway: Bool = false, isLinked: Bool = true, by person: String
    ) throws -> AddedEntry {
        var entry = new
        entry.product = completed(new.product)
        return try groceries.add(isLinked ? linked(entry, for: person) : entry, to: list, by: person, anyway: anyway)
    }

    /// An entry of typed words with the product that they mean: the only one of these goods that the person's lists had,
    /// or else the only one with a number or a price. Words that mean several products stay.
    private func linked(_ entry: NewEntry, for person: String) throws -> NewEntry {
        guard let typed = entry.product.name, entry.product == NewProduct(name: typed) else { return entry }
        let found = try meant(by: typed, limit: 20, for: person)
        guard !found.contains(where: { ProductNames.normalised($0.name) == ProductNames.normalised(typed) }) else {
            return entry
        }
        let sorts = found.filter { foods.isSort($0.name, of: typed) }
        let own = sorts.filter { $0.quantity != nil }
        let wanted = own.isEmpty ? sorts : own
        guard wanted.count == 1 else { return entry }
        var entry = entry
        entry.product = try self.wanted(wanted[0].product, typed: typed)
        entry.typed = typed
        return entry
    }

    /// Products with a number or a price that typed words may mean, best first.
    package func meant(by typed: String, limit: Int, for person: String) throws -> [GrocerySuggestion] {
        try Array(
            groceries.suggestions(for: typed, in: preparedNames(), list: nil, of: person, limit: limit * 2)
                .filter { $0.product != nil && ($0.gtin != nil || $0.price != nil) }.prefix(limit))
    }

    /// What a person types for a list: a quantity with what it is of, which is the number under a barcode, a category such
    /// as `en:bananas`, or a name.
    ///
    /// - Parameters:
    ///   - id: a product of the search, which replaces the typed name.
    ///   - quantity: typed apart, in thousandths; the text is the name then.
    package func entry(
        _ id: Int64? = nil, typed text: String, quantity: Int64? = nil, unit: PriceUnit? = nil
    ) throws -> NewEntry {
        let typed = quantity == nil ? TypedEntry(text) : nil
        return NewEntry(
            product: try wanted(id, typed: typed?.name ?? text),
            quantity: quantity ?? typed?.quantity?.thousandths ?? 1000, unit: unit ?? typed?.quantity?.unit ?? .piece)
    }

    func wanted(_ id: Int64?, typed text: String) throws -> NewProduct {
        if let id {
            let known = try groceries.known(product: id)
            return NewProduct(
                gtin: known.gtin, category: known.gtin == nil ? known.category : nil, name: known.name,
                brand: known.brand)
        }
        if let gtin = GTIN(typed: text) { return NewProduct(gtin: gtin.digits) }
        return text.wholeMatch(of: /[a-z]{2}:[a-z0-9-]+/) == nil ? NewProduct(name: text) : NewProduct(category: text)
    }

    /// Does what a phone did without a network. A change whose key is known is not done again.
    package func sync(_ changes: [ListChange], of list: Int64, by person: String) throws -> SyncedChanges {
        try groceries.sync(changes, of: list, by: person) { text in
            var entry = try entry(typed: text)
            entry.product = completed(entry.product)
            return try linked(entry, for: person)
        }
    }

    /// Moves an open entry one place up or down within its aisle. At an end it stays.
    package func move(_ entry: Int64, isUp: Bool, for person: String) throws {
        let list = try groceries.item(entry, for: person).list
        let open = foods.shelved(try groceries.items(of: list, for: person))
        let own = open.first { $0.item.id == entry }?.aisle
        let aisle = open.filter { $0.aisle == own }.map(\.item.id)
        guard let place = aisle.firstIndex(of: entry) else { throw GroceryProblem.notFound("entry \(entry)") }
        // Up: the one before it moves behind it.
        if isUp, place > 0 { try groceries.move(aisle[place - 1], after: entry, by: person) }
        if !isUp, place + 1 < aisle.count { try groceries.move(entry, after: aisle[place + 1], by: person) }
    }
}

extension FoodWords {
    /// The open entries with their aisles: by aisle, within an aisle in the order of the list.
    package func shelved(_ items: [GroceryItem]) -> [(aisle: String, item: GroceryItem)] {
        let order = order
        return items.filter { !$0.isCompleted }.enumerated()
            .map { ($0, $1.aisle ?? aisle(of: $1.name, category: $1.category), $1) }
            .map { (order.firstIndex(of: $1) ?? order.count, $0, $1, $2) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { ($0.2, $0.3) }
    }
}
