import Core
import Foundation

/// The squares on which tiles lie, in perspective: printed on a mat, or only implied by the tiles.
struct TileLattice {
    /// Columns and rows of the printed squares; nil if none are printed.
    let printed: (columns: Int, rows: Int)?
    /// (column, row) → pixels; (0, 0) is the outer corner of the first square.
    let inPicture: Homography
    /// Column and row of a picture point, with fractions.
    let squares: Homography
    /// Root mean square distance of the printed lines from the lattice, squares.
    let misfit: Double

    fileprivate init?(_ map: Homography, printed: (columns: Int, rows: Int)?, misfit: Double) {
        guard map.values.allSatisfy(\.isFinite), let inverse = map.inverse else { return nil }
        (self.printed, inPicture, squares, self.misfit) = (printed, map, inverse, misfit)
    }
}

/// Estimates the squares on which tiles lie, from the tiles and from lines printed on a mat, if any.
struct LatticeSearch {
    struct Parameters: Sendable {
        /// A square's edge in the working copy, pixels: its printed lines are visible. And the copy's longer side. Set on
        /// development photos, as all values here.
        var square = 60.0
        var longSide = 1200.0
        /// Squares from the first tile within which lines are looked for, growing from round to round.
        var reaches = [2.5, 2.5, 4.0, 4.0, 6.0, 8.0, 11.0, 14.0, 18.0, 24.0, 24.0]
        /// Up to this reach lines are searched and fitted widely; perspective is fitted beyond the other.
        var nearReach = 5.0
        var perspectiveReach = 3.0
        /// Standard deviation of a line's place while searching, squares: near and far.
        var window = (near: 0.16, far: 0.1)
        /// Largest deviation that has weight, squares: near and far.
        var scale = (near: 0.35, far: 0.2)
        var tileWeight = 0.3
        /// Strength of a line with full weight, 0…255.
        var fullStrength = 20.0
        /// If, at this reach, a smaller share of free edges is visible within this distance, nothing is printed.
        var provingReach = 4.0
        var minProven = 0.35
        var maxOff = 0.15
        /// Printed edges are visible within this distance of their place; share of a new line, of the whole, and fewest
        /// edges that prove it.
        var maxOffPrinted = 0.12
        var minLine = 0.45
        var minEvidence = 0.6
        var minEdges = 12
        /// Largest distance of a tile and of a printed line from the first tile, squares.
        var maxTile = 40
        var maxLine = 45
    }

    private typealias Cell = PointLattice.Cell

    /// A visible line: a place on it, its number, and its weight 0…1.
    private struct Sight {
        var at: Point
        var line: Int
        var isRow: Bool
        var weight: Double
    }

    private let parameters = Parameters()
    private let scale: Double
    private let edges: LatticeEdges

    /// Nil if the tiles are too small.
    init?(_ picture: Raster, side: Double) throws(PictureFailure) {
        guard side > 4, picture.width >= 32, picture.height >= 32 else { return nil }
        scale = max(
            1, min(side / parameters.square, Double(max(picture.width, picture.height)) / parameters.longSide))
        edges = LatticeEdges(
            work: try picture.reduced(by: scale))
    }

    /// Nil if the tiles do not lie on a common lattice.
    ///
    /// - Parameters:
    ///   - middles: Centres of the tiles, pixels.
    ///   - side: A tile's edge in pixels, within a quarter of it.
    ///   - angle: Angle of the tiles' edges, radians.
    func lattice(of middles: [Point], side: Double, angle: Double) throws(PictureFailure) -> TileLattice? {
        guard middles.count > 1 else { return nil }
        let at = middles.map { $0.reduced(by: scale) }
        let pitch = LatticePitch(of: at, size: side / scale, angle: remainder(angle, .pi / 2))
        // Starts at the tile with most others near it.
        let near = at.map { one in at.count { ($0 - one).length < 3 * pitch.size } }
        guard let most = near.max(), let start = near.firstIndex(of: most) else { return nil }
        var fit = LatticeFit(origin: at[start], unit: pitch.size, angle: pitch.angle)
        for reach in parameters.reaches {
            let isNear = reach < parameters.nearReach
            var tiles: [(at: Point, cell: Cell)] = []
            for place in at {
                let q = fit(place)
                guard abs(q.x - 0.5) <= reach, abs(q.y - 0.5) <= reach else { continue }
                tiles.append((place, Self.cell(q)))
            }
            let (lines, free, seen) = try sights(
                fit, reach: reach, cells: Set(tiles.map(\.cell)),
                window: isNear ? parameters.window.near : parameters.window.far)
            // If nothing is printed around the first tiles, nothing is printed farther away either.
            if reach == parameters.provingReach, Double(seen) < parameters.minProven * Double(free) { break }
            var rows = lines.map {
                LatticeFit.Row(at: $0.at, target: Double($0.line), isRow: $0.isRow, weight: $0.weight)
            }
            for tile in tiles {
                for (target, isRow) in [(tile.cell.column, false), (tile.cell.row, true)] {
                    rows.append(
                        .init(at: tile.at, target: Double(target) + 0.5, isRow: isRow, weight: parameters.tileWeight))
                }
            }
            fit.refine(
                rows, isInPerspective: reach > parameters.perspectiveReach,
                scale: isNear ? parameters.scale.near : parameters.scale.far)
        }
        return try printed(fit, at)
    }

    private static func cell(_ q: Point) -> Cell {
        Cell(column: Int(q.x.rounded(.down)), row: Int(q.y.rounded(.down)))
    }

    /// The visible lines within reach, and how many free edges there are and are visible in their place.
    private func sights(
        _ fit: LatticeFit, reach: Double, cells: Set<Cell>, window: Double
    ) throws(PictureFailure) -> ([Sight], free: Int, seen: Int) {
        guard let toPicture = fit.inverse else { return ([], 0, 0) }
        let n = Int(reach.rounded(.up))
        var all: [LatticeEdges.Edge] = []
        for v in -n...n + 1 {
            for u in -n...n + 1 { all += [.init(u: u, v: v, isRow: true), .init(u: u, v: v, isRow: false)] }
        }
        var sights: [Sight] = []
        var (free, seen) = (0, 0)
        for (edge, peak) in zip(all, edges.peaks(of: all, toPicture: toPicture, window: window)) {
            guard let peak else { continue }
            let beside = edge.isRow ? Cell(column: edge.u, row: edge.v - 1) : Cell(column: edge.u - 1, row: edge.v)
            let isFree = !cells.contains(Cell(column: edge.u, row: edge.v)) && !cells.contains(beside)
            if isFree { free += 1 }
            guard peak.strength > 0 else { continue }
            if isFree, abs(peak.off) < parameters.maxOff { seen += 1 }
            let (u, v) = (Double(edge.u), Double(edge.v))
            sights.append(
                Sight(
                    at: toPicture(edge.isRow ? Point(u + 0.5, v + peak.off) : Point(u + peak.off, v + 0.5)),
                    line: edge.isRow ? edge.v : edge.u, isRow: edge.isRow,
                    weight: min(1, peak.strength / parameters.fullStrength)))
        }
        return (sights, free, seen)
    }

    /// The printed squares: those whose edges are visible at their expected position.
    private func printed(_ fit: LatticeFit, _ at: [Point]) throws(PictureFailure) -> TileLattice? {
        guard let toPicture = fit.inverse else { return nil }
        let cells = at.map { Self.cell(fit($0)) }
        guard cells.allSatisfy({ max(abs($0.column), abs($0.row)) <= parameters.maxTile }) else { return nil }
        let (columns, rows) = (cells.map(\.column), cells.map(\.row))
        let first = Bounds(
            left: columns.min() ?? 0, right: (columns.max() ?? 0) + 1, top: rows.min() ?? 0,
            bottom: (rows.max() ?? 0) + 1)
        let taken = Set(cells)
        /// Shares of edges that are visible. Edges beside a tile may be the tile's own and do not count.
        func visible(_ all: [LatticeEdges.Edge]) throws(PictureFailure) -> (free: Int, seen: Int, squares: Double) {
            let free = all.filter { edge in
                let beside = edge.isRow ? Cell(column: edge.u, row: edge.v - 1) : Cell(column: edge.u - 1, row: edge.v)
                return !taken.contains(Cell(column: edge.u, row: edge.v)) && !taken.contains(beside)
            }
            let off = edges.peaks(of: free, toPicture: toPicture, window: parameters.window.far).compactMap { $0 }
                .filter { $0.strength > 0 && abs($0.off) <= parameters.maxOffPrinted }.map(\.off)
            return (free.count, off.count, off.reduce(0) { $0 + $1 * $1 })
        }
        func isPrinted(_ strip: [LatticeEdges.Edge], _ line: [LatticeEdges.Edge]) throws(PictureFailure) -> Bool {
            for part in [strip, line] {
                let (free, seen, _) = try visible(part)
                guard free > 0, Double(seen) / Double(free) > parameters.minLine else { return false }
            }
            return true
        }
        var b = first
        var grew = true
        while grew {
            grew = false
            if b.left > -parameters.maxLine, try isPrinted(b.column(b.left - 1), b.upright(b.left - 1)) {
                (b.left, grew) = (b.left - 1, true)
            }
            if b.right < parameters.maxLine, try isPrinted(b.column(b.right), b.upright(b.right + 1)) {
                (b.right, grew) = (b.right + 1, true)
            }
            if b.top > -parameters.maxLine, try isPrinted(b.row(b.top - 1), b.level(b.top - 1)) {
                (b.top, grew) = (b.top - 1, true)
            }
            if b.bottom < parameters.maxLine, try isPrinted(b.row(b.bottom), b.level(b.bottom + 1)) {
                (b.bottom, grew) = (b.bottom + 1, true)
            }
        }
        let (free, seen, squares) = try visible(b.all)
        let isPrinted =
            free >= parameters.minEdges && Double(seen) / Double(max(1, free)) > parameters.minEvidence
        let origin = isPrinted ? b : first
        let shift = Homography(origin: Point(Double(origin.left), Double(origin.top)))
        return TileLattice(
            (.enlarging(by: scale) * toPicture * shift).normalized,
            printed: isPrinted ? (b.right - b.left, b.bottom - b.top) : nil,
            misfit: seen > 0 ? (squares / Double(seen)).squareRoot() : 0)
    }

    /// A rectangle of squares; right and bottom are exclusive.
    private struct Bounds {
        var left, right, top, bottom: Int

        /// Edges across a column of squares, the outer ones included; and down a row.
        func column(_ u: Int) -> [LatticeEdges.Edge] { (top...bottom).map { .init(u: u, v: $0, isRow: true) } }
        func row(_ v: Int) -> [LatticeEdges.Edge] { (left...right).map { .init(u: $0, v: v, isRow: false) } }
        /// The edges along a line from top to bottom, and from left to right.
        func upright(_ u: Int) -> [LatticeEdges.Edge] { (top..<bottom).map { .init(u: u, v: $0, isRow: false) } }
        func level(_ v: Int) -> [LatticeEdges.Edge] { (left..<right).map { .init(u: $0, v: v, isRow: true) } }
        var all: [LatticeEdges.Edge] {
            (top...bottom).flatMap { level($0) } + (left...right).flatMap { upright($0) }
        }
    }
}
