import Foundation
import TestSupport
import Testing
import Core

@testable import Kinds

/// Teaches puzzles from a frame, then plays them.
struct TaughtPuzzlesTests {
    private let folder: TemporaryFolder
    private var book: String { folder.url.appending(path: "own.json").path }

    init() throws { folder = try TemporaryFolder() }

    private func puzzles(_ set: String = "tangram-mono") throws -> TaughtPuzzles {
        try TaughtPuzzles(book: book, set: set, models: TableOfPieces.models)
    }

    private func teach(_ id: String, _ table: TableOfPieces) throws {
        var puzzles = try puzzles()
        try puzzles.add(table.frame(set: "tangram-mono@1"), id: id, title: id, difficulty: 2)
        try puzzles.write()
    }

    private func refusal(_ table: TableOfPieces, id: String = "new") -> String {
        (#expect(throws: StartupError.self) { try teach(id, table) })?.message ?? ""
    }

    @Test func `a taught figure is recognised when rotated and laid less exactly`() throws {
        try teach("first", TableOfPieces("rocket", turned: 200, noise: 1))
        try teach("second", TableOfPieces("cat", turned: 15, noise: 1))
        for (puzzle, taught) in [("rocket", "first"), ("cat", "second")] {
            var game = try GameCatalogue(models: TableOfPieces.models).game("tangram:\(book)")
            let report = game.process(try TableOfPieces(puzzle, turned: 99, noise: -1.5).frame(set: "tangram-mono@1"))
            #expect(report.puzzle == taught)
            #expect(report.outcome.reason == "allPiecesPlaced")
            #expect(report.outcome.xpAwarded == 100)
        }
    }

    @Test func `a puzzle outside the book is not identified`() throws {
        try teach("first", TableOfPieces("rocket", noise: 1))
        var game = try GameCatalogue(models: TableOfPieces.models).game("tangram:\(book)")
        let report = game.process(try TableOfPieces("cat").frame(set: "tangram-mono@1"))
        #expect(report.puzzle == nil)
        #expect(report.outcome.kind != .levelComplete)
    }

    @Test func `a taught book allows the inaccuracy of hands, a drawn book does not`() throws {
        try teach("first", TableOfPieces("cat", noise: 1))
        _ = try PuzzleBook(models: TableOfPieces.models, book: book)
        let file = URL(filePath: book)
        let text = try String(contentsOf: file, encoding: .utf8)
        let place = try #require(text.range(of: "\"accuracy_mm\" : 2,"))
        try text.replacingCharacters(in: place, with: "").write(to: file, atomically: true, encoding: .utf8)
        #expect(throws: StartupError.self) { try PuzzleBook(models: TableOfPieces.models, book: book) }
    }

    @Test func `an incomplete figure is rejected with its missing pieces`() throws {
        var six = try TableOfPieces("cat")
        six.pieces.removeAll { $0.type == "square" }
        #expect(refusal(six).contains("0 of 1 square"))
        var eight = try TableOfPieces("cat")
        eight.pieces.append(eight.pieces[0])
        #expect(refusal(eight).contains("3 of 2 largeTriangle"))
        #expect(refusal(.scattered()).contains("parts that do not touch"))
        #expect(refusal(try TableOfPieces("cat", confidence: 0.6)).contains("hardly sure"))
        var apart = try TableOfPieces("cat")
        apart.change("square") { $0.xMM += 500 }
        #expect(refusal(apart).contains("parts that do not touch"))
        #expect(!FileManager.default.fileExists(atPath: book))
    }

    @Test func `puzzle ids are unique, and a book has one piece set`() throws {
        try teach("cat", TableOfPieces("cat"))
        #expect(refusal(try TableOfPieces("boat"), id: "cat").contains("already"))
        let other = #expect(throws: StartupError.self) { try puzzles("tangram") }
        #expect(other?.message.contains("tangram-mono, not of tangram") == true)
    }

    @Test func `a photo cannot be added to a drawn book`() throws {
        let error = #expect(throws: StartupError.self) {
            try TaughtPuzzles(book: "tangram", set: "tangram", models: TableOfPieces.models)
        }
        #expect(error?.message.contains("drawn puzzles") == true)
    }

    @Test func `an unknown book is rejected with the list of known books`() throws {
        let error = #expect(throws: StartupError.self) {
            try GameCatalogue(models: TableOfPieces.models).game("tangram:nowhere")
        }
        #expect(error?.exitCode == .noInput)
        #expect(error?.message.contains("there are tangram") == true)
        for name in ["tangram:", "draughts:museum", "tangram:../x y"] {
            #expect(throws: StartupError.self) { try GameCatalogue(models: TableOfPieces.models).game(name) }
        }
        #expect(GameCatalogue.isBuiltIn("tangram:museum") && GameCatalogue.isBuiltIn("draughts"))
        #expect(!GameCatalogue.isBuiltIn("tangram:") && !GameCatalogue.isBuiltIn("draughts:museum"))
    }
}
