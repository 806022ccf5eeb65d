import Foundation
import Testing
import Core

@testable import Kinds

/// Tangram rules on single frames, with and without a chosen puzzle.
struct TangramGameTests {
    private let interpreter: GameInterpreter
    private static let all = [
        "square", "triangle", "rectangle", "parallelogram", "trapezoid", "house", "barn", "arrow", "boat", "rocket",
        "cat", "bird",
    ]

    init() throws { interpreter = try GameInterpreter(models: TableOfPieces.models) }

    private func report(
        _ table: TableOfPieces, puzzle: String? = nil, level: GameLevel = .normal,
        located: PieceFrame.Board.Location = .aruco, set: String = "tangram@1"
    ) throws -> GameReport {
        try #require(try interpreter.report(on: table.frame(located: located, set: set), puzzle: puzzle, level: level))
    }

    @Test(arguments: all) func `an exact assembly completes its level, chosen or detected`(id: String) throws {
        for chosen in [id, nil] {
            let report = try report(TableOfPieces(id), puzzle: chosen)
            #expect(report.puzzle == id)
            #expect((report.placed, report.needed) == (7, 7))
            #expect(report.outcome.kind == .levelComplete)
            #expect(report.outcome.reason == "allPiecesPlaced")
            #expect(report.outcome.xpAwarded ?? 0 >= 50)
            #expect((0.85...1).contains(report.outcome.confidence))
        }
    }

    @Test(arguments: all) func `an assembly counts at any position and rotation, with inexact placement`(id: String)
        throws
    {
        for degrees in [0.0, 33, 90, 147, 180, 261.5, 359] {
            let report = try report(
                TableOfPieces(id, turned: degrees, at: Point(120, 90), noise: 2), puzzle: degrees < 100 ? nil : id)
            #expect(report.puzzle == id)
            #expect(report.outcome.kind == .levelComplete, "\(id) at \(degrees)°")
            #expect(report.outcome.reason == "allPiecesPlaced", "\(id) at \(degrees)°")
        }
    }

    @Test func `alike triangles are interchangeable`() throws {
        var table = try TableOfPieces("cat", turned: 20)
        let large = table.pieces.indices.filter { table.pieces[$0].type == "largeTriangle" }
        table.pieces[large[0]].slot = "largeTriangle2"
        table.pieces[large[1]].slot = "largeTriangle1"
        table.pieces.swapAt(large[0], large[1])
        table.pieces.reverse()
        #expect(try report(table, puzzle: "cat").outcome.reason == "allPiecesPlaced")
    }

    @Test func `one piece off by 20 mm leaves six right`() throws {
        var table = try TableOfPieces("cat")
        table.change("parallelogram") { $0.xMM += 20 }
        for chosen in ["cat", nil] {
            let report = try report(table, puzzle: chosen)
            #expect(report.puzzle == "cat")
            #expect(report.placed == 6)
            #expect(report.outcome.kind == .correctPlacement)
            #expect(report.outcome.points == 60)
            #expect(report.outcome.reason == "piecesPlaced")
        }
    }

    @Test func `a piece that is not in place is drawn beside the figure, turned as it lies`() throws {
        var table = try TableOfPieces("cat")
        table.change("square") { ($0.xMM, $0.angleDegrees) = ($0.xMM + 60, 45) }
        var game = try TangramGame(book: PuzzleBook(models: TableOfPieces.models), puzzle: "cat")
        _ = game.process(table.frame())
        let picture = try #require(game.picture(after: nil))
        #expect(picture.parts.filter { $0.state == .placed }.count == 6)
        #expect(picture.loose.map(\.type) == ["square"])
        let corners = picture.loose.flatMap(\.corners)
        let radius = try #require(corners.first.map { hypot($0.x, $0.y) })
        #expect(corners.count == 4)
        #expect(
            corners.allSatisfy { min(abs($0.x), abs($0.y)) < 0.2 && abs(hypot($0.x, $0.y) - radius) < 0.2 },
            "a square on its corner, around the origin")
    }

    @Test(arguments: all) func `any one piece off by 20 mm leaves the level open`(id: String) throws {
        for index in 0..<7 {
            for (dx, dy) in [(20.0, 0.0), (-20, 0), (0, 20), (0, -20), (14.2, 14.2), (-14.2, 14.2)] {
                var table = try TableOfPieces(id)
                table.pieces[index].xMM += dx
                table.pieces[index].yMM += dy
                let report = try report(table, puzzle: id)
                #expect(report.outcome.kind == .correctPlacement, "\(id), piece \(index) by \(dx), \(dy)")
                #expect(report.placed == 6)
            }
        }
    }

    @Test(arguments: all) func `a flipped parallelogram is not in its place`(id: String) throws {
        var table = try TableOfPieces(id)
        table.change("parallelogram") { $0.flipped.toggle() }
        let report = try report(table, puzzle: id)
        #expect(report.placed == 6)
        #expect(report.outcome.kind == .correctPlacement)
    }

    @Test func `a puzzle mirrored as a whole is not solved`() throws {
        for id in ["cat", "parallelogram"] {
            var table = try TableOfPieces(id)
            table.mirror()
            for chosen in [id, nil] {
                #expect(try report(table, puzzle: chosen).outcome.kind != .levelComplete, "\(id)")
            }
        }
    }

    @Test func `another assembly of the same silhouette completes the level too`() throws {
        // The square is its own mirror image. Its mirrored assembly covers it with other places of the pieces.
        for degrees in [0.0, 12, 75] {
            var table = try TableOfPieces("square", turned: degrees, noise: 0.7)
            table.mirror()
            for chosen in ["square", nil] {
                let report = try report(table, puzzle: chosen)
                #expect(report.puzzle == "square")
                #expect(report.outcome.kind == .levelComplete)
                #expect(report.outcome.reason == "silhouetteCovered")
                #expect(report.outcome.confidence > 0.65)
            }
        }
    }

    @Test func `the assembly of another puzzle does not complete the chosen one`() throws {
        for id in Self.all {
            for other in Self.all where other != id {
                let report = try report(TableOfPieces(other, turned: 8), puzzle: id)
                #expect(report.outcome.kind != .levelComplete, "\(other) as \(id)")
            }
        }
    }

    @Test func `a covered silhouette needs all seven pieces`() throws {
        var table = try TableOfPieces("square")
        table.mirror()
        table.pieces.removeAll { $0.id == 3 }
        #expect(try report(table, puzzle: "square").outcome.kind != .levelComplete)
    }

    @Test func `scattered pieces fit no puzzle of the book`() throws {
        let report = try report(.scattered())
        #expect(report.puzzle == nil)
        #expect(report.outcome.kind == .noAction)
        #expect(report.outcome.reason == "noPuzzleFits")
    }

    @Test func `confident resting pieces that contradict the chosen puzzle are misplaced`() throws {
        let report = try report(.scattered(), puzzle: "cat")
        #expect(report.outcome.kind == .incorrectPlacement)
        #expect(report.outcome.reason == "outOfTolerance")
        #expect(report.placed == 0)
    }

    @Test(arguments: [0.0, 0.2, 0.49]) func `an uncertain frame is never more than no action`(confidence: Double) throws
    {
        let tables = [
            try TableOfPieces("cat", confidence: confidence), .scattered(confidence: confidence),
            TableOfPieces(pieces: Array(try TableOfPieces("cat", confidence: confidence).pieces.prefix(4))),
        ]
        for table in tables {
            for chosen in ["cat", "square", nil] {
                let report = try report(table, puzzle: chosen)
                #expect(report.outcome.kind == .noAction)
                #expect(report.outcome.reason == "uncertainPieces")
            }
        }
    }

    @Test func `doubtful or moving pieces are never misplaced`() throws {
        #expect(try report(.scattered(confidence: 0.6), puzzle: "cat").outcome.kind == .noAction)
        var table = TableOfPieces.scattered()
        table.pieces[0].state = .moving
        #expect(try report(table, puzzle: "cat").outcome.reason == "piecesMoving")
        table.pieces[0].state = .occluded
        #expect(try report(table, puzzle: "cat").outcome.kind == .noAction)
    }

    @Test func `a stream's pieces count after half a second of rest`() throws {
        var table = try TableOfPieces("cat")
        for index in table.pieces.indices { table.pieces[index].stableMS = 499 }
        let early = try interpreter.report(on: table.frame(seq: 12), puzzle: "cat")
        #expect(early?.outcome.kind == .noAction)
        for index in table.pieces.indices { table.pieces[index].stableMS = 500 }
        let late = try interpreter.report(on: table.frame(seq: 13), puzzle: "cat")
        #expect(late?.outcome.kind == .levelComplete)
    }

    @Test func `an empty table and a single piece are no action`() throws {
        let empty = try report(TableOfPieces(pieces: []), puzzle: "cat")
        #expect(empty.outcome.kind == .noAction)
        #expect(empty.outcome.reason == "noPieces")
        let single = TableOfPieces(pieces: Array(try TableOfPieces("cat").pieces.prefix(1)))
        for chosen in ["cat", nil] {
            let report = try report(single, puzzle: chosen)
            #expect(report.outcome.kind == .noAction)
            #expect(report.outcome.reason == "tooFewPieces")
        }
    }

    @Test func `two adjacent triangles fit several puzzles and identify none`() throws {
        let pair = TableOfPieces(pieces: try TableOfPieces("house").pieces.filter { $0.type == "largeTriangle" })
        let report = try report(pair)
        #expect(report.puzzle == nil)
        #expect(report.outcome.kind == .stateUpdated)
        #expect(report.outcome.reason == "severalPuzzlesFit")
        // With a chosen puzzle the same two pieces are a start.
        let chosen = try self.report(pair, puzzle: "house")
        #expect(chosen.outcome.kind == .correctPlacement)
        #expect(chosen.outcome.points == 20)
    }

    @Test func `five pieces shared by two puzzles identify neither`() throws {
        // Rectangle, parallelogram and house contain the same block of all pieces except the large triangles.
        let block = TableOfPieces(pieces: try TableOfPieces("house").pieces.filter { $0.type != "largeTriangle" })
        let report = try report(block)
        #expect(report.puzzle == nil)
        #expect(report.outcome.reason == "severalPuzzlesFit")
        #expect(report.placed == 5)
    }

    @Test func `levels have their documented tolerances`() throws {
        // A pure translation of one piece. The transform of the whole can absorb up to one tolerance, so only twice
        // the tolerance is certainly beyond.
        for (level, within, beyond) in [
            (GameLevel.easy, 8.0, 16.5), (.normal, 5.0, 10.5), (.hard, 3.0, 6.5),
        ] {
            var table = try TableOfPieces("cat")
            table.change("parallelogram") { $0.xMM += within }
            #expect(try report(table, puzzle: "cat", level: level).placed == 7, "\(level)")
            table.change("parallelogram") { $0.xMM += beyond - within }
            #expect(try report(table, puzzle: "cat", level: level).placed == 6, "\(level)")
        }
        for (level, within, beyond) in [
            (GameLevel.easy, 13.0, 18.0), (.normal, 7.0, 10.0), (.hard, 3.4, 5.2),
        ] {
            var table = try TableOfPieces("cat")
            table.change("parallelogram") { $0.angleDegrees += within }
            #expect(try report(table, puzzle: "cat", level: level).placed == 7, "\(level)")
            table.change("parallelogram") { $0.angleDegrees += beyond - within }
            #expect(try report(table, puzzle: "cat", level: level).placed == 6, "\(level)")
        }
    }

    @Test func `a scale error is tolerated only if the pieces located the board`() throws {
        for id in ["bird", "arrow"] {
            let table = try TableOfPieces(id, stretched: 1.07)
            #expect(try report(table, puzzle: id, level: .hard, located: .pieces).outcome.reason == "allPiecesPlaced")
            #expect(try report(table, puzzle: id, level: .hard, located: .aruco).outcome.reason != "allPiecesPlaced")
            let far = try TableOfPieces(id, stretched: 1.25)
            #expect(try report(far, puzzle: id, level: .hard, located: .pieces).outcome.kind != .levelComplete)
        }
    }

    @Test func `a mirrored square is covered at an inexact scale if the pieces located the board`() throws {
        var table = try TableOfPieces("square", turned: 10, stretched: 1.06)
        table.mirror()
        #expect(try report(table, located: .pieces).outcome.reason == "silhouetteCovered")
    }

    @Test func `both tangram sets play tangram, and no other set does`() throws {
        let table = try TableOfPieces("boat")
        #expect(try report(table, set: "tangram-mono@1").outcome.kind == .levelComplete)
        #expect(try interpreter.report(on: table.frame(set: "dominoes@1")) == nil)
        #expect(try interpreter.report(on: TableOfPieces(pieces: []).frame()) == nil)
    }

    @Test func `an unknown game or puzzle is rejected with its name`() throws {
        let frame = try TableOfPieces("boat").frame()
        let game = #expect(throws: StartupError.self) { try interpreter.report(on: frame, game: "chess") }
        #expect(game?.message.contains("chess") == true)
        let puzzle = #expect(throws: StartupError.self) { try interpreter.report(on: frame, puzzle: "unicorn") }
        #expect(puzzle?.message.contains("unicorn") == true)
    }

    @Test func `pieces with invalid numbers are dropped`() throws {
        var table = try TableOfPieces("boat")
        for index in table.pieces.indices { table.pieces[index].xMM = .nan }
        #expect(try report(table, puzzle: "boat").outcome.reason == "noPieces")
    }
}
