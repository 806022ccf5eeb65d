import Testing
import Core

@testable import Kinds

struct PositionGameTests {
    private let empty = ["...", "...", "..."]

    @Test func `moves score, a win completes the level, an empty board starts a new game`() {
        var (game, frames) = (PositionGame(TicTacToe()), GridFrames())
        #expect(game.process(frames.show(empty)).outcome.reason == "positionRead")
        #expect(game.process(frames.show(["X..", "...", "..."])).outcome.kind == .correctPlacement)
        #expect(game.process(frames.show(["X..", "O..", "..."])).outcome.points == 10)
        #expect(game.process(frames.show(["X..", "O..", "..."])).outcome.reason == "nothingNew")
        _ = game.process(frames.show(["XX.", "O..", "..."]))
        _ = game.process(frames.show(["XX.", "OO.", "..."]))
        let win = game.process(frames.show(["XXX", "OO.", "..."])).outcome
        #expect(win.kind == .levelComplete)
        #expect(win.xpAwarded == 50)
        #expect(game.process(frames.show(empty)).outcome.reason == "newGame")
    }

    @Test func `a board that is won when it is first seen starts a new game when it is empty`() {
        var (game, frames) = (PositionGame(TicTacToe()), GridFrames())
        #expect(game.process(frames.show(["XXX", "OO.", "..."])).outcome.reason == "wonPositionRead")
        #expect(game.process(frames.show(empty)).outcome.reason == "newGame")
        #expect(game.process(frames.show([".X.", "...", "..."])).outcome.kind == .correctPlacement)
    }

    @Test func `the picture of a board has its squares, its marks and the square of the help`() throws {
        var (game, frames) = (PositionGame(TicTacToe()), GridFrames())
        #expect(game.picture(after: nil)?.parts.map(\.type) == Array(repeating: "square", count: 9), "before the table")
        _ = game.process(frames.show(["XX.", "OO.", "..."]))
        let picture = try #require(game.picture(after: game.advice(.directed)))
        #expect(picture.parts.dropFirst(9).map(\.type) == ["cross", "cross", "nought", "nought"])
        #expect(picture.parts.map(\.state).firstIndex(of: .next) == 2, "the square that wins")
        let draughts = try #require(PositionGame(Draughts()).picture(after: nil))
        #expect(draughts.parts.count { $0.type == "square" } == 32, "dark squares only")
    }

    @Test func `a mark out of turn is reported as wrong once`() {
        var (game, frames) = (PositionGame(TicTacToe()), GridFrames())
        _ = game.process(frames.show(empty))
        let outcome = game.process(frames.show(["O..", "...", "..."])).outcome
        #expect(outcome.kind == .incorrectPlacement)
        #expect(outcome.reason == "outOfTurn")
        #expect(game.process(frames.show(["O..", "...", "..."])).outcome.reason == "alreadySaid")
        #expect(game.process(frames.show(["X..", "...", "..."])).outcome.kind == .correctPlacement)
    }

    @Test(arguments: [
        (RecognizedPiece.State.moving, 0.95, true, "piecesMoving"), (.tentative, 0.95, true, "piecesMoving"),
        (.occluded, 0.95, true, "piecesHidden"), (.placed, 0.3, true, "uncertainPieces"),
        (.placed, 0.95, false, "boardNotFound"),
    ])
    func `an uncertain frame is never wrong`(
        state: RecognizedPiece.State, confidence: Double, board: Bool, reason: String
    ) {
        var (game, frames) = (PositionGame(TicTacToe()), GridFrames())
        _ = game.process(frames.show(empty))
        let outcome =
            game.process(frames.show(["OOO", "...", "..."], state: state, confidence: confidence, board: board)).outcome
        #expect(outcome.kind == .noAction)
        #expect(outcome.reason == reason)
    }

    @Test func `a floating disc is an incorrect placement`() {
        var (game, frames) = (PositionGame(ConnectFour()), GridFrames())
        let empty = [String](repeating: ".......", count: 6)
        _ = game.process(frames.show(empty))
        let floating = game.process(frames.show([".......", "...R...", ".......", ".......", ".......", "......."]))
        #expect(floating.outcome.reason == "floatingDisc")
        let dropped = game.process(frames.show([".......", ".......", ".......", ".......", ".......", "...R..."]))
        #expect(dropped.outcome.kind == .correctPlacement)
    }

    private let men = [".d.d.d.d", "d.d.d.d.", ".d.d.d.d", "........", "........", "l.l.l.l.", ".l.l.l.l", "l.l.l.l."]

    private func men(_ changes: [(Int, String)]) -> [String] {
        var rows = men
        for (row, line) in changes { rows[row] = line }
        return rows
    }

    @Test func `a captured man may be removed after the jump, and jumps are mandatory`() {
        var (game, frames) = (PositionGame(Draughts()), GridFrames())
        #expect(game.process(frames.show(["........"] + men.dropFirst())).outcome.reason == "settingUp")
        #expect(game.process(frames.show(men)).outcome.reason == "positionRead")
        // Dark 2,1 → 3,2; light 5,4 → 4,3; now dark must jump 3,2 over 4,3 to 5,4.
        #expect(game.process(frames.show(men([(2, "...d.d.d"), (3, "..d.....")]))).outcome.kind == .correctPlacement)
        let light = men([(2, "...d.d.d"), (3, "..d....."), (4, "...l...."), (5, "l.l...l.")])
        #expect(game.process(frames.show(light)).outcome.kind == .correctPlacement)
        let refused = men([(2, ".....d.d"), (3, "..d.d..."), (4, "...l...."), (5, "l.l...l.")])
        #expect(game.process(frames.show(refused)).outcome.reason == "mustCapture")
        let jumped = men([(2, "...d.d.d"), (3, "........"), (4, "...l...."), (5, "l.l.d.l.")])
        #expect(game.process(frames.show(jumped)).outcome.reason == "moveUnderway")
        let taken = men([(2, "...d.d.d"), (3, "........"), (4, "........"), (5, "l.l.d.l.")])
        #expect(game.process(frames.show(taken)).outcome.kind == .correctPlacement)
    }
}
