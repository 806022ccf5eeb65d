import Testing
@testable import TextRecognition

@Suite struct `Orientation of a page` {
    private typealias Line = OrientationVote.Line

    private func isUpsideDown(_ lines: [(upright: Line, reversed: Line)]) -> Bool {
        var vote = OrientationVote()
        for line in lines where !vote.isDecided { vote.add(upright: line.upright, reversed: line.reversed) }
        return vote.isUpsideDown
    }

    @Test func `lines that are legible upside down turn the page`() {
        let line = (Line(confidence: 0.62, letters: 14, expected: 6), Line(confidence: 0.97, letters: 18, expected: 6))
        #expect(isUpsideDown([line, line, line]))
        #expect(!isUpsideDown([(line.1, line.0)]))
    }

    @Test func `doubtful letters and a few signs of a script that is not read do not vote`() {
        let doubtful = (
            Line(confidence: 0.41, letters: 7, expected: 6), Line(confidence: 0.66, letters: 8, expected: 6)
        )
        let signs = (Line(confidence: 0.5, letters: 1, expected: 6), Line(confidence: 0.98, letters: 2, expected: 6))
        #expect(!isUpsideDown([doubtful, signs, doubtful, signs]))
        // One upright line of digits decides, whatever the others give.
        let digits = (Line(confidence: 0.96, letters: 8, expected: 4), Line(confidence: 0.7, letters: 8, expected: 4))
        #expect(!isUpsideDown([doubtful, signs, digits]))
        #expect(!isUpsideDown([]))
    }

    @Test func `five legible lines are enough`() {
        var vote = OrientationVote()
        let line = Line(confidence: 0.8, letters: 9, expected: 4)
        for _ in 0..<4 { vote.add(upright: line, reversed: line) }
        #expect(!vote.isDecided)
        vote.add(upright: line, reversed: line)
        #expect(vote.isDecided && !vote.isUpsideDown)
    }
}
