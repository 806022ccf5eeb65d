import Foundation
import Core

/// Evidence for a recognised word, besides its letters' probability.
struct WordEvidence: Hashable, Sendable {
    /// The kind of word, because accuracy differs by kind.
    enum Kind: String, CaseIterable, Sendable {
        /// In a word list of its language.
        case known
        /// Digits: a price, a weight, a date.
        case number
        /// One or two characters.
        case short
        case other
    }

    /// Result of the cross-check by a second reader.
    enum CrossCheck: String, CaseIterable, Sendable {
        case none, agrees, disagrees
    }

    var kind: Kind
    var crossCheck: CrossCheck

    /// Name in the calibration table.
    var name: String { "\(kind.rawValue).\(crossCheck.rawValue)" }

    init(_ text: String, isKnown: (String) -> Bool, crossCheck: CrossCheck = .none) {
        let core = text.trimmingCharacters(in: .punctuationCharacters.union(.symbols))
        kind =
            if core.contains(where: \.isNumber) { .number } else if core.count < 3 { .short } else if isKnown(core) {
                .known
            } else { .other }
        self.crossCheck = crossCheck
    }
}

/// The probability that a word is right, given the reader's confidence and further evidence.
///
/// The isotonic maps are fitted by `scripts/fit-text-calibration` and stored in `models/text/calibration.json`.
/// Values between two points are interpolated linearly.
struct WordCalibration: Sendable {
    /// Points of one map, both ascending: the reader's value, the probability.
    struct Curve: Sendable, Decodable {
        let reader: [Double]
        let probability: [Double]

        var isRising: Bool {
            reader.count == probability.count && !reader.isEmpty
                && zip(reader, reader.dropFirst()).allSatisfy { $0 < $1 }
                && zip(probability, probability.dropFirst()).allSatisfy { $0 <= $1 }
                && probability.allSatisfy { (0...1).contains($0) }
        }

        func callAsFunction(_ value: Double) -> Double {
            guard let upper = reader.firstIndex(where: { $0 >= value }) else { return probability.last ?? 0 }
            guard upper > 0 else { return probability.first ?? 0 }
            let (low, high) = (reader[upper - 1], reader[upper])
            let part = high > low ? (value - low) / (high - low) : 1
            return probability[upper - 1] + part * (probability[upper] - probability[upper - 1])
        }
    }

    private let curves: [String: Curve]

    /// The maps of one reader, `network` or `tesseract`.
    ///
    /// - Throws: `StartupError` if the file is missing or invalid.
    init(models: ModelFolder, reader: String) throws {
        curves = try models.load(File.self, from: "text/calibration.json").readers[reader] ?? [:]
    }

    private struct File: DataFile {
        static let schema = "tablesight.textCalibration/1"
        static let remedy = "make it again with scripts/fit-text-calibration"

        let readers: [String: [String: Curve]]

        func validate(name: String) throws(DataFileProblem) {
            for reader in ["network", "tesseract"] {
                guard let curves = readers[reader] else { throw DataFileProblem("readers.\(reader)", "missing") }
                for kind in WordEvidence.Kind.allCases {
                    for crossCheck in WordEvidence.CrossCheck.allCases {
                        let map = "\(kind.rawValue).\(crossCheck.rawValue)"
                        try DataFileProblem.check(curves[map] != nil, "readers.\(reader).\(map)", "missing")
                    }
                }
                for (name, curve) in curves {
                    try DataFileProblem.check(curve.isRising, "readers.\(reader).\(name)", "no rising map into 0…1")
                }
            }
        }
    }

    /// Probability 0…1 that the word is right.
    func probability(_ value: Double, _ evidence: WordEvidence) -> Double {
        curves[evidence.name].map { $0(value) } ?? 0
    }
}
