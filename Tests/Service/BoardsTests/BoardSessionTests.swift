import Foundation
import Kinds
import Store
import TestSupport
import Testing
import Core

@testable import Household
@testable import Boards

@Suite struct BoardSessionTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore
    private let models: ModelFolder
    private let games: GameCatalogue

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        models = ModelFolder(Repository.root.appending(path: "models"))
        games = GameCatalogue(models: models)
    }

    private func board(_ game: String? = nil) throws -> Board {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "Table 1"), withIntermediateDirectories: true)
        return try Board("\(folder.url.path)/Table 1=tangram" + (game.map { ":\($0)" } ?? ""))
    }

    /// A capture of a board with one square, at this distance in millimetres from its left edge.
    private func capture(_ x: Double) -> PieceFrame {
        PieceFrame(
            board: .init(
                widthMM: 300, heightMM: 200, located: .aruco, homography: [1, 0, 0, 0, 1, 0, 0, 0, 1], reprojectionPX: 0
            ),
            set: "tangram@1",
            pieces: [
                RecognizedPiece(
                    id: 0, slot: "square", type: "square", xMM: x, yMM: 100, angleDegrees: 0, fold: 4, confidence: 0.99)
            ])
    }

    /// Stores the capture with an outcome, as the daemon does.
    private func store(_ capture: NewCapture, number: Int) throws {
        let path = try folder.path(below: "Table 1/\(number).png")
        let identity = FileIdentity(device: 1, inode: UInt64(number), size: 1, modified: 1, changed: 1)
        try store.enqueue([FoundFile(path: path, relativePath: path, identity: identity)]) {
            $0.path.appending(suffix: ".json")
        }
        let photo = try #require(try store.nextQueued(after: Data(), leavingOut: []))
        let finished = FinishedPhoto(
            content: "sha256:\(number)", asked: "", answer: nil, status: .completed, json: Data("{}".utf8),
            capture: capture)
        #expect(try store.finish(photo, finished))
    }

    private func frames(of session: String, after number: Int64 = 0) throws -> [PieceFrame] {
        try store.lines(ofSession: session, after: number, limit: 100).filter { $0.kind == "frame" }.map {
            try JSONCoding.decode(PieceFrame.self, from: $0.body)
        }
    }

    @Test func `photos of a board become frames of one session, also across a restart`()
        async throws
    {
        let board = try board("tangram")
        // Three photos a second apart; then a restart with only the stored data.
        var sessions = BoardSessions(store, games: games, socket: nil)
        for number in 1...5 {
            if number == 4 { sessions = BoardSessions(store, games: games, socket: nil) }
            let step = try await sessions.step(
                capture(number < 3 ? 50 : 120), on: board, modified: Int64(number) * 1_000_000_000)
            try store(step.capture, number: number)
            await sessions.stored(step)
        }
        let summary = try #require(try store.sessions().first)
        #expect(try store.sessions().count == 1)
        #expect(summary.frames == 5)
        #expect(summary.lastLine == 10, "one line of the game for each frame")
        let frames = try frames(of: summary.session.id)
        #expect(frames.map(\.seq) == [1, 2, 3, 4, 5])
        #expect(frames.map(\.t_ns) == [0, 1, 2, 3, 4].map { $0 * 1_000_000_000 })
        #expect(Set(frames.flatMap(\.pieces).map(\.id)) == [1], "the piece keeps its id, also across the restart")
        #expect(frames[2].events.contains { $0.kind == .moved || $0.kind == .placed }, "\(frames[2].events)")
        #expect(frames[3].events.isEmpty && frames[4].events.isEmpty, "no event is repeated")
        let games = try store.lines(ofSession: summary.session.id, after: 0, limit: 100).filter { $0.kind == "game" }
        #expect(try games.map { try JSONCoding.decode(GameLine.self, from: $0.body).seq } == [1, 2, 3, 4, 5])
    }

    @Test func `erasing a photo of a board erases the sessions that show it`() async throws {
        let sessions = BoardSessions(store, games: games, socket: nil)
        let step = try await sessions.step(capture(50), on: try board(), modified: 1_000_000_000)
        try store(step.capture, number: 1)
        await sessions.stored(step)
        #expect(try store.sessions().count == 1)
        _ = try store.erase("sha256:1", isAlone: true)
        #expect(try store.sessions().isEmpty)
        #expect(try store.lines(ofSession: step.capture.session.id, after: 0, limit: 9).isEmpty)
    }

    @Test func `a capture whose outcome was not stored leaves no trace`() async throws {
        let board = try board()
        let sessions = BoardSessions(store, games: games, socket: nil)
        let lost = try await sessions.step(capture(50), on: board, modified: 1)
        let kept = try await sessions.step(capture(50), on: board, modified: 1)
        #expect(kept.capture.seq == 1)
        #expect(kept.capture.lines.map(\.number) == lost.capture.lines.map(\.number))
    }

    @Test func `frames are at least a second apart whatever the photos' times`() async throws {
        let board = try board()
        let sessions = BoardSessions(store, games: games, socket: nil)
        var times: [Int] = []
        for modified in [5_000_000_000, 5_000_000_000, 1, 8_010_000_000, 8_020_000_000] as [Int64] {
            let step = try await sessions.step(capture(50), on: board, modified: modified)
            times.append(step.capture.time)
            try store(step.capture, number: times.count)
            await sessions.stored(step)
        }
        #expect(times == [0, 1_000_000_000, 2_000_000_000, 3_010_000_000, 4_010_000_000])
    }

    @Test func `another set or game begins a new session`() async throws {
        let sessions = BoardSessions(store, games: games, socket: nil)
        let first = try await sessions.step(capture(50), on: try board(), modified: 1)
        try store(first.capture, number: 1)
        await sessions.stored(first)
        let second = try await sessions.step(capture(50), on: try board("tangram"), modified: 2)
        try store(second.capture, number: 2)
        #expect(second.capture.session.number == 2)
        #expect(second.capture.session.id != first.capture.session.id)
        #expect(try store.sessions().map(\.frames) == [1, 1])
    }

    @Test func `after an unreadable session the next photo begins a new one`()
        async throws
    {
        let board = try board()
        let first = try await BoardSessions(store, games: games, socket: nil).step(
            capture(50), on: board, modified: 1)
        var garbled = first.capture
        garbled.capture = Data("[]".utf8)
        try store(garbled, number: 1)
        let next = try await BoardSessions(store, games: games, socket: nil).step(capture(50), on: board, modified: 2)
        #expect(next.capture.session.number == 2)
        #expect(next.capture.seq == 1)
    }

    @Test(arguments: ["tangram", "=tangram", "/nowhere-at-all=tangram", "/="])
    func `an invalid board setting is refused`(text: String) {
        #expect { try Board(text) } throws: { ($0 as? StartupError)?.exitCode == .configuration }
    }

    /// When somebody acts while a photo is on its way into the database.
    enum Moment: CaseIterable { case beforeStoring, afterStoring }

    /// Adds a photo as the daemon does: its step is made again if the session changed before it was stored.
    private func add(
        _ x: Double, number: Int, in sessions: BoardSessions, at moment: Moment? = nil,
        act: () async throws -> Void = {}
    ) async throws {
        var actsBefore = moment == .beforeStoring
        while true {
            let step = try await sessions.step(
                capture(x), on: try board("tangram"), modified: Int64(number) * 1_000_000_000)
            if actsBefore { try await act() }
            actsBefore = false
            do { try store(step.capture, number: number) } catch is SessionChanged { continue }
            if moment == .afterStoring { try await act() }
            return await sessions.stored(step)
        }
    }

    /// The lines of a session, and its state at the end: two photos with a request between or during them, a hint, a
    /// restart, a photo and a hint.
    private func transcript(
        _ second: (BoardSessions, () async throws -> Void) async throws -> Void, _ action: GameAction
    ) async throws -> [String] {
        let sessions = BoardSessions(store, games: games, socket: nil)
        try await add(50, number: 1, in: sessions)
        let id = try #require(try store.sessions().last).session.id
        _ = try await sessions.play(.choose("cat"), in: id)
        try await second(sessions) { _ = try #require(try await sessions.play(action, in: id)) }
        _ = try await sessions.play(.hint, in: id)
        try await add(200, number: 10, in: sessions)
        let again = BoardSessions(store, games: games, socket: nil)
        try await add(90, number: 15, in: again)
        _ = try await again.play(.hint, in: id)
        let lines = try store.lines(ofSession: id, after: 0, limit: 100)
        #expect(lines.map(\.number) == Array(1...Int64(lines.count)))
        let state = try #require(try store.lastSession(of: try board().folder)?.state)
        return
            (lines.map { "\($0.kind) " + String(decoding: $0.body, as: UTF8.self) } + [
                String(decoding: state, as: UTF8.self)
            ]).map { $0.replacing(id, with: "id") }
    }

    private static let actions: [GameAction] = [.hint, .reset, .choose("boat"), .choose(nil)]

    @Test(arguments: actions, Moment.allCases)
    func `a request between a photo's step and its end changes the session as one before or after the photo`(
        _ action: GameAction, _ moment: Moment
    ) async throws {
        let during = try await transcript({ try await add(120, number: 5, in: $0, at: moment, act: $1) }, action)
        let other = try BoardSessionTests()
        let apart = try await other.transcript(
            { sessions, act in
                if moment == .beforeStoring { try await act() }
                try await other.add(120, number: 5, in: sessions)
                if moment == .afterStoring { try await act() }
            }, action)
        #expect(during == apart)
    }

    @Test func `a hint is given once the puzzle is chosen, and a reset begins at 0 points`() async throws {
        let sessions = BoardSessions(store, games: games, socket: nil)
        let step = try await sessions.step(capture(50), on: try board("tangram"), modified: 1_000_000_000)
        try store(step.capture, number: 1)
        await sessions.stored(step)
        let id = try #require(try store.sessions().first).session.id
        func play(_ action: GameAction) async throws -> GameLine {
            try #require(try await sessions.play(action, in: id))
        }
        let none = try await play(.hint)
        #expect(none.advice == nil && none.report.outcome.reason == "noPuzzle")
        await #expect(throws: StartupError.self) { try await play(.choose("no-such-puzzle")) }
        let puzzle = try #require(GameCatalogue(models: models).puzzles(of: "tangram").first)
        #expect(try await play(.choose(puzzle)).report.puzzle == puzzle)
        let given = try await play(.hint)
        #expect(given.advice != nil && given.report.outcome.kind == .hintUsed)
        let reset = try await play(.reset)
        #expect(reset.score == 0)
        // The choice survives the reset, and a restart of the daemon.
        let again = BoardSessions(store, games: games, socket: nil)
        let next = try await again.step(capture(120), on: try board("tangram"), modified: 2_000_000_000)
        try store(next.capture, number: 2)
        await again.stored(next)
        let later = try #require(try await again.play(.hint, in: id))
        #expect(later.advice != nil)
    }

    @Test func `only the newest session of a board with a game takes requests`() async throws {
        let sessions = BoardSessions(store, games: games, socket: nil)
        #expect(try await sessions.play(.hint, in: "no-such-session") == nil)
        let plain = try await sessions.step(capture(50), on: try board(), modified: 1_000_000_000)
        try store(plain.capture, number: 1)
        await sessions.stored(plain)
        let old = try #require(try store.sessions().first).session.id
        await #expect(throws: PlayProblem.onlyPieces) { try await sessions.play(.hint, in: old) }
        for number in 2...3 {
            let step = try await sessions.step(
                capture(50), on: try board(number == 2 ? "tangram" : "number-count"),
                modified: Int64(number) * 1_000_000_000)
            try store(step.capture, number: number)
            await sessions.stored(step)
        }
        let middle = try #require(try store.sessions().first { $0.session.game == "tangram" }).session.id
        await #expect(throws: PlayProblem.over) { try await sessions.play(.hint, in: middle) }
    }
}
