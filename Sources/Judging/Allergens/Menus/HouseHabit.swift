import Foundation
import Core

/// What one kitchen declares more or less often than the names of its dishes suggest.
///
/// A Gaussian-process logistic regression on the dishes that the kitchen declared. The prior has two parts: a bias of
/// the kitchen for each allergen, and weights of the words of its dishes. Few dishes give a small shift, and no dishes
/// give none, so the estimate decays to the average kitchen.
struct HouseHabit: Sendable {
    /// A dish whose allergens the kitchen declared, or a person verified.
    struct Observation: Sendable {
        var name: String
        var features: DishFeatures
        /// The probability of each of the 14 groups without a habit, by `Allergen.eu14`.
        var probabilities: [Double]
        var declared: Set<Allergen>
        /// The allergens that the declaration covers. The others are unknown.
        var covered: Set<Allergen>
    }

    /// The habit's effect on one allergen of a dish.
    struct Shift: Sendable, Hashable {
        /// Added to the logit of the probability.
        var logit: Double
        /// The most similar dish that declared the allergen.
        var example: String?
    }

    /// Fewer dishes say nothing reliable about a kitchen.
    static let minimumObservations = 3
    /// More dishes cost time and hardly change the estimate. The last ones count.
    static let maximumObservations = 200
    /// Bounds of a shift, in logits.
    static let range = -2.0...2.5
    private static let sweeps = 12

    private let observations: [Observation]
    private let words: [Vector]
    private let variances: [Double]
    private let wordVariance: Double
    /// Residual of each observation, by allergen of `Allergen.eu14`.
    private var residuals: [[Double]] = []

    /// Nil if there are too few observations.
    init?(_ observations: [Observation], parameters: HouseParameters) {
        let observations = observations.filter { !$0.features.isEmpty }.suffix(Self.maximumObservations)
        guard observations.count >= Self.minimumObservations else { return nil }
        self.observations = Array(observations)
        words = self.observations.map { Vector($0.features) }
        variances = Allergen.eu14.map { parameters.variances[$0] ?? 0 }
        wordVariance = parameters.wordVariance
        let similarities = words.map { one in words.map(one.similarity) }
        residuals = Allergen.eu14.indices.map { fit($0, similarities) }
    }

    /// The maximum a posteriori residuals of one allergen, by coordinate-wise Newton steps in the dual.
    private func fit(_ allergen: Int, _ similarities: [[Double]]) -> [Double] {
        let key = Allergen.eu14[allergen]
        let known = observations.indices.filter { observations[$0].covered.contains(key) }
        var residuals = [Double](repeating: 0, count: observations.count)
        guard !known.isEmpty, variances[allergen] > 0 else { return residuals }
        var shifts = residuals
        for _ in 0..<Self.sweeps {
            var largest = 0.0
            for index in known {
                let truth = observations[index].declared.contains(key) ? 1.0 : 0
                let chance = Self.sigmoid(
                    Self.logit(observations[index].probabilities[allergen]) + shifts[index])
                let own = variances[allergen] + wordVariance * similarities[index][index]
                let step = (truth - chance - residuals[index]) / (1 + chance * (1 - chance) * own)
                residuals[index] += step
                largest = max(largest, abs(step))
                for other in known {
                    shifts[other] += step * (variances[allergen] + wordVariance * similarities[index][other])
                }
            }
            if largest < 1e-3 { break }
        }
        return residuals
    }

    /// The shift of each allergen of `Allergen.eu14` for a dish with these words.
    func shifts(for features: DishFeatures) -> [Shift] {
        let vector = Vector(features)
        let similarities = words.map(vector.similarity)
        return Allergen.eu14.indices.map { allergen in
            var shift = 0.0
            var nearest: (similarity: Double, name: String)?
            for index in observations.indices {
                let residual = residuals[allergen][index]
                shift += residual * (variances[allergen] + wordVariance * similarities[index])
                if observations[index].declared.contains(Allergen.eu14[allergen]),
                    similarities[index] > nearest?.similarity ?? -1
                {
                    nearest = (similarities[index], observations[index].name)
                }
            }
            return Shift(
                logit: min(Self.range.upperBound, max(Self.range.lowerBound, shift)), example: nearest?.name)
        }
    }

    static func logit(_ probability: Double) -> Double {
        let bounded = min(0.97, max(0.01, probability))
        return log(bounded / (1 - bounded))
    }

    static func sigmoid(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }

    /// A dish's features in the order of buckets, with length 1.
    private struct Vector: Sendable {
        private let entries: [DishFeatures.Entry]

        init(_ features: DishFeatures) {
            let length = features.entries.reduce(0) { $0 + $1.value * $1.value }.squareRoot()
            let scale: Float = length > 0 ? 1 / length : 0
            entries = features.entries.map { DishFeatures.Entry(bucket: $0.bucket, value: $0.value * scale) }
                .sorted { $0.bucket < $1.bucket }
        }

        func similarity(_ other: Vector) -> Double {
            var sum: Float = 0
            var (one, two) = (0, 0)
            while one < entries.count, two < other.entries.count {
                let (left, right) = (entries[one], other.entries[two])
                if left.bucket == right.bucket {
                    sum += left.value * right.value
                    one += 1
                    two += 1
                } else if left.bucket < right.bucket {
                    one += 1
                } else {
                    two += 1
                }
            }
            return Double(sum)
        }
    }
}

/// How much kitchens differ: `models/calibration/houses.json`, estimated by `scripts/train-dishes --houses`.
struct HouseParameters: Sendable {
    private struct File: DataFile {
        static let schema = "tablesight.houses/1"
        static let remedy = "make it again with scripts/train-dishes"

        var version: String
        /// Variance of a kitchen's bias, in squared logits.
        var variances: [Allergen: Double]
        /// Variance of a kitchen's words. It belongs to two dishes with the same words.
        var wordVariance: Double

        func validate(name: String) throws(DataFileProblem) {
            let all = variances.map { ("variances.\($0.key.rawValue)", $0.value) } + [("wordVariance", wordVariance)]
            for (key, value) in all {
                try DataFileProblem.check((0...25).contains(value), key, "\(value) is not 0…25")
            }
        }
    }

    let version: String
    let variances: [Allergen: Double]
    let wordVariance: Double

    /// No kitchen differs from the average.
    init() {
        version = "none"
        variances = [:]
        wordVariance = 0
    }

    init(variances: [Allergen: Double], wordVariance: Double) {
        version = "none"
        self.variances = variances
        self.wordVariance = wordVariance
    }

    /// - Throws: `StartupError` with the file and the value.
    init(from models: ModelFolder) throws {
        let file = try models.load(File.self, from: "calibration/houses.json")
        version = file.version
        variances = file.variances
        wordVariance = file.wordVariance
    }
}
