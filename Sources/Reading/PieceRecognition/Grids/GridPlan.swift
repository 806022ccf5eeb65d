import Core

/// A grid of nine squares rectified to a view from above, with a margin, and its ink.
struct GridPlan {
    struct Parameters: Sendable {
        /// Margin around the squares, in squares. Set on development pictures, as all values here.
        var margin = 0.6
        /// Side of a square, pixels.
        var side = 72.0
        /// Aspect ratio of the squares.
        var aspect = 0.4...2.5
        /// A picture with so many times the resolution is scaled down first, because a warp alone would skip pixels and
        /// thin lines with them.
        var maxResolution = 1.25
        /// Dark structures narrower than this are ink, in squares.
        var window = 0.6
        /// Deviation of the blur that suppresses noise of enlarged views, their pixels.
        var blur = 1.2
    }

    /// Sides of a square, pixels.
    let width, height: Double
    /// Pixels of the plan → of the picture.
    let toPicture: Homography
    /// Darkness of the ink, 0…255. Changed by erasing.
    let dark: Picture<UInt8>
    /// Where nothing is known: outside of the picture, and where a line covers everything. A mask.
    let unobserved: Picture<UInt8>
    /// Dark ink on a light ground.
    private let picture: Picture<UInt8>
    private let parameters: Parameters

    var margin: Double { parameters.margin }
    /// Mean side of a square, pixels.
    var side: Double { (width * height).squareRoot() }

    /// Squares → pixels of the plan.
    func x(_ u: Double) -> Double { (u + parameters.margin) * width - 0.5 }
    func y(_ v: Double) -> Double { (v + parameters.margin) * height - 0.5 }
    /// Pixels of the plan → squares.
    func u(_ x: Double) -> Double { (x + 0.5) / width - parameters.margin }
    func v(_ y: Double) -> Double { (y + 0.5) / height - parameters.margin }

    /// - Parameter map: Squares → pixels of the picture.
    init(of grey: Picture<UInt8>, _ map: Homography, _ p: Parameters = .init()) throws(PictureFailure) {
        (picture, parameters) = (grey, p)
        let (a, b, c, d) = (map(Point(1, 1)), map(Point(2, 1)), map(Point(2, 2)), map(Point(1, 2)))
        let across = ((b - a).length + (c - d).length) / 2
        let down = ((d - a).length + (c - b).length) / 2
        let aspect = max(p.aspect.lowerBound, min(p.aspect.upperBound, across / down))
        (width, height) = (p.side * aspect.squareRoot(), p.side / aspect.squareRoot())
        let toSquares = Homography(
            origin: Point(0.5 / width - p.margin, 0.5 / height - p.margin), across: Point(1 / width, 0),
            down: Point(0, 1 / height))
        toPicture = map * toSquares
        let less = min(across / width, down / height) / p.maxResolution
        let (from, ownMap) = less > 1 ? try Self.reduced(grey, by: less, map, p) : (grey, map)
        let size = (
            width: Int(whole: (3 + 2 * p.margin) * width), height: Int(whole: (3 + 2 * p.margin) * height)
        )
        let matrix = ownMap * toSquares
        let view = try from.warped(matrix, width: size.width, height: size.height)
        let seen = try Picture<UInt8>.white(width: from.width, height: from.height)
            .warped(matrix, width: size.width, height: size.height, .nearest, repeatsRim: false)
            .morphed(.erode, .rectangle, 3)
        let all = try Ink.darkness(of: view, window: Int(p.window * (width * height).squareRoot()))
        (dark, unobserved) = (try all.and(seen), try seen.inverted())
    }

    /// The part of the picture around the squares at `1 / less` of its size, and the map from squares to it.
    private static func reduced(
        _ grey: Picture<UInt8>, by less: Double, _ map: Homography, _ p: Parameters
    ) throws(PictureFailure) -> (Picture<UInt8>, Homography) {
        let ends = [-p.margin, 3 + p.margin]
        let rim = ends.flatMap { y in ends.map { map(Point($0, y)) } }
        func whole(_ value: Double?) -> Int { Int(whole: Double(Float(value ?? 0)), .down) }
        let left = max(0, whole(rim.map(\.x).min()))
        let top = max(0, whole(rim.map(\.y).min()))
        let right = min(grey.width, whole(rim.map(\.x).max()) + 1)
        let bottom = min(grey.height, whole(rim.map(\.y).max()) + 1)
        guard left < right, top < bottom else { throw PictureFailure.argument }
        let box = PixelBox(x: left, y: top, width: right - left, height: bottom - top)
        let small = try grey.part(box).scaled(
            toWidth: max(1, Int(whole: Double(box.width) / less)),
            height: max(1, Int(whole: Double(box.height) / less)), .area)
        let (x, y) = (Double(small.width) / Double(box.width), Double(small.height) / Double(box.height))
        let shift = Homography(origin: Point(-Double(left), -Double(top)))
        return (small, .enlarging(x: x, y: y) * shift * map)
    }

    /// A part of the plan as the picture shows it, `finer` times as large.
    func view(_ part: PixelBox, finer: Int) throws(PictureFailure) -> Picture<UInt8> {
        let step = 1 / Double(finer)
        let place = Homography(
            origin: Point(Double(part.x) + 0.5 * step - 0.5, Double(part.y) + 0.5 * step - 0.5), scale: step)
        return try picture.warped(
            toPicture * place, width: part.width * finer, height: part.height * finer, .cubic
        ).smoothed(parameters.blur)
    }
}

/// The outer bounds of nine squares, in squares.
struct GridBounds {
    struct Parameters: Sendable {
        /// Marks may extend so far beyond the lines' ends, and lines may end so far before their squares do, in
        /// squares. Set on development pictures.
        var more = 0.12
        var least = 0.06
    }

    var left, right, top, bottom: Double

    /// Bounds that no line closes: the extent of the lines between them.
    init(of grid: LineGrid, margin: Double, _ p: Parameters = .init()) {
        func extent(_ index: Int, _ coordinate: (Point) -> Double) -> (low: Double, high: Double) {
            let line = grid.lines[index]
            let (a, b) = (coordinate(grid.toSquares(line.start)), coordinate(grid.toSquares(line.end)))
            return (min(a, b), max(a, b))
        }
        let (upper, lower) = (extent(2, \.x), extent(3, \.x))
        let (first, second) = (extent(0, \.y), extent(1, \.y))
        func start(_ value: Double) -> Double { max(-margin, min(-p.least, value - p.more)) }
        func end(_ value: Double) -> Double { max(3 + p.least, min(3 + margin, value + p.more)) }
        (left, right) = (start(min(upper.low, lower.low)), end(max(upper.high, lower.high)))
        (top, bottom) = (start(min(first.low, second.low)), end(max(first.high, second.high)))
    }

    func contains(_ u: Double, _ v: Double) -> Bool { u >= left && u <= right && v >= top && v <= bottom }
    func containsInside(_ u: Double, _ v: Double) -> Bool { u > left && u < right && v > top && v < bottom }
}
