import Foundation
import Foods
import Store
import TestSupport
import Testing

@testable import App
@testable import Household
@testable import Kinds

/// A week of a player, with its plays.
@Suite struct PlayReportTests {
    private let plays: [(play: Play, day: String)]
    private let week: PlayWeek

    init() {
        let at = Date(timeIntervalSince1970: 1_795_348_800)
        func play(_ id: Int64, _ puzzle: String, _ seconds: Double, _ hints: Int, _ isSolved: Bool) -> (Play, String) {
            (
                Play(
                    id: id, member: 1, game: "tangram", pieceSet: "tangram", puzzle: puzzle, difficulty: "normal",
                    state: nil, placed: isSolved ? 7 : 5, needed: 7, hints: hints, misses: 0, seconds: seconds,
                    begun: at, updated: at, solved: isSolved ? at : nil, isLeft: !isSolved), "2026-11-22"
            )
        }
        let made = [
            play(1, "square", 120, 0, true), play(2, "house", 200, 2, true), play(3, "cat", 400, 1, false),
        ]
        plays = made.map { (play: $0.0, day: $0.1) }
        week = PlayWeek(
            of: "Leo", in: "2026-W47", seconds: [0, 0, 0, 0, 20, 0, 720], limit: 20,
            made.map { (play: $0.0, day: $0.1) })
    }

    private func sentence(_ kind: String) throws -> PlayWeek.Sentence {
        try #require(week.sentences.first { $0.kind == kind })
    }

    @Test func `each sentence is recounted from the plays that it names`() throws {
        let byID = Dictionary(uniqueKeysWithValues: plays.map { ($0.play.id, $0.play) })
        func named(_ kind: String) throws -> [Play] { try sentence(kind).plays.compactMap { byID[$0] } }
        let solved = try named("solved")
        #expect(solved.allSatisfy { $0.solved != nil } && solved.map(\.id) == [1, 2])
        #expect(
            try sentence("solved").values == ["n": "\(solved.count)", "alone": "\(solved.count { $0.hints == 0 })"])
        #expect(try sentence("hints").values["n"] == "\(try named("hints").reduce(0) { $0 + $1.hints })")
        #expect(try sentence("minutes").values == ["n": "12", "days": "1"], "twenty seconds are no day of play")
        #expect(try named("hard").map(\.puzzle) == ["cat"] && named("try").map(\.puzzle) == ["cat"])
        #expect(week.csv.split(whereSeparator: \.isNewline).count == 4)
    }

    @Test func `a week with few plays says that there is not enough data`() throws {
        let few = PlayWeek(of: "Leo", in: "2026-W47", seconds: Array(repeating: 0, count: 7), limit: nil, [plays[0]])
        #expect(few.sentences.map(\.kind) == ["minutes", "solved", "hints", "few"])
        #expect(few.sentences.last?.values["n"] == "1")
    }

    @Test(arguments: ["en", "de"]) func `the page has a sentence each in both languages`(_ language: String) throws {
        let texts = try PageRendering.texts(language)
        let shown = try #require(Week("2026-W47"))
        let folder = try TemporaryFolder()
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        let leo = try Household(store).add(NewMember("Leo", role: .child))
        let page = try PageRendering.html(
            PlayReportPage(
                week, of: leo, shown, games: try GameCatalogue(models: PageRendering.models).entries(), figures: [],
                isNow: true, texts), language)
        #expect(page.matches(of: /Practises|Übt/).count == week.rows.count)
        #expect(page.matches(of: /<li>/).count == week.sentences.count)
        #expect(!page.contains("playweek.") && page.contains("Leo"))
        #expect(!page.contains("rel=\"next\""), "there is no week after this one")
    }

    @Test(arguments: [0.0, 10, 29]) func `figures of a short play are not beside nothing played`(_ second: Double)
        throws
    {
        let shown = try #require(Week("2026-W47"))
        let folder = try TemporaryFolder()
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        let leo = try Household(store).add(NewMember("Leo", role: .child))
        func page(_ plays: [(play: Play, day: String)]) throws -> String {
            let report = PlayWeek(
                of: "Leo", in: "2026-W47", seconds: Array(repeating: second, count: 7), limit: nil, plays)
            return try PageRendering.html(
                PlayReportPage(report, of: leo, shown, games: [], figures: [], isNow: true, try PageRendering.texts()))
        }
        let short = try page([plays[0]])
        #expect(short.contains("Leo played for less than a minute a day.") && !short.contains(" on 0 days"))
        #expect(short.contains("Solved: 1"))
        let empty = try page([])
        #expect(empty.contains("Nothing was played in this week.") && !empty.contains(" on 0 days"))
    }
}
