import Testing
import Core

@testable import Kinds

/// Tangram as a stream of frames: tries, removed pieces, help.
struct TangramStreamTests {
    private func game() throws -> TangramGame {
        try TangramGame(book: PuzzleBook(models: TableOfPieces.models), puzzle: "cat")
    }

    private func frame(_ table: TableOfPieces, seq: Int, second: Double) -> PieceFrame {
        var table = table
        for index in table.pieces.indices { table.pieces[index].stableMS = 900 }
        var frame = table.frame(seq: seq)
        frame.t_ns = Int(second * 1e9)
        return frame
    }

    @Test func `loose pieces are no try`() throws {
        var game = try game()
        #expect(game.process(frame(.scattered(), seq: 1, second: 1)).outcome.reason == "notBegun")
    }

    @Test func `a misplaced piece that touches the others is one miss`() throws {
        var game = try game()
        let whole = try TableOfPieces("cat")
        var table = TableOfPieces(pieces: Array(whole.pieces.prefix(4)))
        #expect(game.process(frame(table, seq: 1, second: 1)).outcome.points == 40)
        var stray = whole.pieces[4]
        stray.angleDegrees += 40
        table.pieces.append(stray)
        #expect(game.process(frame(table, seq: 2, second: 2)).outcome.reason == "outOfTolerance")
        #expect(game.process(frame(table, seq: 3, second: 3)).outcome.kind == .noAction)
        stray.xMM += 150
        table.pieces[4] = stray
        #expect(game.process(frame(table, seq: 4, second: 4)).outcome.kind == .noAction)
    }

    @Test func `a piece counts as taken away after it is missing for half a second`() throws {
        var game = try game()
        let whole = try TableOfPieces("cat")
        let (five, four) = (
            TableOfPieces(pieces: Array(whole.pieces.prefix(5))), TableOfPieces(pieces: Array(whole.pieces.prefix(4)))
        )
        _ = game.process(frame(five, seq: 1, second: 1))
        #expect(game.process(frame(four, seq: 2, second: 1.1)).placed == 5)
        #expect(game.process(frame(four, seq: 3, second: 1.5)).placed == 5)
        #expect(game.process(frame(five, seq: 4, second: 1.55)).outcome.reason == "nothingNew")
        _ = game.process(frame(four, seq: 5, second: 2))
        let gone = game.process(frame(four, seq: 6, second: 2.5))
        #expect(gone.outcome.reason == "pieceTakenAway")
        #expect(gone.placed == 4)
    }

    @Test func `a solution gives a piece and its pose in the book`() throws {
        var game = try game()
        let whole = try TableOfPieces("cat", turned: 30)
        var table = whole
        table.pieces[0].xMM += 200
        _ = game.process(frame(table, seq: 1, second: 1))
        let advice = try #require(game.advice(.solution))
        #expect(advice.piece == 0)
        let place = try #require(advice.place)
        #expect(abs(place.xMM - whole.pieces[0].xMM) < 0.2)
        #expect(abs(place.yMM - whole.pieces[0].yMM) < 0.2)
        #expect(abs((place.angleDegrees - whole.pieces[0].angleDegrees).remainder(dividingBy: 360)) < 0.2)
        #expect(game.advice(.gentle)?.place == nil)
    }
}
