import TestSupport
import Testing

@testable import App
@testable import Daemon

@Suite struct ReadingFiguresTests {
    @Test func `photos count in their minute, with the percentiles of their times`() {
        let clock = TestClock()
        let figures = ReadingFigures(now: { clock.now })
        for number in 1...100 { figures.note(answered: .milliseconds(number)) }
        figures.note(waiting: 7)
        figures.note(waiting: 3)
        clock.pass(seconds: 2 * 60)
        figures.note(answered: .milliseconds(5))
        #expect(
            figures.lastHour == [
                .init(photos: 100, waiting: 7, median: 50, p95: 95, p99: 99), .init(),
                .init(photos: 1, median: 5, p95: 5, p99: 5),
            ])
    }

    @Test func `minutes before the last hour are forgotten`() {
        let clock = TestClock()
        let figures = ReadingFigures(now: { clock.now })
        figures.note(answered: .milliseconds(1))
        clock.pass(seconds: 59 * 60)
        #expect(figures.lastHour.count == 60)
        #expect(figures.lastHour.first?.photos == 1)
        clock.pass(seconds: 60)
        #expect(figures.lastHour.count == 60)
        #expect(figures.lastHour.allSatisfy { $0 == .init() })
    }
}
