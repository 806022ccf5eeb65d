import Foods
import Core
import Foundation
import GRDB

extension Groceries {
    /// Compares the open entries of a list over all places.
    ///
    /// An entry of loose goods or of a category takes at each place the best product of that category. A typed entry whose own
    /// words have no price takes the best product of the same goods: `Milk` that of `Whole Milk 1 l`.
    ///
    /// - Parameter foods: says what the same goods are; nil for none but the entries' own.
    package func compare(
        _ list: Int64, for person: String, currency: Currency? = nil, foods: FoodWords? = nil
    ) throws -> ComparisonReport {
        let today = today.number
        let items = try items(of: list, for: person).filter { !$0.isCompleted }
        let needs = items.map { ListNeed(id: $0.id, quantity: $0.quantity, unit: $0.unit) }
        let (offers, halfLife, sorts) = try store.read { database in
            let halfLife = try Self.halfLife(database)
            let trust = PriceTrust(rules, halfLife: halfLife)
            let (offers, sorts) = try self.offers(database, items, trust, today, foods)
            return (offers, trust.halfLife, sorts)
        }
        var comparison = rules.comparer.compare(needs, at: offers)
        if let currency, let index = comparison.currencies.firstIndex(where: { $0.currency == currency }) {
            comparison.currencies.insert(comparison.currencies.remove(at: index), at: 0)
        }
        let isCompared = comparison.currencies.contains { !$0.cheapest.isEmpty }
        let closest = isCompared ? nil : Self.closest(needs, offers)
        let without =
            isCompared ? comparison.currencies.flatMap { $0.cheapest.flatMap(\.missing) } : needs.map(\.id)
        let otherUnits = Self.otherUnits(needs, without: Set(without), offers)
        let named = Set(
            comparison.currencies.flatMap { $0.cheapest.map(\.place) + ($0.split?.places ?? []) }
                + [closest?.place].compactMap { $0 })
        let places = try store.read { database in
            try named.reduce(into: [Int64: String]()) {
                $0[$1] = try String.fetchOne(database, literal: "SELECT name FROM grocery_place WHERE id = \($1)")
            }
        }
        let names = ComparisonNames(
            entries: Dictionary(items.map { ($0.id, $0.name) }) { first, _ in first }, places: places, sorts: sorts)
        return ComparisonReport(
            entries: items.count, currencies: comparison.currencies.map(names.group),
            closest: closest.map { closest in
                .init(
                    place: closest.place, placeName: names.place(closest.place), count: closest.found.count,
                    missing: needs.indices.filter { !closest.found.contains($0) }.map { names.entry(needs[$0].id) })
            },
            otherUnits: items.compactMap { item in
                otherUnits[item.id].map {
                    .init(entry: item.id, name: item.name, units: $0.sorted { $0.rawValue < $1.rawValue })
                }
            }, halfLife: halfLife)
    }

    /// The place and currency with usable prices of most needs, with the indices of these; nil without a usable price.
    private static func closest(
        _ needs: [ListNeed], _ offers: [BasketComparer.Place]
    ) -> (place: Int64, found: Set<Int>)? {
        let counted = offers.flatMap { place in
            Dictionary(grouping: place.offers) { $0.offer.price.currency }.map { currency, offers in
                (
                    place: place.id, currency: currency,
                    found: Set(offers.filter { $0.offer.cost(of: needs[$0.need]) != nil }.map(\.need))
                )
            }
        }
        return counted.filter { !$0.found.isEmpty }
            .max { ($0.found.count, $1.place, $1.currency) < ($1.found.count, $0.place, $0.currency) }
            .map { ($0.place, $0.found) }
    }

    /// The units that the prices of an entry are for, where none of them is for its own.
    private static func otherUnits(
        _ needs: [ListNeed], without missing: Set<Int64>, _ offers: [BasketComparer.Place]
    ) -> [Int64: Set<PriceUnit>] {
        guard !missing.isEmpty else { return [:] }
        var (units, usable): ([Int64: Set<PriceUnit>], Set<Int64>) = ([:], [])
        for (index, offer) in offers.flatMap(\.offers) where missing.contains(needs[index].id) {
            let need = needs[index]
            if offer.cost(of: need) != nil {
                usable.insert(need.id)
            } else {
                units[need.id, default: []].insert(offer.per)
            }
        }
        return units.filter { !usable.contains($0.key) }
    }

    /// Offers of a product's quotes, and of its category's for an entry without a number.
    private func offers(
        _ database: Database, _ items: [GroceryItem], _ trust: PriceTrust, _ today: Int, _ foods: FoodWords?
    ) throws -> (places: [BasketComparer.Place], sorts: [Int64: String]) {
        var sorts: [Int64: String] = [:]
        var found: [Int64: [(need: Int, offer: Offer)]] = [:]
        var currencies: [String: Currency] = [:]
        let quotes = try database.cachedStatement(
            sql: "SELECT place, currency, per, amount, day, base FROM grocery_quote WHERE product = ?")
        for (index, item) in items.enumerated() {
            for product in try Self.candidates(database, item, foods) {
                if product.id != item.product, item.category == nil { sorts[product.id] = product.name }
                let rows = try Row.fetchCursor(quotes, arguments: [product.id])
                while let row = try rows.next() {
                    // Columns by their place: this is the loop that a comparison spends its time in.
                    let place: Int64 = row[0]
                    let code: String = row[1]
                    guard let currency = currencies[code] ?? Currency(code), let per = PriceUnit(rawValue: row[2])
                    else {
                        continue
                    }
                    currencies[code] = currency
                    let day: Int = row[4]
                    let spread = trust.spread(
                        trust: trust.trust(base: row[5], observed: day, on: today), days: today - day)
                    found[place, default: []].append(
                        (
                            index,
                            Offer(
                                product: product.id, price: Money(parts: row[3], currency: currency), per: per,
                                pack: product.pack, spread: spread, day: day)
                        ))
                }
            }
        }
        return (found.map { BasketComparer.Place(id: $0.key, offers: $0.value) }, sorts)
    }

    private static func candidates(
        _ database: Database, _ item: GroceryItem, _ foods: FoodWords?
    ) throws -> [(id: Int64, name: String, pack: PackSize?)] {
        let isLoose = item.gtin == nil && item.category != nil
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * FROM grocery_product WHERE id = ?1 OR (?2 AND category = ?3) LIMIT 200",
            arguments: [item.product, isLoose, item.category])
        let sorts = item.gtin == nil && item.category == nil ? try self.sorts(database, of: item, foods) : []
        return (rows + sorts).map { ($0["id"], $0["name"], pack($0)) }
    }

    /// Products with a price that are the goods of a typed entry; none where its own words have a price.
    private static func sorts(_ database: Database, of item: GroceryItem, _ foods: FoodWords?) throws -> [Row] {
        let words = Folding.words(of: item.name).prefix(8)
        let isPriced = try Bool.fetchOne(
            database, literal: "SELECT EXISTS (SELECT 1 FROM grocery_quote WHERE product = \(item.product))")
        guard let foods, isPriced != true, let longest = words.max(by: { $0.count < $1.count }) else { return [] }
        // Folded words have letters and digits only. The beginning finds the plural too.
        let pattern = "% \(longest.prefix(max(3, longest.count - 3)))%"
        return try Row.fetchAll(
            database,
            literal: """
                SELECT * FROM grocery_product WHERE ' ' || words LIKE \(pattern)
                    AND EXISTS (SELECT 1 FROM grocery_quote WHERE product = grocery_product.id) ORDER BY id LIMIT 1000
                """
        ).filter { foods.isSort($0["name"], of: item.name) }
    }
}
