import Core

/// Frames of a grid of marks for tests: `X` and `O` of tic-tac-toe, `Y` and `R` discs, `d` and `l` draughts men.
struct GridFrames {
    private(set) var seq = 0
    var t = 0

    /// Adds the next frame, one second later. Rows are strings; `.` is empty.
    mutating func show(
        _ rows: [String], state: RecognizedPiece.State = .placed, confidence: Double = 0.95, board: Bool = true
    ) -> PieceFrame {
        seq += 1
        t += 1_000_000_000
        var pieces: [RecognizedPiece] = []
        for (row, line) in rows.enumerated() {
            for (column, mark) in line.enumerated() where mark != "." {
                let (type, colour): (String, String?) =
                    switch mark {
                    case "X": ("cross", nil)
                    case "O": ("nought", nil)
                    case "Y": ("disc", "yellow")
                    case "R": ("disc", "red")
                    case "d": ("man", "dark")
                    default: ("man", "light")
                    }
                pieces.append(
                    RecognizedPiece(
                        id: row * 10 + column, type: type, colour: colour, xMM: 0, yMM: 0, angleDegrees: 0,
                        state: state, stableMS: 1000, confidence: confidence,
                        cell: .init(row: row, column: column)))
            }
        }
        return PieceFrame(
            seq: seq, t_ns: t,
            board: board
                ? .init(widthMM: 300, heightMM: 300, located: .aruco, homography: [], reprojectionPX: 0.3) : nil,
            set: "test@1", pieces: pieces)
    }
}
