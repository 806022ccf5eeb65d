import Foundation
import Core

/// A network that recognises whole top faces of dice, trained on rendered throws: `models/dice/faces.json`, made by
/// `scripts/tool training.die_faces.train`.
///
/// Input: a rectified patch around the nine lattice points, without absolute colour. One plane is the distance from
/// the face's colour, the other the position on the way to the ink's colour. Two convolutional layers with stride 2
/// are followed by two dense layers.
struct DieFaceModel: Sendable {
    /// Edge of the input, pixels.
    let size: Int
    /// Half of that edge, in lattice steps.
    let reach: Double

    private let filters: [Layer]
    private let sums: [Layer]

    /// A layer with outputs in groups of eight. Inputs of one output place are `side` × `side` places of all planes,
    /// row by row.
    private struct Layer {
        var side: Int
        var outputs: Int
        var weights: [[SIMD8<Float>]]
        var biases: [SIMD8<Float>]
    }

    private static let sides = [5, 3]
    private static let planes = 2

    /// Minimum contrast to which differences are normalised, 0…255. Lower contrast is noise.
    private static let minContrast: Float = 12

    /// Loads the model.
    ///
    /// - Throws: `StartupError` that names the file, the key and what to do.
    static func load(from models: ModelFolder) throws -> DieFaceModel {
        let path = "dice/faces.json"
        let file = try models.load(DieFaceModelFile.self, from: path)
        do { return try DieFaceModel(file) } catch {
            throw StartupError(
                .configuration,
                "\(models.url.appending(path: path).path), \(error.key): \(error.detail); \(DieFaceModelFile.remedy)")
        }
    }

    init(_ file: DieFaceModelFile) throws(DataFileProblem) {
        size = file.size
        reach = file.reach
        var layers: [Layer] = []
        var edge = file.size
        var planes = Self.planes
        for (index, outputs) in (file.filters + [file.hidden, 1]).enumerated() {
            let side = index < 2 ? Self.sides[index] : index == 2 ? edge : 1
            if index < 2 { edge = (edge - side) / 2 + 1 }
            let (weights, biases) = try file.layers[index].numbers(
                inputs: side * side * planes, outputs: outputs, key: "layers[\(index)]")
            let groups = (outputs + 7) / 8
            func group(_ values: ArraySlice<Float>) -> [SIMD8<Float>] {
                let values = Array(values)
                return (0..<groups).map { group in
                    var eight = SIMD8<Float>.zero
                    for lane in 0..<min(8, outputs - 8 * group) { eight[lane] = values[8 * group + lane] }
                    return eight
                }
            }
            let rows = (0..<side * side * planes).map { group(weights[($0 * outputs)..<(($0 + 1) * outputs)]) }
            layers.append(
                Layer(
                    side: side, outputs: outputs, weights: (0..<groups).map { group in rows.map { $0[group] } },
                    biases: group(biases[...])))
            planes = outputs
        }
        filters = Array(layers[..<2])
        sums = Array(layers[2...])
    }

    /// Maximum confidence by the model alone.
    static let maxConfidence = 0.85
    /// Weight of a whole outline (a body of 1) relative to the model's odds.
    private static let weightOfBody = 3.0
    /// Extra odds required of a six, because letters in two rows resemble it.
    private static let moreForSix = 2.5
    /// Centre of the confidence curve. It was set by eye so that held-out rendered throws are underrated rather than
    /// overrated; it is not fitted.
    private static let middle = 0.3
    private static let slope = 0.9

    /// Confidence that these nine places are a whole top face, 0…`maxConfidence`.
    ///
    /// - Parameter body: How much of the sides is visible, 0…1.
    func confidence(
        of value: Int, on lattice: PipLattice, colour: SIMD3<Int32>, ink: SIMD3<Int32>, body: Double,
        _ image: borrowing PreparedPipImage
    ) throws(PictureFailure) -> Double {
        let odds = try odds(of: lattice, colour: colour, ink: ink, on: image)
        return confidence(ofOdds: odds + Self.weightOfBody * (body - 0.5) - (value == 6 ? Self.moreForSix : 0))
    }

    /// Confidence of a face with these log odds.
    func confidence(ofOdds odds: Double) -> Double {
        Self.maxConfidence / (1 + exp(-Self.slope * (odds - Self.middle)))
    }

    /// Log odds without the sides.
    func odds(
        of lattice: PipLattice, colour: SIMD3<Int32>, ink: SIMD3<Int32>, on image: borrowing PreparedPipImage
    ) throws(PictureFailure) -> Double {
        let seen = try image.patch(about: lattice, side: lattice.step / DiceReader.step, reach: reach, size: size)
        let face = SIMD3<Float>(colour)
        let way = SIMD3<Float>(ink) - face
        let contrast = max(Self.minContrast, max(abs(way.x), abs(way.y), abs(way.z)))
        let length = max(1, (way * way).sum())
        return odds(
            seen.flatMap { one in
                let off = one - face
                let apart = max(abs(off.x), abs(off.y), abs(off.z)) / contrast
                return [min(apart, 4).squareRoot() / 2, min(1.5, max(-1, (off * way).sum() / length))]
            })
    }

    /// Log odds of the two planes, given place by place.
    func odds(_ places: [Float]) -> Double {
        var values = places
        var (edge, planes) = (size, Self.planes)
        for layer in filters {
            let next = (edge - layer.side) / 2 + 1
            var result: [Float] = []
            result.reserveCapacity(next * next * layer.outputs)
            for row in 0..<next {
                for column in 0..<next {
                    for (weights, bias) in zip(layer.weights, layer.biases) {
                        var sum = bias
                        var weight = 0
                        for line in 0..<layer.side {
                            let begin = ((2 * row + line) * edge + 2 * column) * planes
                            for index in begin..<(begin + layer.side * planes) {
                                sum += SIMD8(repeating: values[index]) * weights[weight]
                                weight += 1
                            }
                        }
                        sum.clamp(lowerBound: .zero, upperBound: SIMD8(repeating: .greatestFiniteMagnitude))
                        for lane in 0..<8 { result.append(sum[lane]) }
                    }
                }
            }
            (values, edge, planes) = (result, next, layer.outputs)
        }
        for (index, layer) in sums.enumerated() {
            var result: [Float] = []
            for (weights, bias) in zip(layer.weights, layer.biases) {
                var sum = bias
                for (value, weight) in zip(values, weights) where value != 0 {
                    sum += SIMD8(repeating: value) * weight
                }
                if index == 0 { sum.clamp(lowerBound: .zero, upperBound: SIMD8(repeating: .greatestFiniteMagnitude)) }
                for lane in 0..<8 { result.append(sum[lane]) }
            }
            values = result
        }
        return Double(values[0])
    }
}
