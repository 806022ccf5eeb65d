import Foundation

/// The bytes of `models/dice/faces.json`, before they are checked.
struct DieFaceModelFile: Decodable {
    /// What one layer is made of.
    struct Layer: Decodable {
        /// What one of the weights' whole numbers is worth.
        var worth: Float
        /// Base64 of one signed byte each, all outputs of an input beside each other.
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
    /// Pixels, and steps between places.
    var size: Int
    var reach: Double
    /// Outputs of both layers of filters, and of the first layer of sums.
    var filters: [Int]
    var hidden: Int
    var layers: [Layer]
}
