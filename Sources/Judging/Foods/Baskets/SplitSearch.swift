extension BasketComparer {
    /// The best two places.
    ///
    /// With a cheapest single place, the pair must have all of that place's lines and cost least for them; then the
    /// pair with more further lines wins. Without one, the pair that has most lines wins, then the cheaper one. Equal
    /// pairs are decided by the places' numbers.
    ///
    /// - Returns: nil if a second stop neither saves nor adds anything.
    func split(_ needs: [ListNeed], _ places: [Priced], _ single: Priced?, _ currency: Currency) -> SplitBasket? {
        guard places.count > 1 else { return nil }
        let reference = needs.indices.filter { single?.offers[$0] != nil }
        guard
            let (one, other) = single == nil
                ? mostLines(places, needs.count) : Self.cheapest(places, reference, needs.count)
        else { return nil }
        let (first, second) = (places[one], places[other])
        let lines = needs.indices.compactMap { index in
            // The first place wins where both cost the same.
            Self.line(first.costs[index] <= second.costs[index] ? first : second, index, needs, currency)
        }
        let added = needs.indices.filter { index in
            single != nil && single?.offers[index] == nil
                && (first.offers[index] != nil || second.offers[index] != nil)
        }
        let saves = single.map { single in
            reference.reduce(Int64(0)) { $0 + single.costs[$1] - min(first.costs[$1], second.costs[$1]) }
        }
        guard saves ?? 1 > 0 || !added.isEmpty else { return nil }
        return SplitBasket(
            places: [first.place, second.place], lines: lines,
            missing: needs.indices.filter { first.offers[$0] == nil && second.offers[$0] == nil }.map { needs[$0].id },
            total: Money(parts: lines.reduce(0) { $0 + $1.cost.parts }, currency: currency),
            saves: saves.map { Money(parts: $0, currency: currency) }, added: added.map { needs[$0].id })
    }

    /// The pair that costs least for these lines. Costs of a line that a place lacks are so large that a pair without a
    /// line never wins against one that has all.
    private static func cheapest(_ places: [Priced], _ reference: [Int], _ needs: Int) -> (Int, Int)? {
        let width = reference.count
        let further = Set(0..<needs).subtracting(reference).sorted()
        let costs = places.flatMap { place in reference.map { place.costs[$0] } }
        // The least that the lines from an index on can cost anywhere. With it the search leaves an expensive pair after a
        // few lines.
        var rest = Array(repeating: Int64(0), count: width + 1)
        for index in reference.indices.reversed() {
            let least = places.map { $0.costs[reference[index]] }.min() ?? 0
            rest[index] = rest[index + 1] + least
        }
        var best: (cost: Int64, extra: Int, pair: (Int, Int))?
        costs.withUnsafeBufferPointer { costs in
            for one in places.indices {
                for other in places.index(after: one)..<places.endIndex {
                    var (sum, index) = (Int64(0), 0)
                    let limit = best?.cost ?? Priced.missing - 1
                    while index < width, sum + rest[index] <= limit {
                        sum += min(costs[one * width + index], costs[other * width + index])
                        index += 1
                    }
                    guard index == width, sum <= limit else { continue }
                    let extra = further.count {
                        places[one].offers[$0] != nil || places[other].offers[$0] != nil
                    }
                    if let best, (best.cost, -best.extra) <= (sum, -extra) { continue }
                    best = (sum, extra, (one, other))
                }
            }
        }
        return best?.pair
    }

    private func mostLines(_ places: [Priced], _ needs: Int) -> (Int, Int)? {
        var best: (count: Int, cost: Int64, pair: (Int, Int))?
        for one in places.indices {
            for other in places.index(after: one)..<places.endIndex {
                // The two together can have no more than this many lines.
                guard places[one].count + places[other].count >= best?.count ?? 1 else { continue }
                var (count, cost) = (0, Int64(0))
                for index in 0..<needs {
                    let least = min(places[one].costs[index], places[other].costs[index])
                    if least < Priced.missing {
                        count += 1
                        cost += least
                    }
                }
                guard isEnough(count, of: needs) else { continue }
                if let best, (-best.count, best.cost) <= (-count, cost) { continue }
                best = (count, cost, (one, other))
            }
        }
        return best?.pair
    }
}
