import Core

/// Detects discs on the squares of a board.
struct DiscGridDetector: PieceDetector {
    let set: PreparedPieceSet

    func detections(in raster: Raster) throws -> PieceDetections {
        try discs(in: raster) ?? PieceDetections(none: set)
    }

    private func discs(in raster: Raster) throws -> PieceDetections? {
        guard let reader = DiscGridReader(set), let board = set.boardMM,
            let (view, discs) = try reader.discs(in: raster)
        else { return nil }
        let located = PieceFrame.Board(
            widthMM: board.width, heightMM: board.height, located: view.located,
            homography: view.homography.values.map { $0.rounded(toPlaces: 6) },
            reprojectionPX: view.residual.rounded(toPlaces: 3))
        return TileFrame(set: set, width: view.top.width, height: view.top.height)
            .frame(discs, on: located, scale: view.scale, inPicture: view.inPicture)
    }
}
