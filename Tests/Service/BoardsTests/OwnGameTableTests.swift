import Core
import Foundation
import Store
import Streaming
import TestSupport
import Testing

@testable import Boards
@testable import Household
@testable import Kinds

/// A game of one's own on a board, before a camera, in a member's play and by the command.
@Suite(.serialized) struct OwnGameTableTests {
    private static let models = ModelFolder(Repository.models)
    /// Never late, however busy the machine is.
    private static let patience = GameCatalogue.Patience(start: TestSupport.patience, answer: TestSupport.patience)
    private let folder: TemporaryFolder
    private let store: OutcomeStore

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "table"), withIntermediateDirectories: true)
    }

    private func board() throws -> Board { try Board("\(folder.url.path)/table=tangram:corner") }

    private func sample() throws -> GameCatalogue {
        let game = try OwnGame(in: Repository.samples.appending(path: "games/corner"), models: Self.models)
        return GameCatalogue(models: Self.models, own: OwnGames(only: game))
    }

    /// The sample with another program, in Python.
    private func changed(_ change: (String) -> String) throws -> GameCatalogue {
        let sample = Repository.samples.appending(path: "games/corner")
        let program = try String(contentsOf: sample.appending(path: "corner.py"), encoding: .utf8)
        try folder.write(
            try Data(contentsOf: sample.appending(path: "game.json")), to: "games/corner/game.json")
        let file = try folder.write(Data(change(program).utf8), to: "games/corner/corner.py")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return GameCatalogue(
            models: Self.models, own: OwnGames(in: folder.url.appending(path: "games"), models: Self.models))
    }

    /// A table on which this many of three squares are in the top left quarter.
    private func capture(_ home: Int) -> PieceFrame {
        PieceFrame(
            board: .init(
                widthMM: 300, heightMM: 200, located: .aruco, homography: [1, 0, 0, 0, 1, 0, 0, 0, 1], reprojectionPX: 0
            ), set: "tangram@1",
            pieces: (0..<3).map { number in
                RecognizedPiece(
                    id: 0, slot: "square", type: "square", xMM: 40 + 40 * Double(number) + (number < home ? 0 : 140),
                    yMM: number < home ? 40 : 160, angleDegrees: 0, fold: 4, confidence: 0.99)
            })
    }

    private let played = [0, 1, 1, 2, 3]
    private static let second = 1_000_000_000

    private func news(_ lines: [GameLine]) -> [String] {
        lines.map(\.report.outcome).filter { $0.kind != .noAction }.map { "\($0.kind.rawValue) \($0.reason)" }
    }

    /// Stores the capture with an outcome, as the daemon does.
    private func finish(_ capture: NewCapture, _ number: Int) throws {
        let path = try folder.path(below: "table/\(number).png")
        let identity = FileIdentity(device: 1, inode: UInt64(number), size: 1, modified: 1, changed: 1)
        try store.enqueue([FoundFile(path: path, relativePath: path, identity: identity)]) {
            $0.path.appending(suffix: ".json")
        }
        let photo = try #require(try store.nextQueued(after: Data(), leavingOut: []))
        #expect(
            try store.finish(
                photo,
                FinishedPhoto(
                    content: "sha256:\(number)", asked: "", answer: nil, status: .completed, json: Data("{}".utf8),
                    capture: capture)))
    }

    private func take(_ home: Int, _ number: Int, in sessions: BoardSessions) async throws -> NewCapture {
        let step = try await sessions.step(
            capture(home), on: try board(), modified: Int64(number * Self.second))
        try finish(step.capture, number)
        await sessions.stored(step)
        return step.capture
    }

    private func lines(of capture: NewCapture) throws -> [GameLine] {
        try capture.lines.filter { $0.kind == "game" }.map { try JSONCoding.decode(GameLine.self, from: $0.body) }
    }

    @Test func `the same frames give the same outcomes by command, on a board, before a camera and in the lobby`()
        async throws
    {
        let games = try sample()
        // What the command does with a folder of stills.
        var table = PlayTable(
            session: "stills", interval: Self.second,
            game: try games.session("stills", of: "corner", with: "tangram", patience: Self.patience))
        var command: [GameLine] = []
        for (number, home) in played.enumerated() {
            let turn = table.take(capture(home), at: number * Self.second)
            command += turn.said.map { [$0] } ?? []
        }
        #expect(news(command) == ["correctPlacement home", "correctPlacement home", "levelComplete allHome"])
        #expect(command.last?.score == 20 && command.last?.xp == 50)
        #expect(command.flatMap(\.skills).contains(SkillEvent(kind: .practised, skill: "sorting")))

        let sessions = BoardSessions(store, games: games, socket: nil, patience: Self.patience)
        var onBoard: [GameLine] = []
        for (number, home) in played.enumerated() {
            onBoard += try lines(of: await take(home, number + 1, in: sessions))
        }
        #expect(onBoard.map(\.report) == command.map(\.report))
        #expect(onBoard.map(\.score) == command.map(\.score))

        let live = LiveBoards(games: games, socket: nil, patience: Self.patience)
        let id = try await live.begin(try Camera("/dev/video0=tangram:corner"))
        for (number, home) in played.enumerated() {
            try await live.take(capture(home), in: id, at: number * Self.second)
        }
        #expect(news(try #require(await live.board(id)).lines) == news(command))

        let begun = ContinuousClock.now
        let plays = LiveBoards(games: games, socket: nil, patience: Self.patience, clock: { begun })
        try await plays.begin(
            PlayStart(
                session: "camera-play-1", player: "Leo", game: "corner", pieceSet: "tangram", difficulty: .normal,
                progress: PlayerProgress()))
        var inLobby: [GameLine] = []
        for home in played {
            inLobby += try #require(try await plays.takeNext(capture(home), isStill: true, in: "camera-play-1")).lines
        }
        #expect(news(inLobby) == news(command))
        let help = try await plays.play(.hint, in: "camera-play-1")
        #expect(help?.advice?.text == "Leo, push a piece up and to the left.")
    }

    /// The program ends at the third frame, once.
    private func crashing() throws -> GameCatalogue {
        try changed {
            $0.replacing(
                "    elif kind in (\"frame\", \"event\"):\n",
                with: """
                        elif kind in ("frame", "event") and n == 3 and not __import__("os").path.exists("crashed"):
                            open("crashed", "w").close()
                            sys.exit(1)
                        elif kind in ("frame", "event"):

                    """)
        }
    }

    @Test func `a game that crashes on a board keeps its state`() async throws {
        let sessions = BoardSessions(store, games: try crashing(), socket: nil, patience: Self.patience)
        var said: [GameLine] = []
        for (number, home) in played.enumerated() { said += try lines(of: await take(home, number + 1, in: sessions)) }
        #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "games/corner/crashed").path))
        #expect(news(said) == ["correctPlacement home", "correctPlacement home", "levelComplete allHome"])
        #expect(said.last?.score == 20)
    }

    @Test func `a board continues with its game after a restart of the daemon`() async throws {
        var said: [GameLine] = []
        for (number, home) in played.enumerated() {
            // Nothing but the database is left.
            let sessions = BoardSessions(store, games: try sample(), socket: nil, patience: Self.patience)
            said += try lines(of: await take(home, number + 1, in: sessions))
        }
        #expect(news(said) == ["correctPlacement home", "correctPlacement home", "levelComplete allHome"])
        #expect(said.last?.score == 20)
    }

    @Test func `a capture that was not stored is played again`() async throws {
        let sessions = BoardSessions(store, games: try sample(), socket: nil, patience: Self.patience)
        _ = try await take(0, 1, in: sessions)
        for _ in 0..<2 { _ = try await sessions.step(capture(1), on: try board(), modified: Int64(2 * Self.second)) }
        let said = try lines(of: await take(1, 2, in: sessions))
        #expect(news(said) == ["correctPlacement home"], "not only in the capture that is lost")
    }

    @Test func `a hint while a photo is stored neither loses nor repeats what the photo says`() async throws {
        let sessions = BoardSessions(store, games: try sample(), socket: nil, patience: Self.patience)
        let id = try await take(0, 1, in: sessions).session.id
        // The program has seen the second photo, which is not stored yet.
        let step = try await sessions.step(capture(1), on: try board(), modified: Int64(2 * Self.second))
        _ = try #require(try await sessions.play(.hint, in: id))
        #expect(throws: SessionChanged.self) { try finish(step.capture, 2) }
        let said = try lines(of: await take(1, 2, in: sessions))
        #expect(news(said) == ["correctPlacement home"])
        #expect(said.last?.score == 10)
        let kinds = try store.lines(ofSession: id, after: 0, limit: 9).map(\.kind)
        #expect(kinds == ["frame", "game", "game", "frame", "game"])
    }

    @Test func `a game that does not start loses no state, and goes on when it starts again`() async throws {
        let whole = try changed { $0 }
        let program = folder.url.appending(path: "games/corner/corner.py")
        let source = try Data(contentsOf: program)
        for (number, home) in [0, 1].enumerated() {
            let sessions = BoardSessions(store, games: whole, socket: nil, patience: Self.patience)
            _ = try await take(home, number + 1, in: sessions)
        }
        try Data("#!/bin/sh\n".utf8).write(to: program)
        let sessions = BoardSessions(store, games: whole, socket: nil, patience: Self.patience)
        let refused = await #expect(throws: StartupError.self) {
            try await sessions.step(capture(2), on: try board(), modified: Int64(3 * Self.second))
        }
        #expect(refused?.exitCode == .unavailable)
        try source.write(to: program)
        let said = try lines(of: await take(2, 3, in: sessions))
        #expect(try store.sessions().count == 1)
        #expect(news(said) == ["correctPlacement home"] && said.last?.score == 20)
    }

    @Test func `a play continues where it was left`() async throws {
        let begun = ContinuousClock.now
        let plays = LiveBoards(games: try sample(), socket: nil, patience: Self.patience, clock: { begun })
        func start(_ state: Data?) -> PlayStart {
            PlayStart(
                session: "camera-play-1", player: "Leo", game: "corner", pieceSet: "tangram", difficulty: .normal,
                progress: PlayerProgress(), state: state)
        }
        try await plays.begin(start(nil))
        _ = try await plays.takeNext(capture(0), isStill: true, in: "camera-play-1")
        let left = try #require(try await plays.takeNext(capture(1), isStill: true, in: "camera-play-1"))
        let state = try #require(try await plays.saved("camera-play-1")).state
        await plays.end("camera-play-1")
        try await plays.begin(start(state))
        #expect(await plays.view(of: "camera-play-1")?.table == left.view.table)
        let next = try #require(try await plays.takeNext(capture(2), isStill: true, in: "camera-play-1"))
        #expect(next.lines.last?.score == 20)
    }

    @Test func `boards and cameras with an unknown game, or a set that it is not played with, are refused`() throws {
        let games = try sample()
        try games.require("corner", with: "tangram")
        for (game, set) in [("solitaire", "tangram"), ("corner", "dice")] {
            #expect(throws: StartupError.self, "\(game)") { try games.require(game, with: set) }
        }
    }
}
