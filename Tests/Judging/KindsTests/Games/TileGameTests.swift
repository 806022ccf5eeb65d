import Foundation
import TestSupport
import Testing
import Core

@testable import Kinds

struct TileGameTests {
    /// Tiles 31 mm apart on a rotated table. Each string is a row; `.` is empty.
    private func frame(
        _ rows: [String], turned degrees: Double = 0, seq: Int = 1,
        face: (Character) -> (String, String?) = { (String($0), nil) }
    ) -> PieceFrame {
        let angle = degrees * .pi / 180
        var pieces: [RecognizedPiece] = []
        for (row, line) in rows.enumerated() {
            for (column, mark) in line.enumerated() where mark != "." {
                let (x, y) = (Double(column) * 31 + Double(row % 2), Double(row) * 31)
                let (symbol, colour) = face(mark)
                pieces.append(
                    RecognizedPiece(
                        id: pieces.count, type: "tile", colour: colour, xMM: 150 + x * cos(angle) - y * sin(angle),
                        yMM: 100 + x * sin(angle) + y * cos(angle), angleDegrees: degrees, stableMS: 900,
                        confidence: 0.9, symbol: symbol))
            }
        }
        return PieceFrame(
            seq: seq,
            board: .init(widthMM: 400, heightMM: 300, located: .fixed, homography: [], reprojectionPX: 0),
            set: "test@1",
            pieces: pieces)
    }

    private func letters() -> TileGame<LetterTiles> {
        TileGame(
            LetterTiles(
                side: 30,
                words: WordList(
                    "cat\ncats\nat\nso\nto\nsun\nBob\nit's".split(separator: "\n"), nounsAreCapitalised: false)),
            level: .easy)
    }

    @Test(arguments: [0, 17, -50, 90, 180])
    func `letters form a word at any rotation of the line`(degrees: Double) {
        var game = letters()
        #expect(game.process(frame(["CAT"], turned: degrees)).outcome.kind == .correctPlacement)
    }

    @Test func `an unknown word is reported once, and adding to a word may form another`() {
        var game = letters()
        #expect(game.process(frame(["CAT"])).outcome.points == 30)
        #expect(game.advice(.directed)?.text == "CAT with one more letter is another word.")
        #expect(game.advice(.solution)?.text == "CATS is a word.")
        let wrong = game.process(frame(["CATX"])).outcome
        #expect(wrong.kind == .incorrectPlacement)
        #expect(wrong.reason == "noWord")
        #expect(game.process(frame(["CATX"])).outcome.reason == "alreadySaid")
        #expect(game.advice(.solution)?.text == "CATS is a word.")
        #expect(game.process(frame(["CATS"])).outcome.kind == .correctPlacement)
        // Crosswise: SO shares the S of CATS.
        let last = game.process(frame(["CATS", "...O"])).outcome
        #expect(last.kind == .levelComplete)
        #expect(last.xpAwarded == 50)
    }

    @Test func `tiles laid in two places at once are an invalid move`() {
        var game = letters()
        _ = game.process(frame(["CAT"]))
        #expect(game.process(frame(["CATS", ".T..", ".O.."])).outcome.kind == .incorrectPlacement)
    }

    @Test func `names and words with other characters are omitted`() {
        let list = WordList("cat\nBob\nit's\nHaus".split(separator: "\n"), nounsAreCapitalised: false)
        #expect(list.contains("Cat"))
        #expect(!list.contains("Bob"))
        #expect(!list.contains("its"))
        #expect(WordList("Haus".split(separator: "\n"), nounsAreCapitalised: true).contains("haus"))
    }

    @Test func `a missing word list is reported with its package`() {
        let error = #expect(throws: StartupError.self) {
            try WordList(file: URL(filePath: "/nowhere/words"), package: "wamerican", nounsAreCapitalised: false)
        }
        #expect(error?.message.contains("apt-get install wamerican") == true)
    }

    private static let shapes = ["circle", "square", "star", "clover", "diamond", "cross"]
    private static let colours = ["red", "orange", "yellow", "green", "blue", "purple"]

    /// a…z and A…J represent the 36 tiles.
    private func tile(_ mark: Character) -> (String, String?) {
        let index = Int(mark.asciiValue ?? 97) - 97
        return (Self.shapes[index % 6], Self.colours[(index / 6) % 6])
    }

    private func shapesGame() -> TileGame<ColourShapeTiles> { TileGame(ColourShapeTiles(side: 30), level: .hard) }

    @Test func `a line of six is a special achievement with double score`() {
        var game = shapesGame()
        #expect(game.process(frame(["abcde"], face: tile)).outcome.points == 5)
        let full = game.process(frame(["abcdef"], face: tile)).outcome
        #expect(full.kind == .specialAchievement)
        #expect(full.name == "fullLine")
        #expect(full.points == 12)
        #expect(full.bonusXP == 25)
    }

    @Test func `lines are valid if each pair of tiles shares the same property`() {
        // All lines of three tiles, compared with an independent pairwise rule.
        let rules = ColourShapeTiles(side: 30)
        for first in 0..<36 {
            for second in 0..<36 {
                for third in [0, 7, 14, 35, (second + 6) % 36, (second + 1) % 36] {
                    let tiles = [first, second, third].map { (shape: $0 % 6, colour: $0 / 6) }
                    let grid = TileGrid(
                        tiles: tiles.enumerated().map {
                            .init(square: .init(row: 0, column: $0), face: "\($1.shape)/\($1.colour)")
                        })
                    let pairs = [(0, 1), (1, 2), (0, 2)].map { (tiles[$0], tiles[$1]) }
                    let byColour = pairs.allSatisfy { $0.colour == $1.colour && $0.shape != $1.shape }
                    let byShape = pairs.allSatisfy { $0.shape == $1.shape && $0.colour != $1.colour }
                    #expect((rules.fault(in: grid, fresh: grid.tiles) == nil) == (byColour || byShape))
                }
            }
        }
    }

    @Test func `an accepted line is recognised again after a shift and rotation`() {
        var game = shapesGame()
        _ = game.process(frame(["abc"], face: tile))
        #expect(game.process(frame(["abc"], turned: 200, face: tile)).outcome.reason == "nothingNew")
        #expect(game.process(frame(["abc", ".h."], turned: 95, face: tile)).outcome.kind == .correctPlacement)
    }
}
