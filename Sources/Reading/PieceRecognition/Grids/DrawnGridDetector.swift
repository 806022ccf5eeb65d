import Core

/// Detects the marks of tic-tac-toe on a grid of drawn lines.
struct DrawnGridDetector: PieceDetector {
    let set: PreparedPieceSet

    func detections(in raster: Raster) throws -> PieceDetections {
        try drawnMarks(in: raster).map { PieceDetections(frame: $0) } ?? PieceDetections(none: set)
    }

    private func drawnMarks(in raster: Raster) throws(PictureFailure) -> PieceFrame? {
        guard let grid = try DrawnGrid(raster), let board = set.boardMM else { return nil }
        let square = board.width / 3
        // Millimetres → squares → pixels.
        let h = grid.homography.values.enumerated().map { $0 % 3 == 2 ? $1 : $1 / square }
        var frame = PieceFrame(
            board: PieceFrame.Board(
                widthMM: board.width, heightMM: board.height, located: .quad,
                homography: h.map { $0.rounded(toPlaces: 6) }, reprojectionPX: 0),
            set: set.identifier, pieces: [])
        for mark in grid.marks {
            guard let kind = set.kinds.first(where: { $0.type == mark.type }) else { continue }
            let middle = mark.box.reduce(Point(0, 0), +) * 0.25
            frame.pieces.append(
                RecognizedPiece(
                    id: frame.pieces.count + 1, type: mark.type, xMM: (middle.x * square).rounded(toPlaces: 2),
                    yMM: (middle.y * square).rounded(toPlaces: 2), angleDegrees: 0, fold: kind.fold,
                    confidence: mark.confidence.rounded(toPlaces: 4), polygonMM: mark.box.map { $0 * square },
                    polygonPX: mark.box.map { grid.homography($0) }, cell: .init(row: mark.row, column: mark.column),
                    symbol: mark.type))
        }
        return frame
    }
}
