import Foods
import Foundation

/// An independent comparison: decimals instead of integers, every assignment of lines to two places instead of a
/// search. It shares no code with the comparison but the types of its input.
struct ComparisonOracle {
    struct Answer: Equatable {
        var currency: String
        /// Place and total, cheapest first.
        var cheapest: [[Decimal]]
        var missing: [[Int64]]
        var lows: [Decimal]
        var highs: [Decimal]
        var common: [[Decimal]]
        var commonNeeds: [Int64]
        /// Places, total and what is saved; -1 where no single place is enough.
        var split: [Decimal]
    }

    var needs: [ListNeed]
    var places: [BasketComparer.Place]

    private func round(_ value: Decimal, _ mode: NSDecimalNumber.RoundingMode) -> Decimal {
        var (result, value) = (Decimal(), value)
        NSDecimalRound(&result, &value, 4, mode)
        return result
    }

    private func wholes(_ value: Decimal) -> Decimal {
        var (result, value) = (Decimal(), value)
        NSDecimalRound(&result, &value, 0, .up)
        return result
    }

    private func cost(_ offer: Offer, _ need: ListNeed) -> Decimal? {
        let (price, quantity) = (offer.price.amount, Decimal(need.quantity) / 1000)
        if offer.per == need.unit { return round(price * quantity, .plain) }
        if offer.per == .hundredGrams, need.unit == .kilogram { return round(price * quantity * 10, .plain) }
        guard offer.per == .piece, need.unit != .piece, let pack = offer.pack,
            (pack.dimension == .mass) == (need.unit == .kilogram)
        else { return nil }
        return price * wholes(quantity * 1_000_000 / Decimal(pack.thousandths))
    }

    private func unitPrice(_ offer: Offer) -> (Decimal, PriceUnit)? {
        switch offer.per {
        case .kilogram, .litre: return (offer.price.amount, offer.per)
        case .hundredGrams: return (offer.price.amount * 10, .kilogram)
        case .piece:
            guard let pack = offer.pack else { return nil }
            return (
                round(offer.price.amount * 1_000_000 / Decimal(pack.thousandths), .plain),
                pack.dimension == .mass ? .kilogram : .litre
            )
        }
    }

    /// Cost and spread of each need at each place, in one currency.
    private func table(_ currency: String) -> [Int64: [Int: (cost: Decimal, spread: Int)]] {
        var table: [Int64: [Int: (cost: Decimal, spread: Int)]] = [:]
        for place in places {
            for index in needs.indices {
                let usable = place.offers.filter { $0.need == index && $0.offer.price.currency.code == currency }
                    .compactMap { pair in cost(pair.offer, needs[index]).map { (pair.offer, $0) } }
                let units = usable.map { unitPrice($0.0) }
                let byUnit =
                    needs[index].unit == .piece && usable.count > 1 && units.allSatisfy { $0 != nil }
                    && Set(units.map { $0?.1 }).count == 1
                var best: (Offer, Decimal)?
                for candidate in usable {
                    guard let held = best else {
                        best = candidate
                        continue
                    }
                    func before(_ one: (Offer, Decimal), _ other: (Offer, Decimal)) -> Bool {
                        if byUnit, let a = unitPrice(one.0)?.0, let b = unitPrice(other.0)?.0, a != b { return a < b }
                        if one.1 != other.1 { return one.1 < other.1 }
                        if one.0.spread != other.0.spread { return one.0.spread < other.0.spread }
                        return one.0.product < other.0.product
                    }
                    if before(candidate, held) { best = candidate }
                }
                if let best { table[place.id, default: [:]][index] = (best.1, best.0.spread) }
            }
        }
        return table
    }

    private func isEnough(_ count: Int) -> Bool { Decimal(count) >= Decimal(needs.count) * 85 / 100 && count > 0 }

    func answers() -> [Answer] {
        let currencies = Set(places.flatMap { $0.offers.map(\.offer.price.currency.code) })
        let found = currencies.map { code -> (Answer, Int) in
            let table = table(code)
            let sums = table.filter { isEnough($0.value.count) }.map { place, lines in
                (place: place, total: lines.values.reduce(Decimal(0)) { $0 + $1.cost }, count: lines.count)
            }
            let ranked = sums.sorted { one, other in
                if one.total != other.total { return one.total < other.total }
                return one.count != other.count ? one.count > other.count : one.place < other.place
            }
            let shown = ranked.prefix(3).map(\.place)
            func lines(_ place: Int64) -> [Int: (cost: Decimal, spread: Int)] { table[place] ?? [:] }
            var shared: [Int] = []
            for index in needs.indices where shown.count > 1 {
                if shown.allSatisfy({ lines($0)[index] != nil }) { shared.append(index) }
            }
            var common: [(place: Int64, total: Decimal)] = []
            for place in shared.isEmpty ? [] : shown {
                var total = Decimal(0)
                for index in shared { total += lines(place)[index]?.cost ?? 0 }
                common.append((place, total))
            }
            common.sort { one, other in one.total != other.total ? one.total < other.total : one.place < other.place }
            var missing: [[Int64]] = []
            for place in shown { missing.append(needs.indices.filter { lines(place)[$0] == nil }.map { needs[$0].id }) }
            func range(_ place: Int64, _ sign: Int) -> Decimal {
                lines(place).values.reduce(Decimal(0)) { sum, line in
                    let value = line.cost * Decimal(1000 + sign * line.spread) / 1000
                    return sum + round(value, sign < 0 ? .down : .up)
                }
            }
            let answer = Answer(
                currency: code, cheapest: ranked.prefix(3).map { [Decimal($0.place), $0.total] },
                missing: missing, lows: shown.map { range($0, -1) }, highs: shown.map { range($0, 1) },
                common: common.map { [Decimal($0.place), $0.total] }, commonNeeds: shared.map { needs[$0].id },
                split: split(table, shown.first) ?? [])
            return (answer, sums.count)
        }
        let kept = found.filter { found in !found.0.cheapest.isEmpty || !found.0.split.isEmpty }
        let sorted = kept.sorted { (one: (Answer, Int), other: (Answer, Int)) -> Bool in
            if one.1 != other.1 { return one.1 > other.1 }
            return one.0.currency < other.0.currency
        }
        return sorted.map { $0.0 }
    }

    /// All ways to buy each line at one of two places, for every pair of places.
    private func split(_ table: [Int64: [Int: (cost: Decimal, spread: Int)]], _ single: Int64?) -> [Decimal]? {
        let ids = table.keys.sorted()
        let reference = needs.indices.filter { single == nil || table[single ?? 0]?[$0] != nil }
        var best: (key: [Decimal], places: [Int64], total: Decimal, saves: Decimal, extra: Int)?
        for (index, one) in ids.enumerated() {
            for other in ids.dropFirst(index + 1) {
                var least: Decimal?
                let covered = reference.filter { table[one]?[$0] != nil || table[other]?[$0] != nil }
                if single != nil, covered.count < reference.count { continue }
                if single == nil, !isEnough(covered.count) { continue }
                for choice in 0..<(1 << covered.count) {
                    var (sum, isPossible) = (Decimal(0), true)
                    for (bit, need) in covered.enumerated() {
                        guard let line = table[choice >> bit & 1 == 0 ? one : other]?[need] else {
                            isPossible = false
                            break
                        }
                        sum += line.cost
                    }
                    if isPossible, sum < least ?? sum + 1 { least = sum }
                }
                guard let least else { continue }
                let further = needs.indices.filter { !reference.contains($0) }
                let extra = further.compactMap { need in
                    [table[one]?[need]?.cost, table[other]?[need]?.cost].compactMap { $0 }.min()
                }
                let key = single == nil ? [-Decimal(covered.count), least] : [least, -Decimal(extra.count)]
                if let best, !key.lexicographicallyPrecedes(best.key) { continue }
                let paid = single.map { place in reference.reduce(Decimal(0)) { $0 + (table[place]?[$1]?.cost ?? 0) } }
                best = (key, [one, other], least + extra.reduce(0, +), paid.map { $0 - least } ?? -1, extra.count)
            }
        }
        guard let best, single == nil || best.saves > 0 || best.extra > 0 else { return nil }
        return best.places.map { Decimal($0) } + [best.total, best.saves]
    }
}
