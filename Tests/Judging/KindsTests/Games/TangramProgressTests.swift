import Foundation
import Testing
import Core

@testable import Kinds

/// Tangram over several frames.
struct TangramProgressTests {
    private func game() throws -> TangramGame {
        try TangramGame(book: PuzzleBook(models: TableOfPieces.models), puzzle: "cat")
    }

    private func frame(_ pieces: Int) throws -> PieceFrame {
        TableOfPieces(pieces: Array(try TableOfPieces("cat").pieces.prefix(pieces))).frame()
    }

    @Test func `each piece scores once`() throws {
        var game = try game()
        #expect(game.process(try frame(3)).outcome.points == 30)
        let again = game.process(try frame(3)).outcome
        #expect(again.kind == .noAction)
        #expect(again.reason == "nothingNew")
        #expect(game.process(try frame(5)).outcome.points == 20)
        #expect(game.process(try frame(7)).outcome.kind == .levelComplete)
        #expect(game.process(try frame(7)).outcome.reason == "alreadySolved")
    }

    @Test func `a saved game continues from its state`() throws {
        var first = try game()
        _ = first.process(try frame(4))
        var second = try game()
        try second.loadState(try first.saveState())
        #expect(second.process(try frame(4)).outcome.reason == "nothingNew")
        second.reset()
        #expect(second.process(try frame(4)).outcome.points == 40)
    }

    @Test func `an invalid saved state is rejected and changes nothing`() throws {
        var game = try game()
        _ = game.process(try frame(4))
        let error = #expect(throws: StartupError.self) { try game.loadState(Data("{\"scored\":7}".utf8)) }
        #expect(error?.exitCode == .badInput)
        #expect(game.process(try frame(4)).outcome.reason == "nothingNew")
    }
}
