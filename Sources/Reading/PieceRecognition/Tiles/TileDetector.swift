import Core

/// Detects square and oblong tiles that differ by their faces.
struct TileDetector: PieceDetector {
    let set: PreparedPieceSet

    func detections(in raster: Raster) throws -> PieceDetections {
        try tiles(in: raster)
    }

    /// On the set's own board if its markers are visible, else on any table.
    private func tiles(in raster: Raster) throws -> PieceDetections {
        let reader = TileReader(set)
        guard let markers = set.markers, let view = try BoardView(raster, markers: markers) else {
            return TileFrame(set: set, width: raster.width, height: raster.height).frame(try reader.tiles(in: raster))
        }
        let top = try view.fromAbove(raster)
        let board = PieceFrame.Board(
            widthMM: view.widthMM, heightMM: view.heightMM, located: .aruco,
            homography: view.homography.map { $0.rounded(toPlaces: 6) },
            reprojectionPX: view.residual.rounded(toPlaces: 3))
        return TileFrame(set: set, width: top.width, height: top.height)
            .frame(
                try reader.tiles(in: top, scale: view.scale), on: board, scale: view.scale, inPicture: view.inPicture)
    }
}
