import Foundation
import Kinds
import Store
import Synchronization
import TestSupport
import Testing

@testable import Household

@Suite struct PlaysTests {
    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let instant = Mutex(Date(timeIntervalSince1970: 1_795_348_800))

        var now: Date { instant.withLock { $0 } }

        func pass(_ seconds: Double) { instant.withLock { $0 += seconds } }
    }

    private let folder: TemporaryFolder
    private let household: Household
    private let plays: Plays
    private let clock = Clock()
    private let leo: Int64

    init() throws {
        folder = try TemporaryFolder()
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        household = Household(store)
        leo = try household.add(NewMember("Leo", role: .child)).id
        plays = Plays(store, zone: try #require(TimeZone(identifier: "Europe/Berlin"))) { [clock] in clock.now }
    }

    private func seconds(_ seconds: Double) -> PlayChange {
        var change = PlayChange()
        change.seconds = seconds
        return change
    }

    @Test func `a play keeps its state, and is solved once`() throws {
        let play = try plays.begin("tangram", pieceSet: "tangram", puzzle: "boat", difficulty: "easy", by: leo)
        var change = PlayChange()
        (change.state, change.placed, change.needed, change.hints) = (Data("x".utf8), 5, 7, 1)
        #expect(try plays.change(play.id, change)?.placed == 5)
        var solved = PlayChange()
        solved.isSolved = true
        clock.pass(60)
        let first = try plays.change(play.id, solved)
        clock.pass(60)
        #expect(try plays.change(play.id, solved)?.solved == first?.solved && first?.solved != nil)
        #expect(first?.state == Data("x".utf8) && first?.hints == 1, "what is not named stays")
        try plays.reset(play.id)
        #expect(try plays.play(play.id)?.state == nil)
        #expect(try plays.change(play.id + 1, solved) == nil)
    }

    @Test func `time counts for the day of the house, and a limit ends it until the next day`() throws {
        // 2026-11-22 12:00 UTC.
        let play = try plays.begin("tangram", pieceSet: "tangram", puzzle: nil, difficulty: "normal", by: leo)
        try plays.setLimit(10, of: leo)
        _ = try plays.change(play.id, seconds(599))
        #expect(try !plays.isOver(for: leo))
        _ = try plays.change(play.id, seconds(1))
        #expect(try plays.isOver(for: leo))
        let today = plays.day(of: clock.now)
        #expect(try plays.seconds(of: leo, from: today, to: today) == [today: 600])
        // 23:00 UTC is midnight in Berlin.
        clock.pass(11 * 3600)
        #expect(plays.day(of: clock.now) == today + 1)
        #expect(try !plays.isOver(for: leo))
        try plays.setLimit(nil, of: leo)
        #expect(try plays.limit(of: leo) == nil)
        try plays.setLimit(1, of: leo)
        #expect(try plays.limit(of: leo) == 1, "the limit that somebody typed")
        for minutes in [0, -5, 601] {
            #expect(throws: PlayProblem.badLimit) { try plays.setLimit(minutes, of: leo) }
        }
        #expect(try plays.limit(of: leo) == 1)
    }

    @Test func `plays go with their member`() throws {
        let play = try plays.begin("dominoes", pieceSet: "dominoes", puzzle: nil, difficulty: "normal", by: leo)
        var skill = PlayerSkill()
        skill.count(.init(difficulty: 2, isSolved: true, seconds: 60, hints: 0))
        try plays.setStanding(skill, PlayerProgress(), of: leo, in: "dominoes")
        #expect(try plays.standing(of: leo, in: "dominoes").skill == skill)
        #expect(try household.remove(leo))
        #expect(try plays.play(play.id) == nil)
        #expect(try plays.standing(of: leo, in: "dominoes").skill == PlayerSkill())
    }
}
