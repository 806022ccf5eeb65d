import Core

/// Keeps a stream's millimetres the same where the pieces themselves locate the board: each capture then has a scale of its own,
/// and a resting piece would seem to move with it. The camera is taken to stand still; a moved one begins a new session.
struct BoardAnchor: Sendable {
    private var first: PieceFrame.Board?

    /// The capture in the millimetres of the first capture that had a board.
    mutating func onFirstBoard(_ capture: PieceFrame) -> PieceFrame {
        guard let board = capture.board, board.located == .pieces, let scale = Self.scale(of: board) else { return capture }
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

    /// Pixels a millimetre of a board that is the whole picture; nil where it is another kind of board.
    private static func scale(of board: PieceFrame.Board) -> Double? {
        let h = board.homography
        guard h.count == 9, h[0] == h[4], h[0] > 0, h[1] == 0, h[2] == 0, h[3] == 0, h[5] == 0 else { return nil }
        return h[0]
    }
}
