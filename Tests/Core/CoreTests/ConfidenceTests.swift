import Foundation
import Testing
import Core

@Suite struct ConfidenceTests {
    @Test(arguments: [
        (1.0, Confidence.Level.high), (0.85, .high), (0.8499, .medium), (0.65, .medium), (0.6499, .low), (0.30, .low),
        (0.2999, .unknown), (0, .unknown),
    ])
    func `a level begins at its threshold`(score: Double, level: Confidence.Level) {
        #expect(Confidence(score).level == level)
    }

    @Test func `NaN has the level unknown`() {
        #expect(Confidence(.nan).level == .unknown)
        #expect(Confidence(.infinity).level == .unknown)
        #expect(Confidence(-3).score == 0)
        #expect(Confidence(7).score == 1)
    }

    @Test func `JSON contains score and level`() throws {
        let json = String(decoding: try JSONCoding.encode(Confidence(0.91234567)), as: UTF8.self)
        #expect(json == #"{"level":"high","score":0.9123}"#)
    }
}
