import Core

/// Pairs of score and probability, both rising: isotonic, read by linear interpolation.
package struct RisingCurve: Decodable, Sendable {
    private let knots: [[Double]]

    package init(from decoder: any Decoder) throws { knots = try [[Double]](from: decoder) }

    package func validate(_ key: String) throws(DataFileProblem) {
        try DataFileProblem.check(
            knots.count >= 2 && knots.allSatisfy { $0.count == 2 && (0...1).contains($0[1]) }
                && zip(knots, knots.dropFirst()).allSatisfy { $0[0] <= $1[0] && $0[1] <= $1[1] },
            key, "give rising pairs of score and probability")
    }

    /// The probability 0…1 of a score.
    package func probability(of score: Double) -> Double {
        guard let first = knots.first, let last = knots.last else { return score }
        if score <= first[0] { return first[1] }
        for (one, other) in zip(knots, knots.dropFirst()) where score <= other[0] {
            let share = other[0] > one[0] ? (score - one[0]) / (other[0] - one[0]) : 1
            return one[1] + share * (other[1] - one[1])
        }
        return last[1]
    }
}
