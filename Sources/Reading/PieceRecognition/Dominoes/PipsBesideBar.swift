import Core
import Foundation

/// The spots beside a bar that may be pips of its tile. The pips of each half are centred in it, whatever their number.
struct PipsBesideBar {
    /// In shorter edges of the tile; set on development photos.
    struct Parameters: Sendable {
        /// Size of a pip.
        var size = 0.09...0.34
        /// Distance from the bar: at least this, and from the end of the half at most this.
        var nearBar = 0.08
        var beyond = 0.08
        /// Distance from the middle of the tile along the bar.
        var aside = 0.58
        /// A spot on the rim belongs to a neighbour, which excludes this edge length: from the bar in lengths of the
        /// half, and from the middle of the tile.
        var rim = (half: 0.95, side: 0.46)
        var mostPips = 12
        /// Standard deviation of the centroid of pips, and the weight of the middle of their box beside it.
        var spread = 0.05
        var boxWeight = 0.25
        /// Minimum score of a half whose pips show the direction across the bar.
        var minScore = 0.4
    }

    /// A spot from the bar's middle: x along the bar, y across.
    private struct Near {
        var at: Point
        var size: Double
    }

    private let spots: [Near]
    private let along: Point
    private let aspect: Double
    private let parameters: Parameters

    /// - Parameter sides: Shorter edges, pixels, for which the score is asked for.
    init(
        _ bar: BarMark, _ all: [InkSpot], aspect: Double, sides: ClosedRange<Double>, _ p: Parameters = .init()
    ) {
        let along = Point(cos(bar.angle), sin(bar.angle))
        let across = Point(-along.y, along.x)
        let longest = sides.upperBound
        spots = all.compactMap { spot in
            guard spot.isLight == bar.isLight, spot.size >= p.size.lowerBound * sides.lowerBound,
                spot.size <= p.size.upperBound * longest
            else { return nil }
            let at = Point(along.dot(spot.at - bar.at), across.dot(spot.at - bar.at))
            return abs(at.y) <= (aspect / 2 + p.beyond) * longest && abs(at.x) <= p.aside * longest
                ? Near(at: at, size: spot.size) : nil
        }
        (self.along, self.aspect, parameters) = (along, aspect, p)
    }

    /// One half: the centroid of its pips from the bar's middle, x along the bar, y away from it.
    private struct Half {
        var centroid: Point
        /// How well the pips are centred, 0…1.
        var score: Double
    }

    /// Nil without pips, with too many, or if spots lie on the rim.
    ///
    /// - Parameter way: −1 or 1 across the bar.
    private func half(_ way: Double, side: Double) -> Half? {
        let p = parameters
        let halfLong = aspect * side / 2
        var sum = Point(0, 0)
        var (left, right, near, far) = (0.0, 0.0, Double.infinity, 0.0)
        var count = 0
        for spot in spots where spot.size >= p.size.lowerBound * side && spot.size <= p.size.upperBound * side {
            let at = Point(spot.at.x, way * spot.at.y)
            if at.y < p.nearBar * side || at.y > halfLong + p.beyond * side || abs(at.x) > p.aside * side { continue }
            if at.y > p.rim.half * halfLong || abs(at.x) > p.rim.side * side { return nil }
            sum = sum + at
            count += 1
            (left, right, near, far) = (min(left, at.x), max(right, at.x), min(near, at.y), max(far, at.y))
        }
        guard count > 0, count <= p.mostPips else { return nil }
        let centroid = Point(sum.x / Double(count), sum.y / Double(count))
        let off = hypot(centroid.x, centroid.y - halfLong / 2) / side
        let uneven = hypot(left + right, near + far - halfLong) / side
        return Half(
            centroid: centroid,
            score: exp(-(off * off + p.boxWeight * uneven * uneven) / (p.spread * p.spread)))
    }

    /// How well the pips match a tile of this shorter edge, 0…2.
    func score(side: Double) -> Double {
        [-1.0, 1].reduce(0) { $0 + (half($1, side: side)?.score ?? 0) }
    }

    /// The direction across the bar in which the pips lie; nil without pips.
    func across(side: Double) -> Point? {
        let down = Point(-along.y, along.x)
        var sum = Point(0, 0)
        for way in [-1.0, 1] {
            guard let half = half(way, side: side), half.score > parameters.minScore else { continue }
            sum = sum + (along * half.centroid.x + down * (way * half.centroid.y)) * way
        }
        return sum.length > 0 ? sum : nil
    }
}
