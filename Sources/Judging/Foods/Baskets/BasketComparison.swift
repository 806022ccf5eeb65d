/// The comparison of a list over places. Each currency is compared alone.
package struct BasketComparison: Sendable, Hashable {
    /// The currency with the most eligible places first.
    package var currencies: [CurrencyComparison]
}

/// The comparison of the places that have prices in one currency.
package struct CurrencyComparison: Sendable, Hashable {
    package var currency: Currency
    /// The cheapest places that have enough of the list, by the total of what they have.
    package var cheapest: [PlaceBasket]
    /// Number of places that have enough of the list.
    package var eligible: Int
    /// The lines that all of ``cheapest`` have; nil for fewer than two places or without common lines.
    package var common: CommonBasket?
    package var split: SplitBasket?
    /// Lines for which the places of ``cheapest`` offer packages of different content.
    package var packsDiffer: [Int64]
}

/// One line of a list at one place.
package struct BasketLine: Sendable, Hashable {
    package var need: Int64
    package var place: Int64
    package var offer: Offer
    package var cost: Money
    package var low: Money
    package var high: Money
}

/// What a list costs at one place.
package struct PlaceBasket: Sendable, Hashable {
    package var place: Int64
    /// In the order of the list.
    package var lines: [BasketLine]
    /// Lines without a price here, in the order of the list.
    package var missing: [Int64]
    package var total: Money
    /// The range of the total, from the age and the trust of each price.
    package var low: Money
    package var high: Money
}

/// The same lines at several places.
package struct CommonBasket: Sendable, Hashable {
    package var needs: [Int64]
    /// Places by their totals of these lines, cheapest first.
    package var totals: [Total]

    package struct Total: Sendable, Hashable {
        package var place: Int64
        package var total: Money
    }
}

/// A list bought at two places.
package struct SplitBasket: Sendable, Hashable {
    /// Two places, in the order of their numbers.
    package var places: [Int64]
    /// Each line at the cheaper place, in the order of the list.
    package var lines: [BasketLine]
    package var missing: [Int64]
    /// Total of all lines.
    package var total: Money
    /// What the second stop saves on the lines that the cheapest place has; nil if no single place has enough.
    package var saves: Money?
    /// Lines that the cheapest place lacks and the two places have.
    package var added: [Int64]
}
