import Core

/// Keeps a stream's millimetres the same where the pieces themselves locate the board: each look then has a scale of its own,
/// and a resting piece would seem to move with it. The camera is taken to stand still; a moved one begins a new session.
struct BoardAnchor: Sendable {
    private var first: PieceFrame.Board?

    /// The look in the millimetres of the first look that had a board.
    mutating func onFirstBoard(_ look: PieceFrame) -> PieceFrame {
        guard let board = look.board, board.located == .pieces, let scale = Self.scale(of: board) else { return look }
        guard let first, let reference = Self.scale(of: first) else {
            self.first = board
            return look
        }
        let factor = scale / reference
        var look = look
        look.board = first
        look.board?.reprojectionPX = board.reprojectionPX
        for index in look.pieces.indices {
            look.pieces[index].xMM = (look.pieces[index].xMM * factor).rounded(toPlaces: 2)
            look.pieces[index].yMM = (look.pieces[index].yMM * factor).rounded(toPlaces: 2)
            for corner in look.pieces[index].polygonMM.indices {
                look.pieces[index].polygonMM[corner].x *= factor
                look.pieces[index].polygonMM[corner].y *= factor
            }
        }
        return look
    }

    /// Pixels a millimetre of a board that is the whole picture; nil where it is another kind of board.
    private static func scale(of board: PieceFrame.Board) -> Double? {
        let h = board.homography
        guard h.count == 9, h[0] == h[4], h[0] > 0, h[1] == 0, h[2] == 0, h[3] == 0, h[5] == 0 else { return nil }
        return h[0]
    }
}
