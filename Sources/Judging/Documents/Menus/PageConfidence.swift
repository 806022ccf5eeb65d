import Foundation
import Core

/// Maps the features of a page to the probability of good dish detection: `models/menus/confidence.json`.
/// `scripts/train-menus` fits it to pages that the role model was not trained on.
public struct PageConfidence: Sendable {
    public static let schema = "tablesight.menu-confidence/1"

    struct File: Codable, DataFile {
        static let schema = PageConfidence.schema
        static let remedy = "recreate it with scripts/train-menus"

        var schema, version, source, licence: String
        /// Names of the features, in the program's order.
        var signs: [String]
        var mean, scale, weights: [Double]
        var bias: Double
        /// Raw and calibrated probabilities, increasing: a piecewise linear map.
        var raw, shown: [Double]
        /// Share of near-duplicate names above which the confidence is limited to `vetoed`.
        var mostEchoes: Double
        var vetoed: Double

        func validate(name: String) throws(DataFileProblem) {
            let count = PageFeatures.names.count
            try DataFileProblem.check(signs == PageFeatures.names, "signs", "other features than the program's")
            try DataFileProblem.check(
                [mean, scale, weights].allSatisfy { $0.count == count } && scale.allSatisfy { $0 > 0 },
                "mean, scale, weights", "give a value for each sign, and scales above 0")
            let isRising = { (values: [Double]) in zip(values, values.dropFirst()).allSatisfy { $0 <= $1 } }
            try DataFileProblem.check(
                raw.count == shown.count && raw.count >= 2 && isRising(raw) && isRising(shown), "raw, shown",
                "no rising map")
        }
    }

    private let file: File
    var version: String { file.version }

    /// - Throws: `StartupError` with the file.
    public init(from models: ModelFolder) throws {
        file = try models.load(File.self, from: "menus/confidence.json")
    }

    /// - Throws: `StartupError` with the file.
    public init(contentsOf file: URL) throws { self.file = try File(contentsOf: file) }

    /// The probability 0…1; 0 for a page without content.
    func probability(_ features: PageFeatures) -> Double {
        guard features.values.contains(where: { $0 != 0 }) else { return 0 }
        var sum = file.bias
        for (index, value) in features.values.enumerated() {
            sum += file.weights[index] * (value - file.mean[index]) / file.scale[index]
        }
        let shown = map(1 / (1 + exp(-sum)))
        let echoes = PageFeatures.names.firstIndex(of: "echoingNames").map { features.values[$0] } ?? 0
        return echoes > file.mostEchoes ? min(file.vetoed, shown) : shown
    }

    private func map(_ raw: Double) -> Double {
        guard let next = file.raw.firstIndex(where: { $0 >= raw }) else { return file.shown.last ?? 0 }
        guard next > 0 else { return file.shown[0] }
        let width = file.raw[next] - file.raw[next - 1]
        let share = width > 0 ? (raw - file.raw[next - 1]) / width : 1
        return file.shown[next - 1] + share * (file.shown[next] - file.shown[next - 1])
    }
}
