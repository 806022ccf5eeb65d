import Foundation

/// A point, by default in pixels of the upright image, origin top-left, x right, y down. In JSON `[x, y]`, rounded to
/// a tenth.
public struct Point: Sendable, Hashable, Codable {
    public var x: Double
    public var y: Double

    public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        self.init(try container.decode(Double.self), try container.decode(Double.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(x.rounded(toPlaces: 1))
        try container.encode(y.rounded(toPlaces: 1))
    }
}

/// Four corners, clockwise from the top-left of the content. In JSON `[[x,y]×4]`.
public struct Quad: Sendable, Hashable, Codable {
    public var topLeft, topRight, bottomRight, bottomLeft: Point

    public init(topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// An axis-aligned rectangle.
    @inlinable public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(
            topLeft: Point(x, y), topRight: Point(x + width, y),
            bottomRight: Point(x + width, y + height), bottomLeft: Point(x, y + height))
    }

    /// The smallest axis-aligned rectangle around all `quads`; nil if there are none.
    @inlinable public init?(around quads: some Sequence<Quad>) {
        var bounds: (left: Double, right: Double, top: Double, bottom: Double)?
        for quad in quads {
            guard let old = bounds else {
                bounds = (quad.minX, quad.maxX, quad.minY, quad.maxY)
                continue
            }
            bounds = (
                min(old.left, quad.minX), max(old.right, quad.maxX), min(old.top, quad.minY), max(old.bottom, quad.maxY)
            )
        }
        guard let bounds else { return nil }
        self.init(
            x: bounds.left, y: bounds.top, width: bounds.right - bounds.left, height: bounds.bottom - bounds.top)
    }

    /// The smallest rectangle around words that lies in the direction of one of them; nil if there are none.
    public init?(along words: [Quad]) {
        let found = words.compactMap { word -> (level: Quad, angle: Double)? in
            let angle = atan2(word.topRight.y - word.topLeft.y, word.topRight.x - word.topLeft.x)
            return Quad(around: words.lazy.map { $0.turned(by: -angle) }).map { ($0, angle) }
        }
        guard let best = found.min(by: { $0.level.width * $0.level.height < $1.level.width * $1.level.height })
        else { return nil }
        self = best.level.turned(by: best.angle)
    }

    /// Turned about the photo's top-left corner.
    ///
    /// - Parameter angle: radians clockwise.
    private func turned(by angle: Double) -> Quad {
        guard angle != 0 else { return self }
        let (sine, cosine) = (sin(angle), cos(angle))
        let turned = corners.map { Point(cosine * $0.x - sine * $0.y, sine * $0.x + cosine * $0.y) }
        return Quad(topLeft: turned[0], topRight: turned[1], bottomRight: turned[2], bottomLeft: turned[3])
    }

    /// Clockwise from the top-left.
    public var corners: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }

    @inlinable public var minX: Double { min(topLeft.x, topRight.x, bottomRight.x, bottomLeft.x) }
    @inlinable public var maxX: Double { max(topLeft.x, topRight.x, bottomRight.x, bottomLeft.x) }
    @inlinable public var minY: Double { min(topLeft.y, topRight.y, bottomRight.y, bottomLeft.y) }
    @inlinable public var maxY: Double { max(topLeft.y, topRight.y, bottomRight.y, bottomLeft.y) }
    public var width: Double { maxX - minX }
    public var height: Double { maxY - minY }
    public var center: Point { Point((minX + maxX) / 2, (minY + maxY) / 2) }

    /// A rectangle written as `left,top,width,height`; nil for other text and for numbers outside 0…100,000.
    public init?(rectangle text: String) {
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        guard numbers.count == 4, numbers.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// The bounding box as `left,top,width,height`, whole pixels around it.
    public var rectangle: String {
        [minX.rounded(.down), minY.rounded(.down), width.rounded(.up), height.rounded(.up)].map { String(Int($0)) }
            .joined(separator: ",")
    }

    /// The share 0…1 of the other's bounding box that lies inside this one's.
    public func covers(_ other: Quad) -> Double {
        let area = other.width * other.height
        return area > 0 ? sharedArea(other) / area : 0
    }

    /// The share 0…1 of the smaller bounding box that lies inside the other.
    public func overlap(with other: Quad) -> Double { max(covers(other), other.covers(self)) }

    private func sharedArea(_ other: Quad) -> Double {
        max(0, min(maxX, other.maxX) - max(minX, other.minX)) * max(0, min(maxY, other.maxY) - max(minY, other.minY))
    }

    public init(from decoder: any Decoder) throws {
        let points = try [Point](from: decoder)
        guard points.count == 4 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a box has 4 corners, not \(points.count)"))
        }
        self.init(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
    }

    public func encode(to encoder: any Encoder) throws { try corners.encode(to: encoder) }
}
