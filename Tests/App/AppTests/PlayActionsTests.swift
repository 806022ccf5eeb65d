import Core
import Foundation
import HTTP
import Store
import TestSupport
import Testing

@testable import App
@testable import Household
@testable import Kinds

@Suite struct PlayActionsTests {
    /// A daemon with one camera before a table.
    private struct Camera: GameTables {
        let session = PlaySession(
            id: "camera-1", game: "tangram", set: "tangram", board: "/dev/video0", frames: 3, lastLine: 2)

        func liveSessions() async -> [PlaySession] { [session] }

        func liveLines(of session: String, after number: Int64, limit: Int) async -> [StreamEvent]? {
            session == self.session.id ? [StreamEvent(number: 2, kind: "game", body: Data("{}".utf8))] : nil
        }

        func liveBoard(_ session: String) async -> ShownBoard? {
            session == self.session.id ? ShownBoard(live: self.session, frame: nil, lines: []) : nil
        }

        func play(_ action: GameAction, in session: String) async throws -> GameLine? { nil }

        func begin(_ start: PlayStart) async throws {}

        func take(_ picture: Data, isStill: Bool, in session: String) async throws -> TakenPicture {
            throw PlayProblem.ended
        }

        func saved(_ session: String) async -> SavedPlay? { nil }
        func view(of session: String) async -> PlayView? { nil }
        func end(_ session: String) async {}
    }

    /// A table on which a script lays pieces.
    private actor ScriptedTable: GameTables {
        var pieces: [RecognizedPiece] = []
        var lines: [GameLine] = []

        func lay(_ pieces: [RecognizedPiece], _ lines: [GameLine] = []) { (self.pieces, self.lines) = (pieces, lines) }

        func line(_ kind: PlayerActionOutcome.Kind, helps: Bool = false) -> GameLine {
            GameLine(
                session: "", seq: 1, t_ns: 0,
                report: GameReport(
                    game: "tangram", outcome: PlayerActionOutcome(kind: kind, confidence: 1, reason: "")), score: 0,
                xp: 0, level: 1, difficulty: .normal, advice: helps ? Advice(step: .gentle, text: "Look") : nil,
                skills: [])
        }

        func liveSessions() -> [PlaySession] { [] }
        func liveLines(of session: String, after number: Int64, limit: Int) -> [StreamEvent]? { nil }
        func liveBoard(_ session: String) -> ShownBoard? { nil }
        func play(_ action: GameAction, in session: String) -> GameLine? { line(.hintUsed, helps: true) }
        func begin(_ start: PlayStart) {}
        func end(_ session: String) {}

        func view(of session: String) -> PlayView? {
            PlayView(
                frames: 1, seen: pieces.count, figure: nil,
                table: PieceFrame(board: nil, set: "tangram@1", pieces: pieces), advice: nil, last: nil,
                standing: GameStanding(), awarded: nil, isAnew: false, lastLine: 0)
        }

        func take(_ picture: Data, isStill: Bool, in session: String) throws -> TakenPicture {
            guard let view = view(of: session) else { throw PlayProblem.ended }
            defer { lines = [] }
            return TakenPicture(view: view, lines: lines, progress: PlayerProgress())
        }

        private var saves = 0
        private var held: CheckedContinuation<Void, Never>?
        private(set) var isHeld = false
        /// True lets the next saved game wait for ``release()``.
        var holds = false

        func hold() { holds = true }

        func release() {
            held?.resume()
            held = nil
        }

        func saved(_ session: String) async -> SavedPlay? {
            saves += 1
            let saved = SavedPlay(
                number: saves, state: Data("\(saves)".utf8), standing: GameStanding(placed: saves, needed: 7))
            if holds {
                (holds, isHeld) = (false, true)
                await withCheckedContinuation { held = $0 }
            }
            return saved
        }
    }

    private static func piece(_ x: Double) -> RecognizedPiece {
        RecognizedPiece(
            id: 1, type: "square", xMM: x, yMM: 0, angleDegrees: 0, confidence: 0.9, polygonPX: [Point(1, 2)])
    }

    /// Leo's play of the boat before a table of a script.
    private func boat(_ clock: TestClock = TestClock(.now)) async throws -> (ScriptedTable, PlayActions, Int64) {
        let table = ScriptedTable()
        let store = try OutcomeStore(at: folder.url.appending(path: "plays.sqlite"))
        let cases = PlayActions(store, games: GameCatalogue(models: ModelFolder(Repository.models)), tables: table) {
            clock.date
        }
        let leo = try await cases.household.add(NewMember("Leo", role: .child))
        let wanted = WantedPlay(player: leo.id, game: "tangram", puzzle: "boat")
        return (table, cases, try await cases.start(wanted, for: Self.identity).id)
    }

    @Test func `only time in which somebody plays counts, and only help that somebody asked for`() async throws {
        let clock = TestClock(.now)
        let (table, cases, id) = try await boat(clock)
        func watch(_ seconds: Int, _ x: (Int) -> Double) async throws {
            for second in 0..<seconds {
                clock.pass(seconds: 1)
                // The game offers help by itself now and then.
                let nudge = second % 20 == 19 ? [await table.line(.noAction, helps: true)] : []
                await table.lay([Self.piece(x(second))], nudge)
                _ = try await cases.take(Data(), in: id, for: Self.identity)
            }
        }
        try await watch(120) { Double($0 / 10) * 30 }  // A piece is moved each ten seconds.
        try await watch(1200) { Double($0 % 3) }  // Nobody is there, and the camera trembles.
        let stored = try #require(try await cases.plays.play(id))
        #expect((150...185).contains(stored.seconds), "two minutes of play and one of thought: \(stored.seconds)")
        #expect(stored.hints == 0)
        _ = try await cases.act(.hint, in: id, for: Self.identity)
        #expect(try await cases.plays.play(id)?.hints == 1)
    }

    @Test func `what is played between two photos counts`() async throws {
        let clock = TestClock(.now)
        let (table, cases, id) = try await boat(clock)
        var wanted = 0.0
        // A piece is laid in 70 seconds, then nothing for 40 seconds and for an hour; the next day another one.
        for (seconds, x, counted) in [
            (0, 0.0, 0.0), (70, 100, 70), (40, 100, 40), (3600, 100, 60), (86_400, 200, 60), (300, 300, 300),
        ] {
            clock.pass(seconds: Double(seconds))
            await table.lay([Self.piece(x)])
            _ = try await cases.take(Data(), isStill: true, in: id, for: Self.identity)
            wanted += counted
        }
        #expect(try await cases.plays.play(id)?.seconds == wanted)
    }

    @Test func `a figure that one photo solves is in the week`() async throws {
        let (table, cases, id) = try await boat()
        await table.lay([Self.piece(0)], [await table.line(.levelComplete)])
        _ = try await cases.take(Data(), isStill: true, in: id, for: Self.identity)
        let report = try await cases.week(nil, of: #require(cases.plays.play(id)).member, for: Self.identity).2
        #expect(report.rows.map(\.isSolved) == [true])
        #expect(report.sentences.first { $0.kind == "solved" }?.values["n"] == "1")
    }

    @Test(arguments: [GameAction.hint, .reset])
    func `a picture that is stored late does not take back a request`(_ action: GameAction) async throws {
        let (table, cases, id) = try await boat()
        await table.lay([Self.piece(0)], [await table.line(.correctPlacement)])
        await table.hold()
        let picture = Task { try await cases.take(Data(), isStill: true, in: id, for: Self.identity) }
        #expect(try await eventually { await table.isHeld })
        _ = try await cases.act(action, in: id, for: Self.identity)
        await table.release()
        _ = try await picture.value
        let play = try #require(try await cases.plays.play(id))
        #expect(play.state == (action == .reset ? nil : Data("2".utf8)))
        #expect(play.placed == (action == .reset ? nil : 2))
        #expect(play.hints == (action == .hint ? 1 : 0))
    }

    private static let identity = Identity(holder: .key, member: nil, role: .key, isOpen: true)
    private let folder: TemporaryFolder
    private let cases: PlayActions

    init() throws {
        folder = try TemporaryFolder()
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        cases = PlayActions(store, games: GameCatalogue(models: ModelFolder(Repository.models)), tables: Camera())
    }

    @Test func `sessions of cameras are found by their game`() async throws {
        #expect(try await cases.sessions(of: "tangram", for: Self.identity).map(\.id) == ["camera-1"])
        #expect(try await cases.sessions(of: "draughts", for: Self.identity).isEmpty)
        #expect(try await cases.sessions(of: "pieces", for: Self.identity).isEmpty, "boards without a game")
        #expect(try await cases.lines(of: "camera-1", after: 0, limit: 9).map(\.number) == [2])
        #expect(try await cases.lines(of: "other", after: 0, limit: 9).isEmpty)
    }

    @Test func `the board of a camera has its puzzles and no photo`() async throws {
        let board = try await cases.board("camera-1", of: "tangram", for: Self.identity)
        #expect(board.isLive && board.photo == nil && !board.puzzles.isEmpty)
    }

    @Test func `a game that was begun goes on, and another figure is chosen`() async throws {
        let leo = try await cases.household.add(NewMember("Leo", role: .child))
        let key = Identity(holder: .key, member: nil, role: .key, isOpen: true)
        func start(_ game: String, _ puzzle: String? = nil) async throws -> Int64 {
            try await cases.start(WantedPlay(player: leo.id, game: game, puzzle: puzzle), for: key).id
        }
        let dominoes = try await start("dominoes")
        #expect(try await start("dominoes") == dominoes)
        #expect(try await start("letters") != dominoes)
        let boat = try await start("tangram", "boat")
        #expect(try await start("tangram", "boat") == boat)
        let another = try await start("tangram")
        #expect(try await start("tangram") != another)
    }

    @Test func `an unknown game or session is a 404`() async throws {
        func code(_ body: () async throws -> some Sendable) async throws -> Int? {
            do {
                _ = try await body()
                return nil
            } catch let problem as PlayProblem { return problem.problem.status.code }
        }
        #expect(try await code { try await cases.sessions(of: "marbles", for: Self.identity) } == 404)
        #expect(try await code { try await cases.board("camera-1", of: "draughts", for: Self.identity) } == 404)
        #expect(try await code { try await cases.session("camera-2", of: "tangram", for: Self.identity) } == 404)
        #expect(try await code { try await cases.act(.hint, in: "camera-2", of: "tangram", for: Self.identity) } == 404)
        #expect(
            try await code { try await cases.act(.hint, in: "camera-1", of: "tangram", for: Self.identity) } == 404,
            "it ended meanwhile")
    }
}
