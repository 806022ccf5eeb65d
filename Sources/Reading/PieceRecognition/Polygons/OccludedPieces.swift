import Foundation
import Core

extension Layout {
    /// Adds pieces by their colour that were not detected by their corners. These are partly occluded by a hand, or
    /// show so much of their side faces that their outline has another shape.
    mutating func addOccluded(on image: inout PreparedPieceImage, view: BoardView) throws {
        let corners = pieces.count
        let missing = missingUnique
        guard !missing.isEmpty else { return }
        let fitted = heightFit(on: view).height
        // If the detected pieces show no height, the missing ones may: only side faces make a colour region larger
        // than its piece. The height with the largest visible area is then used.
        let isLarge = try missing.contains { try share(of: $0, on: image, view) > Self.sideFacesFrom }
        let heights = fitted == 0 && isLarge ? [0, 0.5, 1, 1.5].map { $0 * set.thicknessMM } : [fitted]
        var best: (found: [(Place, PartialFit.Result)], height: Double, seen: Double)?
        for height in heights {
            let found = try missing.compactMap { place in
                try result(of: place, on: image, view, height).map { (place, $0) }
            }
            // A flat interpretation needs no extra evidence.
            let seen = Self.seen(found) + (height > 0 ? 0 : Self.proof)
            if seen > best?.seen ?? 0 { best = (found, height, seen) }
        }
        if let best, fitted == 0, best.height > 0 { isExtruded = true }
        var found = best?.found ?? []
        // The hand may have been segmented as the piece's colour.
        for place in missing where !found.contains(where: { $0.0.label == place.label }) {
            guard try share(of: place, on: image, view) > 1, try image.narrow(label: place.label) else { continue }
            if let fit = try result(of: place, on: image, view, best?.height ?? fitted) { found.append((place, fit)) }
        }
        for (place, fit) in found {
            let middle = Outline.centroid(fit.corners)
            guard !pieces.contains(where: { Outline.contains($0.cornersPX, middle) }) else { continue }
            let member = set.kinds[place.kind].members[place.member]
            pieces.append(
                Piece(
                    kind: place.kind, member: place.member, flipped: fit.flipped, placement: fit.placement,
                    cornersPX: fit.corners, residual: 0, inliers: fit.visible, confidence: fit.visible,
                    evidence: fit.visible, rgb: member.rgb?.map(Double.init) ?? [], quality: fit.visible,
                    edges: fit.edges, features: PieceFeatures(["edges": fit.visible, "colour": 1, "fill": fit.visible]))
            )
        }
        guard pieces.count > corners else { return }
        // The colour region only gives a rough position. The edges determine the confidence.
        let residuals = heightFit(on: view).residuals
        for index in corners..<pieces.count {
            pieces[index].residual = residuals[index]
            pieces[index].confidence *= exp(-pow(residuals[index] / Self.edgeNoise, 2))
        }
    }

    /// Area of the colour region, relative to the piece.
    private func share(
        of place: Place, on image: PreparedPieceImage, _ view: BoardView
    ) throws(PictureFailure) -> Double {
        let area = set.kinds[place.kind].area * view.scale * view.scale
        return (try image.region(of: place.label)?.area ?? 0) / area
    }

    private func result(
        of place: Place, on image: PreparedPieceImage, _ view: BoardView, _ height: Double
    ) throws(PictureFailure) -> PartialFit.Result? {
        try PartialFit(kind: set.kinds[place.kind], label: place.label, view: view, height: height).result(on: image)
    }

    /// One piece of the set: its palette index, its kind, and its member index.
    private struct Place {
        var label: Int
        var kind: Int
        var member: Int
    }

    /// Undetected pieces of which the set has exactly one in that colour.
    private var missingUnique: [Place] {
        let coloured = set.kinds.enumerated().flatMap { index, kind in
            kind.members.indices.filter { kind.members[$0].rgb != nil }.map { (index, $0) }
        }
        return coloured.enumerated().map { Place(label: $0, kind: $1.0, member: $1.1) }.filter { place in
            set.kinds[place.kind].members[place.member].count == 1
                && !pieces.contains { $0.kind == place.kind && $0.member == place.member }
        }
    }

    /// Relative area of a colour region above which side faces are visible.
    private static let sideFacesFrom = 1.04
    /// Extra score required of a height, compared with the flat board: half a piece.
    private static let proof = 0.5

    private static func seen(_ found: [(Place, PartialFit.Result)]) -> Double { found.reduce(0) { $0 + $1.1.score } }
}
