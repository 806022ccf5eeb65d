internal import COpenCV
import Core

/// Detects a two-coloured board by the junctions of four squares. It needs no outline and works on a table of either
/// colour.
struct BoardJunctions {
    struct Parameters: Sendable {
        /// Longer side of the working copy, pixels, and the strongest enlargement. Set on development photos, as all
        /// values here.
        var longSide = 800.0
        var minStep = 0.5
        /// Radius of the ring on which a place is sampled, pixels; squares must be some three times as large.
        var ringRadius = 5.0
        /// Differences of the ring's quarters below `minSums` and responses below `minResponse` are noise, 0…255 a
        /// sample; one response counts in a window of this side.
        var minSums = 60
        var minResponse: Float = 40
        var window = 9
        var maxJunctions = 300
        var minJunctions = 12
        /// Places from which lattices are grown, and neighbours that may be its steps.
        var seeds = 40
        var neighbours = 8
        /// Two steps differ by at most this factor, have at most this cosine, and at least this length in ring radii.
        var maxStretch = 1.8
        var maxCosine = 0.5
        var minStepInRadii = 2.2
        /// A junction is at most this share of a step from its expected place; the next step takes this share of it.
        var reach = 0.22
        var adaptation = 0.6
        var maxLattice = 200
        /// A lattice with this share of the board's junctions is enough; fewest junctions of a board; smallest share of
        /// the board's, and of the lattice's junctions in a window.
        var sufficient = 0.9
        var minInside = 9
        var minShare = 0.45
        var minOfLattice = 0.7
        /// Largest mean distance of junctions from the board, working pixels.
        var maxMisfit = 2.5
    }

    var parameters = Parameters()

    private struct Cell: Hashable, Comparable {
        var column, row: Int
        static func < (a: Cell, b: Cell) -> Bool { (a.column, a.row) < (b.column, b.row) }
    }

    /// The places of junctions by column and row.
    private typealias Lattice = [Cell: Int]

    /// Candidate boards of `rows` by `columns` squares, the one with most junctions first. There are several if the
    /// visible junctions are ambiguous.
    func all(in picture: Picture<UInt8>, rows: Int, columns: Int) throws(PictureFailure) -> [BoardQuadrangle] {
        let scale = max(parameters.minStep, Double(max(picture.width, picture.height)) / parameters.longSide)
        let grey = try picture.scaled(
            toWidth: Int((Double(picture.width) / scale).rounded(.toNearestOrEven)),
            height: Int((Double(picture.height) / scale).rounded(.toNearestOrEven)), scale > 1 ? .area : .linear
        ).grey().blurred(3)
        let places = try junctions(in: grey)
        guard places.count >= parameters.minJunctions else { return [] }
        let wanted = (rows - 1) * (columns - 1)
        let best = lattice(places, enough: Int(Double(wanted) * parameters.sufficient))
        guard best.count >= parameters.minInside else { return [] }
        var found: [BoardQuadrangle] = []
        for isTurned in rows == columns ? [false] : [false, true] {
            let (width, height) = ((isTurned ? rows : columns) - 1, (isTurned ? columns : rows) - 1)
            for window in windows(of: best, width: width, height: height, wanted: wanted) {
                guard let (corners, misfit) = try board(best, places, at: window, width: width, height: height) else {
                    continue
                }
                found.append(BoardQuadrangle(corners.map { $0.enlarged(by: scale) }, residual: misfit * scale))
            }
        }
        return found
    }

    /// Best first.
    private func junctions(in grey: Picture<UInt8>) throws(PictureFailure) -> [Point] {
        let response: Picture<Float> = try grey.filled {
            tcv_image_junctions($0, parameters.ringRadius, Int32(parameters.minSums), $1)
        }
        var (from, count) = (response.image, Int32(0))
        var found = [Double](repeating: 0, count: 3 * 8192)
        try PictureFailure.check(
            tcv_image_maxima(
                &from, Int32(parameters.window), parameters.minResponse, Int32(parameters.ringRadius) + 2, &found,
                Int32(found.count / 3), &count))
        let starts = (0..<min(Int(count), found.count / 3)).map { 3 * $0 }
        let best = starts.sorted { found[$0 + 2] > found[$1 + 2] }.prefix(parameters.maxJunctions)
        return best.map { Point(found[$0], found[$0 + 1]) }
    }

    private func lattice(_ places: [Point], enough: Int) -> Lattice {
        var best: Lattice = [:]
        for seed in places.indices.prefix(parameters.seeds) where best.count < enough {
            // Its neighbours, nearest first. Two at a similar distance and at right angles are its steps.
            let near = places.indices.filter { $0 != seed }.map { ((places[$0] - places[seed]).length, $0) }
                .sorted { $0 < $1 }.prefix(parameters.neighbours)
            for (index, one) in near.enumerated() {
                for other in near.dropFirst(index + 1) {
                    let (a, b) = (places[one.1] - places[seed], places[other.1] - places[seed])
                    guard other.0 <= parameters.maxStretch * one.0,
                        abs(a.dot(b)) <= parameters.maxCosine * a.length * b.length,
                        a.length >= parameters.minStepInRadii * parameters.ringRadius
                    else { continue }
                    let grown = grown(places, from: seed, along: a, down: b)
                    if grown.count > best.count { best = grown }
                }
            }
        }
        return best
    }

    /// Grows a lattice from one place along two steps; each step follows the length of the previous one.
    private func grown(_ places: [Point], from seed: Int, along: Point, down: Point) -> Lattice {
        var lattice: Lattice = [Cell(column: 0, row: 0): seed]
        var used = Set([seed])
        var open: [(cell: Cell, steps: [Point])] = [(Cell(column: 0, row: 0), [along, down])]
        var next = 0
        while next < open.count, lattice.count < parameters.maxLattice {
            let (here, steps) = open[next]
            next += 1
            guard let own = lattice[here] else { continue }
            let at = places[own]
            for (axis, sign) in [(0, 1.0), (1, 1.0), (0, -1.0), (1, -1.0)] {
                let cell = Cell(
                    column: here.column + (axis == 0 ? Int(sign) : 0), row: here.row + (axis == 1 ? Int(sign) : 0))
                guard lattice[cell] == nil else { continue }
                let move = steps[axis] * sign
                guard let found = nearest(places, to: at + move, within: parameters.reach * move.length),
                    used.insert(found).inserted
                else { continue }
                var own = steps
                own[axis] =
                    own[axis] * (1 - parameters.adaptation) + (places[found] - at) * (parameters.adaptation * sign)
                lattice[cell] = found
                open.append((cell, own))
            }
        }
        return lattice
    }

    private func nearest(_ places: [Point], to at: Point, within reach: Double) -> Int? {
        var (nearest, best) = (reach * reach, Int?.none)
        for index in places.indices {
            let off = places[index] - at
            let square = off.dot(off)
            if square < nearest { (nearest, best) = (square, index) }
        }
        return best
    }

    /// The first inner junctions of every window that may be the board, the one with most junctions first.
    private func windows(of lattice: Lattice, width: Int, height: Int, wanted: Int) -> [Cell] {
        let (columns, rows) = (lattice.keys.map(\.column), lattice.keys.map(\.row))
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max() else {
            return []
        }
        func starts(_ first: Int, _ last: Int, _ size: Int) -> ClosedRange<Int> {
            min(first, last - size + 1)...max(first, last - size + 1)
        }
        var found: [(cell: Cell, inside: Int)] = []
        for column in starts(left, right, width) {
            for row in starts(top, bottom, height) {
                let inside = lattice.keys.count {
                    (column..<column + width).contains($0.column) && (row..<row + height).contains($0.row)
                }
                if inside >= max(parameters.minInside, Int(Double(wanted) * parameters.minShare)),
                    Double(inside) >= parameters.minOfLattice * Double(lattice.count)
                {
                    found.append((Cell(column: column, row: row), inside))
                }
            }
        }
        return found.sorted { $0.inside > $1.inside }.map(\.cell)
    }

    /// The board's corners, clockwise, and the mean distance of the junctions from it.
    private func board(
        _ lattice: Lattice, _ places: [Point], at window: Cell, width: Int, height: Int
    ) throws(PictureFailure) -> (corners: [Point], misfit: Double)? {
        let pairs = lattice.sorted { $0.key < $1.key }.compactMap { cell, index -> (from: Point, to: Point)? in
            let (x, y) = (cell.column - window.column, cell.row - window.row)
            guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
            return (Point(Double(x + 1), Double(y + 1)), places[index])
        }
        guard let (map, _) = try Homography.fitting(pairs.map(\.from), to: pairs.map(\.to)) else { return nil }
        let misfit = pairs.reduce(0) { $0 + (map($1.from) - $1.to).length } / Double(pairs.count)
        guard misfit <= parameters.maxMisfit else { return nil }
        let (right, bottom) = (Double(width + 1), Double(height + 1))
        let corners = [Point(0, 0), Point(right, 0), Point(right, bottom), Point(0, bottom)].map { map($0) }
        let isClockwise = (corners[1] - corners[0]).cross(corners[2] - corners[1]) >= 0
        return (isClockwise ? corners : [corners[0], corners[3], corners[2], corners[1]], misfit)
    }
}
