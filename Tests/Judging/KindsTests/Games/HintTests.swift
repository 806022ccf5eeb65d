import Core
import TestSupport
import Testing

@testable import Kinds

/// What hints name, on generated states of the table.
struct HintTests {
    private static let puzzles = [
        "square", "triangle", "rectangle", "parallelogram", "trapezoid", "house", "barn", "arrow", "boat", "rocket",
        "cat", "bird",
    ]
    private let book: PuzzleBook

    init() throws { book = try PuzzleBook(models: TableOfPieces.models) }

    /// The pieces of a figure, of which some lie elsewhere, move, are occluded, or are not there.
    private func table(of puzzle: String, _ random: inout SeededGenerator) throws -> TableOfPieces {
        var table = try TableOfPieces(
            puzzle, turned: .random(in: 0..<360, using: &random), noise: .random(in: 0...2, using: &random))
        let share = Double.random(in: 0...1, using: &random)
        for index in table.pieces.indices where Double.random(in: 0...1, using: &random) < share {
            table.pieces[index].xMM += .random(in: -60...60, using: &random)
            table.pieces[index].yMM += .random(in: -60...60, using: &random)
        }
        for index in table.pieces.indices where Int.random(in: 0..<4, using: &random) == 0 {
            table.pieces[index].state = Bool.random(using: &random) ? .moving : .occluded
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            table.pieces.removeLast(.random(in: 1...5, using: &random))
        }
        table.pieces.shuffle(using: &random)
        return table
    }

    @Test(arguments: puzzles) func `a hint of the tangram names no piece and no place that is done`(puzzle: String)
        throws
    {
        let figure = try #require(book.puzzle(puzzle))
        var random = SeededGenerator(seed: 7)
        for round in 0..<60 {
            let table = try table(of: puzzle, &random)
            var game = try TangramGame(book: book, puzzle: puzzle, level: [.easy, .normal, .hard][round % 3])
            let report = game.process(table.frame())
            let (placed, loose) = game.table(of: figure)
            for step in HintStep.allCases {
                guard let advice = game.advice(step) else { continue }
                #expect(report.outcome.kind != .levelComplete, "round \(round): the figure is done")
                if let piece = advice.piece {
                    #expect(loose.contains { $0.id == piece }, "round \(round): piece \(piece) lies where it belongs")
                }
                if let type = advice.type {
                    let isOpen = figure.pieces.indices.contains {
                        figure.pieces[$0].shape.type == type && !placed.contains($0)
                    }
                    #expect(isOpen, "round \(round): each \(type) lies where it belongs")
                }
            }
        }
    }

    @Test func `a hint of dominoes names no domino of the chain`() throws {
        let catalogue = GameCatalogue(models: TableOfPieces.models)
        var random = SeededGenerator(seed: 11)
        for round in 0..<200 {
            var game = try catalogue.game("dominoes")
            var chain: [[Int]] = []
            var dominoes: [RecognizedPiece] = []
            for index in 0..<8 {
                let values = [Int.random(in: 1...6, using: &random), Int.random(in: 1...6, using: &random)]
                dominoes.append(
                    RecognizedPiece(
                        id: index, type: "domino", xMM: 40 + 48 * Double(index), yMM: 100, angleDegrees: 0,
                        stableMS: 800, confidence: 0.9, values: values))
                let report = game.process(
                    PieceFrame(
                        seq: 1,
                        board: .init(
                            widthMM: 600, heightMM: 200, located: .aruco, homography: [1, 0, 0, 0, 1, 0, 0, 0, 1],
                            reprojectionPX: 0.4), set: "dominoes@1", pieces: dominoes))
                switch report.outcome.kind {
                case .correctPlacement, .levelComplete: chain = dominoes.compactMap { $0.values?.sorted() }
                default: dominoes.removeLast()
                }
                for step in HintStep.allCases {
                    let named = game.advice(step)?.values?["x"] ?? ""
                    let isOfChain = chain.contains { named.contains("\($0[0])|\($0[1])") }
                    #expect(!isOfChain, "round \(round): \(named)")
                }
            }
        }
    }
}
