internal import COpenCV
import Core

/// Locates a frame by the lattice of its holes, whatever is seen through them.
struct HoleLattice {
    struct Parameters: Sendable {
        /// Maximum distance of a hole from its expected place, relative to the step to it.
        var maxOffset = 0.22
        /// Maximum ratio of the sizes of two neighbours.
        var maxSizeRatio = 1.5
        /// Steps of a lattice: their ratio, and the cosine between them, at most. A board seen at 60° has .5 and .5.
        var maxStepRatio = 2.0
        var maxCosine = 0.55
        /// Holes of one frame are nearer than this many radii. The pitch of stands is 2.2 to 3.4 radii.
        var maxPitch = 5.0
        /// Share of the new step that follows the last one. The rest keeps the direction in perspective.
        var followed = 0.6
        /// Minimum share of the holes that must be found.
        var minFound = 0.5
        /// Maximum distance of a hole from the fitted plane, in squares.
        var maxMisfit = 0.12
        /// Number of holes from which a lattice is grown.
        var seeds = 24
        var neighbours = 8
    }

    /// A candidate board.
    struct Board {
        /// Clockwise from the top left, pixels.
        var corners: [Point]
        /// Mean distance of the holes from the plane, pixels.
        var residual: Double
        /// Share of its holes that were found, 0…1.
        var found: Double
    }

    private struct Place: Hashable {
        var column: Int
        var row: Int
    }

    private let holes: [RoundRegion]
    private let parameters: Parameters

    init(_ holes: [RoundRegion], _ parameters: Parameters = .init()) {
        (self.holes, self.parameters) = (holes, parameters)
    }

    /// Candidate boards of that many holes, the most complete first.
    func boards(rows: Int, columns: Int) throws(PictureFailure) -> [Board] {
        let lattice = largest(enough: rows * columns * 19 / 20)
        guard Double(lattice.count) >= parameters.minFound * Double(rows * columns) else { return [] }
        let (across, down) = (lattice.keys.map(\.column), lattice.keys.map(\.row))
        guard let left = across.min(), let right = across.max(), let top = down.min(), let bottom = down.max() else {
            return []
        }
        /// All first positions of a window of `size` in `low…high`; beyond it, if the window is larger.
        func starts(_ low: Int, _ high: Int, _ size: Int) -> ClosedRange<Int> {
            let last = high - size + 1
            return min(low, last)...max(low, last)
        }
        var found: [Board] = []
        for column in starts(left, right, columns) {
            for row in starts(top, bottom, rows) {
                let inside = lattice.filter {
                    (column..<column + columns).contains($0.key.column) && (row..<row + rows).contains($0.key.row)
                }
                guard Double(inside.count) >= parameters.minFound * Double(rows * columns),
                    let board = try board(
                        inside.map { (Point(Double($0.key.column - column), Double($0.key.row - row)), $0.value) },
                        rows: rows, columns: columns)
                else { continue }
                found.append(board)
            }
        }
        return found.sorted { $0.found > $1.found }
    }

    /// The largest lattice of holes, its columns running to the right and its rows down.
    private func largest(enough: Int) -> [Place: Int] {
        var best: [Place: Int] = [:]
        for seed in holes.indices.prefix(parameters.seeds) where best.count < enough {
            let near = holes.indices.filter { other in
                other != seed && isAlike(seed, other)
                    && (holes[other].at - holes[seed].at).length < parameters.maxPitch * holes[seed].longer
            }.sorted { distance(seed, $0) < distance(seed, $1) }.prefix(parameters.neighbours)
            for (index, first) in near.enumerated() {
                for second in near.dropFirst(index + 1) {
                    let (a, b) = (holes[first].at - holes[seed].at, holes[second].at - holes[seed].at)
                    guard b.length < parameters.maxStepRatio * a.length,
                        abs(a.dot(b)) < parameters.maxCosine * a.length * b.length
                    else { continue }
                    // A stand is upright: its rows are the steps along which x changes more.
                    let (along, down) = abs(a.x) * b.length > abs(b.x) * a.length ? (a, b) : (b, a)
                    let lattice = grown(
                        from: seed, along: along.x < 0 ? along * -1 : along, down: down.y < 0 ? down * -1 : down)
                    if lattice.count > best.count { best = lattice }
                }
            }
        }
        return best
    }

    private func distance(_ a: Int, _ b: Int) -> Double { (holes[a].at - holes[b].at).length }

    private func isAlike(_ a: Int, _ b: Int) -> Bool {
        let ratio = holes[a].longer / holes[b].longer
        return max(ratio, 1 / ratio) < parameters.maxSizeRatio
    }

    /// Grows a lattice from one hole. Each step follows the length of the previous one, so it bends in perspective.
    private func grown(from seed: Int, along: Point, down: Point) -> [Place: Int] {
        let origin = Place(column: 0, row: 0)
        var lattice = [origin: seed]
        var steps = [origin: (along, down)]
        var used: Set<Int> = [seed]
        var open = [origin]
        var next = 0
        while next < open.count {
            let here = open[next]
            next += 1
            guard let index = lattice[here], let step = steps[here] else { continue }
            for (column, row) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let place = Place(column: here.column + column, row: here.row + row)
                guard lattice[place] == nil else { continue }
                let move = row == 0 ? step.0 * Double(column) : step.1 * Double(row)
                let expected = holes[index].at + move
                let reach = parameters.maxOffset * move.length
                let near = holes.indices.filter {
                    !used.contains($0) && isAlike(index, $0) && (holes[$0].at - expected).length < reach
                }
                guard
                    let nearest = near.min(by: { (holes[$0].at - expected).length < (holes[$1].at - expected).length })
                else { continue }
                let seen = (holes[nearest].at - holes[index].at) * Double(column + row)
                var own = step
                if row == 0 {
                    own.0 = step.0 * (1 - parameters.followed) + seen * parameters.followed
                } else {
                    own.1 = step.1 * (1 - parameters.followed) + seen * parameters.followed
                }
                lattice[place] = nearest
                steps[place] = own
                used.insert(nearest)
                open.append(place)
            }
        }
        return lattice
    }

    /// The board through the holes; nil if they do not lie on a plane.
    private func board(
        _ places: [(place: Point, hole: Int)], rows: Int, columns: Int
    ) throws(PictureFailure) -> Board? {
        var kept = places
        var fit: (map: Homography, off: [Double])?
        // Holes beside the frame drop out after the first fit.
        for _ in 0..<2 {
            let fitted = try Homography.fitting(
                kept.map { $0.place + Point(0.5, 0.5) }, to: kept.map { holes[$0.hole].at })
            guard let map = fitted?.map else { return nil }
            let off = kept.map { (map($0.place + Point(0.5, 0.5)) - holes[$0.hole].at).length }
            fit = (map, off)
            let square = (map(Point(1, 1)) - map(Point(0, 0))).length / 2.0.squareRoot()
            let near = zip(kept, off).filter { $0.1 < parameters.maxMisfit * square }.map(\.0)
            guard near.count < kept.count else { break }
            kept = near
            guard Double(kept.count) >= parameters.minFound * Double(rows * columns) else { return nil }
        }
        guard let fit else { return nil }
        let (w, h) = (Double(columns), Double(rows))
        return Board(
            corners: [Point(0, 0), Point(w, 0), Point(w, h), Point(0, h)].map { fit.map($0) },
            residual: fit.off.reduce(0, +) / Double(max(1, fit.off.count)),
            found: Double(kept.count) / (w * h))
    }
}
