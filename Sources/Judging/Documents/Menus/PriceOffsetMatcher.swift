import Core

/// Assigns prices above, below or beside their dish. The page votes: of all offsets between a lone price and a dish
/// without one, the offset with most matches wins, unless the nearest texts of the prices, or the last names above them,
/// serve more dishes.
struct PriceOffsetMatcher {
    private let page: PageLayout
    /// Maximum squared distance from an offset, in squared text heights.
    private static let tolerance = 2.0
    /// Maximum distance of a price below a name, in text heights.
    private static let reach = 10.0

    init(_ page: PageLayout) { self.page = page }

    /// - Parameter loose: prices without a text in their row.
    /// - Returns: the dishes of those that have one.
    func bind(_ loose: [Int], to dishes: inout [DishAssembler.Dish], dishOf: [Int?]) -> [Int: Int] {
        guard !loose.isEmpty else { return [:] }
        let bare = dishes.indices.filter { !dishes[$0].hasPrice }
        var bound: [Int: Int] = [:]
        let byOffset = best(loose, bare.map { dishes[$0] }).map { (price: $0.price, dish: bare[$0.dish]) }
        let byText = served(loose, Set(bare)) { page.prices[$0].near.first.flatMap { dishOf[$0] } }
        let byName = served(loose, Set(bare)) { lastName(above: $0, dishes) }
        let others = byName.count > byText.count ? byName : byText
        for (price, dish) in others.count > Set(byOffset.map(\.dish)).count ? others : byOffset {
            dishes[dish].own += page.prices[price].segment.prices.map { DishAssembler.price($0) }
            bound[price] = dish
        }
        return bound
    }

    /// Prices with a dish that has none yet, at most one for each dish.
    private func served(
        _ loose: [Int], _ bare: Set<Int>, _ dish: (Int) -> Int?
    ) -> [(price: Int, dish: Int)] {
        var served: Set<Int> = []
        return loose.compactMap { price in
            guard let dish = dish(price), bare.contains(dish), served.insert(dish).inserted else { return nil }
            return (price, dish)
        }
    }

    /// The dish above the price, on its left: "$16.50" at the end of a description.
    private func lastName(above price: Int, _ dishes: [DishAssembler.Dish]) -> Int? {
        let one = page.prices[price].segment
        return dishes.indices.filter { dish in
            let name = page.texts[dishes[dish].name[0]].segment
            let rise = page.slope.rise(name, one)
            return name.right < one.left + one.height && rise > 0 && rise < Self.reach * page.height
        }.max { page.texts[dishes[$0].name[0]].segment.middle < page.texts[dishes[$1].name[0]].segment.middle }
    }

    private typealias Offset = (x: Double, y: Double)

    /// The pairs of price and dish under the winning offset.
    private func best(_ loose: [Int], _ bare: [DishAssembler.Dish]) -> [(price: Int, dish: Int)] {
        guard !bare.isEmpty, loose.count <= 200, bare.count <= 200 else { return [] }
        var best: (served: Int, length: Double, pairs: [(Int, Int)]) = (1, 0, [])
        // Offsets start at the first or the last line of a dish, at its edge or its centre.
        for isLast in [false, true] {
            for isMiddle in [false, true] {
                let table = loose.map { price in
                    bare.map { offset(price, isLast ? $0.lines.last ?? $0.name[0] : $0.name[0], isMiddle) }
                }
                for candidate in Self.candidates(table) {
                    let pairs = Self.pairs(loose, table, candidate)
                    let served = Set(pairs.map(\.1)).count
                    let length = abs(candidate.x) + abs(candidate.y)
                    if served > best.served || served == best.served && !best.pairs.isEmpty && length < best.length {
                        best = (served, length, pairs)
                    }
                }
            }
        }
        return best.pairs
    }

    private func offset(_ price: Int, _ text: Int, _ isMiddle: Bool) -> Offset {
        let (one, other) = (page.prices[price].segment, page.texts[text].segment)
        let x = isMiddle ? other.center - one.center : other.left - one.left
        return (x / page.height, page.slope.rise(one, other) / page.height)
    }

    /// Short offsets without duplicates. Offsets that differ by less than a fifth of a text height are equal.
    private static func candidates(_ table: [[Offset]]) -> [Offset] {
        var seen: Set<Int> = []
        return table.joined().filter { offset in
            guard abs(offset.x) < 12, abs(offset.y) < 8 else { return false }
            return seen.insert(Int((offset.x * 5).rounded()) * 1000 + Int((offset.y * 5).rounded())).inserted
        }
    }

    private static func pairs(_ loose: [Int], _ table: [[Offset]], _ offset: Offset) -> [(Int, Int)] {
        zip(loose, table).compactMap { price, row in
            var nearest: (far: Double, dish: Int)?
            for (dish, place) in row.enumerated() {
                let far = (place.x - offset.x) * (place.x - offset.x) + (place.y - offset.y) * (place.y - offset.y)
                if far < nearest?.far ?? tolerance { nearest = (far, dish) }
            }
            return nearest.map { (price, $0.dish) }
        }
    }
}
