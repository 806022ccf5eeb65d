/// The comparison of a list over places. Each currency is compared alone.
public struct BasketComparison: Sendable, Hashable {
    /// The currency with the most eligible places first.
    public var currencies: [CurrencyComparison]
}

/// The comparison of the places that have prices in one currency.
public struct CurrencyComparison: Sendable, Hashable {
    public var currency: Currency
    /// The cheapest places that have enough of the list, by the total of what they have.
    public var cheapest: [PlaceBasket]
    /// Number of places that have enough of the list.
    public var eligible: Int
    /// The lines that all of ``cheapest`` have; nil for fewer than two places or without common lines.
    public var common: CommonBasket?
    public var split: SplitBasket?
    /// Lines for which the places of ``cheapest`` offer packages of different content.
    public var packsDiffer: [Int64]
}

/// One line of a list at one place.
public struct BasketLine: Sendable, Hashable {
    public var need: Int64
    public var place: Int64
    public var offer: Offer
    public var cost: Money
    public var low: Money
    public var high: Money
}

/// What a list costs at one place.
public struct PlaceBasket: Sendable, Hashable {
    public var place: Int64
    /// In the order of the list.
    public var lines: [BasketLine]
    /// Lines without a price here, in the order of the list.
    public var missing: [Int64]
    public var total: Money
    /// The range of the total, from the age and the trust of each price.
    public var low: Money
    public var high: Money
}

/// The same lines at several places.
public struct CommonBasket: Sendable, Hashable {
    public var needs: [Int64]
    /// Places by their totals of these lines, cheapest first.
    public var totals: [Total]

    public struct Total: Sendable, Hashable {
        public var place: Int64
        public var total: Money
    }
}

/// A list bought at two places.
public struct SplitBasket: Sendable, Hashable {
    /// Two places, in the order of their numbers.
    public var places: [Int64]
    /// Each line at the cheaper place, in the order of the list.
    public var lines: [BasketLine]
    public var missing: [Int64]
    /// Total of all lines.
    public var total: Money
    /// What the second stop saves on the lines that the cheapest place has; nil if no single place has enough.
    public var saves: Money?
    /// Lines that the cheapest place lacks and the two places have.
    public var added: [Int64]
}
