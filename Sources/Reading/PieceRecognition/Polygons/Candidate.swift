import Foundation
import Core

/// A shape that may be a piece: its possible interpretations, and how well its sides fit the full picture.
struct Candidate {
    /// One interpretation of the shape as a piece of the set.
    struct Reading {
        /// Index in the set's kinds.
        var kind: Int
        var flipped: Bool
        /// Placement of that kind's template at the size of the shape.
        var placement: Placement
    }

    var shape: Shape
    var readings: [Reading]
    /// Edge points beside the shape's sides, indexed by the template's sides.
    var edges: [EdgePoint]
    /// Number of edge points that were searched for.
    var sampled: Int
    /// Share of the searched edge points that lie on the fitted sides, 0…1.
    var inliers: Double
    /// Median distance of edge points from the fitted sides, pixels.
    var residual: Double
    /// The fitted corners in pixels.
    var corners: [Point]
    var area: Double
    var centre: Point
    /// Quality 0…1: straight sides, uniform colour, all sides visible.
    var quality: Double

    /// Edge points searched for on each side.
    private static let samples = 16
    /// Maximum corner deviation, relative to the shape's size. A camera tilt of 10° deforms a triangle by some .03.
    private static let maxBend = 0.085

    /// Nil if the shape matches no kind of the set.
    init?(_ shape: Shape, kinds: [PieceKind], image: PreparedPieceImage) throws(PictureFailure) {
        guard shape.fill > 0.9, shape.contrast > 14 else { return nil }
        let size = Outline.area(shape.corners).squareRoot()
        var best: (kind: Int, flipped: Bool, shift: Int, placement: Placement, residual: Double)?
        for (index, kind) in kinds.enumerated()
        where kind.corners.count == shape.corners.count && kinds.firstIndex(where: { $0.isSimilar(to: kind) }) == index
        {
            for flipped in kind.chiral ? [false, true] : [false] {
                let template = kind.corners(flipped: flipped)
                for shift in template.indices {
                    let rotated = template.indices.map { template[($0 + shift) % template.count] }
                    let (placement, residual) = Placement.fitting(rotated, to: shape.corners)
                    if residual < best?.residual ?? .infinity {
                        best = (index, flipped, shift, placement, residual)
                    }
                }
            }
        }
        guard let best, best.residual < Self.maxBend * size else { return nil }
        let count = shape.corners.count
        let reach = 2.5 * image.workingStep + 1
        edges = try image.edges(of: shape.corners, reach: reach, samples: Self.samples).map {
            EdgePoint(at: $0.at, side: ($0.side + best.shift) % count, strength: $0.strength)
        }
        sampled = Self.samples * count
        // A side without an edge in the full picture keeps the position from the segmentation.
        for side in 0..<count where edges.count(where: { $0.side == (side + best.shift) % count }) < Self.samples / 4 {
            let (from, to) = (shape.corners[side], shape.corners[(side + 1) % count])
            edges += [0.2, 0.4, 0.6, 0.8].map {
                EdgePoint(at: from + (to - from) * $0, side: (side + best.shift) % count, strength: 0)
            }
        }
        let first = kinds[best.kind]
        let sides = Placement.Side.all(of: first.corners(flipped: best.flipped), inset: 0)
        let rough = best.placement.refined(on: edges, sides: sides, reach: 2 * reach)
        let tolerance = max(1.3, 0.03 * size)
        let placement = rough.refined(on: edges, sides: sides, reach: 2 * tolerance)
        let seen = edges.filter { $0.strength > 0 }
        let offsets = placement.offsets(of: seen, from: sides).map(abs)
        inliers = Double(offsets.count { $0 < tolerance }) / Double(sampled)
        residual = offsets.median ?? .infinity
        corners = first.corners(flipped: best.flipped).map { placement($0) }
        area = Outline.area(corners)
        centre = placement.at
        guard placement.scale > 0, area > 0.5 * size * size, area < 2 * size * size else { return nil }
        self.shape = shape
        readings = kinds.indices.filter { kinds[$0].isSimilar(to: first) }.map { kind in
            var own = placement
            own.scale *= (first.area / kinds[kind].area).squareRoot()
            return Reading(kind: kind, flipped: best.flipped, placement: own)
        }
        let straight = exp(-pow(residual / (0.025 * size + 0.4), 2))
        let even = exp(-pow(shape.spread / 60, 2))
        quality = inliers * straight * even * min(1, shape.fill / 0.98)
    }

    /// True if both are the same region, segmented at two levels.
    func isSame(as other: Candidate) -> Bool {
        let ratio = area / other.area
        return ratio > 0.6 && ratio < 1.67 && (centre - other.centre).length < 0.2 * min(area, other.area).squareRoot()
    }

    /// The best candidate of each region, best first.
    static func distinct(_ all: [Candidate]) -> [Candidate] {
        // Segmentation by a palette colour is stronger evidence than segmentation by contrast.
        func score(_ one: Candidate) -> Double { one.quality + (one.shape.label == nil ? 0 : 0.2) }
        return Suppression.best(of: all.lazy.filter { $0.quality > 0.25 }, by: score) { $0.isSame(as: $1) }
    }
}

extension PieceKind {
    /// True if the other kind is this template at another size, with its corners in the same order.
    func isSimilar(to other: PieceKind) -> Bool {
        let factor = (other.area / area).squareRoot()
        return corners.count == other.corners.count && chiral == other.chiral
            && zip(corners, other.corners).allSatisfy { ($0 * factor - $1).length < 0.02 * other.area.squareRoot() }
    }
}
