import Core
import Foundation

/// Quadrangles with an edge on all sides and none inside. They include pieces that hardly differ from the table or have
/// an equally strong shadow.
extension PreparedPieceImage {
    struct EnclosedParameters: Sendable {
        /// The direction of a shorter side cannot be measured, working pixels.
        var smallest = 10
        /// Maximum number, and the largest share of the picture as its reciprocal.
        var most = 600
        var largest = 3
        /// Gradients at which an edge begins, in Sobel's units, eight to a step of one; noise of 3.5 gives 15.
        var levels = [30.0, 90.0]
        /// Canny's lower threshold in levels.
        var lower = 0.5
        /// Boxes whose sides differ by fewer pixels in all are the same region.
        var sameBox = 5
        /// Smallest share of the convex hull, and of the outline within `near` pixels of the sides.
        var minConvexity = 0.8
        var minSupport = 0.75
        var near = 1.5
        /// Range in which the rim is searched for, pixels outward from the region.
        var reach = -1.5...2.5
        /// Halves of a side on which the rim is located.
        var halves = [0.1..<0.46, 0.54..<0.9]
        /// Places a half: per pixel of the side, and their range.
        var samplesPerPixel = 0.36
        var samples = 6...24
    }

    func enclosed(parameters: EnclosedParameters = EnclosedParameters()) throws(PictureFailure) -> [Shape] {
        guard toFull == nil, work.width >= 4 * parameters.smallest, work.height >= 4 * parameters.smallest else {
            return []
        }
        return try allEnclosed(parameters)
    }

    private func allEnclosed(_ parameters: EnclosedParameters) throws(PictureFailure) -> [Shape] {
        var found: [Shape] = []
        var known: [PixelBox] = []
        // The channel with the steepest gradient counts, because a tile may have the table's brightness and another
        // hue.
        let gradients = try work.gradients()
        for level in parameters.levels {
            // Dilation closes gaps of edges at corners.
            let edges = try gradients.x.edges(gradients.y, low: parameters.lower * level, high: level)
                .morphed(.dilate, .cross, 3)
            // The outline of a hole in the edges is a region.
            try PictureOutlines(edges, .holes).forEach { outline throws(PictureFailure) in
                let box = outline.box
                guard found.count < parameters.most, box.width >= parameters.smallest,
                    box.height >= parameters.smallest,
                    box.width * box.height <= work.width * work.height / parameters.largest, box.x >= 2, box.y >= 2,
                    box.right <= work.width - 2, box.bottom <= work.height - 2,
                    !known.contains(where: { $0.distance(box) < parameters.sameBox }),
                    let shape = try quadrangle(outline, parameters)
                else { return }
                found.append(shape)
                known.append(box)
            }
        }
        return found
    }

    /// Four sides around a region without steep gradients, moved outward to its rim.
    private func quadrangle(
        _ outline: PixelOutline, _ parameters: EnclosedParameters
    ) throws(PictureFailure) -> Shape? {
        let hull = try outline.hull()
        guard outline.area >= parameters.minConvexity * hull.area else { return nil }
        let sides = StraightSides()
        guard let coarse = try sides.corners(of: hull), coarse.count == 4,
            let straight = try sides.straightened(coarse, on: outline), let corners = StraightSides.clockwise(straight)
        else { return nil }
        let support = Double(outline.countNear(corners, distance: parameters.near)) / Double(outline.count)
        guard support >= parameters.minSupport else { return nil }
        var contrast = 255.0
        var lines: [StraightLine] = []
        for index in 0..<4 {
            guard let (line, step) = try rim(from: corners[index], to: corners[(index + 1) % 4], parameters) else {
                return nil
            }
            contrast = min(contrast, step)
            lines.append(line)
        }
        guard let crossings = StraightLine.corners(of: lines, minSine: sides.parameters.minSine),
            let final = StraightSides.clockwise(crossings)
        else { return nil }
        return Shape(
            corners: final.map { $0.enlarged(by: workingStep) }, label: nil, fill: support, contrast: contrast,
            spread: 0, rgb: [0, 0, 0])
    }

    /// The line of greatest change of colour outside of a side, and the change in the weaker half of the side.
    private func rim(
        from a: Point, to b: Point, _ parameters: EnclosedParameters
    ) throws(PictureFailure) -> (StraightLine, step: Double)? {
        let along = b - a
        let length = along.length
        let out = Point(along.y, -along.x) * (1 / length)
        let samples = max(
            parameters.samples.lowerBound,
            min(parameters.samples.upperBound, Int(length * parameters.samplesPerPixel)))
        // Three taps of half a pixel on both sides of the range, for the difference.
        let first = parameters.reach.lowerBound - 2
        let offsets = stride(from: first, through: parameters.reach.upperBound + 2, by: 0.5).map { $0 }
        var moved: [Point] = []
        var weaker = Double.infinity
        for half in parameters.halves {
            var places: [Double] = []
            places.reserveCapacity(2 * offsets.count * samples)
            for off in offsets {
                for index in 0..<samples {
                    let share =
                        half.lowerBound + (half.upperBound - half.lowerBound) * (Double(index) + 0.5) / Double(samples)
                    let at = a + along * share + out * off
                    places.append(at.x)
                    places.append(at.y)
                }
            }
            var values = [Double](repeating: 0, count: places.count / 2 * 3)
            try work.sample(places, isClamped: true, into: &values)
            var means = [SIMD3<Double>](repeating: .zero, count: offsets.count)
            for tap in offsets.indices {
                for index in 0..<samples {
                    let at = 3 * (tap * samples + index)
                    means[tap] += SIMD3(values[at], values[at + 1], values[at + 2])
                }
                means[tap] *= 1 / Double(samples)
            }
            var (best, place) = (0.0, 0.0)
            for tap in 3..<max(3, means.count - 3) {
                let change = means[tap + 3] + means[tap + 2] - means[tap - 2] - means[tap - 3]
                let here = (change * change).sum().squareRoot() / 2
                if here > best { (best, place) = (here, first + 0.5 * Double(tap)) }
            }
            weaker = min(weaker, best)
            moved.append(a + along * ((half.lowerBound + half.upperBound) / 2) + out * place)
        }
        let way = moved[1] - moved[0]
        guard weaker > 0, way.length > 0 else { return nil }
        return (StraightLine(direction: way * (1 / way.length), at: moved[0]), weaker)
    }
}

extension PixelBox {
    /// Sum of the differences of all four sides, pixels.
    fileprivate func distance(_ other: PixelBox) -> Int {
        abs(other.x - x) + abs(other.y - y) + abs(other.right - right) + abs(other.bottom - bottom)
    }
}
