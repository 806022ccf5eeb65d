import Foundation
import Core

/// Maps the features of a page to the probability of good dish detection: `models/menus/confidence.json`.
/// `scripts/train-menus` fits it to pages that the role model was not trained on.
public struct PageConfidence: Sendable {
    public static let schema = "tablesight.menu-confidence/1"

    struct File: Codable {
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
    }

    private let file: File
    var version: String { file.version }

    /// - Throws: `StartupError` with the file.
    public init(from models: ModelFolder) throws {
        try self.init(models.load(File.self, from: "menus/confidence.json"), path: "menus/confidence.json")
    }

    /// - Throws: `StartupError` with the file.
    public init(contentsOf file: URL) throws {
        let folder = ModelFolder(file.deletingLastPathComponent())
        try self.init(folder.load(File.self, from: file.lastPathComponent), path: file.path)
    }

    private init(_ file: File, path: String) throws {
        let count = PageFeatures.names.count
        let isRising = { (values: [Double]) in zip(values, values.dropFirst()).allSatisfy { $0 <= $1 } }
        guard file.schema == Self.schema, file.signs == PageFeatures.names, file.mean.count == count,
            file.scale.count == count, file.weights.count == count, file.scale.allSatisfy({ $0 > 0 }),
            file.raw.count == file.shown.count, file.raw.count >= 2, isRising(file.raw), isRising(file.shown)
        else {
            throw StartupError(
                .configuration,
                "\(path): schema must be \(Self.schema), with a mean, a scale and a weight for each sign of the program and "
                    + "a rising map; recreate it with scripts/train-menus")
        }
        self.file = file
    }

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
