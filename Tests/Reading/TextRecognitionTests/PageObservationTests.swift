import Testing
@testable import TextRecognition
import Core

private func observation(_ words: [(text: String, confidence: Double, x: Double)]) -> PageObservation {
    let page = PreparedPage(
        width: 1000, height: 100, gray: [], toRaster: PageMap(), tilt: 0, letterHeight: 20, neighbours: (0, 0))
    return PageObservation(
        page: page,
        words: words.map {
            Word(
                text: $0.text, confidence: $0.confidence,
                box: Quad(x: $0.x, y: 10, width: Double($0.text.count) * 12, height: 20))
        })
}

@Suite struct PageObservationTests {
    @Test func `A word that only the other observation has is added`() {
        let both = observation([("milk", 0.9, 0)]).completed(by: observation([("milk", 0.8, 2), ("eggs", 0.9, 200)]))
        #expect(both.words.map(\.text) == ["milk", "eggs"])
    }

    @Test func `Of two observations of a word, the more confident one stays`() {
        let both = observation([("mi1k", 0.6, 0)]).completed(by: observation([("milk", 0.95, 1)]))
        #expect(both.words.map(\.text) == ["milk"])
    }

    @Test func `A word that the other observation splits is not duplicated`() {
        let whole = observation([("0.00", 0.7, 0)])
        let pieces = observation([("0.", 0.9, 0), ("00", 0.9, 24)])
        #expect(pieces.completed(by: whole).words.map(\.text) == ["0.", "00"])
        #expect(whole.completed(by: pieces).words.map(\.text) == ["0.00"])
    }

    @Test func `A doubtful word of the other observation is left out`() {
        #expect(observation([("milk", 0.9, 0)]).completed(by: observation([("ee", 0.55, 300)])).words.count == 1)
    }

    @Test func `Few doubtful words are a poor observation, confident text is not`() {
        #expect(observation([]).isPoor)
        #expect(observation([("ae", 0.4, 0), ("wis", 0.5, 100), ("ir", 0.45, 200)]).isPoor)
        #expect(!observation([("milk", 0.95, 0), ("eggs", 0.95, 100), ("flour", 0.95, 200)]).isPoor)
    }
}
