import Core
import Foundation
import Games
import HTTP
import Household
import Store
import TestSupport
import Testing

@testable import App

@Suite struct PlayUseCaseTests {
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
            throw Problem(404, "notFound", "no play runs here")
        }

        func view(of session: String) async -> PlayView? { nil }
        func end(_ session: String) async {}
    }

    private static let identity = Identity(holder: .key, member: nil, role: .key, isOpen: true)
    private let folder: TemporaryFolder
    private let cases: PlayUseCases

    init() throws {
        folder = try TemporaryFolder()
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        cases = PlayUseCases(store, models: ModelFolder(Repository.models), tables: Camera())
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
            } catch let problem as Problem { return problem.status.code }
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
