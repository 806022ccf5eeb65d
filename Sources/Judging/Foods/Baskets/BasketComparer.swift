/// Compares a list over places. Pure integer arithmetic: the same input gives the same result everywhere.
package struct BasketComparer: Sendable {
    /// The smallest share of the list that a place must have, in percent.
    package var minimumShare: Int
    /// How many places are shown.
    package var shown: Int

    package init(minimumShare: Int = 85, shown: Int = 3) {
        self.minimumShare = minimumShare
        self.shown = shown
    }

    /// The offers of one place by the index of the need.
    package struct Place: Sendable {
        package var id: Int64
        package var offers: [(need: Int, offer: Offer)]

        package init(id: Int64, offers: [(need: Int, offer: Offer)] = []) {
            self.id = id
            self.offers = offers
        }
    }

    /// - Parameter places: each place once.
    package func compare(_ needs: [ListNeed], at places: [Place]) -> BasketComparison {
        var byCurrency: [Currency: [Priced]] = [:]
        for place in places {
            for (currency, priced) in priced(place, needs) { byCurrency[currency, default: []].append(priced) }
        }
        let all = byCurrency.map { currency, places in
            compare(needs, places.sorted { $0.place < $1.place }, currency)
        }
        return BasketComparison(
            currencies: all.filter { !$0.cheapest.isEmpty || $0.split != nil }
                .sorted { ($1.eligible, $0.currency) < ($0.eligible, $1.currency) })
    }

    /// A place with the chosen offer of each need, in one currency.
    struct Priced {
        var place: Int64
        /// Ten-thousandths; ``missing`` where the place has no price.
        var costs: [Int64]
        var offers: [Offer?]
        var count = 0

        /// Larger than every sum of costs.
        static let missing = Int64.max / 4

        init(_ place: Int64, needs: Int) {
            self.place = place
            costs = Array(repeating: Self.missing, count: needs)
            offers = Array(repeating: nil, count: needs)
        }

        mutating func set(_ index: Int, _ offer: Offer, _ cost: Int64) {
            costs[index] = cost
            offers[index] = offer
        }
    }

    private func priced(_ place: Place, _ needs: [ListNeed]) -> [Currency: Priced] {
        var result: [Currency: Priced] = [:]
        // Most needs have one offer; the choice among several needs all of them.
        var several: [Currency: [Int: [(Offer, Int64)]]] = [:]
        // A place mostly has one currency: it is looked up where it changes.
        var current: (currency: Currency, priced: Priced)?
        for (index, offer) in place.offers where needs.indices.contains(index) {
            guard offer.price.parts > 0, let cost = offer.cost(of: needs[index]) else { continue }
            let currency = offer.price.currency
            if current?.currency != currency {
                if let current { result[current.currency] = current.priced }
                current = (currency, result.removeValue(forKey: currency) ?? Priced(place.id, needs: needs.count))
            }
            if let held = current?.priced.offers[index], let heldCost = current?.priced.costs[index] {
                several[currency, default: [:]][index, default: [(held, heldCost)]].append((offer, cost))
            } else {
                current?.priced.set(index, offer, cost)
                current?.priced.count += 1
            }
        }
        if let current { result[current.currency] = current.priced }
        for (currency, lines) in several {
            for (index, offers) in lines {
                guard let (offer, cost) = Self.best(offers, for: needs[index]) else { continue }
                result[currency]?.set(index, offer, cost)
            }
        }
        return result
    }

    /// The lowest cost. Pieces of different content are compared by the price for a kilogram or litre, if all offers have
    /// one.
    private static func best(_ offers: [(Offer, Int64)], for need: ListNeed) -> (Offer, Int64)? {
        guard offers.count > 1 else { return offers.first }
        let units = offers.map(\.0.unitPrice)
        let isComparable = need.unit == .piece && units.allSatisfy { $0 != nil && $0?.per == units[0]?.per }
        func key(_ offer: (Offer, Int64)) -> (Int64, Int64, Int, Int64) {
            (isComparable ? offer.0.unitPrice?.price.parts ?? 0 : 0, offer.1, offer.0.spread, offer.0.product)
        }
        return offers.min { key($0) < key($1) }
    }

    /// True if so many lines of the list are enough.
    func isEnough(_ count: Int, of needs: Int) -> Bool { count > 0 && count * 100 >= minimumShare * needs }

    private func compare(_ needs: [ListNeed], _ places: [Priced], _ currency: Currency) -> CurrencyComparison {
        let baskets = places.filter { isEnough($0.count, of: needs.count) }.map { place in
            (place, total: zip(place.costs, 0...).reduce(0) { $1.0 == Priced.missing ? $0 : $0 + $1.0 })
        }.sorted { ($0.total, -$0.0.count, $0.0.place) < ($1.total, -$1.0.count, $1.0.place) }
        let shown = baskets.prefix(shown).map(\.0)
        return CurrencyComparison(
            currency: currency, cheapest: shown.map { Self.basket($0, needs, currency) }, eligible: baskets.count,
            common: Self.common(shown, needs, currency), split: split(needs, places, shown.first, currency),
            packsDiffer: needs.indices.filter { index in
                Set(shown.compactMap { $0.offers[index] }.map(\.pack)).count > 1
            }.map { needs[$0].id })
    }

    static func line(_ place: Priced, _ index: Int, _ needs: [ListNeed], _ currency: Currency) -> BasketLine? {
        guard let offer = place.offers[index] else { return nil }
        let (cost, spread) = (place.costs[index], Int64(offer.spread))
        return BasketLine(
            need: needs[index].id, place: place.place, offer: offer, cost: Money(parts: cost, currency: currency),
            low: Money(parts: cost * (1000 - spread) / 1000, currency: currency),
            high: Money(parts: (cost * (1000 + spread) + 999) / 1000, currency: currency))
    }

    private static func basket(_ place: Priced, _ needs: [ListNeed], _ currency: Currency) -> PlaceBasket {
        let lines = needs.indices.compactMap { line(place, $0, needs, currency) }
        func sum(_ part: KeyPath<BasketLine, Money>) -> Money {
            Money(parts: lines.reduce(0) { $0 + $1[keyPath: part].parts }, currency: currency)
        }
        return PlaceBasket(
            place: place.place, lines: lines,
            missing: needs.indices.filter { place.offers[$0] == nil }.map { needs[$0].id },
            total: sum(\.cost), low: sum(\.low), high: sum(\.high))
    }

    private static func common(_ places: [Priced], _ needs: [ListNeed], _ currency: Currency) -> CommonBasket? {
        let indices = needs.indices.filter { index in places.allSatisfy { $0.offers[index] != nil } }
        guard places.count > 1, !indices.isEmpty else { return nil }
        let totals = places.map { place in
            CommonBasket.Total(
                place: place.place,
                total: Money(parts: indices.reduce(0) { $0 + place.costs[$1] }, currency: currency))
        }
        return CommonBasket(
            needs: indices.map { needs[$0].id },
            totals: totals.sorted { ($0.total.parts, $0.place) < ($1.total.parts, $1.place) })
    }
}
