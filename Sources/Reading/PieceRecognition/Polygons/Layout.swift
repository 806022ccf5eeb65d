import Foundation
import Core

/// The pieces of a photo that agree on one scale and do not overlap.
struct Layout {
    /// One piece with all its reported values.
    struct Piece {
        var kind: Int
        var member: Int
        var flipped: Bool
        /// Placement of the template in the picture, without its rim.
        var placement: Placement
        var cornersPX: [Point]
        /// Pixels.
        var residual: Double
        var inliers: Double
        var confidence: Double
        /// Evidence independent of the piece's height: edges, colour, uniform interior; 0…1.
        var evidence: Double
        var rgb: [Double]
        var quality: Double
        var edges: [EdgePoint]
        /// For the calibration.
        var features = PieceFeatures()
    }

    let set: PreparedPieceSet
    private let scale: CommonScale
    var pieces: [Piece] = []
    /// True if the pieces detected by colour proved that pieces are extruded.
    var isExtruded = false

    /// Maximum deviation from the common scale, as a natural logarithm.
    private static let maxDeviation = 0.075

    /// Nil if no scale is agreed on or known.
    ///
    /// - Parameter known: Pixels per millimetre of the table, if markers give it.
    init?(candidates: [Candidate], set: PreparedPieceSet, near known: Double? = nil) {
        let agreed = CommonScale.agreed(by: candidates, kinds: set.kinds, near: known)
        guard let scale = agreed ?? known.map(CommonScale.init(everywhere:)) else { return nil }
        self.set = set
        self.scale = scale
        let all = candidates.compactMap { Self.piece($0, scale: scale, set: set) }
        pieces = Self.withoutOverlaps(Self.preferringParts(all))
        if set.palette.isEmpty {
            pieces = Self.ofOneColour(pieces)
        } else {
            pieces = Self.limitedToSlots(pieces, set.kinds)
        }
        pieces.sort { ($0.placement.at.y, $0.placement.at.x) < ($1.placement.at.y, $1.placement.at.x) }
    }

    /// Standard deviation of a piece's edges if its height is known, pixels of the view.
    static let edgeNoise = 2.0

    /// Height and positions of the pieces.
    func heightFit(on view: BoardView) -> HeightFit {
        let starts = pieces.map { piece in
            HeightFit.Start(
                corners: set.kinds[piece.kind].corners(flipped: piece.flipped), placement: piece.placement,
                edges: piece.edges)
        }
        let rims = set.palette.isEmpty ? [0, 0.3, 0.6, 0.9, 1.2] : [0]
        return HeightFit(starts, view: view, thickness: set.thicknessMM, rims: rims, areExtruded: isExtruded)
    }

    private static func piece(_ candidate: Candidate, scale: CommonScale, set: PreparedPieceSet) -> Piece? {
        guard let reading = scale.best(of: candidate, kinds: set.kinds, within: maxDeviation) else { return nil }
        let kind = set.kinds[reading.kind]
        guard let (member, likeness) = member(of: kind, colour: candidate.shape.rgb) else { return nil }
        // The rim has the same width on all sides. A face is therefore a scaled copy of its template only if that has
        // an inscribed circle. The face itself is fitted.
        let sides = Placement.Side.all(of: kind.corners(flipped: reading.flipped), inset: scale.rim)
        var start = reading.placement
        start.scale *= kind.innerRadius / (kind.innerRadius - scale.rim)
        let size = candidate.area.squareRoot()
        let placement = start.refined(on: candidate.edges, sides: sides, reach: max(2.6, 0.06 * size))
        let seen = candidate.edges.filter { $0.strength > 0 }
        let offsets = placement.offsets(of: seen, from: sides).map(abs)
        let tolerance = max(1.3, 0.03 * size)
        let inliers = Double(offsets.count { $0 < tolerance }) / Double(candidate.sampled)
        let residual = offsets.median ?? candidate.residual
        let off = abs(log(placement.scale / scale.at(placement.at)))
        guard off < maxDeviation, inliers > 0.5 else { return nil }
        // A product of evidence factors, each 0…1. It grows with the probability of a correct detection but is not
        // calibrated.
        let features = PieceFeatures([
            "edges": min(1, inliers / 0.9), "colour": likeness, "fill": min(1, candidate.shape.fill / 0.97),
            "scale": exp(-pow(off / 0.09, 2)), "outline": exp(-pow(residual / (0.03 * size + 0.5), 2)),
        ])
        let evidence = features["edges"] * features["colour"] * features["fill"]
        let confidence = evidence * features["scale"] * features["outline"]
        return Piece(
            kind: reading.kind, member: member, flipped: reading.flipped, placement: placement,
            cornersPX: ObservedOutline.corners(of: sides, placement: placement, edges: seen), residual: residual,
            inliers: inliers,
            confidence: confidence, evidence: evidence, rgb: candidate.shape.rgb, quality: candidate.quality,
            edges: seen, features: features)
    }

    /// The member with the nearest colour, and the similarity 0…1. Nil if the colour belongs to none.
    private static func member(of kind: PieceKind, colour: [Double]) -> (Int, Double)? {
        let distances = kind.members.enumerated().compactMap { index, member in
            member.rgb.map { (index, Colour.difference(colour, $0.map(Double.init))) }
        }
        guard let nearest = distances.min(by: { $0.1 < $1.1 }) else { return (0, 1) }
        guard nearest.1 < 1 else { return nil }
        return (nearest.0, exp(-pow(nearest.1 / 0.9, 4)))
    }

    /// Two adjacent pieces can look like a third. If parts fill a whole, the parts are kept.
    private static func preferringParts(_ all: [Piece]) -> [Piece] {
        all.filter { whole in
            let area = Outline.area(whole.cornersPX)
            let inside = all.filter { part in
                Outline.area(part.cornersPX) < 0.8 * area && part.confidence > 0.5 && part.quality > 0.6 * whole.quality
                    && Outline.contains(whole.cornersPX, part.placement.at)
            }
            return inside.count < 2 || inside.reduce(0) { $0 + Outline.area($1.cornersPX) } < 0.7 * area
        }
    }

    /// Pieces by descending confidence; a piece is removed if its centre lies in another or the reverse.
    private static func withoutOverlaps(_ all: [Piece]) -> [Piece] {
        Suppression.best(of: all, by: \.confidence) {
            Outline.contains($0.cornersPX, $1.placement.at) || Outline.contains($1.cornersPX, $0.placement.at)
        }
    }

    /// If all pieces have the same colour, a region of another colour is a hand, a bag or a note.
    private static func ofOneColour(_ all: [Piece]) -> [Piece] {
        func alike(_ a: Piece, _ b: Piece) -> Bool { zip(a.rgb, b.rgb).allSatisfy { abs($0 - $1) < 45 } }
        guard let common = all.max(by: { a, b in all.count { alike(a, $0) } < all.count { alike(b, $0) } })
        else { return all }
        return all.filter { alike(common, $0) }
    }

    /// If colour distinguishes pieces, at most as many as the set has are kept, by descending confidence.
    private static func limitedToSlots(_ all: [Piece], _ kinds: [PieceKind]) -> [Piece] {
        var taken: [[Int]: Int] = [:]
        return all.sorted { $0.confidence > $1.confidence }.filter { piece in
            taken[[piece.kind, piece.member], default: 0] += 1
            return taken[[piece.kind, piece.member], default: 0] <= kinds[piece.kind].members[piece.member].count
        }
    }

    /// True if enough confident pieces of different kinds agree. Equal squares alone are modules of a QR code.
    func isConvincing(minPieces: Int, confidence: Double) -> Bool {
        let counts = Dictionary(pieces.filter { $0.confidence >= confidence }.map { ($0.kind, 1) }, uniquingKeysWith: +)
        let credible = counts.reduce(0) { $0 + min($1.value, 2 * set.kinds[$1.key].count) }
        return credible >= minPieces && counts.count >= min(2, set.kinds.count) && scale.score > 0.6 * Double(minPieces)
    }

    /// Without markers, the board is the whole picture, at the pieces' scale in its centre.
    func board(width: Int, height: Int) -> PieceFrame.Board {
        let pixels = middleScale
        let residual = pieces.map { $0.residual * $0.residual }.reduce(0, +) / Double(max(1, pieces.count))
        return PieceFrame.Board(
            widthMM: (Double(width) / pixels).rounded(toPlaces: 2),
            heightMM: (Double(height) / pixels).rounded(toPlaces: 2),
            located: .pieces, homography: [pixels, 0, 0, 0, pixels, 0, 0, 0, 1].map { $0.rounded(toPlaces: 6) },
            reprojectionPX: residual.squareRoot().rounded(toPlaces: 3))
    }

    private var middleScale: Double { pieces.map(\.placement.scale).median ?? 1 }

    /// The pieces on a located board: poses on the table, corrected for the pieces' height.
    func recognizedPieces(on view: BoardView) -> [(piece: RecognizedPiece, features: PieceFeatures)] {
        let fit = heightFit(on: view)
        return recognizedPieces().enumerated().map { index, piece in
            let placement = fit.placements[index]
            let kind = set.kinds[pieces[index].kind]
            let corners = kind.corners(flipped: pieces[index].flipped)
            var piece = piece
            let onTable = Placement(at: view.onTable(placement.at), angle: placement.angle, scale: 1)
            let turn = 360 / Double(kind.fold)
            let angle = (placement.angle * 180 / .pi).truncatingRemainder(dividingBy: turn)
            (piece.xMM, piece.yMM) = (onTable.at.x.rounded(toPlaces: 2), onTable.at.y.rounded(toPlaces: 2))
            piece.angleDegrees = (angle < 0 ? angle + turn : angle).rounded(toPlaces: 2)
            piece.residualMM = (fit.residuals[index] / view.scale).rounded(toPlaces: 3)
            // An extruded piece looks too large for its kind, which does not reduce its confidence.
            let onTableEvidence = exp(-pow(fit.residuals[index] / Self.edgeNoise, 2))
            let seen = pieces[index].evidence * onTableEvidence
            piece.confidence = max(piece.confidence, seen).rounded(toPlaces: 4)
            piece.polygonMM = corners.map { onTable($0) }
            // The visible face has the base's corners, scaled about the nadir by its height.
            let growth = view.growth(height: fit.height)
            piece.polygonPX = corners.map { corner in
                view.inPicture(view.nadir + (placement(corner) - view.nadir) * growth)
            }
            var features = pieces[index].features
            features["scale"] = 1
            features["outline"] = onTableEvidence
            return (piece, features)
        }
    }

    func recognizedPieces() -> [RecognizedPiece] {
        let pixels = middleScale
        return pieces.enumerated().map { index, piece in
            let kind = set.kinds[piece.kind]
            let member = kind.members[piece.member]
            let turn = 360 / Double(kind.fold)
            let angle = (piece.placement.angle * 180 / .pi).truncatingRemainder(dividingBy: turn)
            let onTable = Placement(at: piece.placement.at * (1 / pixels), angle: piece.placement.angle, scale: 1)
            return RecognizedPiece(
                id: index + 1, slot: member.slot, type: kind.type, colour: member.colourName,
                xMM: onTable.at.x.rounded(toPlaces: 2), yMM: onTable.at.y.rounded(toPlaces: 2),
                angleDegrees: (angle < 0 ? angle + turn : angle).rounded(toPlaces: 2), fold: kind.fold,
                flipped: piece.flipped, visible: min(1, piece.inliers).rounded(toPlaces: 3),
                confidence: piece.confidence.rounded(toPlaces: 4),
                residualMM: (piece.residual / pixels).rounded(toPlaces: 3),
                polygonMM: kind.corners(flipped: piece.flipped).map { onTable($0) }, polygonPX: piece.cornersPX)
        }
    }
}
