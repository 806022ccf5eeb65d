import Core
import Foundation
import Synchronization

/// Fitted weights: `models/documents/weights.json`, made by `scripts/fit-documents`.
struct FittedWeights: DataFile {
    static let schema = "tablesight.document-weights/1"

    struct Model: Decodable, Sendable {
        let features: [String]
        let weights: [Double]
        let bias: Double
        /// Weight by the hash of the feature's name.
        let byHash: [UInt64: Double]

        private enum CodingKeys: CodingKey { case features, weights, bias }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            features = try values.decode([String].self, forKey: .features)
            weights = try values.decode([Double].self, forKey: .weights)
            bias = try values.decode(Double.self, forKey: .bias)
            byHash = Dictionary(
                zip(features.map { FeatureName.hash(of: $0.utf8) }, weights), uniquingKeysWith: { first, _ in first })
        }
    }

    var version: String
    /// A logit for each candidate or page, by name.
    var models: [String: Model]
    /// From score to probability, by name.
    var calibrations: [String: RisingCurve]

    func validate(name: String) throws(DataFileProblem) {
        for (key, model) in models {
            try DataFileProblem.check(
                model.features.count == model.weights.count && !model.features.isEmpty, "models.\(key)",
                "give one weight for each feature")
            try DataFileProblem.check(
                model.byHash.count == model.features.count, "models.\(key)", "a feature is listed twice")
            try DataFileProblem.check(
                (model.weights + [model.bias]).allSatisfy(\.isFinite), "models.\(key)", "a weight is not finite")
        }
        for (key, curve) in calibrations { try curve.validate("calibrations.\(key)") }
    }
}

extension FittedWeights.Model {
    func logit(_ features: Features) -> Double {
        features.reduce(bias) { sum, name, value in value == 0 ? sum : sum + value * (byHash[name.hash] ?? 0) }
    }
}

extension FittedWeights {
    /// The most likely candidate and its probability against the others and against no candidate; nil for an empty list.
    ///
    /// - Parameter notes: the values of the candidates, for training.
    func best(
        _ name: String, of candidates: [Features], notes: @autoclosure () -> [String]
    ) -> (index: Int, probability: Double)? {
        let probabilities = probabilities(name, of: candidates, notes: notes())
        return probabilities.indices.max { probabilities[$0] < probabilities[$1] }.map { ($0, probabilities[$0]) }
    }

    /// The probability of each candidate against the others and against no candidate; empty without a model.
    ///
    /// - Parameter notes: the values of the candidates, for training.
    func probabilities(
        _ name: String, of candidates: [Features], notes: @autoclosure () -> [String]
    ) -> [Double] {
        if let trace = FeatureTrace.current { trace.add(name, candidates, notes()) }
        guard let model = models[name] else { return [] }
        let odds = candidates.map { exp(min(30, max(-30, model.logit($0)))) }
        let total = odds.reduce(1, +)
        return odds.map { $0 / total }
    }

    /// The probability of a logistic model, 0…1.
    ///
    /// - Parameter note: the value that it is about, for training.
    func probability(_ name: String, _ features: Features, note: @autoclosure () -> String) -> Double {
        FeatureTrace.current?.add(name, features, note())
        guard let model = models[name] else { return 0.5 }
        return 1 / (1 + exp(-min(30, max(-30, model.logit(features)))))
    }

    /// The calibrated probability of a score; the score itself without a table.
    func calibrated(_ name: String, _ score: Double) -> Double {
        calibrations[name]?.probability(of: score) ?? min(0.99, max(0.01, score))
    }
}

/// Records the features of candidates and values while a page is read, to fit the weights.
package final class FeatureTrace: Sendable {
    /// One value, or the candidates for one.
    package struct Entry: Sendable, Encodable {
        package var model: String
        package var features: [[String: Double]]
        package var notes: [String]
        /// True for candidates of which at most one is right.
        package var isChoice: Bool
    }

    @TaskLocal static var current: FeatureTrace?

    private let entries = Mutex<[Entry]>([])

    private init() {}

    func add(_ model: String, _ features: Features, _ note: String) {
        entries.withLock { $0.append(Entry(model: model, features: [features.values], notes: [note], isChoice: false)) }
    }

    func add(_ model: String, _ features: [Features], _ notes: [String]) {
        entries.withLock {
            $0.append(Entry(model: model, features: features.map(\.values), notes: notes, isChoice: true))
        }
    }

    /// What `body` returns, and the entries that it recorded.
    package static func recording<Value>(_ body: () -> Value) -> (Value, [Entry]) {
        let trace = FeatureTrace()
        let value = $current.withValue(trace) { body() }
        return (value, trace.entries.withLock { $0 })
    }
}
