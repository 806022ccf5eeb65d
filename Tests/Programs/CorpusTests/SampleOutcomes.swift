import Foundation
import TestSupport
import Testing
import Core

/// Outcomes of samples, created once by the real program and shared by tests.
enum SampleOutcomes {
    /// Scans all samples of a folder in one run of `tablesight scan --format json`.
    static func scan(_ domain: String) throws -> [(sample: Sample, outcome: Outcome)] {
        let samples = try Sample.all(in: domain)
        let result = try Program("tablesight").run(["scan", "--format", "json"] + samples.map(\.photo.path))
        let outcomes = try result.output.split(separator: "\n").map {
            try JSONCoding.decode(Outcome.self, from: Data($0.utf8))
        }
        try #require(outcomes.count == samples.count, "\(result.errors)")
        for (sample, outcome) in zip(samples, outcomes) { #expect(outcome.source.path == sample.photo.path) }
        return Array(zip(samples, outcomes))
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
