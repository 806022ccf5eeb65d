import Core

/// Locates a printed board by its markers.
struct MarkedBoard {
    struct Parameters: Sendable {
        /// Longer side of the copy in which markers are found, pixels. Set on development photos, as all values here.
        var longSide = 700.0
        /// Window and difference of the adaptive threshold, pixels and 0…255.
        var window = 35
        var darker = 8.0
        /// A marker of fewer than 14 working pixels shows no cells: shortest outline, smallest area.
        var minOutline = 48
        var minArea = 150.0
        /// Tolerance of the approximation that finds four corners, in outline points.
        var tolerance = 0.06
        /// Pixels within which an edge is located: range, and in shortest sides; fewest places that show it.
        var reach = 1.5...4.0
        var reachInSide = 1.0 / 12
        var minPlaces = 8
        /// The same for markers that leave the picture or are occluded. A third of a side proves an edge.
        var partialReach = 4.0
        var minPartialPlaces = 5
        /// Share of cells that match. An object on a marker changes its cells.
        var minAgreement = 0.85
        /// Outliers are removed, at most so many, above this residual in pixels, while one removal reduces it to this
        /// share, from at least and at most so many corners.
        var outliers = (most: 4, residual: 0.8, share: 0.7, corners: 9...32)
        /// Corners that determine a board on all sides, and that locate one at all.
        var certain = 12
        var least = 8
        /// Distances at which other markers are searched, pixels: with two or three markers in a large area around their
        /// predicted position, then in a small one, from which corners are measured. A corner may add this residual.
        var searches = [24.0, 2.0]
        var measuring = 3.0
        var moreResidual = 1.0
        /// Assumed error of a visible corner, pixels.
        var cornerError = 0.25
    }

    /// Homography from board millimetres to picture pixels.
    var map: Homography
    /// Root mean square residual of the marker corners, pixels.
    var residual: Double
    /// Uncertainty in millimetres of the worst corner of the markers' bounding rectangle; 0 for twelve or more visible
    /// corners.
    var uncertainty: Double

    /// Corners on the board (millimetres) and in the picture.
    private struct Pairs {
        var from: [Point] = []
        var to: [Point] = []

        func fit() throws(PictureFailure) -> (map: Homography, residual: Double)? {
            Homography.fitting(from, to: to)
        }
    }

    /// One marker of the set.
    private struct Marker {
        var word: Int
        /// Millimetres, clockwise from the top left.
        var corners: [Point]
    }

    /// Nil with fewer than two complete markers. One marker locates the board but hardly determines its rotation.
    init?(_ grey: Picture<UInt8>, markers: BoardMarkers, parameters p: Parameters = Parameters()) throws(PictureFailure)
    {
        let xy = markers.corners
        let all = markers.markers.enumerated().map { index, marker in
            Marker(
                word: Int(marker.word),
                corners: (0..<4).map { Point(xy[8 * index + 2 * $0], xy[8 * index + 2 * $0 + 1]) })
        }
        let cells = MarkerCells(grey: grey)
        var pairs: Pairs
        let seen: Set<Int>
        (pairs, seen) = try Self.whole(all, cells, p)
        guard pairs.from.count >= p.least, var fit = try pairs.fit() else { return nil }
        let isComplete = seen.count == all.count
        fit = try Self.withoutOutliers(&pairs, fit, p)
        for farthest in isComplete ? [] : p.searches {
            var more = pairs
            for (index, marker) in all.enumerated() where !seen.contains(index) {
                try Self.addPartial(marker, cells, fit.map, farthest: farthest, to: &more, p)
            }
            guard more.from.count > pairs.from.count, let first = try more.fit() else { continue }
            let better = try Self.withoutOutliers(&more, first, p)
            guard better.residual <= fit.residual + p.moreResidual else { continue }
            fit = better
            // Corners from the large search are measured again.
            if farthest < p.measuring { pairs = more }
        }
        (map, residual) = fit
        uncertainty = pairs.from.count >= p.certain ? 0 : try Self.uncertainty(pairs, fit.map, all, p)
    }

    /// The corners of completely visible markers, each once, and the numbers of these markers.
    private static func whole(
        _ markers: [Marker], _ cells: MarkerCells, _ p: Parameters
    ) throws(PictureFailure) -> (Pairs, Set<Int>) {
        let grey = cells.grey
        // By a whole number, which is several times faster.
        let less = max(1, Int((Double(max(grey.width, grey.height)) / p.longSide).rounded(.toNearestOrEven)))
        guard min(grey.width, grey.height) >= less else { return (Pairs(), []) }
        let small = try grey.reduced(byWhole: less)
        var (pairs, seen) = (Pairs(), Set<Int>())
        try PictureOutlines(small.darker(window: p.window, by: p.darker), .all).forEach {
            outline throws(PictureFailure) in
            guard outline.count >= p.minOutline, outline.count <= small.width else { return }
            let few = try outline.simplified(p.tolerance * Double(outline.count))
            guard few.count == 4, few.isConvex, few.area >= p.minArea else { return }
            let corners = few.clockwise.map { $0.enlarged(by: Double(less)) }
            let sides = (0..<4).map { side -> Point in corners[(side + 1) % 4] - corners[side] }
            let shortest = sides.map(\.length).min() ?? 0
            guard cells.word(corners) != nil else { return }
            let reach = min(p.reach.upperBound, max(p.reach.lowerBound, shortest * p.reachInSide))
            let exact = try cells.seenCorners(corners, reach: reach, least: p.minPlaces).compactMap { $0 }
            guard exact.count == 4, var word = cells.word(exact) else { return }
            for turn in 0..<4 {
                if let index = markers.firstIndex(where: { $0.word == word }), seen.insert(index).inserted {
                    pairs.from += markers[index].corners
                    pairs.to += (0..<4).map { exact[($0 + turn) % 4] }
                    return
                }
                word = MarkerCells.turned(word)
            }
        }
        return (pairs, seen)
    }

    /// Adds the visible corners of a marker that leaves the picture or is partly occluded, at most `farthest` pixels from
    /// where the map predicts them.
    private static func addPartial(
        _ marker: Marker, _ cells: MarkerCells, _ map: Homography, farthest: Double, to pairs: inout Pairs,
        _ p: Parameters
    ) throws(PictureFailure) {
        let predicted = marker.corners.map { map($0) }
        let start = cells.bestShift(predicted, marker.word, farthest: farthest)
        let corners = predicted.map { $0 + start }
        let found = try cells.seenCorners(corners, reach: p.partialReach, least: p.minPartialPlaces)
        let known = zip(found, corners).compactMap { seen, corner in seen.map { $0 - corner } }
        guard !known.isEmpty else { return }
        let shift = known.reduce(Point(0, 0), +) * (1 / Double(known.count))
        let exact = zip(found, corners).map { $0 ?? $1 + shift }
        guard cells.agreement(exact, marker.word) >= p.minAgreement else { return }
        for (seen, onBoard) in zip(found, marker.corners) {
            guard let seen else { continue }
            pairs.from.append(onBoard)
            pairs.to.append(seen)
        }
    }

    /// Removes outlier corners, for example those occluded by a piece: one at a time, the one whose removal reduces the
    /// residual most, while that helps much.
    private static func withoutOutliers(
        _ pairs: inout Pairs, _ start: (map: Homography, residual: Double), _ p: Parameters
    ) throws(PictureFailure) -> (map: Homography, residual: Double) {
        var fit = start
        for _ in 0..<p.outliers.most {
            guard fit.residual > p.outliers.residual, p.outliers.corners.contains(pairs.from.count) else { break }
            var best: (pairs: Pairs, fit: (map: Homography, residual: Double))?
            for index in pairs.from.indices {
                var rest = pairs
                rest.from.remove(at: index)
                rest.to.remove(at: index)
                guard let other = try rest.fit() else { continue }
                if other.residual < best?.fit.residual ?? p.outliers.share * fit.residual { best = (rest, other) }
            }
            guard let best else { break }
            (pairs, fit) = best
        }
        return fit
    }

    private static func uncertainty(
        _ pairs: Pairs, _ map: Homography, _ markers: [Marker], _ p: Parameters
    ) throws(PictureFailure) -> Double {
        let all = markers.flatMap(\.corners)
        let (left, right) = (all.map(\.x).min() ?? 0, all.map(\.x).max() ?? 0)
        let (top, bottom) = (all.map(\.y).min() ?? 0, all.map(\.y).max() ?? 0)
        let ends = [Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)]
        var squares = [0.0, 0, 0, 0]
        for index in pairs.to.indices {
            for off in [Point(p.cornerError, 0), Point(0, p.cornerError)] {
                var moved = pairs
                moved.to[index] = moved.to[index] + off
                guard let back = try moved.fit()?.map.inverse else { return .infinity }
                for (end, place) in ends.enumerated() {
                    let change = back(map(place)) - place
                    squares[end] += change.dot(change)
                }
            }
        }
        return (squares.max() ?? .infinity).squareRoot()
    }
}
