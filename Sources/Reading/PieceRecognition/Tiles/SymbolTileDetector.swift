import Foundation
import Core

/// Detects filled shapes on dark tiles, on the squares of a visible mat or on any table.
struct SymbolTileDetector: PieceDetector {
    let set: PreparedPieceSet

    /// On the squares of a visible mat, else on any table, rectified if the camera is oblique.
    func detections(in raster: Raster) throws -> PieceDetections {
        guard let reader = SymbolTileReader(set) else { return PieceDetections(none: set) }
        let spots = try ColourSpots().all(in: raster)
        guard let tilt = TableTilt(SymbolTileReader.forms(spots), width: raster.width, height: raster.height) else {
            return try symbols(in: raster, spots, of: reader)
        }
        return try tilt.detections(of: set) {
            let top = try tilt.fromAbove(raster)
            return try symbols(in: top, try ColourSpots().all(in: top), of: reader, toPicture: tilt.toPicture)
        }
    }

    private func symbols(
        in raster: Raster, _ spots: [ColourSpot], of reader: SymbolTileReader, toPicture: Homography = .identity
    ) throws(PictureFailure) -> PieceDetections {
        let (tiles, mat) = try reader.tiles(in: raster, spots)
        guard let mat, let printed = mat.printed else {
            return TileFrame(set: set, width: raster.width, height: raster.height).frame(tiles, toPicture: toPicture)
        }
        // A printed square holds one tile.
        let edge = set.kinds[0].area.squareRoot()
        let scale = BoardView.scale
        let h = (toPicture * mat.inPicture).normalized.values.enumerated()
            .map { $0 % 3 == 2 ? $1 : $1 / edge }
        let (width, height) = (Double(printed.columns) * edge, Double(printed.rows) * edge)
        let board = PieceFrame.Board(
            widthMM: width, heightMM: height, located: .quad, homography: h.map { $0.rounded(toPlaces: 9) },
            reprojectionPX: (mat.misfit * edge * (h[0] * h[4] - h[1] * h[3]).magnitude.squareRoot()).rounded(
                toPlaces: 3))
        func seen(_ p: Point) -> Point {
            toPicture(mat.inPicture(Point((p.x + 0.5) / scale / edge, (p.y + 0.5) / scale / edge)))
        }
        let fromAbove = tiles.map { tile in
            var tile = tile
            tile.corners = tile.corners.map { mat.squares($0) * (edge * scale) - Point(0.5, 0.5) }
            // Parallel to the mat, not to the picture.
            let side = tile.corners[1] - tile.corners[0]
            tile.angle = atan2(side.y, side.x)
            return tile
        }
        return TileFrame(set: set, width: Int(width * scale), height: Int(height * scale))
            .frame(fromAbove, on: board, scale: scale, inPicture: seen)
    }
}
