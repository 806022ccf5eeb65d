import Core

/// The figures of trust, outliers, reputation and names: `models/groceries/rules.json`.
package struct GroceryRules: DataFile, Sendable {
    package static let schema = "tablesight.grocery-rules/1"

    package struct Basket: Sendable, Decodable {
        /// The smallest share of a list that a place must have, in percent.
        package var minimumShare: Int
        package var shown: Int
    }

    package struct Trust: Sendable, Decodable {
        /// Days after which a price counts half, until enough data was seen to measure it.
        package var halfLifeDays: Double
        /// Days between which a measured half-life is kept.
        package var halfLifeRange: [Double]
        /// Pairs of observations that a measurement needs.
        package var halfLifePairs: Int
        /// Trust by kind of proof, 0…1.
        package var proof: [String: Double]
        /// A newcomer's record, as if they had these contributions already.
        package var newcomerAccepted: Double
        package var newcomerRejected: Double
        /// Trust of a price that nobody else reports, 0…1.
        package var alone: Double
        /// Prices within this per mille agree.
        package var agreementPerMille: Int
        /// Half the width of the range of a price without trust, per mille.
        package var widestSpread: Int
        /// What is added to it for each year since the price was seen, per mille: prices rise in general.
        package var yearlySpread: Int
    }

    package struct Outlier: Sendable, Decodable {
        /// Prices that are needed for a judgement.
        package var references: Int
        /// Allowed robust standard deviations of the logarithm.
        package var deviations: Double
        /// Ratios to the median: within the smaller no price is an outlier, beyond the larger every price is.
        package var smallestRatio: Double
        package var largestRatio: Double
    }

    package struct Level: Sendable, Decodable, Hashable {
        package var name: String
        /// Accepted less rejected contributions from which the level is reached.
        package var from: Int
    }

    package struct Names: Sendable, Decodable {
        /// Smallest score 0…1 at which a printed name suggests a product.
        package var suggestion: Double
        /// Largest edit distance of near names, per cent of their letters.
        package var nearPercent: Int
        /// Folded words that do not name a chain: kinds of shops and articles.
        package var generic: [String]
        /// Confidence 0…1 that name, amount and date need to be used without review.
        package var confidence: Double
    }

    package var basket: Basket
    package var trust: Trust
    package var outlier: Outlier
    package var levels: [Level]
    package var names: Names
    /// Folded words for the deposit of a bottle or crate, which is not a product.
    package var deposits: [String]

    /// True for the printed name of a deposit, also with the blanks and the amounts that print puts into it: "PF AND 0,25".
    func isDeposit(_ printed: String) -> Bool {
        let letters = Self.letters(printed)
        return !letters.isEmpty && deposits.contains { Self.letters($0) == letters }
    }

    private static func letters(_ text: String) -> String { String(Folding.fold(text).filter(\.isLetter)) }

    package var comparer: BasketComparer { BasketComparer(minimumShare: basket.minimumShare, shown: basket.shown) }

    package func validate(name: String) throws(DataFileProblem) {
        func share(_ value: Double) -> Bool { (0...1).contains(value) }
        try DataFileProblem.check((1...100).contains(basket.minimumShare), "basket.minimumShare", "must be 1 to 100")
        try DataFileProblem.check((1...20).contains(basket.shown), "basket.shown", "must be 1 to 20")
        let range = trust.halfLifeRange
        try DataFileProblem.check(
            range.count == 2 && range[0] > 0 && range[0] <= trust.halfLifeDays && trust.halfLifeDays <= range[1],
            "trust.halfLifeRange", "must be two numbers around halfLifeDays")
        for kind in PriceProof.allCases {
            try DataFileProblem.check(
                trust.proof[kind.rawValue].map(share) == true, "trust.proof.\(kind.rawValue)", "must be 0 to 1")
        }
        try DataFileProblem.check(
            trust.newcomerAccepted > 0 && trust.newcomerRejected > 0, "trust.newcomerAccepted", "must be above 0")
        for word in deposits {
            try DataFileProblem.check(
                !word.isEmpty && Folding.fold(word) == word, "deposits", "\(word): give folded words")
        }
        try DataFileProblem.check(share(trust.alone), "trust.alone", "must be 0 to 1")
        try DataFileProblem.check((0...1000).contains(trust.widestSpread), "trust.widestSpread", "must be 0 to 1000")
        try DataFileProblem.check((0...1000).contains(trust.yearlySpread), "trust.yearlySpread", "must be 0 to 1000")
        try DataFileProblem.check(
            1 < outlier.smallestRatio && outlier.smallestRatio <= outlier.largestRatio, "outlier.smallestRatio",
            "must be above 1 and at most largestRatio")
        try DataFileProblem.check(outlier.references >= 2, "outlier.references", "must be 2 or more")
        try DataFileProblem.check(
            levels.first?.from == 0 && zip(levels, levels.dropFirst()).allSatisfy { $0.from < $1.from }, "levels",
            "must start at 0 and rise")
    }
}

/// What proves a price.
package enum PriceProof: String, Sendable, Hashable, Codable, CaseIterable {
    case receipt, priceTag, imported, typed
}

/// What contributions have earned.
package struct Reputation: Sendable, Hashable, Codable {
    package var accepted: Int
    package var rejected: Int
    package var level: String
    /// Contributions that the next level needs; nil at the highest.
    package var missing: Int?

    package init(accepted: Int, rejected: Int, rules: GroceryRules) {
        self.accepted = accepted
        self.rejected = rejected
        let points = max(0, accepted - rejected)
        level = rules.levels.last { $0.from <= points }?.name ?? ""
        missing = rules.levels.first { $0.from > points }.map { $0.from - points }
    }
}
