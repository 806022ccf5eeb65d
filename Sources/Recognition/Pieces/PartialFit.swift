import Foundation
import Vocabulary

/// The pose of a piece that a hand hides in part, on a board whose scale is known: its colour says which piece it is, what is seen
/// of its outline where it lies, and what is not seen must be hidden by something.
struct PartialFit {
    /// What came of it, in pixels of the view.
    struct Result {
        var flipped: Bool
        var placement: Placement
        var edges: [EdgePoint]
        /// Share of the piece that shows its colour, 0…1.
        var visible: Double
        /// Median distance of the outline's own part from the fitted sides, pixels.
        var residual: Double
    }

    private struct Trial {
        var flipped: Bool
        var placement: Placement
        var score: Double
    }

    /// Less of a piece says nothing sure of its pose.
    private static let leastVisible = 0.6
    /// More bare table inside the outline says that the piece does not lie so.
    private static let mostBare = 0.05
    /// Outline points nearer to a side than this are the piece's, pixels.
    private static let near = 2.0
    private static let starts = 24
    /// Another pose that fits this well makes the best one a guess.
    private static let rival = 0.93

    private let kind: PieceKind
    private let label: Int
    private let scale: Double

    /// - Parameter scale: pixels of the view for one millimetre.
    init(kind: PieceKind, label: Int, scale: Double) {
        (self.kind, self.label, self.scale) = (kind, label, scale)
    }

    /// Nil where too little is seen, or more than one pose fits.
    func result(on sheet: borrowing PieceSheet) -> Result? {
        guard let region = sheet.region(of: label) else { return nil }
        let share = region.area / (kind.area * scale * scale)
        guard region.outline.count >= 24, (0.45...1.15).contains(share) else { return nil }
        let start = Outline.centroid(region.outline)
        var trials: [Trial] = []
        for flipped in kind.chiral ? [false, true] : [false] {
            let sides = Placement.Side.all(of: kind.corners(flipped: flipped), inset: 0)
            for step in 0..<Self.starts / kind.fold {
                let angle = 2 * Double.pi * Double(step) / Double(Self.starts)
                trials.append(
                    fitted(Placement(at: start, angle: angle, scale: scale), sides, region.outline, flipped: flipped))
            }
        }
        guard let best = trials.max(by: { $0.score < $1.score }), best.score > 0.4 * Double(region.outline.count) else {
            return nil
        }
        guard !trials.contains(where: { $0.score > Self.rival * best.score && differs($0, best) }) else { return nil }
        let template = kind.corners(flipped: best.flipped)
        let sides = Placement.Side.all(of: template, inset: 0)
        guard holds(best.placement, sides, region.outline) else { return nil }
        let corners = template.map { best.placement($0) }
        guard let inside = sheet.inside(corners, label: label), inside.own > Self.leastVisible,
            inside.bare < Self.mostBare
        else { return nil }
        let edges = sheet.edges(of: corners, reach: 4, samples: 16)
        let offsets = best.placement.offsets(of: edges, from: sides)
        let kept = zip(edges, offsets).filter { abs($1) < 3 }
        // An edge beside a hidden stretch is the hand's: only edges near the colour's own outline are the piece's.
        let own = kept.filter { edge, _ in region.outline.contains { ($0 - edge.at).length < 3.5 } }
        guard own.count >= 12 else { return nil }
        let residuals = own.map { abs($1) }.sorted()
        return Result(
            flipped: best.flipped, placement: best.placement, edges: own.map(\.0), visible: min(1, inside.own),
            residual: residuals[residuals.count / 2])
    }

    /// Moves and turns the template onto the outline; points outside it count more, for a piece is nowhere outside itself.
    private func fitted(_ start: Placement, _ sides: [Placement.Side], _ outline: [Point], flipped: Bool) -> Trial {
        var placement = start
        var reach = 0.5 * kind.innerRadius * scale
        for _ in 0..<14 {
            let (cosine, sine) = (cos(placement.angle), sin(placement.angle))
            let normals = sides.map { $0.normal.turned(cosine: cosine, sine: sine) }
            var system = NormalEquations()
            for point in outline {
                let (side, offset) = Self.nearest(point, placement, sides, normals)
                guard abs(offset) < reach else { continue }
                let part = offset / reach
                let weight = (1 - part * part) * (1 - part * part) * (offset > 1 ? 3 : 1)
                let turn = Point(-normals[side].y, normals[side].x).dot(point - placement.at)
                system.add([-normals[side].x, -normals[side].y, turn, 0], residual: offset, weight: weight)
            }
            guard system.moveRigidly(&placement) else { break }
            reach = max(3 * Self.near, 0.75 * reach)
        }
        let (cosine, sine) = (cos(placement.angle), sin(placement.angle))
        let normals = sides.map { $0.normal.turned(cosine: cosine, sine: sine) }
        let score = outline.reduce(0.0) { sum, point in
            let offset = Self.nearest(point, placement, sides, normals).offset
            return sum + (abs(offset) < Self.near ? 1 : offset > 2 * Self.near ? -2 : 0)
        }
        return Trial(flipped: flipped, placement: placement, score: score)
    }

    /// The side whose line is nearest to a point inside, or farthest from one outside; outwards positive.
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
        return a.flipped != b.flipped || (a.placement.at - b.placement.at).length > 2 * scale || abs(turn) > 0.08
    }

    /// True where two sides that cross are seen for a good part, so that place and turn are both told.
    private func holds(_ placement: Placement, _ sides: [Placement.Side], _ outline: [Point]) -> Bool {
        let (cosine, sine) = (cos(placement.angle), sin(placement.angle))
        let normals = sides.map { $0.normal.turned(cosine: cosine, sine: sine) }
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
