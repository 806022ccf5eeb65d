import Foods
import Core

/// A comparison as programs and pages show it, with names instead of numbers.
package struct ComparisonReport: Sendable, Hashable, Codable {
    package struct Line: Sendable, Hashable, Codable {
        package var entry: Int64
        package var name: String
        package var product: Int64
        /// The product's name, where the entry was typed with fewer words; nil otherwise.
        package var productName: String?
        package var place: Int64
        package var cost: Money
        package var low: Money
        package var high: Money
        /// The price for a kilogram, a litre or a piece; nil for a package of unknown content.
        package var unitPrice: UnitPrice?
        package var date: Day
    }

    package struct Basket: Sendable, Hashable, Codable {
        package var place: Int64
        package var placeName: String
        package var lines: [Line]
        /// Names of the entries without a price here.
        package var missing: [String]
        package var total: Money
        package var low: Money
        package var high: Money
    }

    package struct Total: Sendable, Hashable, Codable {
        package var place: Int64
        package var placeName: String
        package var total: Money
    }

    package struct Common: Sendable, Hashable, Codable {
        /// Names of the entries that all shown places have.
        package var entries: [String]
        package var totals: [Total]
    }

    package struct Split: Sendable, Hashable, Codable {
        package var places: [Int64]
        package var placeNames: [String]
        package var lines: [Line]
        package var missing: [String]
        package var total: Money
        /// What the second stop saves on the entries that the cheapest place has.
        package var saves: Money?
        /// Names of the entries that the cheapest place lacks.
        package var added: [String]
    }

    package struct Group: Sendable, Hashable, Codable {
        package var currency: Currency
        package var cheapest: [Basket]
        /// Number of places that have enough of the list.
        package var eligible: Int
        package var common: Common?
        package var split: Split?
        /// Names of entries for which the places have packages of different content.
        package var packsDiffer: [String]
    }

    /// The place with prices of most entries, where no place has enough to be compared.
    package struct Closest: Sendable, Hashable, Codable {
        package var place: Int64
        package var placeName: String
        /// Number of entries with a usable price.
        package var count: Int
        /// Names of the other entries.
        package var missing: [String]
    }

    /// An entry whose prices are known for other units only.
    package struct OtherUnit: Sendable, Hashable, Codable {
        package var entry: Int64
        package var name: String
        /// `piece`, `kg`, `l` or `100 g`, sorted.
        package var units: [PriceUnit]
    }

    /// Number of open entries.
    package var entries: Int
    package var currencies: [Group]
    /// Nil if a place has enough of the list, or no entry has a price.
    package var closest: Closest?
    package var otherUnits: [OtherUnit]
    /// Days after which a price counts half.
    package var halfLife: Double
}

struct ComparisonNames {
    let entries, places, sorts: [Int64: String]

    func entry(_ id: Int64) -> String { entries[id] ?? "" }
    func place(_ id: Int64) -> String { places[id] ?? "" }

    private func line(_ line: BasketLine) -> ComparisonReport.Line {
        .init(
            entry: line.need, name: entry(line.need), product: line.offer.product,
            productName: sorts[line.offer.product], place: line.place, cost: line.cost, low: line.low, high: line.high,
            unitPrice: line.offer.unitPrice, date: Day(number: line.offer.day))
    }

    func group(_ group: CurrencyComparison) -> ComparisonReport.Group {
        .init(
            currency: group.currency,
            cheapest: group.cheapest.map { basket in
                .init(
                    place: basket.place, placeName: place(basket.place), lines: basket.lines.map(line),
                    missing: basket.missing.map(entry), total: basket.total, low: basket.low, high: basket.high)
            },
            eligible: group.eligible,
            common: group.common.map { common in
                .init(
                    entries: common.needs.map(entry),
                    totals: common.totals.map { .init(place: $0.place, placeName: place($0.place), total: $0.total) })
            },
            split: group.split.map { split in
                .init(
                    places: split.places, placeNames: split.places.map(place), lines: split.lines.map(line),
                    missing: split.missing.map(entry), total: split.total, saves: split.saves,
                    added: split.added.map(entry))
            }, packsDiffer: group.packsDiffer.map(entry))
    }
}
