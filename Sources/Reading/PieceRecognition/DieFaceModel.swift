import Foundation
import Core

/// What a whole upper face of a die looks like, learned from rendered throws: `models/dice/faces.json`, made by
/// `scripts/tool training.die_faces.train`.
///
/// It looks at what lies about the nine places of a proposed face, turned upright and freed of its colours: how far each spot is from the
/// face's colour, and how far on the way to the ink. Two layers of filters, each at every other place, then two of sums.
struct DieFaceModel: Sendable {
    /// Pixels of an edge of what it looks at.
    let size: Int
    /// Half of that edge, in steps from place to place.
    let reach: Double

    private let filters: [Layer]
    private let sums: [Layer]

    /// Eight outputs a group; the inputs of one output place are `side` × `side` places of all planes, row by row.
    private struct Layer {
        var side: Int
        var outputs: Int
        var weights: [[SIMD8<Float>]]
        var biases: [SIMD8<Float>]
    }

    private static let sides = [5, 3]
    private static let planes = 2

    /// Less contrast than this is noise, 0…255: differences are counted against it.
    private static let leastContrast: Float = 12

    /// Reads and checks it.
    /// - Throws: `StartupError` that names the file, the key and what to do.
    static func load(from models: ModelFolder) throws -> DieFaceModel {
        let path = "dice/faces.json"
        let file = try models.load(DieFaceModelFile.self, from: path)
        do { return try DieFaceModel(file) } catch let problem as PieceSetFile.Problem {
            throw StartupError(
                .configuration,
                "\(models.url.appending(path: path).path), \(problem.key): \(problem.detail); restore it or make it with scripts/tool training.die_faces.train"
            )
        }
    }

    init(_ file: DieFaceModelFile) throws {
        typealias Problem = PieceSetFile.Problem
        guard file.schema == "tablesight.die-faces/1" else {
            throw Problem(key: "schema", detail: "\(file.schema) is unknown, tablesight.die-faces/1 is read")
        }
        guard (8...128).contains(file.size), file.reach > 0, file.reach < 10 else {
            throw Problem(key: "size, reach", detail: "\(file.size), \(file.reach) are not 8…128, 0…10")
        }
        guard file.filters.count == 2, file.layers.count == 4,
            (file.filters + [file.hidden]).allSatisfy({ $0 > 0 && $0 % 8 == 0 })
        else { throw Problem(key: "filters, hidden, layers", detail: "two numbers, one and four layers, in eights") }
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

    /// What it says by itself is never surer than this.
    static let mostSure = 0.85
    /// What a whole outline (a body of 1) weighs against the model's odds.
    private static let weightOfBody = 3.0
    /// Letters in two rows are nearer to what a six may be than to other faces.
    private static let moreForSix = 2.5
    /// Set by eye so that rendered throws that were not learned from are told too low rather than too high; not fitted.
    private static let middle = 0.3
    private static let slope = 0.9

    /// How surely these nine places are a whole upper face, 0…`mostSure`; nil where nothing could be seen of them.
    ///
    /// - Parameter body: how much of its sides is seen to end, 0…1.
    func confidence(
        of value: Int, on lattice: PipLattice, colour: SIMD3<Int32>, ink: SIMD3<Int32>, body: Double,
        _ sheet: borrowing PipSheet
    ) -> Double? {
        guard let odds = odds(of: lattice, colour: colour, ink: ink, on: sheet) else { return nil }
        return confidence(ofOdds: odds + Self.weightOfBody * (body - 0.5) - (value == 6 ? Self.moreForSix : 0))
    }

    /// How surely it is a face whose odds (a logarithm) these are.
    func confidence(ofOdds odds: Double) -> Double { Self.mostSure / (1 + exp(-Self.slope * (odds - Self.middle))) }

    /// The same without its sides, as the logarithm of the odds; nil where nothing could be seen of them.
    func odds(of lattice: PipLattice, colour: SIMD3<Int32>, ink: SIMD3<Int32>, on sheet: borrowing PipSheet) -> Double?
    {
        guard let seen = sheet.patch(about: lattice, side: lattice.step / DiceReader.step, reach: reach, size: size)
        else {
            return nil
        }
        let face = SIMD3<Float>(colour)
        let way = SIMD3<Float>(ink) - face
        let contrast = max(Self.leastContrast, max(abs(way.x), abs(way.y), abs(way.z)))
        let length = max(1, (way * way).sum())
        return odds(
            seen.flatMap { one in
                let off = one - face
                let apart = max(abs(off.x), abs(off.y), abs(off.z)) / contrast
                return [min(apart, 4).squareRoot() / 2, min(1.5, max(-1, (off * way).sum() / length))]
            })
    }

    /// Of the two planes, place by place.
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
