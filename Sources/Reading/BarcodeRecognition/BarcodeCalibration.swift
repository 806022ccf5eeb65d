import Core

/// Probability that an accepted code is right, estimated from counts on photos with known codes.
package struct BarcodeCalibration: Sendable {
    private let probabilities: [String: Double]

    /// Reads and checks `barcodes/calibration.json`.
    /// - Throws: ``StartupError`` that describes the error in the file.
    package init(models: ModelFolder) throws {
        // Laplace's rule of succession: a probability of 1 would claim too much for a finite sample.
        probabilities = try models.load(File.self, from: "barcodes/calibration.json").counts.mapValues { count in
            (Double(count.right + 1) / Double(count.right + count.wrong + 2)).rounded(toPlaces: 4)
        }
    }

    /// Probability 0…1 that a code accepted for this reason is right.
    func probability(_ kind: Symbology.ErrorCheck, _ reason: AcceptanceReason) -> Double {
        probabilities[Self.key(kind, reason)] ?? 0
    }

    fileprivate static func key(_ kind: Symbology.ErrorCheck, _ reason: AcceptanceReason) -> String {
        "\(kind.rawValue).\(reason.rawValue)"
    }

    private struct File: DataFile {
        static let schema = "tablesight.barcode-calibration/1"

        struct Count: Decodable {
            var right: Int
            var wrong: Int
        }

        var counts: [String: Count]

        func validate(name: String) throws(DataFileProblem) {
            for kind in Symbology.ErrorCheck.allCases {
                for reason in AcceptanceReason.allCases where reason.applies(to: kind) {
                    let key = BarcodeCalibration.key(kind, reason)
                    try DataFileProblem.check(counts[key] != nil, "counts.\(key)", "missing")
                }
            }
            for (key, count) in counts {
                try DataFileProblem.check(count.right >= 0 && count.wrong >= 0, "counts.\(key)", "negative")
            }
        }
    }
}
