import Core

/// The marks on a grid in one frame, and whether they are reliable.
enum GridReading: Sendable, Hashable {
    /// Marks in row-major order; 0 is empty.
    case certain([UInt8], confidence: Double)
    /// A stable code for the reason of uncertainty.
    case uncertain(String, confidence: Double)

    init(
        _ frame: PieceFrame, rows: Int, columns: Int, mark: (RecognizedPiece) -> UInt8?
    ) {
        let steadiness = Steadiness(of: frame)
        if let reason = steadiness.doubt {
            self = .uncertain(reason, confidence: steadiness.confidence)
            return
        }
        var marks = [UInt8](repeating: 0, count: rows * columns)
        for piece in frame.pieces {
            guard let mark = mark(piece) else { continue }
            guard let cell = piece.cell ?? Self.cell(of: piece, in: frame.board, rows: rows, columns: columns),
                (0..<rows).contains(cell.row), (0..<columns).contains(cell.column)
            else { continue }
            guard marks[cell.row * columns + cell.column] == 0 else {
                self = .uncertain("twoPiecesOnOneSquare", confidence: steadiness.confidence)
                return
            }
            marks[cell.row * columns + cell.column] = mark
        }
        self = .certain(marks, confidence: steadiness.confidence)
    }

    /// The square of a piece on a board that consists of the grid only; nil for a piece outside it.
    private static func cell(
        of piece: RecognizedPiece, in board: PieceFrame.Board?, rows: Int, columns: Int
    ) -> RecognizedPiece.Cell? {
        guard let board, board.widthMM > 0, board.heightMM > 0, piece.xMM >= 0, piece.yMM >= 0,
            piece.xMM < board.widthMM, piece.yMM < board.heightMM
        else { return nil }
        return .init(
            row: Int(piece.yMM / board.heightMM * Double(rows)),
            column: Int(piece.xMM / board.widthMM * Double(columns)))
    }
}

/// Whether the pieces of a frame are at rest and identified with enough confidence.
struct Steadiness: Sendable, Hashable {
    /// Minimum confidence of the least certain piece.
    static let minimumConfidence = 0.5

    /// A stable code for the doubt; nil if the frame is reliable.
    var doubt: String?
    /// Confidence of the least certain piece; 1 without pieces.
    var confidence: Double

    init(of frame: PieceFrame) {
        confidence = frame.pieces.reduce(1) { min($0, $1.confidence.isFinite ? max(0, $1.confidence) : 0) }
        let allRest = frame.pieces.allSatisfy { piece in
            piece.state == .placed && (frame.seq == 0 || piece.stableMS >= TablePiece.dwellMS)
        }
        doubt =
            frame.board == nil
            ? "boardNotFound"
            : frame.pieces.contains { $0.state == .occluded }
                ? "piecesHidden"
                : !allRest ? "piecesMoving" : confidence < Self.minimumConfidence ? "uncertainPieces" : nil
    }
}
