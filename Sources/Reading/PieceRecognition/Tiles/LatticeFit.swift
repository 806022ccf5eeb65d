import Core
import Foundation

/// Pitch and direction of squares whose centres are given: differences of near centres are whole multiples.
struct LatticePitch {
    var size: Double
    /// Radians.
    var angle: Double

    struct Parameters: Sendable {
        /// Centres nearer than so many sizes are compared. Set on development photos, as all values here.
        var near = 3.6
        /// Half degrees to both sides of the first angle, sizes in the first size, and their step.
        var turns = 16
        var sizes = 0.72..<1.4
        var step = 1.01
        /// Costs of a size's logarithm in `spread`, and of a half degree.
        var spread = 0.35
        var sizeCost = 0.1
        var turnCost = 0.0004
    }

    init(of at: [Point], size: Double, angle: Double, parameters p: Parameters = Parameters()) {
        var near: [Point] = []
        for (index, one) in at.enumerated() {
            for other in at.dropFirst(index + 1) where (one - other).length < p.near * size { near.append(one - other) }
        }
        (self.size, self.angle) = (size, angle)
        guard !near.isEmpty else { return }
        var best = -1.0
        for turn in -p.turns...p.turns {
            let a = angle + Double(turn) * .pi / 360
            let (c, s) = (cos(a), sin(a))
            let turned = near.map { Point($0.x * c + $0.y * s, $0.y * c - $0.x * s) }
            var pitch = p.sizes.lowerBound * size
            while pitch < p.sizes.upperBound * size {
                var sum = 0.0
                for d in turned { sum += cos(2 * .pi * d.x / pitch) + cos(2 * .pi * d.y / pitch) }
                let off = log(pitch / size) / p.spread
                let score =
                    sum / Double(2 * near.count) - p.sizeCost * off * off - p.turnCost * Double(turn * turn)
                if score > best { (best, self.size, self.angle) = (score, pitch, a) }
                pitch *= p.step
            }
        }
    }
}

/// Pixels → lattice: a homography about `origin`, in units of `unit` pixels.
struct LatticeFit {
    let origin: Point
    let unit: Double
    private var g: [Double]

    /// - Parameter angle: Radians. The origin is the centre of the first square.
    init(origin: Point, unit: Double, angle: Double) {
        (self.origin, self.unit) = (origin, unit)
        let (c, s) = (cos(angle), sin(angle))
        g = [c, s, 0.5, -s, c, 0.5, 0, 0]
    }

    private func local(_ p: Point) -> Point { Point((p.x - origin.x) / unit, (p.y - origin.y) / unit) }
    private func depth(_ p: Point) -> Double { g[6] * p.x + g[7] * p.y + 1 }

    func callAsFunction(_ p: Point) -> Point {
        let q = local(p)
        let d = depth(q)
        return Point((g[0] * q.x + g[1] * q.y + g[2]) / d, (g[3] * q.x + g[4] * q.y + g[5]) / d)
    }

    /// Lattice → pixels.
    var inverse: Homography? {
        Homography(g + [1]).inverse.map { Homography(origin: origin, scale: unit) * $0 }
    }

    /// A place that lies on a line of the lattice.
    struct Row {
        var at: Point
        /// Number of the line.
        var target: Double
        /// True for a line across: the target is a y.
        var isRow: Bool
        var weight: Double
    }

    /// Stiffness of the perspective, in squares of weighted rows: free, and forbidden.
    private static let stiffness = (free: 0.5, none: 1e9)

    /// Reweighted least squares (Tukey), without perspective unless it is allowed.
    ///
    /// - Parameter scale: Deviation without weight, squares.
    mutating func refine(_ rows: [Row], isInPerspective: Bool, scale: Double) {
        for _ in 0..<4 {
            var system = NormalEquations<SIMD8<Double>>()
            for row in rows {
                let now = self(row.at)
                let q = local(row.at)
                let d = depth(q)
                let weight = row.weight * Tukey.weight(((row.isRow ? now.y : now.x) - row.target) / scale) / (d * d)
                guard weight > 0 else { continue }
                let far = q * -row.target
                let terms =
                    row.isRow
                    ? SIMD8(0, 0, 0, q.x, q.y, 1, far.x, far.y) : SIMD8(q.x, q.y, 1, 0, 0, 0, far.x, far.y)
                system.add(terms, residual: -row.target, weight: weight)
            }
            for unknown in 0..<8 {
                system.hold(
                    unknown, weight: unknown < 6 ? 1e-9 : isInPerspective ? Self.stiffness.free : Self.stiffness.none)
            }
            guard let solution = system.solution() else { return }
            g = solution
        }
    }
}

/// Looks for printed lines at the edges of a lattice's squares.
struct LatticeEdges {
    /// One edge of a square: from (u, v) to the right, or down.
    struct Edge {
        var u, v: Int
        var isRow: Bool
    }

    let work: Picture<UInt8>

    /// Taps across an edge, their distance in squares, and taps between a line and the ground on both sides.
    private static let taps = 29
    private static let tap = 0.025
    private static let wing = 3
    /// Places along an edge, from the first, in squares.
    private static let along = (count: 9, first: 0.14, step: 0.09)
    /// A line exceeds the median response by this factor and this addition, 0…255.
    private static let prominence = (factor: 1.8, least: 5.0)

    /// The peak nearest to each expected line: its position across the edge in squares, and its strength, 0 if there is
    /// none. Nil for an edge that leaves the picture.
    func peaks(
        of edges: [Edge], toPicture: Homography, window: Double
    ) -> [(strength: Double, off: Double)?] {
        var responses = [Double](repeating: 0, count: Self.taps)
        return edges.map { edge in
            guard let sums = sums(across: edge, toPicture: toPicture) else { return nil }
            for tap in 0..<Self.taps {
                let (one, line, other) = (sums[tap], sums[tap + Self.wing], sums[tap + 2 * Self.wing])
                let change = 2 &* line &- one &- other
                let most = max(abs(change.x), abs(change.y), abs(change.z))
                responses[tap] = Double(most) / Double(2 * Self.along.count)
            }
            return Self.peak(responses, window: window)
        }
    }

    /// Sums of colours along lines parallel to an edge, by their distance from it; nil if it leaves the picture.
    private func sums(across edge: Edge, toPicture: Homography) -> [SIMD3<Int32>]? {
        let count = Self.taps + 2 * Self.wing
        var sums: [SIMD3<Int32>] = []
        sums.reserveCapacity(count)
        for tap in 0..<count {
            var sum = SIMD3<Int32>.zero
            for place in 0..<Self.along.count {
                let along = Self.along.first + Self.along.step * Double(place)
                let off = Double(tap - (count - 1) / 2) * Self.tap
                let at = toPicture(
                    Point(Double(edge.u) + (edge.isRow ? along : off), Double(edge.v) + (edge.isRow ? off : along)))
                guard let colour = work.colour(nearest: at) else { return nil }
                sum &+= colour
            }
            sums.append(sum)
        }
        return sums
    }

    private static func peak(_ response: [Double], window: Double) -> (strength: Double, off: Double) {
        var best = (strength: 0.0, off: 0.0)
        var usual: Double?
        for tap in 1..<taps - 1
        where response[tap] >= response[tap - 1] && response[tap] >= response[tap + 1]
            && response[tap] >= prominence.least
        {
            let off = Double(tap - taps / 2) * Self.tap
            let value = response[tap] * exp(-0.5 * off * off / (window * window))
            guard value > best.strength else { continue }
            let median = usual ?? response.median ?? 0
            usual = median
            guard response[tap] >= prominence.least + prominence.factor * median else { continue }
            best = (
                value,
                off + Self.tap * Peak.offset(response[tap - 1], response[tap], response[tap + 1], minBend: 1e-6)
            )
        }
        return best
    }
}
