import Foundation
import Core

/// A frame with the field names of the Bemo play app.
///
/// Positions are 0…1 of the board with y down, rotation is
/// counter-clockwise in degrees, velocity in boards per second, time in seconds since the session began.
package struct BemoFrame: Sendable, Hashable, Codable {
    package struct Piece: Sendable, Hashable, Codable {
        package var id: String
        package var pieceTypeId: String
        package var position: Pair
        /// Degrees, 0 ..< 360, counter-clockwise.
        package var rotation: Double
        package var velocity: Pair
        package var isMoving: Bool
        package var confidence: Double
        package var timestamp: Double
        package var frameNumber: Int
    }

    package struct Pair: Sendable, Hashable, Codable {
        package var x: Double
        package var y: Double
    }

    package var frameNumber: Int
    package var timestamp: Double
    package var pieces: [Piece]

    /// Has no pieces if the board is not located, because there are no positions then.
    package init(_ frame: PieceFrame) {
        let time = Double(frame.t_ns) / 1e9
        frameNumber = frame.seq
        timestamp = time
        guard let board = frame.board, board.widthMM > 0, board.heightMM > 0 else {
            pieces = []
            return
        }
        func pair(_ x: Double, _ y: Double) -> Pair {
            Pair(x: (x / board.widthMM).rounded(toPlaces: 5), y: (y / board.heightMM).rounded(toPlaces: 5))
        }
        pieces = frame.pieces.filter { $0.state != .tentative }.map { piece in
            let turn = (-piece.angleDegrees).truncatingRemainder(dividingBy: 360)
            return Piece(
                id: String(piece.id), pieceTypeId: piece.slot ?? piece.type, position: pair(piece.xMM, piece.yMM),
                rotation: (turn < 0 ? turn + 360 : abs(turn)).rounded(toPlaces: 2), velocity: pair(piece.vx, piece.vy),
                isMoving: piece.state == .moving, confidence: piece.confidence, timestamp: time, frameNumber: frame.seq)
        }
    }
}
