import Foundation
import Core

/// How a template lies in the picture: mirrored or not, scaled, turned clockwise, moved.
struct Placement {
    /// Pixels; where the template's centroid is.
    var at: Point
    /// Radians, clockwise.
    var angle: Double
    /// Pixels a millimetre.
    var scale: Double

    /// A template's point in the picture.
    func callAsFunction(_ point: Point) -> Point {
        point.turned(cosine: cos(angle) * scale, sine: sin(angle) * scale) + at
    }

    /// The similarity that brings `template` closest to `corners`, one by one, and the root mean square of what is left.
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

    /// Distances of edge points from the placed template's sides, pixels, outwards positive.
    func offsets(of edges: [EdgePoint], from sides: [Side]) -> [Double] {
        let (cosine, sine) = (cos(angle), sin(angle))
        return edges.map { edge in
            let side = sides[edge.side]
            return side.normal.turned(cosine: cosine, sine: sine).dot(edge.at - at) - scale * side.distance
        }
    }

    /// One side of a template: all points p with normal·p = distance.
    struct Side {
        /// Outward, length 1.
        var normal: Point
        /// Millimetres from the centroid.
        var distance: Double

        /// Sides of a clockwise template, each moved inwards by `inset` millimetres.
        static func all(of corners: [Point], inset: Double) -> [Side] {
            corners.indices.map { index in
                let along = corners[(index + 1) % corners.count] - corners[index]
                let normal = Point(along.y, -along.x) * (1 / along.length)
                return Side(normal: normal, distance: normal.dot(corners[index]) - inset)
            }
        }

        /// Where each side meets the one before it: the corners of the template that has these sides.
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

    /// Moves the placement onto edge points by least squares with Tukey's weights, so that a finger or a shadow on one
    /// side does not pull the others. Edges farther than `reach` pixels count nothing.
    func refined(on edges: [EdgePoint], sides: [Side], reach: Double) -> Placement {
        var placement = self
        for _ in 0..<8 {
            let offsets = placement.offsets(of: edges, from: sides)
            let (cosine, sine) = (cos(placement.angle), sin(placement.angle))
            var system = NormalEquations()
            for (edge, offset) in zip(edges, offsets) where abs(offset) < reach {
                let share = offset / reach
                let weight = (1 - share * share) * (1 - share * share)
                let normal = sides[edge.side].normal.turned(cosine: cosine, sine: sine)
                let turn = Point(-normal.y, normal.x).dot(edge.at - placement.at)
                system.add(
                    [-normal.x, -normal.y, turn, -sides[edge.side].distance], residual: offset, weight: weight)
            }
            // Where a side shows no edge at all, the start decides what the others leave open.
            for unknown in 0..<4 {
                let size = unknown < 2 ? 1 : sides.reduce(0) { $0 + abs($1.distance) } / Double(sides.count)
                var gradient = SIMD4<Double>.zero
                gradient[unknown] = size
                system.add(gradient, residual: 0, weight: 0.05)
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
