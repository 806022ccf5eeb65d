import Core

/// Fits three or four straight sides to the outline of a region.
struct StraightSides {
    struct Parameters: Sendable {
        /// Tolerances of the approximation that finds corners, in outline lengths; the first that leaves four corners
        /// counts. Set on development photos, as all values here without another origin.
        var tolerances = stride(from: 0.02, to: 0.075, by: 0.01).map { $0 }
        /// A side shorter than this share of the outline is a truncated tip.
        var tipLength = 0.09
        /// A restored tip is at most this far from it, in lengths of the truncated side.
        var tipReach = 2.0
        /// Part of each side whose points are used. Corners are often rounded.
        var part = 0.08..<0.92
        /// Minimum number of outline points of a side, pixels.
        var minPoints = 5
        /// Minimum sine of the angle between neighbouring sides.
        var minSine = 0.15
        /// Maximum distance between a corner and its first guess, in outline lengths.
        var cornerReach = 0.25
    }

    var parameters = Parameters()

    /// Three or four corners of a hull, with truncated tips restored; nil if it has more sides.
    func corners(of hull: PixelPolygon) throws(PictureFailure) -> [Point]? {
        let around = Outline.perimeter(hull.corners)
        var corners = try hull.simplified(by: parameters.tolerances, to: 4).corners
        while (4...6).contains(corners.count) {
            let n = corners.count
            var (shortest, length) = (0, Double.infinity)
            for index in 0..<n {
                let side = (corners[(index + 1) % n] - corners[index]).length
                if side < length { (length, shortest) = (side, index) }
            }
            if length > parameters.tipLength * around { break }
            let (b, c) = (shortest, (shortest + 1) % n)
            let (a, d) = ((b + n - 1) % n, (c + 1) % n)
            let middle = (corners[b] + corners[c]) * 0.5
            // Not of length 1: the limit of the sine applies to the product of the lengths, so nearly all cross.
            let tip =
                StraightLine(direction: corners[b] - corners[a], at: corners[a]).crossing(
                    StraightLine(direction: corners[c] - corners[d], at: corners[d]), minSine: parameters.minSine)
                ?? middle
            if (tip - middle).length > parameters.tipReach * length { break }
            corners[b] = tip
            corners.remove(at: c)
        }
        return (3...4).contains(corners.count) ? corners : nil
    }

    /// The corners moved to the crossings of lines fitted to the outline; nil if a side has too few points, or if two
    /// are parallel.
    func straightened(_ corners: [Point], on outline: PixelOutline) throws(PictureFailure) -> [Point]? {
        let sides = try outline.lines(along: corners, within: parameters.part)
        guard sides.allSatisfy({ $0.used >= parameters.minPoints }) else { return nil }
        let reach = parameters.cornerReach * Outline.perimeter(outline.corners)
        let moved = StraightLine.corners(of: sides.map(\.line), minSine: parameters.minSine)
        return moved.flatMap { zip($0, corners).allSatisfy { ($0 - $1).length <= reach } ? $0 : nil }
    }

    /// The corners in clockwise order; nil if they are not convex.
    static func clockwise(_ corners: [Point]) -> [Point]? {
        let turns = corners.indices.map { index in
            let next = corners[(index + 1) % corners.count]
            return (next - corners[index]).cross(corners[(index + 2) % corners.count] - next) > 0
        }
        if turns.allSatisfy({ $0 }) { return corners }
        return turns.contains(true) ? nil : corners.reversed()
    }
}
