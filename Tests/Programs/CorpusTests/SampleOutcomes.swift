import Foundation
import TestSupport
import Testing
import Core

/// Outcomes of samples, made once by the real program and looked at by many tests.
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

    /// Letters and digits alone, in lower case: how two spellings of one dish are compared.
    static func plain(_ text: String) -> String {
        String(
            text.lowercased().folding(options: .diacriticInsensitive, locale: nil).unicodeScalars
                .filter { CharacterSet.alphanumerics.contains($0) })
    }
}

/// Counts what was right, and fails below a floor.
struct Tally {
    private(set) var correct = 0
    private(set) var total = 0
    private(set) var missed: [String] = []

    mutating func count(_ isCorrect: Bool, _ what: @autoclosure () -> String) {
        total += 1
        if isCorrect { correct += 1 } else { missed.append(what()) }
    }

    /// - Parameters:
    ///   - minimumCorrect: the floor.
    ///   - count: how many there are; a set that shrank is a fault of its own.
    func expect(minimumCorrect: Int, of count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(total == count, "the set has \(total)", sourceLocation: sourceLocation)
        #expect(
            correct >= minimumCorrect, "\(correct) of \(total); missed: \(missed.joined(separator: "; "))",
            sourceLocation: sourceLocation)
    }
}
