import Core

/// Scores judgements against texts with known allergens.
public struct AllergenEvaluation: Sendable {
    /// One text with its ground truth. Nil fields are unknown and not scored.
    public struct Case: Sendable, Codable {
        public var id: String
        public var language: String?
        public var regime: String?
        public var kind: AllergenInterpreter.TextKind?
        public var text: String
        public var contains: [Allergen]?
        public var mayContain: [Allergen]?
        /// Allergens that the ground truth covers; nil means all of the regime.
        public var covered: [Allergen]?
        /// Dishes of the same kitchen with known allergens.
        public var house: [DeclaredDish]?
    }

    /// The probability of a finding, and whether the finding was correct.
    public struct Pair: Sendable, Codable {
        public var group, kind: String
        public var strength: AllergenFinding.Strength
        public var polarity: AllergenFinding.Polarity
        public var probability: Double
        public var holds: Bool
    }

    /// A true allergen with the verdict NOT_FOUND_IN_TEXT.
    public struct FalseReassurance: Sendable, Hashable, Codable {
        public var id: String
        public var allergen: Allergen
    }

    public private(set) var cases = 0
    public private(set) var hits = 0
    public private(set) var found = 0
    public private(set) var present = 0
    public private(set) var absent = 0
    public private(set) var answered = 0
    public private(set) var falseReassurances: [FalseReassurance] = []
    public private(set) var pairs: [Pair] = []
    /// Verdicts that count as found, with their probability.
    private var ranking: [(probability: Double, holds: Bool)] = []

    public init() {}

    public var recall: Double? { present == 0 ? nil : Double(hits) / Double(present) }
    public var precision: Double? { found == 0 ? nil : Double(hits) / Double(found) }
    /// Highest recall that some minimum probability reaches at this precision; nil if no allergen is present.
    public func recall(atPrecision wanted: Double) -> Double? {
        guard present > 0 else { return nil }
        var (held, best) = (0, 0)
        let sorted = ranking.sorted { $0.probability > $1.probability }
        for (index, one) in sorted.enumerated() {
            held += one.holds ? 1 : 0
            // A minimum probability cannot separate equal ones.
            if index + 1 < sorted.count, sorted[index + 1].probability == one.probability { continue }
            if Double(held) >= wanted * Double(index + 1) { best = held }
        }
        return Double(best) / Double(present)
    }

    /// Calibration of the verdicts that count as found.
    public var verdicts: ReliabilityTable { ReliabilityTable(ranking) }

    /// Share of absent allergens that received NOT_FOUND_IN_TEXT, on labels; nil if no allergen was absent.
    public var usefulness: Double? { absent == 0 ? nil : Double(answered) / Double(absent) }

    /// Adds the judgement of one case.
    /// - Parameter group: the origin of the case, such as an operator or a file.
    public mutating func add(_ one: Case, _ judgement: TextJudgement, group: String) {
        guard let contains = one.contains.map(Set.init) else { return }
        cases += 1
        let kind = one.kind ?? .label
        let covered = one.covered.map(Set.init) ?? Set(judgement.verdicts.keys)
        let traces = Set(one.mayContain ?? [])
        for (allergen, verdict) in judgement.verdicts where covered.contains(allergen) {
            let isTrue = contains.contains(allergen)
            let isSaid = verdict.verdict == .contains || (kind != .label && verdict.verdict == .likely)
            present += isTrue ? 1 : 0
            found += isSaid ? 1 : 0
            hits += isTrue && isSaid ? 1 : 0
            if isSaid { ranking.append((verdict.probability, isTrue)) }
            if isTrue, verdict.verdict == .notFoundInText {
                falseReassurances.append(.init(id: one.id, allergen: allergen))
            }
            if kind == .label, !isTrue, !traces.contains(allergen) {
                absent += 1
                answered += verdict.verdict == .notFoundInText ? 1 : 0
            }
        }
        for finding in judgement.findings where covered.contains(finding.allergen) {
            let holds: Bool
            switch finding.polarity {
            case .contains, .likely: holds = contains.contains(finding.allergen)
            case .mayContain:
                guard one.mayContain != nil else { continue }
                holds = contains.contains(finding.allergen) || traces.contains(finding.allergen)
            case .freeClaim, .option: continue
            }
            pairs.append(
                Pair(
                    group: group, kind: kind == .label ? "label" : "dish", strength: finding.strength,
                    polarity: finding.polarity, probability: finding.probability, holds: holds))
        }
    }

    /// Reliability of each evidence strength, strongest first.
    public var reliability: [(strength: AllergenFinding.Strength, table: ReliabilityTable)] {
        Self.reliability(of: pairs)
    }

    /// The same of any pairs, such as those of `LeftOutCalibration`.
    public static func reliability(
        of pairs: [Pair]
    ) -> [(strength: AllergenFinding.Strength, table: ReliabilityTable)] {
        let order: [AllergenFinding.Strength] = [.declared, .ingredient, .legendCode, .dishKnowledge, .fuzzy]
        return order.compactMap { strength in
            let own = pairs.filter { $0.strength == strength }
            return own.isEmpty ? nil : (strength, ReliabilityTable(own.map { ($0.probability, $0.holds) }))
        }
    }
}

/// Shares of correct findings in ten probability bins.
public struct ReliabilityTable: Sendable, Hashable {
    public struct Bin: Sendable, Hashable {
        public var count = 0
        /// Mean probability, and share of correct findings.
        public var mean = 0.0
        public var share = 0.0
    }

    public let bins: [Bin]
    public let count: Int

    public init(_ pairs: [(probability: Double, holds: Bool)]) {
        var sums = [(count: Int, probability: Double, held: Double)](repeating: (0, 0, 0), count: 10)
        for (probability, holds) in pairs {
            let bin = min(9, max(0, Int(probability * 10)))
            sums[bin].count += 1
            sums[bin].probability += probability
            sums[bin].held += holds ? 1 : 0
        }
        count = pairs.count
        bins = sums.map { sum in
            sum.count == 0
                ? Bin()
                : Bin(count: sum.count, mean: sum.probability / Double(sum.count), share: sum.held / Double(sum.count))
        }
    }

    /// Expected calibration error: the mean distance between probability and share, weighted by the number of
    /// findings.
    public var error: Double {
        guard count > 0 else { return 0 }
        return bins.reduce(0) { $0 + Double($1.count) * abs($1.mean - $1.share) } / Double(count)
    }
}
