import Core
import Foundation
import Store
import TestSupport
import Testing

@testable import Boards
@testable import Household
@testable import Kinds

/// A member's play with its session: the table in memory, and what is stored of it.
@Suite struct MemberPlayTests {
    /// Sessions without a worker: a picture is the number of millimetres at which a square lies.
    private struct Tables: GameTables {
        let live: LiveBoards

        func liveSessions() async -> [PlaySession] { await live.list() }
        func liveLines(of session: String, after number: Int64, limit: Int) async -> [StreamEvent]? { nil }
        func liveBoard(_ session: String) async -> ShownBoard? { await live.board(session) }
        func play(_ action: GameAction, in session: String) async throws -> GameLine? {
            try await live.play(action, in: session)
        }
        func begin(_ start: PlayStart) async throws { try await live.begin(start) }
        func saved(_ session: String) async throws -> SavedPlay? { try await live.saved(session) }
        func view(of session: String) async -> PlayView? { await live.view(of: session) }
        func end(_ session: String) async { await live.end(session) }

        func take(_ picture: Data, isStill: Bool, in session: String) async throws -> TakenPicture {
            let square = RecognizedPiece(
                id: 0, slot: "square", type: "square", xMM: Double(String(decoding: picture, as: UTF8.self)) ?? 0,
                yMM: 100, angleDegrees: 0, fold: 4, confidence: 0.99)
            let frame = PieceFrame(board: nil, set: "tangram@1", pieces: [square])
            return try #require(try await live.takeNext(frame, isStill: isStill, in: session))
        }
    }

    private static let identity = Identity(holder: .key, member: nil, role: .key, isOpen: true)
    private let folder: TemporaryFolder
    private let store: OutcomeStore
    private let games = GameCatalogue(models: ModelFolder(Repository.models))

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
    }

    /// A daemon that was just started.
    private func actions() -> PlayActions {
        let begun = ContinuousClock.now
        let live = LiveBoards(games: games, socket: nil, clock: { begun })
        return PlayActions(store, games: games, tables: Tables(live: live))
    }

    @Test(arguments: [true, false])
    func `help goes on where it was after a restart, whichever address asked for it`(isPlay: Bool) async throws {
        let leo = try Household(store).add(NewMember("Leo", role: .child))
        var steps: [[HintStep?]] = []
        for restarts in [false, true] {
            var actions = actions()
            let id = try await actions.start(
                WantedPlay(player: leo.id, game: "tangram", puzzle: restarts ? "boat" : "cat"), for: Self.identity
            ).id
            var given: [HintStep?] = []
            for _ in 0..<3 {
                _ = try await actions.take(Data("50".utf8), isStill: true, in: id, for: Self.identity)
                if isPlay {
                    given.append(try await actions.act(.hint, in: id, for: Self.identity).view.advice?.step)
                } else {
                    let session = PlayActions.prefix + "\(id)"
                    given.append(
                        try await actions.act(.hint, in: session, of: "tangram", for: Self.identity).advice?.step)
                }
                if restarts { actions = self.actions() }
            }
            steps.append(given)
            #expect(try await actions.plays.play(id)?.hints == 3)
        }
        #expect(steps[0] == steps[1])
        #expect(Set(steps[0]).count == 3, "each is more than the one before: \(steps[0])")
    }
}
