import Core
import Foundation

/// The decoded `models/dice/faces.json`, before validation.
struct DieFaceModelFile: DataFile {
    static let schema = "tablesight.die-faces/1"
    static let remedy = "restore it or make it with scripts/tool training.die_faces.train"

    /// The parameters of one layer.
    struct Layer: Decodable {
        /// Scale of the integer weights.
        var worth: Float
        /// Base64 of one signed byte per weight, with all outputs of an input together.
        var weights: String
        var biases: [Float]

        func numbers(inputs: Int, outputs: Int, key: String) throws(DataFileProblem) -> (
            weights: [Float], biases: [Float]
        ) {
            guard let bytes = Data(base64Encoded: weights), bytes.count == inputs * outputs else {
                throw .init("\(key).weights", "no Base64 of \(inputs) × \(outputs) bytes")
            }
            guard biases.count == outputs, worth.isFinite, biases.allSatisfy(\.isFinite) else {
                throw .init("\(key).biases", "\(biases.count) of \(outputs) numbers")
            }
            return (bytes.map { Float(Int8(bitPattern: $0)) * worth }, biases)
        }
    }

    /// Pixels, and lattice steps.
    var size: Int
    var reach: Double
    /// Outputs of both convolutional layers, and of the first dense layer.
    var filters: [Int]
    var hidden: Int
    var layers: [Layer]

    func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(
            (8...128).contains(size) && reach > 0 && reach < 10, "size, reach", "\(size), \(reach) are not 8…128, 0…10")
        try DataFileProblem.check(
            filters.count == 2 && layers.count == 4 && (filters + [hidden]).allSatisfy { $0 > 0 && $0 % 8 == 0 },
            "filters, hidden, layers", "two numbers, one and four layers, in eights")
    }
}
