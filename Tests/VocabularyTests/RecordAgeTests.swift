import Foundation
import Testing
import Vocabulary

@Suite struct RecordAgeTests {
    @Test(arguments: [
        ("2026-11-22", "from today"), ("2027-01-01", "from today"), ("2026-11-21", "1 day old"),
        ("2026-10-01", "52 days old"),
        ("2026-05-01", "6 months old"), ("2024-11-05", "2 years old"), ("2016-01-01", "10 years old"),
    ])
    func `an age is told in words that people use`(day: String, words: String) throws {
        let now = try Date("2026-11-22T12:00:00Z", strategy: .iso8601)
        #expect(RecordAge.words(since: day, asOf: now) == words)
    }

    @Test func `what is no day has no age`() { #expect(RecordAge.words(since: "soon", asOf: Date()) == nil) }
}
