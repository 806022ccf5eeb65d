import Foundation
import TestSupport
import Core

@testable import Kinds

/// Builds frames of pieces for tests. The pieces start at their places in a puzzle, and tests then move them.
struct TableOfPieces {
    var pieces: [RecognizedPiece]

    static let models = ModelFolder(Repository.models)

    /// All pieces of a puzzle, rotated clockwise about its centre and shifted. Deterministic noise moves each piece
    /// by at most `noise` mm and 0.8 × `noise` degrees.
    init(
        _ puzzle: String, turned degrees: Double = 0, at middle: Point = Point(160, 110), stretched scale: Double = 1,
        noise: Double = 0, confidence: Double = 0.97
    ) throws {
        let book = try PuzzleBook(models: Self.models)
        guard let puzzle = book.puzzle(puzzle) else { throw MissingPuzzle(id: puzzle) }
        let radians = degrees * .pi / 180
        pieces = puzzle.pieces.enumerated().map { index, piece in
            let (x, y) = (piece.pose.center.x * scale, piece.pose.center.y * scale)
            let direction = Double(index) * 2.4
            let fold = Double(piece.shape.fold)
            let angle = piece.pose.degrees + degrees + noise * 0.8 * (index.isMultiple(of: 2) ? 1 : -1)
            let span = 360 / fold
            return RecognizedPiece(
                id: index, type: piece.shape.type,
                xMM: middle.x + x * cos(radians) - y * sin(radians) + noise * cos(direction),
                yMM: middle.y + x * sin(radians) + y * cos(radians) + noise * sin(direction),
                angleDegrees: (angle.truncatingRemainder(dividingBy: span) + span).truncatingRemainder(
                    dividingBy: span),
                fold: piece.shape.fold, flipped: piece.pose.flipped, confidence: confidence)
        }
    }

    init(pieces: [RecognizedPiece]) { self.pieces = pieces }

    /// Seven pieces far apart, with unrelated rotations.
    static func scattered(confidence: Double = 0.97) -> TableOfPieces {
        let places: [(String, Double, Double, Double, Int)] = [
            ("largeTriangle", 50, 60, 17, 1), ("largeTriangle", 280, 45, 101, 1), ("mediumTriangle", 150, 30, 200, 1),
            ("smallTriangle", 30, 190, 288, 1), ("smallTriangle", 300, 200, 64, 1), ("square", 200, 120, 31, 4),
            ("parallelogram", 120, 180, 77, 2),
        ]
        return TableOfPieces(
            pieces: places.enumerated().map { index, place in
                RecognizedPiece(
                    id: index, type: place.0, xMM: place.1, yMM: place.2, angleDegrees: place.3, fold: place.4,
                    confidence: confidence)
            })
    }

    /// Changes the first piece of that type.
    mutating func change(_ type: String, _ body: (inout RecognizedPiece) -> Void) {
        if let index = pieces.firstIndex(where: { $0.type == type }) { body(&pieces[index]) }
    }

    /// Mirrors the table: x → 320 − x. A mirrored pose is the flipped piece with the opposite rotation. A piece that
    /// is not chiral has a mirror axis, so its mirror image is the piece at another angle.
    mutating func mirror() {
        for index in pieces.indices {
            pieces[index].xMM = 320 - pieces[index].xMM
            let angle = pieces[index].angleDegrees
            switch pieces[index].type {
            case "parallelogram":
                pieces[index].flipped.toggle()
                pieces[index].angleDegrees = 180 - angle.truncatingRemainder(dividingBy: 180)
            // The right angle opens towards 45° in the piece's own frame. Its mirror image opens towards 180° − (45°
            // + angle).
            case "square": pieces[index].angleDegrees = (90 - angle + 360).truncatingRemainder(dividingBy: 90)
            default: pieces[index].angleDegrees = (90 - angle + 360).truncatingRemainder(dividingBy: 360)
            }
        }
    }

    func frame(located: PieceFrame.Board.Location = .aruco, set: String = "tangram@1", seq: Int = 0) -> PieceFrame {
        PieceFrame(
            seq: seq,
            board: .init(
                widthMM: 320, heightMM: 220, located: located, homography: [1, 0, 0, 0, 1, 0, 0, 0, 1],
                reprojectionPX: 0.4),
            set: set, pieces: pieces)
    }

    struct MissingPuzzle: Error { var id: String }
}
