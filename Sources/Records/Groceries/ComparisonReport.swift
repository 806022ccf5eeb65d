import Baskets
import Meals

/// A comparison as programs and pages show it, with names instead of numbers.
public struct ComparisonReport: Sendable, Hashable, Codable {
    public struct Line: Sendable, Hashable, Codable {
        public var entry: Int64
        public var name: String
        public var product: Int64
        public var place: Int64
        public var cost: Money
        public var low: Money
        public var high: Money
        /// The price for a kilogram, a litre or a piece; nil for a package of unknown content.
        public var unitPrice: UnitPrice?
        /// The day of the price.
        public var date: Day
    }

    public struct Basket: Sendable, Hashable, Codable {
        public var place: Int64
        public var placeName: String
        public var lines: [Line]
        /// Names of the entries without a price here.
        public var missing: [String]
        public var total: Money
        public var low: Money
        public var high: Money
    }

    public struct Total: Sendable, Hashable, Codable {
        public var place: Int64
        public var placeName: String
        public var total: Money
    }

    public struct Common: Sendable, Hashable, Codable {
        /// Names of the entries that all shown places have.
        public var entries: [String]
        public var totals: [Total]
    }

    public struct Split: Sendable, Hashable, Codable {
        public var places: [Int64]
        public var placeNames: [String]
        public var lines: [Line]
        public var missing: [String]
        public var total: Money
        /// What the second stop saves on the entries that the cheapest place has.
        public var saves: Money?
        /// Names of the entries that the cheapest place lacks.
        public var added: [String]
    }

    public struct Group: Sendable, Hashable, Codable {
        public var currency: Currency
        public var cheapest: [Basket]
        /// Number of places that have enough of the list.
        public var eligible: Int
        public var common: Common?
        public var split: Split?
        /// Names of entries for which the places have packages of different content.
        public var packsDiffer: [String]
    }

    /// The place with prices of most entries, where no place has enough to be compared.
    public struct Closest: Sendable, Hashable, Codable {
        public var place: Int64
        public var placeName: String
        /// Number of entries with a usable price.
        public var count: Int
        /// Names of the other entries.
        public var missing: [String]
    }

    /// An entry whose prices are known for other units only.
    public struct OtherUnit: Sendable, Hashable, Codable {
        public var entry: Int64
        public var name: String
        /// `piece`, `kg`, `l` or `100 g`, sorted.
        public var units: [PriceUnit]
    }

    /// Number of open entries.
    public var entries: Int
    public var currencies: [Group]
    /// Nil if a place has enough of the list, or no entry has a price.
    public var closest: Closest?
    public var otherUnits: [OtherUnit]
    /// Days after which a price counts half.
    public var halfLife: Double

    public init(_ result: ListComparison) {
        let names = Dictionary(result.items.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        func name(_ entry: Int64) -> String { names[entry] ?? "" }
        func place(_ id: Int64) -> String { result.places[id] ?? "" }
        func line(_ line: BasketLine) -> Line {
            Line(
                entry: line.need, name: name(line.need), product: line.offer.product, place: line.place,
                cost: line.cost,
                low: line.low, high: line.high, unitPrice: line.offer.unitPrice, date: Day(number: line.offer.day))
        }
        entries = result.items.count
        halfLife = result.halfLife
        closest = result.closest.map { closest in
            Closest(
                place: closest.place, placeName: place(closest.place), count: closest.count,
                missing: closest.missing.map(name))
        }
        otherUnits = result.items.compactMap { item in
            result.otherUnits[item.id].map {
                OtherUnit(entry: item.id, name: item.name, units: $0.sorted { $0.rawValue < $1.rawValue })
            }
        }
        currencies = result.comparison.currencies.map { group in
            Group(
                currency: group.currency,
                cheapest: group.cheapest.map { basket in
                    Basket(
                        place: basket.place, placeName: place(basket.place), lines: basket.lines.map(line),
                        missing: basket.missing.map(name), total: basket.total, low: basket.low, high: basket.high)
                },
                eligible: group.eligible,
                common: group.common.map { common in
                    Common(
                        entries: common.needs.map(name),
                        totals: common.totals.map {
                            Total(place: $0.place, placeName: place($0.place), total: $0.total)
                        })
                },
                split: group.split.map { split in
                    Split(
                        places: split.places, placeNames: split.places.map(place), lines: split.lines.map(line),
                        missing: split.missing.map(name), total: split.total, saves: split.saves,
                        added: split.added.map(name))
                }, packsDiffer: group.packsDiffer.map(name))
        }
    }
}
