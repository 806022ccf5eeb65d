import Core
import Foundation

/// Turns the evidence for a piece into the probability that it is right: `models/calibration/pieces.json`, made by
/// `scripts/tool training.pieces` from the features that this program measures.
struct PieceCalibration: DataFile {
    static let schema = "tablesight.piece-calibration/1"
    static let path = "calibration/pieces.json"

    /// A logistic model over the logarithms of features: their product, each with a fitted exponent.
    struct Model: Decodable, Sendable {
        /// Exponents by the name of a feature, 0 or more: better evidence never lowers the probability.
        let weights: [String: Double]
        let bias: Double
    }

    /// A weaker feature counts as this. The fit uses the same floor.
    private static let floor = 0.01
    /// Range of probabilities: no count of photos proves more.
    private static let range = 0.005...0.995

    /// By the family of the set.
    var models: [String: Model]

    func validate(name: String) throws(DataFileProblem) {
        for (key, model) in models {
            try DataFileProblem.check(
                ReadingMethod(rawValue: key) != nil, "models.\(key)",
                "no family of pieces: give one of \(ReadingMethod.allCases.map(\.rawValue).joined(separator: ", "))")
            try DataFileProblem.check(
                model.bias.isFinite && model.weights.values.allSatisfy { $0.isFinite && $0 >= 0 }, "models.\(key)",
                "give finite weights, 0 or more")
        }
    }

    /// Probability 0…1; nil if the family has no model or the piece no features.
    func probability(_ family: ReadingMethod, _ features: PieceFeatures) -> Double? {
        guard let model = models[family.rawValue], !features.values.isEmpty else { return nil }
        let logit = model.weights.reduce(model.bias) { sum, weight in
            sum + weight.value * log(max(Self.floor, features[weight.key]))
        }
        return min(Self.range.upperBound, max(Self.range.lowerBound, 1 / (1 + exp(-logit))))
    }
}
