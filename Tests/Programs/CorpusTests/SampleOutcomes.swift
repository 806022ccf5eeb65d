import Foundation
import Synchronization
import TestSupport
import Testing
import Core

/// Outcomes of samples, created once by the real program and shared by tests.
enum SampleOutcomes {
    /// Outcomes by path, with the printed line of each. A photo is scanned once, whichever tests ask for it.
    private static let known = Mutex<[String: (outcome: Outcome, line: String)]>([:])

    /// Scans all samples of a folder in one run of `tablesight scan --format json`.
    static func scan(_ domain: String) throws -> [(sample: Sample, outcome: Outcome)] {
        let samples = try Sample.all(in: domain)
        return Array(zip(samples, try outcomes(of: samples.map(\.photo))))
    }

    /// The outcome of each photo. No kind is named: people drop photos and do not say what they show.
    static func outcomes(of photos: [URL]) throws -> [Outcome] { try scanned(photos).map(\.outcome) }

    /// What `scan --format json` prints for all samples of a folder.
    static func printed(_ domain: String) throws -> String {
        try scanned(Sample.all(in: domain).map(\.photo)).map(\.line).joined(separator: "\n")
    }

    private static func scanned(_ photos: [URL]) throws -> [(outcome: Outcome, line: String)] {
        try known.withLock { known in
            let missing = photos.map(\.path).filter { known[$0] == nil }
            if !missing.isEmpty {
                let result = try Program("tablesight").run(["scan", "--format", "json"] + missing)
                let scanned = try result.output.split(separator: "\n").map {
                    (outcome: try JSONCoding.decode(Outcome.self, from: Data($0.utf8)), line: String($0))
                }
                try #require(scanned.map(\.outcome.source.path) == missing, "\(result.errors)")
                for one in scanned { known[one.outcome.source.path] = one }
            }
            return photos.compactMap { known[$0.path] }
        }
    }

    /// Lower-case letters and digits only, to compare two spellings of a dish.
    static func plain(_ text: String) -> String {
        String(
            text.lowercased().folding(options: .diacriticInsensitive, locale: nil).unicodeScalars
                .filter { CharacterSet.alphanumerics.contains($0) })
    }
}

/// Counts correct results and fails below a lower bound.
struct Tally {
    private(set) var correct = 0
    private(set) var total = 0
    private(set) var missed: [String] = []

    mutating func count(_ isCorrect: Bool, _ what: @autoclosure () -> String) {
        total += 1
        if isCorrect { correct += 1 } else { missed.append(what()) }
    }

    /// - Parameters:
    ///   - minimumCorrect: the lower bound.
    ///   - count: expected size of the set; another size fails.
    func expect(minimumCorrect: Int, of count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(total == count, "the set has \(total)", sourceLocation: sourceLocation)
        #expect(
            correct >= minimumCorrect, "\(correct) of \(total); missed: \(missed.joined(separator: "; "))",
            sourceLocation: sourceLocation)
    }
}
