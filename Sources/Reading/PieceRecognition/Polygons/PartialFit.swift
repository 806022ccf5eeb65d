import Foundation
import Core

/// The pose of a piece that is partly occluded by a hand or shows its side faces, on a board of known scale.
///
/// The colour identifies the piece, the visible outline gives its position, and the missing part must be occluded.
struct PartialFit {
    /// The result, in pixels of the view.
    struct Result {
        var flipped: Bool
        /// Placement of the base.
        var placement: Placement
        /// Corners of the visible part.
        var corners: [Point]
        var edges: [EdgePoint]
        /// Share of the piece that shows its colour, 0…1.
        var visible: Double
        /// Share of the colour's outline on the piece's outline, minus the share outside it; 1 at most.
        var score: Double
    }

    private struct Trial {
        var flipped: Bool
        var showsSideFaces: Bool
        /// Placement of the base.
        var placement: Placement
        /// Sides of the silhouette, about the base's centroid, rotated with it.
        var sides: [Placement.Side]
        var score: Double
    }

    /// Minimum visible share. A smaller part does not determine the pose.
    private static let minVisible = 0.6
    /// Maximum share of bare table inside the outline.
    private static let maxBare = 0.05
    /// Outline points nearer than this to a side belong to the piece, pixels.
    private static let near = 2.0
    private static let starts = 24
    private static let finalists = 8
    /// If another pose reaches this share of the best score, the pose is ambiguous.
    private static let rival = 0.93

    private let kind: PieceKind
    private let label: Int
    private let scale: Double
    private let nadir: Point
    private let growth: Double

    /// - Parameters:
    ///   - view: The board from above.
    ///   - height: Height of the photo's pieces, millimetres.
    init(kind: PieceKind, label: Int, view: BoardView, height: Double) {
        (self.kind, self.label, scale) = (kind, label, view.scale)
        (nadir, growth) = (view.nadir, view.growth(height: height))
    }

    /// Nil if too little is visible, or if more than one pose fits.
    func result(on image: PreparedPieceImage) throws(PictureFailure) -> Result? {
        guard let region = try image.region(of: label) else { return nil }
        let share = region.area / (kind.area * scale * scale)
        guard region.outline.count >= 24, (0.45...(growth > 1 ? 1.6 : 1.15)).contains(share) else { return nil }
        let middle = Outline.centroid(region.outline)
        // Fits from every rotation to some of the outline, then refines the best with all of it.
        let some = stride(from: 0, to: region.outline.count, by: 3).map { region.outline[$0] }
        var rough: [Trial] = []
        for flipped in kind.chiral ? [false, true] : [false] {
            for showsSideFaces in growth > 1 ? [false, true] : [false] {
                for step in 0..<Self.starts / kind.fold {
                    let angle = 2 * Double.pi * Double(step) / Double(Self.starts)
                    let start = Placement(at: middle, angle: angle, scale: scale)
                    rough.append(
                        fitted(trial(start, flipped: flipped, showsSideFaces: showsSideFaces, isCentred: true), some))
                }
            }
        }
        let trials = rough.sorted { $0.score > $1.score }.prefix(Self.finalists).map { one in
            // The visible side faces depend on the rotation.
            fitted(
                trial(one.placement, flipped: one.flipped, showsSideFaces: one.showsSideFaces), region.outline,
                from: 4 * Self.near)
        }
        guard let best = trials.max(by: { $0.score < $1.score }), best.score > 0.4 * Double(region.outline.count) else {
            return nil
        }
        guard !trials.contains(where: { $0.score > Self.rival * best.score && differs($0, best) }) else { return nil }
        guard holds(best.placement, best.sides, region.outline) else { return nil }
        let silhouette = Placement.Side.corners(of: best.sides).map { best.placement($0) }
        guard let inside = try image.inside(silhouette, label: label), inside.own > Self.minVisible,
            inside.bare < Self.maxBare
        else { return nil }
        // A side of the template shows the edge of its base or of its top.
        let sides = seenSides(best)
        let corners = Placement.Side.corners(of: sides).map { best.placement($0) }
        let edges = try image.edges(of: corners, reach: 4, samples: 16)
        let offsets = best.placement.offsets(of: edges, from: sides)
        let kept = zip(edges, offsets).filter { abs($1) < 3 }
        // An edge beside an occluded part belongs to the hand. Only edges near the colour's own outline belong to the
        // piece.
        let own = kept.filter { edge, _ in region.outline.contains { ($0 - edge.at).length < 3.5 } }
        guard own.count >= 12 else { return nil }
        return Result(
            flipped: best.flipped, placement: best.placement, corners: corners, edges: own.map(\.0),
            visible: min(1, inside.own), score: best.score / Double(region.outline.count))
    }

    /// Position of the top relative to the base, in template millimetres: scaled by `growth`, displaced away from the
    /// nadir.
    private func topShift(_ placement: Placement) -> Point {
        ((placement.at - nadir) * ((growth - 1) / scale)).rotated(
            cosine: cos(placement.angle), sine: -sin(placement.angle))
    }

    /// The visible silhouette in this pose: the top alone, or top and side faces.
    private func trial(
        _ start: Placement, flipped: Bool, showsSideFaces: Bool, isCentred: Bool = false
    ) -> Trial {
        let base = kind.corners(flipped: flipped)
        let shift = topShift(start)
        let top = base.map { $0 * growth + shift }
        let silhouette = showsSideFaces ? Outline.hull(base + top) : top
        var placement = start
        if isCentred { placement.at = start.at + (start.at - start(Outline.centroid(silhouette))) }
        return Trial(
            flipped: flipped, showsSideFaces: showsSideFaces, placement: placement,
            sides: Placement.Side.all(of: silhouette, inset: 0), score: 0)
    }

    /// The template's sides at the positions where their edges are visible.
    private func seenSides(_ trial: Trial) -> [Placement.Side] {
        let shift = topShift(trial.placement)
        return Placement.Side.all(of: kind.corners(flipped: trial.flipped), inset: 0).map { side in
            let top = side.distance * growth + side.normal.dot(shift)
            let seen = trial.showsSideFaces ? max(side.distance, top) : top
            return Placement.Side(normal: side.normal, distance: seen)
        }
    }

    /// Moves and rotates the silhouette onto the outline. Points outside weigh more, because no part of the piece
    /// lies outside itself.
    ///
    /// - Parameter reach: Points farther than this from a side have no effect at first, pixels; default: half the
    ///   piece.
    private func fitted(_ start: Trial, _ outline: [Point], from reach: Double? = nil) -> Trial {
        var trial = start
        let sides = start.sides
        var placement = start.placement
        var reach = reach ?? 0.5 * kind.innerRadius * scale
        for _ in 0..<14 {
            let (cosine, sine) = (cos(placement.angle), sin(placement.angle))
            let normals = sides.map { $0.normal.rotated(cosine: cosine, sine: sine) }
            var system = NormalEquations<SIMD4<Double>>()
            for point in outline {
                let (side, offset) = Self.nearest(point, placement, sides, normals)
                system.add(
                    point, offset: offset, normal: normals[side], on: placement, reach: reach,
                    weight: offset > 1 ? 3 : 1)
            }
            guard system.moveRigidly(&placement) else { break }
            reach = max(3 * Self.near, 0.75 * reach)
        }
        let (cosine, sine) = (cos(placement.angle), sin(placement.angle))
        let normals = sides.map { $0.normal.rotated(cosine: cosine, sine: sine) }
        trial.score = outline.reduce(0.0) { sum, point in
            let offset = Self.nearest(point, placement, sides, normals).offset
            return sum + (abs(offset) < Self.near ? 1 : offset > 2 * Self.near ? -2 : 0)
        }
        trial.placement = placement
        return trial
    }

    /// The nearest side of a point inside, or the farthest of a point outside; distances outward are positive.
    private static func nearest(
        _ point: Point, _ placement: Placement, _ sides: [Placement.Side], _ normals: [Point]
    ) -> (side: Int, offset: Double) {
        var best = (side: 0, offset: -Double.infinity)
        for (index, side) in sides.enumerated() {
            let offset = normals[index].dot(point - placement.at) - placement.scale * side.distance
            if offset > best.offset { best = (index, offset) }
        }
        return best
    }

    private func differs(_ a: Trial, _ b: Trial) -> Bool {
        let turn = remainder(a.placement.angle - b.placement.angle, 2 * .pi / Double(kind.fold))
        // Partly visible side faces leave the position towards the camera undetermined; the edges decide.
        let open = ((b.placement.at - nadir) * (growth - 1)).length
        return a.flipped != b.flipped || (a.placement.at - b.placement.at).length > 2 * scale + open || abs(turn) > 0.08
    }

    /// True if two intersecting sides are visible for most of their length, which determines position and rotation.
    private func holds(_ placement: Placement, _ sides: [Placement.Side], _ outline: [Point]) -> Bool {
        let (cosine, sine) = (cos(placement.angle), sin(placement.angle))
        let normals = sides.map { $0.normal.rotated(cosine: cosine, sine: sine) }
        var places = [Set<Int>](repeating: [], count: sides.count)
        for point in outline {
            let (side, offset) = Self.nearest(point, placement, sides, normals)
            guard abs(offset) < Self.near else { continue }
            let along = Point(-normals[side].y, normals[side].x).dot(point - placement.at) / (scale * 4)
            places[side].insert(Int(along.rounded(.down)))
        }
        // Places are 4 mm long.
        let seen = sides.indices.filter { places[$0].count >= 4 }
        return seen.contains { a in seen.contains { abs(normals[a].cross(normals[$0])) > 0.5 } }
    }
}
