import Layout
import Core

/// Assigns prices above, below or beside their dish. The page votes: of all offsets between a lone price and a dish
/// without one, the offset with most matches wins.
struct PriceOffsetMatcher {
    private let page: PageLayout
    /// Maximum squared distance from an offset, in squared text heights.
    private static let tolerance = 2.0

    init(_ page: PageLayout) { self.page = page }

    func bind(_ dishes: inout [DishAssembler.Dish], dishOf: [Int?], lost: inout Int) {
        let loose = page.prices.indices.filter { page.prices[$0].isLoose }
        guard !loose.isEmpty else { return }
        let bare = dishes.indices.filter { !dishes[$0].hasPrice }
        var bound: Set<Int> = []
        for (price, dish) in best(loose, bare.map { dishes[$0] }) {
            dishes[bare[dish]].own += page.prices[price].segment.prices.map { DishAssembler.price($0) }
            bound.insert(price)
        }
        for price in loose where !bound.contains(price) {
            let near = page.prices[price].near.compactMap { dishOf[$0] }.first { dishes[$0].own.isEmpty }
            guard let near else { continue }
            dishes[near].own += page.prices[price].segment.prices.map { DishAssembler.price($0) }
            bound.insert(price)
        }
        lost = loose.count - bound.count
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
