import Core

/// Keeps a stream's coordinates constant if the pieces themselves locate the board. Each capture then has its own
/// scale, and a resting piece would seem to move. The camera must not move; a moved one needs a new session.
struct BoardAnchor: Sendable {
    private var first: PieceFrame.Board?

    /// The capture in the coordinates of the first capture with a board.
    mutating func onFirstBoard(_ capture: PieceFrame) -> PieceFrame {
        guard let board = capture.board, board.located == .pieces, let scale = Self.scale(of: board) else {
            return capture
        }
        guard let first, let reference = Self.scale(of: first) else {
            self.first = board
            return capture
        }
        let factor = scale / reference
        var capture = capture
        capture.board = first
        capture.board?.reprojectionPX = board.reprojectionPX
        for index in capture.pieces.indices {
            capture.pieces[index].xMM = (capture.pieces[index].xMM * factor).rounded(toPlaces: 2)
            capture.pieces[index].yMM = (capture.pieces[index].yMM * factor).rounded(toPlaces: 2)
            for corner in capture.pieces[index].polygonMM.indices {
                capture.pieces[index].polygonMM[corner].x *= factor
                capture.pieces[index].polygonMM[corner].y *= factor
            }
        }
        return capture
    }

    /// Pixels per millimetre of a board that fills the picture; nil for other boards.
    private static func scale(of board: PieceFrame.Board) -> Double? {
        let h = board.homography
        guard h.count == 9, h[0] == h[4], h[0] > 0, h[1] == 0, h[2] == 0, h[3] == 0, h[5] == 0 else { return nil }
        return h[0]
    }
}
