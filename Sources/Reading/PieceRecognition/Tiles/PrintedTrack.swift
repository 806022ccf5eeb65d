import Core
import Foundation

/// Distinguishes tiles printed in a track on a board from tiles that somebody laid.
///
/// Print repeats exactly: the centres of a printed row lie within a hundredth of an edge on one curve with equal steps.
/// Rows that hands laid deviate by four hundredths. Tiles that touch prove nothing, because contact aligns them too.
struct PrintedTrack {
    struct Parameters: Sendable {
        /// Fewest tiles of a row, and of all rows together. Set on rendered boards and on photos of laid rows, as all
        /// values here.
        var minRow = 4
        var minInRows = 5
        /// Neighbours of a tile that may be the next of its row.
        var nearest = 6
        /// Largest angle between neighbours, and between print and what is read as print, radians.
        var maxTurn = 0.07
        /// Largest ratio of two sizes in print.
        var maxSizeRatio = 1.15
        /// Largest deviation of the centres from a curve with equal steps, in shorter edges.
        var maxDeviation = 0.012
        /// Smallest gap between neighbours, in shorter edges. Tiles that touch appear up to .06 apart.
        var minGap = 0.12
        /// Print outside the rows lies so near to the rim of all print, in shorter edges.
        var beside = 1.0
        var steps = PointLattice.Parameters(steps: 0...5, maxSizeRatio: 1.15, maxOffset: 0.12, followed: 0)
    }

    /// Indices of the tiles that may be print.
    let members: Set<Int>

    /// Nil if no row of the tiles is as regular as print.
    init?(_ tiles: [FoundTile], _ parameters: Parameters = .init()) throws(PictureFailure) {
        let shapes = tiles.map(Shape.init)
        var rows: Set<Int> = []
        for seed in shapes.indices where !rows.contains(seed) {
            let group = shapes.indices.filter { shapes[$0].isTurnedLike(shapes[seed], within: 2 * parameters.maxTurn) }
            let lattice = PointLattice(
                group.map { shapes[$0].at }, sizes: group.map { shapes[$0].shorter }, parameters.steps)
            guard group.count >= parameters.minRow, let start = group.firstIndex(of: seed) else { continue }
            let near = group.indices.filter { $0 != start }.sorted {
                (shapes[group[$0]].at - shapes[seed].at).length < (shapes[group[$1]].at - shapes[seed].at).length
            }.prefix(parameters.nearest)
            for next in near {
                let step = shapes[group[next]].at - shapes[seed].at
                guard step.length < parameters.steps.steps.upperBound * shapes[seed].shorter,
                    // Every second tile of a chain is no neighbour.
                    !tiles.contains(where: { Outline.contains($0.corners, shapes[seed].at + step * 0.5) })
                else { continue }
                let row = lattice.grown(from: start, along: step, down: Point(0, 0))
                    .sorted { $0.key.column < $1.key.column }
                    .map { (place: Double($0.key.column), shape: shapes[group[$0.value]], index: group[$0.value]) }
                guard row.count >= parameters.minRow, let first = row.first, let last = row.last else { continue }
                let mean = (last.shape.at - first.shape.at) * (1 / (last.place - first.place))
                if row.map({ $0.shape.gap(along: mean) }).median ?? 0 > parameters.minGap,
                    Self.deviation(row.map { ($0.place, $0.shape.at) }) < parameters.maxDeviation * shapes[seed].shorter
                {
                    rows.formUnion(row.map(\.index))
                }
            }
        }
        guard rows.count >= parameters.minInRows else { return nil }
        // Short rows of the same board, as large and in line with it, may be print too. A track runs around its board.
        let like = shapes.indices.filter { one in
            rows.contains {
                max(shapes[one].shorter / shapes[$0].shorter, shapes[$0].shorter / shapes[one].shorter)
                    < parameters.maxSizeRatio
                    && shapes[one].isParallel(to: shapes[$0], within: parameters.maxTurn)
            }
        }
        let hull = Outline.hull(like.map { shapes[$0].at })
        members = rows.union(
            like.filter { one in
                hull.indices.contains {
                    Self.distance(of: shapes[one].at, from: hull[$0], hull[($0 + 1) % hull.count])
                        < parameters.beside * shapes[one].shorter
                }
            })
    }

    /// Distance of a point from the line through two others.
    private static func distance(of point: Point, from a: Point, _ b: Point) -> Double {
        abs((b - a).cross(point - a)) / max(1e-9, (b - a).length)
    }

    /// Root mean square distance of points from a curve of the second degree, pixels.
    private static func deviation(_ row: [(place: Double, at: Point)]) -> Double {
        var sum = 0.0
        for coordinate in [\Point.x, \Point.y] {
            var system = NormalEquations<SIMD3<Double>>()
            for one in row {
                let place = one.place / Double(row.count)
                system.add([1, place, place * place], residual: -one.at[keyPath: coordinate])
            }
            guard let c = system.solution() else { return .infinity }
            for one in row {
                let place = one.place / Double(row.count)
                sum += pow(c[0] + c[1] * place + c[2] * place * place - one.at[keyPath: coordinate], 2)
            }
        }
        return (sum / Double(max(1, 2 * row.count - 6))).squareRoot()
    }

    /// A tile's centre and its edges.
    private struct Shape {
        let at: Point
        private let long, short: Point

        init(_ tile: FoundTile) {
            at = tile.centre
            let c = tile.corners
            let (u, v) = ((c[1] - c[0] + c[2] - c[3]) * 0.5, (c[3] - c[0] + c[2] - c[1]) * 0.5)
            (long, short) = u.length < v.length ? (v, u) : (u, v)
        }

        var shorter: Double { short.length }

        /// Modulo a quarter turn for squares, else a half turn.
        func isTurnedLike(_ other: Shape, within limit: Double) -> Bool {
            let turn = Double.pi / (long.length < 1.2 * short.length ? 2 : 1)
            return abs(remainder(angle - other.angle, turn)) < limit
        }

        func isParallel(to other: Shape, within limit: Double) -> Bool {
            abs(remainder(angle - other.angle, .pi / 2)) < limit
        }

        private var angle: Double { atan2(long.y, long.x) }

        /// Distance to a neighbour that is one step away, in shorter edges.
        func gap(along step: Point) -> Double {
            let (c, s) = (abs(step.dot(long)) / long.length, abs(step.dot(short)) / short.length)
            return step.length * (1 - min(long.length / max(c, 1e-9), short.length / max(s, 1e-9))) / shorter
        }
    }
}
