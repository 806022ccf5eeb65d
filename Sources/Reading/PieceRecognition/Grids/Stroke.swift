import Core
import Foundation

/// A straight drawn line.
struct Stroke {
    /// A point on it, and its direction of length 1.
    var at, along: Point
    /// Extent of the ink along it, from `at`, pixels.
    var from = 0.0
    var to = 0.0
    /// Inked share of its length, 0…1.
    var support = 0.0
    /// Half of its width, pixels.
    var half = 0.0
    /// Share of its length with about this width, 0…1.
    var evenness = 0.0

    var length: Double { to - from }
    /// Radians, 0…π.
    var angle: Double { HalfTurn.of(along) }
    var start: Point { point(from) }
    var end: Point { point(to) }

    func across(_ point: Point) -> Double { along.cross(point - at) }
    func coordinate(_ point: Point) -> Double { (point - at).dot(along) }
    func point(_ coordinate: Double) -> Point { at + along * coordinate }

    /// Sine of the angle between lines below which they count as parallel. Set on development pictures.
    private static let minSine = 0.25

    /// The intersection of the lines; nil if they are nearly parallel.
    func crossing(_ other: Stroke) -> Point? {
        StraightLine(direction: along, at: at)
            .crossing(StraightLine(direction: other.along, at: other.at), minSine: Self.minSine)
    }
}

/// Directions of lines without an arrow.
enum HalfTurn {
    /// Radians, 0…π.
    static func of(_ along: Point) -> Double {
        let angle = atan2(along.y, along.x)
        return angle < 0 ? angle + .pi : angle
    }

    /// The angle between two lines, radians, 0…π/2.
    static func between(_ a: Double, _ b: Double) -> Double {
        let turn = fmod(abs(a - b), .pi)
        return min(turn, .pi - turn)
    }
}

extension [Stroke] {
    /// How the parts of a line are joined that an object, such as a card, divides.
    struct JoinParameters: Sendable {
        /// Largest turn between the parts, radians. Set on development pictures, as all values here.
        var turn = 0.2
        /// Unit of the distances across: a share of the drawing's size, and pixels.
        var reach = (share: 0.025, more: 1.0)
        /// Largest distance of the other part's ends and of its middle from the line, in these units.
        var ends = 2.5
        var middle = 1.7
        /// Gap between the parts, in sizes of the drawing; below 0 they overlap.
        var gap = -0.05..<0.32
    }

    /// Collinear strokes joined.
    ///
    /// - Parameter size: Of the drawing, pixels.
    func joined(size: Double, _ parameters: JoinParameters = .init()) -> [Stroke] {
        var strokes = self
        var first = 0
        while first < strokes.count {
            var other = first + 1
            while other < strokes.count {
                if let one = strokes[first].joined(strokes[other], size: size, parameters) {
                    strokes[first] = one
                    strokes.remove(at: other)
                    other = first + 1
                } else {
                    other += 1
                }
            }
            first += 1
        }
        return strokes
    }
}

extension Stroke {
    /// The line through the farthest two of the four ends; nil if the other stroke does not continue this one.
    fileprivate func joined(_ other: Stroke, size: Double, _ parameters: [Stroke].JoinParameters) -> Stroke? {
        let (p, q) = (other.start, other.end)
        let (pAlong, qAlong) = (coordinate(p), coordinate(q))
        let (low, high) = (min(pAlong, qAlong), max(pAlong, qAlong))
        let gap = max(low - to, from - high)
        let reach = parameters.reach.share * size + parameters.reach.more
        guard HalfTurn.between(angle, other.angle) < parameters.turn,
            max(abs(across(p)), abs(across(q))) < parameters.ends * reach,
            abs(across((p + q) * 0.5)) < parameters.middle * reach, gap > parameters.gap.lowerBound * size,
            gap < parameters.gap.upperBound * size
        else { return nil }
        let inked = support * length + other.support * other.length
        let isForward = pAlong < qAlong
        let first = low < from ? (isForward ? p : q) : start
        let last = high > to ? (isForward ? q : p) : end
        var whole = self
        whole.at = (first + last) * 0.5
        let span = (last - first).length
        whole.along = (last - first) * (1 / span)
        whole.to = span / 2
        whole.from = -whole.to
        whole.support = min(1, inked / whole.length)
        return whole
    }
}
