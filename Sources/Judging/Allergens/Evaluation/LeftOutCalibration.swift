import Core

/// Calibration of an operator that the calibration has not seen: each group's findings get the probability of rising
/// tables that are fitted to all other groups.
public enum LeftOutCalibration {
    /// Fewer pairs give no table, and the probability stays as it is. The same limit as in `scripts/fit-calibration`.
    static let minimumPairs = 25

    private struct Key: Hashable {
        var kind: String
        var strength: AllergenFinding.Strength
        var polarity: AllergenFinding.Polarity

        init(_ pair: AllergenEvaluation.Pair) {
            (kind, strength, polarity) = (pair.kind, pair.strength, pair.polarity)
        }
    }

    /// The pairs with their probabilities replaced; nil if there is only one group.
    public static func applied(to pairs: [AllergenEvaluation.Pair]) -> [AllergenEvaluation.Pair]? {
        let groups = Set(pairs.map(\.group)).sorted()
        guard groups.count > 1 else { return nil }
        var sizes: [String: Int] = [:]
        for pair in pairs { sizes[pair.kind + "/" + pair.group, default: 0] += 1 }
        var result: [AllergenEvaluation.Pair] = []
        for group in groups {
            var classes: [Key: [IsotonicTable.Observation]] = [:]
            for pair in pairs where pair.group != group {
                // Each operator weighs the same, so that the largest does not dominate.
                let weight = 1 / Double(sizes[pair.kind + "/" + pair.group] ?? 1)
                classes[Key(pair), default: []].append(
                    .init(strength: pair.probability, holds: pair.holds, weight: weight))
            }
            let tables = classes.filter { $0.value.count >= minimumPairs }.mapValues(IsotonicTable.init)
            for pair in pairs where pair.group == group {
                var pair = pair
                if let table = tables[Key(pair)] { pair.probability = table.value(at: pair.probability) }
                result.append(pair)
            }
        }
        return result
    }
}

/// A rising step function from strength to probability, fitted by pooling adjacent violators.
struct IsotonicTable: Sendable {
    struct Observation: Sendable {
        var strength: Double
        var holds: Bool
        var weight: Double
    }

    private struct Block {
        var hits, weight: Double
        var count: Int
        var low, high: Double
        /// Half a pair is added to each side, so that no share is 0 or 1.
        var share: Double { (hits / weight * Double(count) + 0.5) / Double(count + 1) }
    }

    /// Strengths and probabilities, both rising.
    let points: [(strength: Double, probability: Double)]

    /// - Parameter observations: at least one, with positive weights.
    init(_ observations: [Observation]) {
        var blocks: [Block] = []
        for observation in observations.sorted(by: { $0.strength < $1.strength }) {
            let hits = observation.holds ? observation.weight : 0
            if let last = blocks.indices.last, blocks[last].high == observation.strength {
                blocks[last].hits += hits
                blocks[last].weight += observation.weight
                blocks[last].count += 1
            } else {
                blocks.append(
                    Block(
                        hits: hits, weight: observation.weight, count: 1, low: observation.strength,
                        high: observation.strength))
            }
        }
        var pooled: [Block] = []
        for block in blocks {
            pooled.append(block)
            while pooled.count > 1, pooled[pooled.count - 2].share >= pooled[pooled.count - 1].share {
                let upper = pooled.removeLast()
                pooled[pooled.count - 1].hits += upper.hits
                pooled[pooled.count - 1].weight += upper.weight
                pooled[pooled.count - 1].count += upper.count
                pooled[pooled.count - 1].high = upper.high
            }
        }
        points = pooled.flatMap { [($0.low, $0.share), ($0.high, $0.share)] }
    }

    /// Linear between the points, constant beyond them.
    func value(at strength: Double) -> Double { Calibration.interpolated(at: strength, on: points) }
}
