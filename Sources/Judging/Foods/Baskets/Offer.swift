/// A line of a shopping list, as the comparison sees it.
package struct ListNeed: Sendable, Hashable {
    /// The number of the list's line.
    package var id: Int64
    /// Thousandths of the unit, above 0.
    package var quantity: Int64
    /// `piece`, `kg` or `l`; nothing fits another unit.
    package var unit: PriceUnit

    /// The largest quantity, in thousandths of the unit.
    package static let largest: Int64 = 1_000_000

    package init(id: Int64, quantity: Int64 = 1000, unit: PriceUnit = .piece) {
        self.id = id
        self.quantity = min(max(quantity, 1), Self.largest)
        self.unit = unit
    }
}

/// The price of a product at a place, chosen among its observations.
package struct Offer: Sendable, Hashable {
    package var product: Int64
    package var price: Money
    package var per: PriceUnit
    package var pack: PackSize?
    /// Half the width of the price's range, per mille of the price, 0…1000.
    package var spread: Int
    /// The day of the observation, days since 1970.
    package var day: Int

    package init(
        product: Int64, price: Money, per: PriceUnit = .piece, pack: PackSize? = nil, spread: Int, day: Int = 0
    ) {
        self.product = product
        self.price = price
        self.per = per
        self.pack = pack
        self.spread = min(max(spread, 0), 1000)
        self.day = day
    }

    /// Ten-thousandths; sums of thousands of lines stay within 64 bits.
    private static let largestPrice: Int64 = 100_000_000_000
    private static let largestCost: Int64 = 100_000_000_000_000

    /// The price for a kilogram, a litre or a piece; nil for a piece of unknown content.
    package var unitPrice: UnitPrice? {
        func unit(_ parts: Int64, _ per: PriceUnit) -> UnitPrice {
            UnitPrice(price: Money(parts: parts, currency: price.currency), per: per)
        }
        switch per {
        case .kilogram, .litre: return unit(price.parts, per)
        case .hundredGrams: return unit(price.parts * 10, .kilogram)
        case .piece:
            guard let pack else { return nil }
            // A kilogram is a million thousandths of a gram.
            let (parts, size) = (price.parts, pack.thousandths)
            return unit((parts * 1_000_000 + size / 2) / size, pack.dimension == .mass ? .kilogram : .litre)
        }
    }

    /// What the need costs with this offer, in ten-thousandths, rounded half up. Nil if the units do not fit: pieces of
    /// loose goods, or kilograms of a package whose mass is unknown.
    ///
    /// Packages are bought whole: 1.2 kg of a 500 g pack are three packs.
    package func cost(of need: ListNeed) -> Int64? {
        guard (1...Self.largestPrice).contains(price.parts) else { return nil }
        switch (need.unit, per) {
        case (.piece, .piece), (.kilogram, .kilogram), (.litre, .litre):
            return (price.parts * need.quantity + 500) / 1000
        case (.kilogram, .hundredGrams): return (price.parts * 10 * need.quantity + 500) / 1000
        case (.kilogram, .piece), (.litre, .piece):
            guard let pack, pack.dimension == (need.unit == .kilogram ? .mass : .volume) else { return nil }
            let packs = (need.quantity * 1000 + pack.thousandths - 1) / pack.thousandths
            let (cost, isTooLarge) = price.parts.multipliedReportingOverflow(by: packs)
            return isTooLarge || cost > Self.largestCost ? nil : cost
        default: return nil
        }
    }
}
