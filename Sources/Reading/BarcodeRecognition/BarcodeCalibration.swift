import Core

/// Probability that an accepted code is right, estimated from counts on photos with known codes.
public struct BarcodeCalibration: Sendable {
    private let probabilities: [String: Double]

    /// Reads and checks `barcodes/calibration.json`.
    /// - Throws: ``StartupError`` that describes the error in the file.
    public init(models: ModelFolder) throws {
        let path = "barcodes/calibration.json"
        let file = try models.load(File.self, from: path)
        func refusal(_ what: String) -> StartupError {
            StartupError(
                .configuration, "\(models.url.appending(path: path).path): \(what); restore it from the repository")
        }
        guard file.schema == "tablesight.barcode-calibration/1" else {
            throw refusal("schema is \(file.schema), not tablesight.barcode-calibration/1")
        }
        var probabilities: [String: Double] = [:]
        for kind in Symbology.ErrorCheck.allCases {
            for reason in AcceptanceReason.allCases {
                let key = Self.key(kind, reason)
                guard let count = file.counts[key] else { throw refusal("counts lack \(key)") }
                guard count.right >= 0, count.wrong >= 0 else { throw refusal("counts of \(key) are negative") }
                // Laplace's rule of succession: a probability of 1 would claim too much for a finite sample.
                let share = Double(count.right + 1) / Double(count.right + count.wrong + 2)
                probabilities[key] = share.rounded(toPlaces: 4)
            }
        }
        self.probabilities = probabilities
    }

    /// Probability 0…1 that a code accepted for this reason is right.
    func probability(_ kind: Symbology.ErrorCheck, _ reason: AcceptanceReason) -> Double {
        probabilities[Self.key(kind, reason)] ?? 0
    }

    private static func key(_ kind: Symbology.ErrorCheck, _ reason: AcceptanceReason) -> String {
        "\(kind.rawValue).\(reason.rawValue)"
    }

    private struct File: Decodable {
        struct Count: Decodable {
            var right: Int
            var wrong: Int
        }

        var schema: String
        var counts: [String: Count]
    }
}
