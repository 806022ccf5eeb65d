import Foundation

/// The decoded `models/dice/faces.json`, before validation.
struct DieFaceModelFile: Decodable {
    /// The parameters of one layer.
    struct Layer: Decodable {
        /// Scale of the integer weights.
        var worth: Float
        /// Base64 of one signed byte per weight, with all outputs of an input together.
        var weights: String
        var biases: [Float]

        func numbers(inputs: Int, outputs: Int, key: String) throws(PieceSetFile.Problem) -> (
            weights: [Float], biases: [Float]
        ) {
            guard let bytes = Data(base64Encoded: weights), bytes.count == inputs * outputs else {
                throw .init(key: "\(key).weights", detail: "no Base64 of \(inputs) × \(outputs) bytes")
            }
            guard biases.count == outputs, worth.isFinite, biases.allSatisfy(\.isFinite) else {
                throw .init(key: "\(key).biases", detail: "\(biases.count) of \(outputs) numbers")
            }
            return (bytes.map { Float(Int8(bitPattern: $0)) * worth }, biases)
        }
    }

    var schema: String
    /// Pixels, and lattice steps.
    var size: Int
    var reach: Double
    /// Outputs of both convolutional layers, and of the first dense layer.
    var filters: [Int]
    var hidden: Int
    var layers: [Layer]
}
