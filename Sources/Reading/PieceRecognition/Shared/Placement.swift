import Foundation
import Core

/// The placement of a template in the picture: reflection, scale, clockwise rotation, translation.
struct Placement {
    /// Position of the template's centroid, pixels.
    var at: Point
    /// Radians, clockwise.
    var angle: Double
    /// Pixels per millimetre.
    var scale: Double

    /// Maps a template's point to the picture.
    func callAsFunction(_ point: Point) -> Point {
        point.rotated(cosine: cos(angle) * scale, sine: sin(angle) * scale) + at
    }

    /// The similarity that maps `template` to `corners` with least squares, and the root mean square residual.
    static func fitting(_ template: [Point], to corners: [Point]) -> (placement: Placement, residual: Double) {
        let n = Double(template.count)
        let from = template.reduce(Point(0, 0), +) * (1 / n)
        let to = corners.reduce(Point(0, 0), +) * (1 / n)
        var along = 0.0
        var across = 0.0
        var size = 0.0
        for (t, c) in zip(template, corners) {
            along += (t - from).dot(c - to)
            across += (t - from).cross(c - to)
            size += (t - from).dot(t - from)
        }
        let angle = atan2(across, along)
        let scale = (along * along + across * across).squareRoot() / max(1e-9, size)
        var placement = Placement(at: Point(0, 0), angle: angle, scale: scale)
        placement.at = to - placement(from)
        let squares = zip(template, corners).reduce(0) { sum, pair in
            let off = placement(pair.0) - pair.1
            return sum + off.dot(off)
        }
        return (placement, (squares / n).squareRoot())
    }

    /// Distances of edge points from the placed template's sides, pixels; outward is positive.
    func offsets(of edges: [EdgePoint], from sides: [Side]) -> [Double] {
        let (cosine, sine) = (cos(angle), sin(angle))
        return edges.map { edge in
            let side = sides[edge.side]
            return side.normal.rotated(cosine: cosine, sine: sine).dot(edge.at - at) - scale * side.distance
        }
    }

    /// One side of a template: all points p with normal·p = distance.
    struct Side {
        /// Outward, length 1.
        var normal: Point
        /// Millimetres from the centroid.
        var distance: Double

        /// The sides of a clockwise template, each moved inwards by `inset` millimetres.
        static func all(of corners: [Point], inset: Double) -> [Side] {
            corners.indices.map { index in
                let along = corners[(index + 1) % corners.count] - corners[index]
                let normal = Point(along.y, -along.x) * (1 / along.length)
                return Side(normal: normal, distance: normal.dot(corners[index]) - inset)
            }
        }

        /// The corners of the template with these sides: the intersection of each side with the one before it.
        static func corners(of sides: [Side]) -> [Point] {
            sides.indices.map { index in
                let a = sides[(index + sides.count - 1) % sides.count]
                let b = sides[index]
                let turn = a.normal.cross(b.normal)
                return Point(
                    (a.distance * b.normal.y - b.distance * a.normal.y) / turn,
                    (b.distance * a.normal.x - a.distance * b.normal.x) / turn)
            }
        }
    }

    /// Fits the placement to edge points by least squares. Tukey weights keep a finger or a shadow on one side from
    /// pulling the others.
    ///
    /// Edges farther than `reach` pixels have no weight.
    func refined(on edges: [EdgePoint], sides: [Side], reach: Double) -> Placement {
        var placement = self
        for _ in 0..<8 {
            let offsets = placement.offsets(of: edges, from: sides)
            let (cosine, sine) = (cos(placement.angle), sin(placement.angle))
            var system = NormalEquations<SIMD4<Double>>()
            for (edge, offset) in zip(edges, offsets) {
                let side = sides[edge.side]
                system.add(
                    edge.at, offset: offset, normal: side.normal.rotated(cosine: cosine, sine: sine), on: placement,
                    distance: side.distance, reach: reach)
            }
            // Unknowns that the visible edges leave undetermined keep their start value.
            for unknown in 0..<4 {
                let size = unknown < 2 ? 1 : sides.reduce(0) { $0 + abs($1.distance) } / Double(sides.count)
                system.hold(unknown, weight: 0.05, in: size)
            }
            guard let step = system.solution() else { return placement }
            placement.at = placement.at + Point(step[0], step[1])
            placement.angle += step[2]
            placement.scale += step[3]
            if abs(step[0]) + abs(step[1]) < 0.005, abs(step[2]) < 1e-5 { break }
        }
        return placement
    }
}
