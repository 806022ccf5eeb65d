import Core
import Foundation

extension PreparedPieceImage {
    /// How regions with straight sides are segmented.
    struct ShapeParameters: Sendable {
        /// Maximum number of shapes. No photo of a board has as many with straight sides.
        var most = 600
        /// The direction of a shorter side cannot be measured, working pixels.
        var smallest = 9
        /// Largest share of the picture.
        var largest = 0.2
        /// Smallest share of its convex hull.
        var minConvexity = 0.86
        /// Smallest share of the outline within `near` working pixels of the sides.
        var minSupport = 0.8
        var near = 2.0
        /// Lowest level of contrast: 0…255, and in multiples of the table's noise.
        var minLevel = 18.0
        var levelInNoise = 5.0
        /// The levels rise by this factor up to `maxLevel`.
        var levelStep = 1.4
        var maxLevel = 200.0
        /// Levels at which regions are split at seams, in lowest levels.
        var seamLevels = [1.0, 2.5]
        /// A wider brush, pixels: a dark rim can join neighbours where the seam meets the outline.
        var wideBrush = 7
        /// The interior is sampled at about so many places, in a copy of the polygon of this size.
        var interiorPlaces = 400.0
        var interiorSize = 0.8
        /// The quantile of the differences from the median colour that is the spread, in tenths.
        var spreadTenths = 9
    }

    /// Regions with three or four straight sides. A piece may occur several times.
    func shapes(parameters: ShapeParameters = ShapeParameters()) throws(PictureFailure) -> [Shape] {
        Array(try allShapes(parameters).prefix(parameters.most))
    }

    private func allShapes(_ parameters: ShapeParameters) throws(PictureFailure) -> [Shape] {
        var found: [Shape] = []
        // Labels come first, because they identify the piece and must not be cut off by the capacity.
        if let labels, let palette {
            for (label, box) in try labels.boxes(of: palette.colours.count).enumerated() {
                guard let box else { continue }
                // The rest of the mask is empty, so opening and contours are restricted to the label's box.
                let wide = box.grown(by: 1, inWidth: labels.width, height: labels.height)
                let own = try labels.part(wide).equal(to: label + 1).morphed(.open, .rectangle, 3, isIsolated: true)
                found += try shapes(on: own, at: wide, label: label, parameters)
            }
        }
        guard let seams else { return found }
        let lowest = max(parameters.minLevel, parameters.levelInNoise * noise)
        var level = lowest
        while level < parameters.maxLevel {
            let mask = try difference.above(level).morphed(.open, .rectangle, 3)
            found += try shapes(on: mask, at: mask.box, label: nil, parameters)
            level *= parameters.levelStep
        }
        for factor in parameters.seamLevels {
            let parted = try difference.above(factor * lowest).without(seams)
            for brush in [(Picture<UInt8>.Brush.rectangle, 3), (.ellipse, parameters.wideBrush)] {
                let mask = try parted.morphed(.open, brush.0, brush.1)
                found += try shapes(on: mask, at: mask.box, label: nil, parameters)
            }
        }
        return found
    }

    /// The shapes of a mask, which covers `box` of the working copy.
    private func shapes(
        on mask: Picture<UInt8>, at box: PixelBox, label: Int?, _ parameters: ShapeParameters
    ) throws(PictureFailure) -> [Shape] {
        var found: [Shape] = []
        try PictureOutlines(mask, origin: (box.x, box.y)).forEach { outline throws(PictureFailure) in
            if let shape = try shape(outline, on: mask, at: box, label: label, parameters) { found.append(shape) }
        }
        return found
    }

    /// Nil if the outline has no straight sides.
    private func shape(
        _ outline: PixelOutline, on mask: Picture<UInt8>, at origin: PixelBox, label: Int?,
        _ parameters: ShapeParameters
    ) throws(PictureFailure) -> Shape? {
        let smallest = parameters.smallest
        guard outline.count >= 4 * smallest else { return nil }
        let box = outline.box
        guard box.width >= smallest, box.height >= smallest, box.x > 1, box.y > 1, box.right < work.width - 1,
            box.bottom < work.height - 1
        else { return nil }
        let area = outline.area
        guard area >= 0.5 * Double(smallest * smallest), area <= parameters.largest * Double(work.height * work.width)
        else { return nil }
        let hull = try outline.hull()
        guard area >= parameters.minConvexity * hull.area else { return nil }
        let sides = StraightSides()
        guard let coarse = try sides.corners(of: hull), let once = try sides.straightened(coarse, on: outline),
            let twice = try sides.straightened(once, on: outline), let corners = StraightSides.clockwise(twice)
        else { return nil }
        let near = outline.countNear(corners, distance: parameters.near)
        guard Double(near) / Double(outline.count) >= parameters.minSupport else { return nil }
        var shape = Shape(
            corners: corners.map { $0.enlarged(by: workingStep) }, label: label, fill: 0, contrast: 0, spread: 0,
            rgb: [0, 0, 0])
        measureInterior(of: corners, on: mask, at: origin, into: &shape, parameters)
        return shape
    }

    /// Samples the interior of the polygon on a coarse grid.
    private func measureInterior(
        of corners: [Point], on mask: Picture<UInt8>, at origin: PixelBox, into shape: inout Shape,
        _ parameters: ShapeParameters
    ) {
        let middle = corners.reduce(Point(0, 0)) { $0 + $1 * (1 / Double(corners.count)) }
        let shrunk = corners.map { middle + ($0 - middle) * parameters.interiorSize }
        let (left, right) = (shrunk.map(\.x).min() ?? 0, shrunk.map(\.x).max() ?? 0)
        let (top, bottom) = (shrunk.map(\.y).min() ?? 0, shrunk.map(\.y).max() ?? 0)
        let step = max(1, ((right - left) * (bottom - top) / parameters.interiorPlaces).squareRoot())
        let polygon = ConvexPolygon(shrunk)
        var places: [(x: Int, y: Int)] = []
        var counts = ByteCounts(channels: 4)
        var own = 0
        var y = top
        while y <= bottom {
            let row = Int(y.rounded(.toNearestOrEven))
            var x = left
            while x <= right {
                let column = Int(x.rounded(.toNearestOrEven))
                x += step
                guard column >= 0, row >= 0, column < work.width, row < work.height, polygon.contains(column, row)
                else { continue }
                places.append((column, row))
                let (u, v) = (column - origin.x, row - origin.y)
                if u >= 0, v >= 0, u < mask.width, v < mask.height, mask[u, v] != 0 { own += 1 }
                let (r, g, b) = even.rgb(column, row)
                counts.add(r, channel: 0)
                counts.add(g, channel: 1)
                counts.add(b, channel: 2)
                counts.add(difference[column, row], channel: 3)
            }
            y += step
        }
        guard !places.isEmpty else { return }
        shape.fill = Double(own) / Double(places.count)
        shape.contrast = Double(counts.median(channel: 3))
        let common = (0..<3).map { counts.value(at: places.count / 2, channel: $0) }
        shape.rgb = common.map(Double.init)
        var away = ByteCounts()
        for place in places {
            let (r, g, b) = even.rgb(place.x, place.y)
            away.add(
                UInt8(max(abs(Int(r) - common[0]), abs(Int(g) - common[1]), abs(Int(b) - common[2]))))
        }
        shape.spread = Double(away.value(at: places.count * parameters.spreadTenths / 10))
    }
}

/// A convex polygon in clockwise order, for tests of many pixels.
struct ConvexPolygon {
    private let sides: [(x: Float, y: Float, dx: Float, dy: Float)]

    init(_ corners: [Point]) {
        sides = corners.indices.map { index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            let (x, y) = (Float(a.x), Float(a.y))
            return (x, y, Float(b.x) - x, Float(b.y) - y)
        }
    }

    /// True inside and on the sides.
    func contains(_ x: Int, _ y: Int) -> Bool {
        for side in sides {
            let (u, v) = (Float(x) - side.x, Float(y) - side.y)
            if Double(side.dx) * Double(v) - Double(side.dy) * Double(u) < 0 { return false }
        }
        return true
    }
}
