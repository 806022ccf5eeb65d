import Core
import Foundation
import Kinds
import TestSupport
import Testing

@testable import Household
@testable import Boards

/// Plays of members, with tables that were read from photos.
@Suite struct PlayTableTests {
    private static let begun = ContinuousClock.now
    /// Only photos advance its time.
    private let boards = LiveBoards(
        games: GameCatalogue(models: ModelFolder(Repository.models)), socket: nil, clock: { begun })

    private func start(_ game: String, _ session: String = "camera-play-1", state: Data? = nil) -> PlayStart {
        PlayStart(
            session: session, player: "Leo", game: game, pieceSet: game, difficulty: .easy, progress: PlayerProgress(),
            state: state)
    }

    private func table(_ pieces: [RecognizedPiece]) -> PieceFrame {
        PieceFrame(
            board: .init(widthMM: 400, heightMM: 300, located: .fixed, homography: [], reprojectionPX: 0), set: "any@1",
            pieces: pieces)
    }

    /// Dominoes side by side.
    private func chain(_ dominoes: [[Int]]) -> PieceFrame {
        table(
            dominoes.enumerated().map { number, values in
                RecognizedPiece(
                    id: number, type: "domino", xMM: 40 + 48 * Double(number), yMM: 60, angleDegrees: 0,
                    confidence: 0.97, values: values)
            })
    }

    private func marks(_ rows: [String]) -> PieceFrame {
        table(
            rows.enumerated().flatMap { row, line in
                line.enumerated().filter { $1 != "." }.map { column, mark in
                    RecognizedPiece(
                        id: row * 3 + column, type: mark == "X" ? "cross" : "nought", xMM: 20 + 40 * Double(column),
                        yMM: 20 + 40 * Double(row), angleDegrees: 0, confidence: 0.97,
                        cell: .init(row: row, column: column))
                }
            })
    }

    private let whole = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]

    @discardableResult private func photo(
        _ frame: PieceFrame, in session: String = "camera-play-1"
    ) async throws -> TakenPicture {
        try #require(try await boards.takeNext(frame, isStill: true, in: session))
    }

    @Test func `photos sent at once are read as stills, without what a photo before showed`() async throws {
        try await boards.begin(start("tic-tac-toe"))
        try await photo(marks(["...", "...", "..."]))
        try await photo(marks(["X..", "...", "..."]))
        let moved = try await photo(marks(["...", ".O.", "..."]))
        #expect(moved.view.seen == 1, "the cross is gone, not hidden by a hand")
        #expect(moved.view.table?.pieces.map(\.state) == [.placed])
    }

    @Test func `the end of a task is told, also when the game has nothing new afterwards`() async throws {
        try await boards.begin(start("dominoes"))
        let taken = try await photo(chain(whole))
        #expect(taken.lines.contains { $0.report.outcome.kind == .levelComplete })
        #expect(taken.view.last?.report.outcome.kind == .levelComplete)
        #expect(taken.view.awarded == 50)
        #expect(taken.view.standing == GameStanding(placed: 5, needed: 5))
    }

    @Test func `a play continues with its table, its standing and its help`() async throws {
        try await boards.begin(start("dominoes"))
        for count in 2...3 { try await photo(chain(Array(whole.prefix(count)))) }
        _ = try await boards.play(.hint, in: "camera-play-1")
        let left = try await photo(chain(Array(whole.prefix(4))))
        let state = try #require(try await boards.saved("camera-play-1")).state
        await boards.end("camera-play-1")
        try await boards.begin(start("dominoes", state: state))
        let view = try #require(await boards.view(of: "camera-play-1"))
        #expect(view.table == left.view.table)
        #expect(view.standing == GameStanding(placed: 4, needed: 5))
        // Help rises at most every three seconds: as long as a photo lasts without a clock.
        for _ in 0..<2 {
            _ = try await boards.play(.hint, in: "camera-play-1")
            for _ in 0..<2 { try await photo(chain(Array(whole.prefix(4)))) }
        }
        let help = try await boards.play(.hint, in: "camera-play-1")
        #expect(help?.advice?.step == .specific)
    }

    @Test func `a state of an earlier version continues`() async throws {
        var session = GameSession(
            id: "camera-play-1",
            game: try GameCatalogue(models: ModelFolder(Repository.models)).game(
                "dominoes", .init(difficulty: .easy)), difficulty: .easy)
        _ = session.process(chain(Array(whole.prefix(3))))
        try await boards.begin(start("dominoes", state: try session.save()))
        let view = try #require(await boards.view(of: "camera-play-1"))
        #expect(view.standing.placed == 3)
        #expect(view.table == nil)
    }

    @Test func `the table that solved a task does not solve the next one`() async throws {
        try await boards.begin(start("dominoes"))
        try await photo(chain(whole))
        await boards.end("camera-play-1")
        try await boards.begin(start("dominoes", "camera-play-2"))
        #expect(try await photo(chain(whole), in: "camera-play-2").lines.isEmpty)
        let next = try await photo(chain(Array(whole.prefix(2))), in: "camera-play-2")
        #expect(next.lines.first?.report.outcome.kind == .correctPlacement)
        #expect(try await photo(chain(whole), in: "camera-play-2").view.awarded == 50, "it can be laid again")
    }

    @Test func `after a request to begin again, the end is not shown until it is reached once more`() async throws {
        try await boards.begin(start("dominoes"))
        #expect(try await !photo(chain(whole)).view.isAnew)
        _ = try await boards.play(.reset, in: "camera-play-1")
        #expect(await boards.view(of: "camera-play-1")?.isAnew == true)
        #expect(try await !photo(chain(whole)).view.isAnew)
    }
}
