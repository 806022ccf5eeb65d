import Foundation

/// An observation of a price, as trust sees it.
package struct TrustedPrice: Sendable, Hashable {
    /// Ten-thousandths of one currency.
    package var parts: Int64
    /// Days since 1970.
    package var day: Int
    package var proof: PriceProof
    /// Probability 0…1 that the price was read or typed right.
    package var confidence: Double
    /// Nil for imported prices without a name; together they are one more person, because one file may hold any names.
    package var contributor: String?
    /// Accepted and rejected contributions of the contributor.
    package var accepted: Int
    package var rejected: Int

    package init(
        parts: Int64, day: Int, proof: PriceProof, confidence: Double = 1, contributor: String? = nil,
        accepted: Int = 0,
        rejected: Int = 0
    ) {
        self.parts = parts
        self.day = day
        self.proof = proof
        self.confidence = confidence
        self.contributor = contributor
        self.accepted = accepted
        self.rejected = rejected
    }
}

/// How far a price can be relied on: proof, reading, contributor, agreement with others, and age.
package struct PriceTrust: Sendable {
    private let rules: GroceryRules.Trust
    /// Days after which a price counts half.
    package let halfLife: Double

    /// - Parameter halfLife: a measured one; nil for the one of the rules.
    package init(_ rules: GroceryRules, halfLife: Double? = nil) {
        self.rules = rules.trust
        let range = rules.trust.halfLifeRange
        self.halfLife = min(max(halfLife ?? rules.trust.halfLifeDays, range[0]), range[1])
    }

    /// Trust on the day of the observation, 0…1.
    ///
    /// - Parameter others: prices of the same product, place, currency and unit.
    package func base(of price: TrustedPrice, among others: [TrustedPrice]) -> Double {
        let record =
            (Double(price.accepted) + rules.newcomerAccepted)
            / (Double(price.accepted + price.rejected) + rules.newcomerAccepted + rules.newcomerRejected)
        var agreeing: Set<String> = []
        for other in others {
            guard abs(other.parts - price.parts) * 1000 <= price.parts * Int64(rules.agreementPerMille),
                abs(Double(other.day - price.day)) <= halfLife,
                other.contributor != price.contributor || (other.contributor == nil && other.day != price.day)
            else { continue }
            agreeing.insert(other.contributor ?? "")
        }
        let agreement = 1 - (1 - rules.alone) * exp2(-Double(agreeing.count))
        return min(1, max(0, (rules.proof[price.proof.rawValue] ?? 0) * price.confidence * record * agreement))
    }

    /// Trust on a later day, 0…1.
    package func trust(base: Double, observed: Int, on day: Int) -> Double {
        base * exp2(-Double(max(0, day - observed)) / halfLife)
    }

    /// Half the width of the range of a price, per mille, 0…900: what trust leaves open, and how far prices move in
    /// general.
    ///
    /// - Parameter days: since the price was seen.
    package func spread(trust: Double, days: Int) -> Int {
        let open = Double(rules.widestSpread) * (1 - min(1, max(0, trust)))
        let moved = Double(rules.yearlySpread) * Double(max(0, days)) / 365
        return Int(min(Self.mostSpread, open + moved).rounded())
    }

    private static let mostSpread = 900.0

    /// The index of the price that is most trusted now, and its base. The choice does not depend on the day: all prices
    /// age alike.
    package func best(_ prices: [TrustedPrice]) -> (index: Int, base: Double)? {
        var best: (index: Int, base: Double, score: Double)?
        for (index, price) in prices.enumerated() {
            let base = base(of: price, among: prices)
            guard base > 0 else { continue }
            let score = log2(base) + Double(price.day) / halfLife
            if let best, best.score >= score { continue }
            best = (index, base, score)
        }
        return best.map { ($0.index, $0.base) }
    }
}

/// How long prices stay the same, measured.
package enum PriceHalfLife {
    /// Two successive observations of one product at one place.
    package struct Pair: Sendable, Hashable {
        package var days: Int
        package var isChanged: Bool

        package init(days: Int, isChanged: Bool) {
            self.days = days
            self.isChanged = isChanged
        }
    }

    /// Days after which half of the prices have changed: the maximum-likelihood rate of an exponential time to change
    /// that is only seen at the second observation.
    ///
    /// - Returns: nil for fewer pairs than the rules demand, or if none or all of them changed.
    package static func days(_ pairs: [Pair], rules: GroceryRules) -> Double? {
        let pairs = pairs.filter { $0.days > 0 }
        let changed = pairs.filter(\.isChanged)
        guard pairs.count >= rules.trust.halfLifePairs, !changed.isEmpty, changed.count < pairs.count else {
            return nil
        }
        let kept = pairs.filter { !$0.isChanged }.reduce(0.0) { $0 + Double($1.days) }
        // The derivative of the likelihood falls with the rate, so bisection finds its root.
        func slope(_ rate: Double) -> Double {
            changed.reduce(-kept) { sum, pair in
                let days = Double(pair.days)
                return sum + days / expm1(rate * days)
            }
        }
        var (low, high) = (1e-6, 10.0)
        for _ in 0..<100 {
            let middle = (low * high).squareRoot()
            if slope(middle) > 0 { low = middle } else { high = middle }
        }
        let range = rules.trust.halfLifeRange
        return min(max(log(2) / low, range[0]), range[1])
    }
}

/// Prices that are too far from the others to be used unseen.
package enum PriceOutlier {
    /// - Parameters:
    ///   - parts: the new price.
    ///   - references: recent prices of the same product, currency and unit, at all places.
    /// - Returns: the median in ten-thousandths if the price is an outlier; nil if it is not, or for too few
    ///   references.
    package static func median(contradicting parts: Int64, _ references: [Int64], rules: GroceryRules) -> Int64? {
        let sorted = references.filter { $0 > 0 }.sorted()
        guard parts > 0, sorted.count >= rules.outlier.references else { return nil }
        let logs = sorted.map { log(Double($0)) }
        let middle = median(logs)
        // 1.4826 makes the median deviation a standard deviation for a normal distribution.
        let deviation = 1.4826 * median(logs.map { abs($0 - middle) }.sorted())
        let limit = min(
            max(rules.outlier.deviations * deviation, log(rules.outlier.smallestRatio)), log(rules.outlier.largestRatio)
        )
        return abs(log(Double(parts)) - middle) > limit ? sorted[sorted.count / 2] : nil
    }

    private static func median(_ sorted: [Double]) -> Double {
        let half = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
    }
}
