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
        struct File: Decodable {
            let schema: String
            let readers: [String: [String: Curve]]
        }
        let path = "text/calibration.json"
        let file = try models.load(File.self, from: path)
        func refuse(_ what: String) -> StartupError {
            StartupError(
                .configuration,
                "\(models.url.appending(path: path).path): \(what). scripts/fit-text-calibration makes it again.")
        }
        guard file.schema == "tablesight.textCalibration/1" else { throw refuse("schema is \(file.schema)") }
        guard let curves = file.readers[reader] else { throw refuse("no maps for the reader \(reader)") }
        for kind in WordEvidence.Kind.allCases {
            for crossCheck in WordEvidence.CrossCheck.allCases
            where curves["\(kind.rawValue).\(crossCheck.rawValue)"] == nil {
                throw refuse("\(reader) has no map \(kind.rawValue).\(crossCheck.rawValue)")
            }
        }
        for (name, curve) in curves {
            let pairs = zip(curve.reader, curve.reader.dropFirst())
            let rising = zip(curve.probability, curve.probability.dropFirst())
            guard curve.reader.count == curve.probability.count, !curve.reader.isEmpty,
                pairs.allSatisfy({ $0 < $1 }), rising.allSatisfy({ $0 <= $1 }),
                curve.probability.allSatisfy({ (0...1).contains($0) })
            else { throw refuse("\(reader).\(name) is no rising map into 0…1") }
        }
        self.curves = curves
    }

    /// Probability 0…1 that the word is right.
    func probability(_ value: Double, _ evidence: WordEvidence) -> Double {
        curves[evidence.name].map { $0(value) } ?? 0
    }
}
