import Foundation
import Core

/// Detects flat polygons of a plain colour, such as a tangram's, without markers and without a given scale.
///
/// Regions with straight sides are segmented by contrast and by the set's colours. Each region votes for a scale; the
/// winning scale decides which regions are pieces. A frame has pieces only if at least three agree.
struct PolygonDetector: PieceDetector {
    let set: PreparedPieceSet

    /// Minimum number of pieces that prove a scale. Two triangles occur on many packets.
    private static let minPieces = 3
    private static let minConfidence = 0.5

    func detections(in raster: Raster) throws -> PieceDetections {
        if let markers = set.markers {
            let begun = ContinuousClock.now
            if let view = try BoardView(raster, markers: markers) {
                return try recognize(
                    raster, on: view, markers: markers, located: (ContinuousClock.now - begun).milliseconds)
            }
        }
        var (found, tint) = try recognize(raster, tableIsWhite: false)
        // Wood under white light and white under a warm lamp look alike. The colours of the pieces decide between
        // them.
        guard !set.palette.isEmpty, tint > Self.tinted, found.frame.pieces.count < set.palette.count else {
            return found
        }
        var (other, _) = try recognize(raster, tableIsWhite: true)
        let total = (found.frame.timing_ms["total"] ?? 0) + (other.frame.timing_ms["total"] ?? 0)
        guard other.frame.confidenceSum > found.frame.confidenceSum else {
            found.frame.timing_ms["total"] = total
            return found
        }
        other.frame.timing_ms["total"] = total
        return other
    }

    /// The pieces of a board located by its markers. The scale is known, so a single piece can be accepted.
    private func recognize(
        _ raster: Raster, on view: BoardView, markers: BoardMarkers, located: Double
    ) throws -> PieceDetections {
        let clock = ContinuousClock()
        let begun = clock.now
        let board = PieceFrame.Board(
            widthMM: view.widthMM, heightMM: view.heightMM, located: .aruco,
            homography: view.homography.values.map { $0.rounded(toPlaces: 6) },
            reprojectionPX: view.residual.rounded(toPlaces: 3))
        var frame = PieceFrame(board: board, set: set.identifier, pieces: [])
        var features: [PieceFeatures] = []
        var image = try PreparedPieceImage(raster, through: view, palette: set.palette)
        let opened = clock.now
        let shapes = try image.shapes()
        let cut = clock.now
        let candidates = Candidate.distinct(try shapes.compactMap { try Candidate($0, kinds: set.kinds, image: image) })
        if var found = Layout(candidates: Array(candidates.prefix(Self.most)), set: set, near: view.scale) {
            try found.addOccluded(on: &image, view: view)
            let kept = found.recognizedPieces(on: view).filter {
                $0.piece.confidence >= Self.minConfidenceOnBoard
            }
            (frame.pieces, features) = (kept.map(\.piece), kept.map(\.features))
        }
        let columns = Int(markers.widthMM / Self.squareMM)
        let values =
            columns > 0 ? try image.coarse(columns: columns, rows: max(1, Int(markers.heightMM / Self.squareMM))) : []
        frame.covered_mm = covered(values, columns: columns, frame.pieces, markers: markers)
        frame.timing_ms = [
            "locate": located, "prepare": (opened - begun).milliseconds, "cut": (cut - opened).milliseconds,
            "fit": (clock.now - cut).milliseconds, "total": located + (clock.now - begun).milliseconds,
        ]
        return PieceDetections(frame: frame, features: features)
    }

    /// Squares of 10 mm that differ from the mat outside pieces and markers: they may occlude a piece.
    private func covered(
        _ values: [UInt8], columns: Int, _ pieces: [RecognizedPiece], markers: BoardMarkers
    ) -> [Point] {
        guard columns > 0, !values.isEmpty else { return [] }
        let (side, rows) = (Self.squareMM, values.count / columns)
        // Squares that a piece or a shadow only touches are not covered.
        let known = pieces.map { piece in
            piece.polygonMM.map {
                $0 + ($0 - Point(piece.xMM, piece.yMM)) * (side / max(side, ($0 - Point(piece.xMM, piece.yMM)).length))
            }
        }
        return values.indices.compactMap { index in
            guard values[index] > Self.coveredFrom else { return nil }
            let at = Point(
                (Double(index % columns) + 0.5) * markers.widthMM / Double(columns),
                (Double(index / columns) + 0.5) * markers.heightMM / Double(rows))
            let isMarker = markers.markers.contains { marker in
                abs(at.x - marker.at.x - markers.side / 2) < markers.side
                    && abs(at.y - marker.at.y - markers.side / 2) < markers.side
            }
            return isMarker || known.contains { Outline.contains($0, at) } ? nil : at
        }
    }

    /// Edge of those squares, millimetres.
    private static let squareMM = 10.0

    /// Mean difference from the mat above which a square is covered. Shadows differ by less.
    private static let coveredFrom: UInt8 = 40

    /// Minimum confidence of a piece at a known scale. Fingers and the corners of a hand are below it.
    private static let minConfidenceOnBoard = 0.35

    private func recognize(_ raster: Raster, tableIsWhite: Bool) throws -> (PieceDetections, tint: Double) {
        let clock = ContinuousClock()
        let begun = clock.now
        var frame = PieceFrame(board: nil, set: set.identifier, pieces: [])
        var features: [PieceFeatures] = []
        let image = try PreparedPieceImage(raster, palette: set.palette, tableIsWhite: tableIsWhite)
        let opened = clock.now
        let shapes = try image.shapes()
        let cut = clock.now
        let candidates = Candidate.distinct(try shapes.compactMap { try Candidate($0, kinds: set.kinds, image: image) })
        let found = Layout(candidates: Array(candidates.prefix(Self.most)), set: set)
        if let found, found.isConvincing(minPieces: Self.minPieces, confidence: Self.minConfidence) {
            frame.board = found.board(width: image.width, height: image.height)
            frame.pieces = found.recognizedPieces()
            features = found.pieces.map(\.features)
        }
        frame.timing_ms = [
            "prepare": (opened - begun).milliseconds, "cut": (cut - opened).milliseconds,
            "fit": (clock.now - cut).milliseconds, "total": (clock.now - begun).milliseconds,
        ]
        return (PieceDetections(frame: frame, features: features), image.tint)
    }

    /// Tint above which the light may be the cause. The façade compensates a smaller tint itself.
    private static let tinted = 0.25

    /// Maximum number of candidates. A board has some dozen; a page of print may have hundreds.
    private static let most = 60
}

extension PieceFrame {
    fileprivate var confidenceSum: Double { pieces.reduce(0) { $0 + $1.confidence } }
}
