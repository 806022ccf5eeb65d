import Foundation
import Vocabulary

extension Layout {
    /// Adds pieces whose colour shows, and that were not found by their corners: those that a hand hides in part, and those that show
    /// so much of their walls that they look like another shape.
    mutating func addHidden(on sheet: borrowing PieceSheet, view: BoardView) {
        let corners = pieces.count
        let missing = missingAlone
        guard !missing.isEmpty else { return }
        // Where no piece says how high they are, the height at which most is seen of them says it.
        let heights = corners > 0 ? [heightFit(on: view).height] : [0, 0.5, 1, 1.5].map { $0 * set.thicknessMM }
        let found = heights.map { height in
            missing.compactMap { place -> (Place, PartialFit.Result)? in
                let kind = set.kinds[place.kind]
                return PartialFit(kind: kind, label: place.label, view: view, height: height).result(on: sheet).map {
                    (place, $0)
                }
            }
        }
        for (place, fit) in found.max(by: { Self.seen($0) < Self.seen($1) }) ?? [] {
            let middle = Outline.centroid(fit.corners)
            guard !pieces.contains(where: { Outline.contains($0.cornersPX, middle) }) else { continue }
            let member = set.kinds[place.kind].members[place.member]
            pieces.append(
                Piece(
                    kind: place.kind, member: place.member, flipped: fit.flipped, placement: fit.placement,
                    cornersPX: fit.corners, residual: 0, inliers: fit.visible, confidence: fit.visible,
                    evidence: fit.visible, rgb: member.rgb?.map(Double.init) ?? [], quality: fit.visible,
                    edges: fit.edges))
        }
        guard pieces.count > corners else { return }
        // The colour's outline only says roughly where a piece lies: how well it is seen there, its edges say.
        let residuals = heightFit(on: view).residuals
        for index in corners..<pieces.count {
            pieces[index].residual = residuals[index]
            pieces[index].confidence *= exp(-pow(residuals[index] / Self.edgeNoise, 2))
        }
    }

    /// One of the set's pieces: its number among the colours, its kind, and which of that kind.
    private struct Place {
        var label: Int
        var kind: Int
        var member: Int
    }

    /// Pieces that were not found, and of which the set has one of that colour.
    private var missingAlone: [Place] {
        let coloured = set.kinds.enumerated().flatMap { index, kind in
            kind.members.indices.filter { kind.members[$0].rgb != nil }.map { (index, $0) }
        }
        return coloured.enumerated().map { Place(label: $0, kind: $1.0, member: $1.1) }.filter { place in
            set.kinds[place.kind].members[place.member].count == 1
                && !pieces.contains { $0.kind == place.kind && $0.member == place.member }
        }
    }

    private static func seen(_ found: [(Place, PartialFit.Result)]) -> Double { found.reduce(0) { $0 + $1.1.score } }
}
