import Core

/// Detects square and oblong tiles that differ by their faces.
struct TileDetector: PieceDetector {
    let set: PreparedPieceSet

    /// On the set's own board if its markers are visible, else on any table, rectified if the camera is oblique.
    func detections(in raster: Raster) throws -> PieceDetections {
        let reader = TileReader(set)
        guard let markers = set.markers, let view = try BoardView(raster, markers: markers) else {
            let outlines = try reader.outlines(in: raster)
            if let tilt = TableTilt(reader.forms(in: outlines), width: raster.width, height: raster.height) {
                return try tilt.detections(of: set) {
                    let tiles = try reader.tiles(in: reader.outlines(in: tilt.fromAbove(raster)))
                    return TileFrame(set: set, width: tilt.width, height: tilt.height)
                        .frame(tiles.laid, unclear: tiles.unclear, toPicture: tilt.toPicture)
                }
            }
            let tiles = try reader.tiles(in: outlines)
            return TileFrame(set: set, width: raster.width, height: raster.height)
                .frame(tiles.laid, unclear: tiles.unclear)
        }
        let top = try view.fromAbove(raster)
        let board = PieceFrame.Board(
            widthMM: view.widthMM, heightMM: view.heightMM, located: .aruco,
            homography: view.homography.values.map { $0.rounded(toPlaces: 6) },
            reprojectionPX: view.residual.rounded(toPlaces: 3))
        return TileFrame(set: set, width: top.width, height: top.height)
            .frame(
                try reader.tiles(in: reader.outlines(in: top), scale: view.scale).laid, on: board, scale: view.scale,
                inPicture: view.inPicture)
    }
}
