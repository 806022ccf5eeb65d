import Core
import Documents
import Foundation

/// Compares how well each kind explains a page: a multinomial logit over the evidence of all kinds.
/// `scripts/fit-kinds` makes `models/kinds/decision.json`.
struct DecisionModel: DataFile {
    static let schema = "tablesight.kind-decision/1"
    static let remedy = "recreate it with scripts/fit-kinds"

    /// The weights of one kind.
    struct Kind: Decodable, Sendable {
        /// A value of `Outcome.Domain`.
        var name: String
        /// One for each feature.
        var weights: [Double]
        var bias: Double
    }

    var version: String
    var features: [String]
    /// Every kind of page; "none" has the score 0.
    var kinds: [Kind]
    /// The divisor of all scores that makes probabilities as sure as they are right on pages of other sources.
    var temperature: Double
    /// For each claim, from its score to the probability that it is right.
    var curves: [String: RisingCurve]

    func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(Set(features).count == features.count, "features", "a feature is listed twice")
        let known = Set(pageKinds.map { $0.domain.rawValue })
        try DataFileProblem.check(
            Set(kinds.map(\.name)) == known, "kinds", "give one entry for each of \(known.sorted())")
        try DataFileProblem.check(temperature > 0 && temperature.isFinite, "temperature", "give a number above 0")
        for (key, curve) in curves { try curve.validate("curves.\(key)") }
        for kind in kinds {
            try DataFileProblem.check(
                kind.weights.count == features.count && (kind.weights + [kind.bias]).allSatisfy(\.isFinite),
                "kinds.\(kind.name)", "give one finite weight for each feature")
        }
    }
}

/// The model, ready for evidence.
struct KindDecider: Sendable {
    let version: String
    private let kinds: [(kind: Outcome.Domain?, bias: Double, weights: [UInt64: Double])]
    private let temperature: Double
    private let curves: [String: RisingCurve]

    /// - Throws: `StartupError` with the file and the key.
    init(from models: ModelFolder) throws {
        let model = try models.load(DecisionModel.self, from: "kinds/decision.json")
        (version, temperature, curves) = (model.version, model.temperature, model.curves)
        let hashes = model.features.map { FeatureName.hash(of: $0.utf8) }
        kinds = model.kinds.map { kind in
            let weights = Dictionary(zip(hashes, kind.weights), uniquingKeysWith: { first, _ in first })
            return (Outcome.Domain(rawValue: kind.name), kind.bias, weights)
        }
    }

    /// How likely everything that an outcome says is right, 0…1: the least of its claims, each no surer than the choice of
    /// the kind and than what was read for it.
    ///
    /// - Parameter decision: what the print is; nil without print.
    func confidence(of outcome: Outcome, _ decision: KindDecision?) -> Double {
        let certainties = Kinds.kinds.flatMap { kind -> [Double] in
            // Text of no kind says nothing about a barcode or a board beside it.
            let choice = kind.isPage ? decision?.probability ?? 1 : 1
            return kind.claims(in: outcome).map { claim in
                let least = min(choice, claim.score)
                return min(least, probability(claim.name, least))
            }
        }
        if let least = certainties.min() { return least }
        let reading = Mean.of(outcome.readings.text?.lines.map(\.confidence) ?? [])
        let choice = decision?.probability ?? 1
        return min(reading, choice, probability(PageKindReading.none, choice))
    }

    private func probability(_ claim: String, _ score: Double) -> Double {
        curves[claim]?.probability(of: score) ?? score
    }

    func decision(on evidence: Features) -> KindDecision {
        let odds = kinds.map { kind in
            let score = evidence.reduce(kind.bias) { sum, name, value in
                value == 0 ? sum : sum + value * (kind.weights[name.hash] ?? 0)
            }
            return exp(min(30, max(-30, score / temperature)))
        }
        let total = odds.reduce(1, +)
        return KindDecision(
            zip(kinds, odds).map { .init(kind: $0.kind, probability: $1 / total) }
                + [.init(kind: nil, probability: 1 / total)])
    }
}
