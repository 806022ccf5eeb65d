internal import COpenCV
import Foundation
import Core

/// PP-OCRv6's recogniser, applied to one line image at a time, at its exact width.
final class NetworkLineReader: LineReader {
    /// Classes kept at each step. The fifth best nearly always has a probability below .001.
    private static let kept = 5

    private let network: NeuralNetwork
    private let alphabet: CharacterSetTable

    init(network: NeuralNetwork, alphabet: CharacterSetTable) {
        self.network = network
        self.alphabet = alphabet
    }

    func read(_ lineImage: Raster) throws -> CharacterLattice {
        var status: Int32 = 0
        let input = [Float](unsafeUninitializedCapacity: 3 * lineImage.width * lineImage.height) { buffer, count in
            buffer.initialize(repeating: 0)
            status = lineImage.bytes.withUnsafeBufferPointer {
                tcv_lines_input(
                    $0.baseAddress, Int32(lineImage.width), Int32(lineImage.height), Int32(lineImage.format.rawValue),
                    0, 0,
                    Int32(lineImage.width), Int32(lineImage.height), buffer.baseAddress)
            }
            count = buffer.count
        }
        guard status == TCV_OK else {
            throw ItemFailure(
                stage: .recognition, code: .decodeFailed, detail: "a line image was refused (\(status))",
                hint: "Save the picture again as JPEG or PNG.")
        }
        let classes = alphabet.characters.count
        return try network.run(input, shape: [1, 3, Int64(lineImage.height), Int64(lineImage.width)]) { values, sizes in
            guard sizes.count == 3, sizes[2] == classes else {
                throw ItemFailure(
                    stage: .recognition, code: .decodeFailed,
                    detail: "the line reader answered \(sizes) where \(classes) characters were expected",
                    hint: "Run scripts/fetch-models: network and list of characters do not belong together.")
            }
            let steps = (0..<sizes[1]).map { step in
                Self.step(UnsafeBufferPointer(rebasing: values[(step * classes)..<((step + 1) * classes)]))
            }
            return CharacterLattice(steps: steps, alphabet: alphabet)
        }
    }

    private static func step(_ row: UnsafeBufferPointer<Float>) -> CharacterLattice.Step {
        var best: [(id: Int, probability: Float)] = []
        best.reserveCapacity(kept + 1)
        // Classes below a thousandth are never chosen.
        var least: Float = 0.001
        for id in 0..<row.count where row[id] > least {
            let place = best.firstIndex { $0.probability < row[id] } ?? best.count
            best.insert((id, row[id]), at: place)
            if best.count > kept {
                best.removeLast()
                least = best[kept - 1].probability
            }
        }
        return CharacterLattice.Step(classes: best, space: row[row.count - 1])
    }
}
