import Foundation
import Core

/// The location of one line of text: its upper and lower edge, from its beginning to its end.
///
/// Points are pixels of the page. Both edges have the same number of points, at least two; curved lines have more.
struct LineShape: Sendable, Hashable {
    var top: [Point]
    var bottom: [Point]

    /// A straight line in a quadrangle, whose corners run clockwise from the text's top-left.
    init(_ quad: Quad) {
        top = [quad.topLeft, quad.topRight]
        bottom = [quad.bottomLeft, quad.bottomRight]
    }

    /// A band around a curved centre line, read from the first point to the last.
    init(spine: [Point], height: Double) {
        top = []
        bottom = []
        for index in spine.indices {
            let (before, after) = (spine[max(0, index - 1)], spine[min(spine.count - 1, index + 1)])
            let (dx, dy) = (after.x - before.x, after.y - before.y)
            let norm = max(1e-9, (dx * dx + dy * dy).squareRoot()) / (height / 2)
            top.append(Point(spine[index].x + dy / norm, spine[index].y - dx / norm))
            bottom.append(Point(spine[index].x - dy / norm, spine[index].y + dx / norm))
        }
    }

    var isBent: Bool { top.count > 2 }

    /// Points along the centre line.
    var spine: [Point] { zip(top, bottom).map { Point(($0.x + $1.x) / 2, ($0.y + $1.y) / 2) } }

    /// Length of the centre line, pixels.
    var length: Double { zip(spine, spine.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) } }

    /// Mean height across the line, pixels.
    var height: Double {
        zip(top, bottom).reduce(0) { $0 + $1.0.distance(to: $1.1) } / Double(max(1, top.count))
    }

    /// The longer of opposite sides, which sets the resolution of the line image.
    var extent: (width: Double, height: Double) {
        guard !isBent, let quad else { return (length, height) }
        return (
            max(quad.topLeft.distance(to: quad.topRight), quad.bottomLeft.distance(to: quad.bottomRight)),
            max(quad.topLeft.distance(to: quad.bottomLeft), quad.topRight.distance(to: quad.bottomRight))
        )
    }

    /// True if the shape is so much higher than wide that its text may run vertically.
    var isVertical: Bool {
        isBent ? abs(abs(angle) - 90) < 45 : extent.height >= 1.5 * extent.width
    }

    /// Length in either orientation, pixels.
    var span: Double { max(extent.width, extent.height) }

    /// The shorter of the two extents, pixels.
    var thickness: Double { min(extent.width, extent.height) }

    /// The middle of the centre line.
    var middle: Point {
        guard !spine.isEmpty else { return Point(0, 0) }
        let (one, other) = (spine[(spine.count - 1) / 2], spine[spine.count / 2])
        return Point((one.x + other.x) / 2, (one.y + other.y) / 2)
    }

    /// True for a point in the line, or at most `margin` pixels beside it.
    func contains(_ point: Point, margin: Double = 0) -> Bool {
        zip(spine, spine.dropFirst()).contains { start, end in
            let length = max(1, start.distance(to: end))
            let (dx, dy) = ((end.x - start.x) / length, (end.y - start.y) / length)
            let (x, y) = (point.x - start.x, point.y - start.y)
            return (-margin...length + margin).contains(x * dx + y * dy) && abs(y * dx - x * dy) < height / 2 + margin
        }
    }

    /// Slope of the line in degrees, −180…180; positive runs down to the right.
    var angle: Double {
        guard let first = spine.first, let last = spine.last else { return 0 }
        return atan2(last.y - first.y, last.x - first.x) * 180 / .pi
    }

    /// The same location, read upside down from the other end.
    var reversed: LineShape {
        var shape = self
        shape.top = bottom.reversed()
        shape.bottom = top.reversed()
        return shape
    }

    /// The same location of a vertical line, read from the bottom up (as on a book's spine) or from the top down.
    func read(_ direction: VerticalReadingDirection) -> LineShape {
        if isBent { return (angle > 0) == (direction == .down) ? self : reversed }
        guard let quad else { return self }
        let (tl, tr, br, bl) = (quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft)
        return switch direction {
        case .up: LineShape(Quad(topLeft: bl, topRight: tl, bottomRight: tr, bottomLeft: br))
        case .down: LineShape(Quad(topLeft: tr, topRight: br, bottomRight: bl, bottomLeft: tl))
        }
    }

    enum VerticalReadingDirection { case up, down }

    /// The four outer corners; nil only for a shape without points.
    private var quad: Quad? { quad(from: 0, to: 1) }

    /// The part of the line between two fractions (0…1) of its length.
    func quad(from start: Double, to end: Double) -> Quad? {
        guard let a = point(of: top, at: start), let b = point(of: top, at: end),
            let c = point(of: bottom, at: end), let d = point(of: bottom, at: start)
        else { return nil }
        return Quad(topLeft: a, topRight: b, bottomRight: c, bottomLeft: d)
    }

    private func point(of edge: [Point], at fraction: Double) -> Point? {
        guard edge.count > 1 else { return edge.first }
        let place = min(max(fraction, 0), 1) * Double(edge.count - 1)
        let index = min(Int(place), edge.count - 2)
        let part = place - Double(index)
        let (a, b) = (edge[index], edge[index + 1])
        return Point(a.x + part * (b.x - a.x), a.y + part * (b.y - a.y))
    }
}

extension Point {
    func distance(to other: Point) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}
