import Foundation
import Core

/// The end of a face beyond its pips, on each of its four sides.
struct FaceEdges {
    /// Share of rays with an end in line with their neighbours, 0…1, for each side: right, left, down, up.
    let agreement: [Double]
    /// Distance of each side from the centre in lattice steps; nil if no end was found.
    let distances: [Double?]
    /// Share of rays within the face that met an obstacle other than its pips.
    let cut: Double
    /// Median channel difference across the edge, divided by the pips' contrast.
    let change: Double

    /// Positions of the rays on a side, in lattice steps from its centre.
    private static let rayOffsets = stride(from: -0.84, through: 0.85, by: 0.21).map { $0 }
    /// Half an edge is 1.7 to 2 steps. A rounded face ends sooner, one beside a visible side face of its colour
    /// later.
    private static let ends = 1.28...2.75
    private static let farthest = 3.4
    private static let begin = 0.75

    init(
        of lattice: PipLattice, colour: SIMD3<Int32>, contrast: Double, over pips: [Pip],
        on image: borrowing PreparedPipImage
    ) throws(PictureFailure) {
        let side = lattice.step / 0.27
        var rays: [PreparedPipImage.Ray] = []
        let ways = [lattice.across, lattice.across * -1, lattice.down, lattice.down * -1]
        for (index, way) in ways.enumerated() {
            let lateral = index < 2 ? lattice.down : lattice.across
            for off in Self.rayOffsets {
                rays.append(
                    .init(
                        from: lattice.centre + lateral * off + way * Self.begin, way: way * (1 / way.length),
                        most: (Self.farthest - Self.begin) * way.length))
            }
        }
        for index in 0..<16 {
            let turn = 2 * Double.pi * Double(index) / 16
            let way = lattice.across * cos(turn) + lattice.down * sin(turn)
            rays.append(.init(from: lattice.centre, way: way * (1 / way.length), most: 1.25 * way.length))
        }
        var best: (agreement: [Double], distances: [Double?], cut: Double, change: Double)?
        // A shaded face needs more tolerance than a white one on a white table, so the better result is used.
        for part in [0.24, 0.14, 0.38, 0.07] {
            // The smallest tolerance is only needed for a face that is hardly brighter than its table.
            if let best, best.agreement.reduce(0, +) - 4 * best.cut > (part < 0.1 ? 2.2 : 3.7) { continue }
            let ends = try image.ends(
                of: rays, colour: colour, tolerance: max(8, part * contrast), side: side, over: pips)
            var agreement: [Double] = []
            var distances: [Double?] = []
            var changes: [Double] = []
            for (index, way) in ways.enumerated() {
                let own = ends[(index * Self.rayOffsets.count)..<((index + 1) * Self.rayOffsets.count)]
                let reached = own.map { Self.begin + $0.distance / way.length }
                let middle = reached.median ?? 0
                let agreeing = zip(own, reached).filter { abs($1 - middle) < 0.24 && $0.change > 0 }
                let isEnd = Self.ends.contains(middle)
                agreement.append(isEnd ? Double(agreeing.count) / Double(Self.rayOffsets.count) : 0)
                distances.append(isEnd ? middle : nil)
                if isEnd { changes += agreeing.map(\.0.change) }
            }
            let within = ends.suffix(16)
            let cut = Double(within.count { $0.change > 0 }) / 16
            let score = agreement.reduce(0, +) - 4 * cut
            if best.map({ score > $0.agreement.reduce(0, +) - 4 * $0.cut }) ?? true {
                best = (agreement, distances, cut, (changes.median ?? 0) / max(1, contrast))
            }
        }
        agreement = best?.agreement ?? [0, 0, 0, 0]
        distances = best?.distances ?? [nil, nil, nil, nil]
        cut = best?.cut ?? 1
        change = best?.change ?? 0
    }

    /// 0…1; 1 if the face ends in a straight line on all sides. Rays over print and cloth end anywhere, and half of
    /// them may agree.
    var body: Double { agreement.reduce(0) { $0 + min(1, max(0, $1 - 0.45) / 0.43) } / 4 }

    /// 0…1: how well the pips are centred in a square, given the sides that were found.
    func squareness(isOblong: Bool) -> Double {
        var score = 1.0
        func sum(_ a: Int, _ b: Int) -> Double? {
            guard let one = distances[a], let other = distances[b], min(agreement[a], agreement[b]) > 0.5
            else { return nil }
            score *= exp(-pow(max(0, abs(one - other) - 0.45) / 0.8, 2))
            return one + other
        }
        if let wide = sum(0, 1), let high = sum(2, 3), !isOblong {
            score *= exp(-pow(max(0, abs(log(wide / high)) - 0.08) / 0.3, 2))
        }
        return score
    }

    /// True if a point, in steps from the centre, lies well within the face. A missing side counts as the farthest
    /// one.
    func contains(_ place: Point) -> Bool {
        let d = distances.map { ($0 ?? 2.4) - 0.2 }
        return place.x < d[0] && place.x > -d[1] && place.y < d[2] && place.y > -d[3]
    }
}
