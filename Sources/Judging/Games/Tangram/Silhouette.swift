import Foundation
import Core

/// The shape that pieces cover together, whichever way it is put together.
struct Silhouette: Sendable {
    /// What of a piece must lie right: shrunk to this about its centroid, the smallest triangle loses 1.5 mm along its edges,
    /// which is what hands and the reading wobble.
    private static let core = 0.85

    private var polygons: [ConvexPolygon]
    /// Square millimetres, what lies under another piece counted once.
    private let area: Double
    private var centroid: Point
    /// Root mean square distance of the pieces' centroids from the common one, weighed by area, millimetres. The same pieces
    /// have the same spread in every assembly of a shape, because a shape's second moment does not depend on its cut.
    private let spread: Double
    /// Where the pieces' edges point, degrees modulo 45: tangram pieces lie on one lattice, turned by this.
    private var lattice: Double

    /// From pieces that lie at these poses; `shrunkBy` takes an error of scale out of the places, not out of the pieces.
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

    /// How much farther apart the pieces lie than the other's; 1 for two assemblies of one shape.
    func spread(over other: Silhouette) -> Double { other.spread > 0 ? spread / other.spread : 0 }

    /// How well one silhouette covers another.
    struct Coverage: Sendable, Hashable {
        /// Intersection over union, 0…1.
        var share: Double
        /// How much of the worst covering piece's core lies within the other silhouette and on no other core, 0…1.
        var leastPiece: Double
    }

    /// The coverage at the turn and shift of `other` that cover best; nil where not even four fifths are covered.
    ///
    /// The eight turns that lay lattice on lattice with the centroids together are tried; one that is near is improved.
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
        return Coverage(share: value, leastPiece: leastPiece(within: target))
    }

    /// Intersection over union where both lie.
    private func share(of other: Silhouette) -> Double {
        var common = 0.0
        for polygon in other.polygons {
            for own in polygons { common += own.overlap(with: polygon) }
        }
        // What two pieces hide of each other was met twice; taking it off may only make the answer smaller.
        common = max(0, common - (polygons.reduce(0) { $0 + $1.area } - area))
        return common / (area + other.area - common)
    }

    /// See `Coverage.leastPiece`.
    private func leastPiece(within other: Silhouette) -> Double {
        let cores = polygons.map { $0.shrunk(to: Self.core) }
        return cores.indices.reduce(1) { least, index in
            let within = other.polygons.reduce(0) { $0 + $1.overlap(with: cores[index]) }
            let hidden = cores.indices.reduce(0) { $1 == index ? $0 : $0 + cores[$1].overlap(with: cores[index]) }
            return min(least, (within - hidden) / cores[index].area)
        }
    }

    /// Turned about its centroid, which is laid onto `point`.
    private func moved(_ degrees: Double, onto point: Point) -> Silhouette {
        let motion = PlaneMotion(degrees: degrees, taking: centroid, to: point)
        var moved = self
        moved.polygons = polygons.map { $0.moved(by: motion) }
        moved.centroid = point
        moved.lattice += degrees
        return moved
    }
}
