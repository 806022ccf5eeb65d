import Foundation
import Core

/// The union of pieces, independent of how they compose it.
struct Silhouette: Sendable {
    /// Scale of a piece's core about its centroid. The smallest triangle loses 1.5 mm along its edges, which covers
    /// the inaccuracy of placing and measuring.
    private static let core = 0.85

    private var polygons: [ConvexPolygon]
    /// Area of the union in square millimetres.
    private let area: Double
    private var centroid: Point
    /// Root mean square distance of the pieces' centroids from the common centroid, weighted by area, millimetres.
    /// The second moment of a shape does not depend on its dissection, so equal pieces have equal spread in every
    /// assembly.
    private let spread: Double
    /// Direction of the pieces' edges, degrees modulo 45. Tangram pieces share one lattice of directions.
    private var lattice: Double

    /// From pieces at these poses. `shrunkBy` removes a scale error from the positions, not from the pieces.
    private init(_ pieces: [(shape: PieceShape, pose: PiecePose)], shrunkBy scale: Double) {
        let total = pieces.reduce(0) { $0 + $1.shape.outline.area }
        var middle = Point(0, 0)
        var (latticeX, latticeY) = (0.0, 0.0)
        for (shape, pose) in pieces {
            let share = shape.outline.area / total
            middle.x += share * pose.center.x / scale
            middle.y += share * pose.center.y / scale
            latticeX += shape.outline.area * cos(pose.degrees * 8 * .pi / 180)
            latticeY += shape.outline.area * sin(pose.degrees * 8 * .pi / 180)
        }
        polygons = pieces.map { shape, pose in
            var pose = pose
            pose.center = Point(pose.center.x / scale, pose.center.y / scale)
            return shape.outline.laid(at: pose)
        }
        var hidden = 0.0
        for (index, polygon) in polygons.enumerated() {
            for other in polygons[..<index] { hidden += polygon.overlap(with: other) }
        }
        area = total - hidden
        centroid = middle
        spread = polygons.reduce(0) { $0 + $1.area / total * pow($1.centroid.distance(to: middle), 2) }.squareRoot()
        lattice = atan2(latticeY, latticeX) * 180 / .pi / 8
    }

    init(of puzzle: Puzzle) {
        self.init(puzzle.pieces.map { ($0.shape, $0.pose) }, shrunkBy: 1)
    }

    init(of pieces: [TablePiece], shrunkBy scale: Double = 1) {
        self.init(pieces.map { ($0.shape, $0.pose) }, shrunkBy: scale)
    }

    /// Ratio of the spreads; 1 for two assemblies of one shape.
    func spread(over other: Silhouette) -> Double { other.spread > 0 ? spread / other.spread : 0 }

    /// How well one silhouette covers another.
    struct Coverage: Sendable, Hashable {
        /// Intersection over union, 0…1.
        var share: Double
        /// Share of a covering piece's core inside the other silhouette and on no other core, 0…1; the minimum over
        /// all pieces.
        var worstPieceShare: Double
    }

    /// The coverage under the best rigid transform of `other`; nil if it is below 0.8.
    ///
    /// Tries the eight rotations that align both lattices, with coinciding centroids. A promising one is refined.
    func coverage(of other: Silhouette) -> Coverage? {
        var best = (value: 0.0, degrees: 0.0)
        for eighth in 0..<8 {
            let degrees = lattice - other.lattice + Double(eighth) * 45
            let value = share(of: other.moved(degrees, onto: centroid))
            if value > best.value { best = (value, degrees) }
        }
        guard best.value > 0.8 else { return nil }
        var (value, degrees, middle) = (best.value, best.degrees, centroid)
        for step in [2.0, 1, 0.5] {
            for (dx, dy, turn) in [
                (step, 0.0, 0.0), (-step, 0, 0), (0, step, 0), (0, -step, 0), (0, 0, step), (0, 0, -step),
            ] {
                let target = Point(middle.x + dx, middle.y + dy)
                let trial = share(of: other.moved(degrees + turn, onto: target))
                if trial > value { (value, degrees, middle) = (trial, degrees + turn, target) }
            }
        }
        let target = other.moved(degrees, onto: middle)
        return Coverage(share: value, worstPieceShare: worstPieceShare(within: target))
    }

    /// Intersection over union in the current poses.
    private func share(of other: Silhouette) -> Double {
        var common = 0.0
        for polygon in other.polygons {
            for own in polygons { common += own.overlap(with: polygon) }
        }
        // The overlap of two pieces is counted twice. Subtracting it can only lower the result.
        common = max(0, common - (polygons.reduce(0) { $0 + $1.area } - area))
        return common / (area + other.area - common)
    }

    private func worstPieceShare(within other: Silhouette) -> Double {
        let cores = polygons.map { $0.shrunk(to: Self.core) }
        return cores.indices.reduce(1) { least, index in
            let within = other.polygons.reduce(0) { $0 + $1.overlap(with: cores[index]) }
            let hidden = cores.indices.reduce(0) { $1 == index ? $0 : $0 + cores[$1].overlap(with: cores[index]) }
            return min(least, (within - hidden) / cores[index].area)
        }
    }

    /// The silhouette rotated about its centroid and moved to `point`.
    private func moved(_ degrees: Double, onto point: Point) -> Silhouette {
        let transform = SimilarityTransform(degrees: degrees, taking: centroid, to: point)
        var moved = self
        moved.polygons = polygons.map { $0.moved(by: transform) }
        moved.centroid = point
        moved.lattice += degrees
        return moved
    }
}
