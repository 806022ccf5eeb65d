import Foundation
import Core

/// A piece detected by its own outline and face, in pixels.
struct FoundTile {
    /// Index in the set's kinds.
    var kind: Int
    /// Index of the kind's member.
    var member = 0
    /// Pixels of its raster, clockwise from the corner that is top left on the unrotated face.
    var corners: [Point]
    /// Radians, clockwise.
    var angle: Double
    var value: Int?
    var values: [Int]?
    var symbol: String?
    var cell: RecognizedPiece.Cell?
    /// Median distance of its outline from the expected one, pixels.
    var residual: Double
    /// The detector's score, 0…1.
    var confidence: Double
    /// The evidence, for the calibration.
    var features = PieceFeatures()

    var centre: Point { corners.reduce(Point(0, 0), +) * (1 / Double(max(1, corners.count))) }

    /// Edge in pixels of a square of the same area.
    var size: Double { abs(Outline.area(corners)).squareRoot() }
}

/// Converts tiles to a frame: in millimetres of a located board, or at the scale given by the tiles' known sizes.
struct TileFrame {
    let set: PreparedPieceSet
    let width: Int
    let height: Int

    /// A frame of tiles in pixels of the whole photo, or of a view of the table from above.
    ///
    /// - Parameters:
    ///   - unclear: Outlines of what may be print.
    ///   - toPicture: Pixels of the view → pixels of the photo.
    func frame(
        _ tiles: [FoundTile], unclear: [[Point]] = [], toPicture: Homography = .identity
    ) -> PieceDetections {
        var detections = frame(ofLaid: tiles, toPicture: toPicture)
        if !unclear.isEmpty { detections.frame.unclear_px = unclear.map { $0.map { toPicture($0) } } }
        return detections
    }

    private func frame(ofLaid tiles: [FoundTile], toPicture: Homography) -> PieceDetections {
        guard let scale = tiles.map({ $0.size / set.kinds[$0.kind].area.squareRoot() }).median else {
            return PieceDetections(none: set)
        }
        let misfit = tiles.reduce(0) { $0 + $1.residual * $1.residual } / Double(tiles.count)
        let board = PieceFrame.Board(
            widthMM: (Double(width) / scale).rounded(toPlaces: 2),
            heightMM: (Double(height) / scale).rounded(toPlaces: 2),
            located: .pieces,
            homography: (toPicture * Homography(origin: Point(0, 0), scale: scale)).values
                .map { $0.rounded(toPlaces: 9) },
            reprojectionPX: misfit.squareRoot().rounded(toPlaces: 3))
        return frame(tiles, on: board, scale: scale) { toPicture($0) }
    }

    /// A frame of tiles in pixels of a view of the board from above, `scale` pixels per millimetre.
    func frame(
        _ tiles: [FoundTile], on board: PieceFrame.Board, scale: Double, inPicture: (Point) -> Point
    ) -> PieceDetections {
        let ordered = tiles.sorted { ($0.centre.y, $0.centre.x) < ($1.centre.y, $1.centre.x) }
        let pieces = ordered.enumerated().map { index, tile in
            let kind = set.kinds[tile.kind]
            let member = kind.members[tile.member]
            let turn = 360 / Double(kind.fold)
            let angle = (tile.angle * 180 / .pi).truncatingRemainder(dividingBy: turn)
            let centre = tile.centre
            return RecognizedPiece(
                id: index + 1, slot: member.slot, type: kind.type, colour: member.colourName,
                xMM: ((centre.x + 0.5) / scale).rounded(toPlaces: 2),
                yMM: ((centre.y + 0.5) / scale).rounded(toPlaces: 2),
                angleDegrees: (angle < 0 ? angle + turn : angle).rounded(toPlaces: 2), fold: kind.fold,
                confidence: max(0, min(1, tile.confidence)).rounded(toPlaces: 4),
                residualMM: (tile.residual / scale).rounded(toPlaces: 3),
                polygonMM: tile.corners.map { Point(($0.x + 0.5) / scale, ($0.y + 0.5) / scale) },
                polygonPX: tile.corners.map(inPicture), cell: tile.cell, value: tile.value, values: tile.values,
                symbol: tile.symbol)
        }
        return PieceDetections(
            frame: PieceFrame(board: board, set: set.identifier, pieces: pieces), features: ordered.map(\.features))
    }
}
