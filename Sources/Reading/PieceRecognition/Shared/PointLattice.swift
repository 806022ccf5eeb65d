import Core

/// A lattice in perspective through points of a picture: the junctions of a board, the holes of a stand, the centres of
/// printed tiles.
///
/// It is grown from a point and two of its neighbours. A homography through the points that agree is then fitted to the
/// cells of a board of known size.
struct PointLattice {
    struct Parameters: Sendable {
        /// Points from which lattices are grown, and their nearest neighbours that may be steps.
        var seeds = 40
        var neighbours = 8
        /// Two steps: the ratio of their lengths, and the cosine between them, at most. A board seen at 60° has .5 and
        /// .5.
        var maxStretch = 2.0
        var maxCosine = 0.55
        /// Lengths of a step, in sizes of its first point.
        var steps = 0.0...Double.infinity
        /// Maximum ratio of the sizes of two neighbours.
        var maxSizeRatio = 1.5
        /// Maximum distance of a point from its expected place, relative to the step to it.
        var maxOffset = 0.22
        /// Share of the new step that follows the last one. The rest keeps the direction in perspective.
        var followed = 0.6
        /// Minimum share of a board's points, and of the lattice's points that a board includes.
        var minFound = 0.5
        var minOfLattice = 0.0
        /// Maximum distance of a point from the fitted plane, in cells. Others drop out after the first fit.
        var maxMisfit = 0.12
        /// Maximum mean distance of the points from the plane, pixels.
        var maxMeanMisfit = Double.infinity
    }

    struct Cell: Hashable, Comparable {
        var column, row: Int
        static func < (a: Cell, b: Cell) -> Bool { (a.row, a.column) < (b.row, b.column) }
    }

    private let points: [Point]
    private let sizes: [Double]
    private let parameters: Parameters

    /// - Parameter sizes: Of the points, pixels. They limit steps and which points are alike.
    init(_ points: [Point], sizes: [Double], _ parameters: Parameters = .init()) {
        (self.points, self.sizes, self.parameters) = (points, sizes, parameters)
    }

    /// Candidate boards, the one with most points first. There are several if the visible points are ambiguous.
    ///
    /// - Parameter inset: Distance of the outermost points from the board's edge, in cells.
    func boards(columns: Int, rows: Int, inset: Double) throws(PictureFailure) -> [BoardQuadrangle] {
        let (width, height) = (columns + 1 - Int(2 * inset), rows + 1 - Int(2 * inset))
        let wanted = Double(width * height)
        let lattice = largest(enough: Int(0.95 * wanted))
        let needed = max(parameters.minFound * wanted, parameters.minOfLattice * Double(lattice.count))
        var found: [BoardQuadrangle] = []
        for isTurned in width == height || inset < 1 ? [false] : [false, true] {
            let (across, down) = isTurned ? (height, width) : (width, height)
            for window in windows(of: lattice, across, down) where Double(window.count) >= needed {
                let board = try board(
                    window.map { (Point(Double($0.cell.column) + inset, Double($0.cell.row) + inset), $0.index) },
                    across: Double(isTurned ? rows : columns), down: Double(isTurned ? columns : rows),
                    needed: parameters.minFound * wanted)
                if let board { found.append(board) }
            }
        }
        return found
    }

    /// The cells of the largest lattice: columns run to the right, rows down.
    func largest(enough: Int) -> [Cell: Int] {
        var best: [Cell: Int] = [:]
        for seed in points.indices.prefix(parameters.seeds) where best.count < enough {
            let near = points.indices.filter { other in
                other != seed && isAlike(seed, other)
                    && parameters.steps.contains(distance(seed, other) / sizes[seed])
            }.sorted { distance(seed, $0) < distance(seed, $1) }.prefix(parameters.neighbours)
            for (index, first) in near.enumerated() {
                for second in near.dropFirst(index + 1) {
                    let (a, b) = (points[first] - points[seed], points[second] - points[seed])
                    guard b.length <= parameters.maxStretch * a.length,
                        abs(a.dot(b)) <= parameters.maxCosine * a.length * b.length
                    else { continue }
                    // Rows are the steps along which x changes more.
                    let (along, down) = abs(a.x) * b.length > abs(b.x) * a.length ? (a, b) : (b, a)
                    let lattice = grown(
                        from: seed, along: along.x < 0 ? along * -1 : along, down: down.y < 0 ? down * -1 : down)
                    if lattice.count > best.count { best = lattice }
                }
            }
        }
        return best
    }

    /// Grows a lattice from one point. Each step follows the length of the previous one, so it bends in perspective.
    func grown(from seed: Int, along: Point, down: Point) -> [Cell: Int] {
        let origin = Cell(column: 0, row: 0)
        var lattice = [origin: seed]
        var used: Set<Int> = [seed]
        var open = [(cell: origin, steps: [along, down])]
        var next = 0
        while next < open.count {
            let (here, steps) = open[next]
            next += 1
            guard let index = lattice[here] else { continue }
            for (axis, sign) in [(0, 1), (0, -1), (1, 1), (1, -1)] {
                let cell = Cell(
                    column: here.column + (axis == 0 ? sign : 0), row: here.row + (axis == 1 ? sign : 0))
                guard lattice[cell] == nil else { continue }
                let move = steps[axis] * Double(sign)
                let expected = points[index] + move
                let near = points.indices.filter {
                    !used.contains($0) && isAlike(index, $0)
                        && (points[$0] - expected).length < parameters.maxOffset * move.length
                }
                guard
                    let found = near.min(by: { (points[$0] - expected).length < (points[$1] - expected).length })
                else { continue }
                var own = steps
                own[axis] =
                    steps[axis] * (1 - parameters.followed)
                    + (points[found] - points[index]) * (parameters.followed * Double(sign))
                lattice[cell] = found
                used.insert(found)
                open.append((cell, own))
            }
        }
        return lattice
    }

    private func distance(_ a: Int, _ b: Int) -> Double { (points[a] - points[b]).length }

    private func isAlike(_ a: Int, _ b: Int) -> Bool {
        max(sizes[a] / sizes[b], sizes[b] / sizes[a]) < parameters.maxSizeRatio
    }

    /// The points of every window of `width` by `height` cells, by cells from its first; the fullest window first.
    private func windows(
        of lattice: [Cell: Int], _ width: Int, _ height: Int
    ) -> [[(cell: Cell, index: Int)]] {
        let (columns, rows) = (lattice.keys.map(\.column), lattice.keys.map(\.row))
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max() else {
            return []
        }
        /// All first positions of a window in `low…high`; beyond it, if the window is larger.
        func starts(_ low: Int, _ high: Int, _ size: Int) -> ClosedRange<Int> {
            min(low, high - size + 1)...max(low, high - size + 1)
        }
        let all = lattice.sorted { $0.key < $1.key }
        return starts(left, right, width).flatMap { column in
            starts(top, bottom, height).map { row in
                all.compactMap { cell, index in
                    let (x, y) = (cell.column - column, cell.row - row)
                    return (0..<width).contains(x) && (0..<height).contains(y)
                        ? (Cell(column: x, row: y), index) : nil
                }
            }
        }.sorted { $0.count > $1.count }
    }

    /// The board through the points; nil if they do not lie on a plane.
    private func board(
        _ pairs: [(place: Point, index: Int)], across: Double, down: Double, needed: Double
    ) throws(PictureFailure) -> BoardQuadrangle? {
        guard let fit = try fit(pairs), Double(fit.kept) >= needed, fit.misfit <= parameters.maxMeanMisfit else {
            return nil
        }
        let corners = [Point(0, 0), Point(across, 0), Point(across, down), Point(0, down)].map { fit.map($0) }
        let isClockwise = (corners[1] - corners[0]).cross(corners[2] - corners[1]) >= 0
        return BoardQuadrangle(
            isClockwise ? corners : [corners[0], corners[3], corners[2], corners[1]], residual: fit.misfit)
    }

    /// The homography from cells to pixels through the pairs that agree, their number and mean distance in pixels.
    func fit(
        _ pairs: [(place: Point, index: Int)]
    ) throws(PictureFailure) -> (map: Homography, kept: Int, misfit: Double)? {
        var kept = pairs
        for round in 0..<2 {
            guard let map = Homography.fitting(kept.map(\.place), to: kept.map { points[$0.index] })?.map else {
                return nil
            }
            let off = kept.map { (map($0.place) - points[$0.index]).length }
            let cell = (map(Point(1, 1)) - map(Point(0, 0))).length / 2.0.squareRoot()
            let near = zip(kept, off).filter { $0.1 < parameters.maxMisfit * cell }.map(\.0)
            if round == 1 || near.count == kept.count {
                return (map, near.count, off.reduce(0, +) / Double(max(1, off.count)))
            }
            kept = near
        }
        return nil
    }
}
