import Foundation
import Core

/// Reads the disc on each square of a board. The board is located by outline, junctions or markers, its squares are
/// verified by colour.
struct DiscGridReader {
    private let set: PreparedPieceSet
    private let grid: BoardGrid
    private let boardMM: (width: Double, height: Double)

    /// A located board: the view from above and the homography to the picture.
    struct View {
        var top: Raster
        /// Pixels of the view per millimetre.
        var scale: Double
        var located: PieceFrame.Board.Location
        /// Millimetres → picture pixels.
        var homography: Homography
        var residual: Double

        func inPicture(_ point: Point) -> Point {
            homography(Point((point.x + 0.5) / scale, (point.y + 0.5) / scale))
        }
    }

    /// Longer side of the view, pixels.
    private static let viewSide = 640.0
    /// A disc certainly covers this part of its square, from the centre outward.
    private static let inner = 0.24
    /// Position between a disc and the square's corner, along both edges from the centre. A board's shadow shifts its
    /// outline a little.
    private static let outer = 0.4
    private static let minConfidence = 0.35
    /// The pitch of stands is 2.2 to 3.4 radii of a hole.
    private static let holes = PointLattice.Parameters(seeds: 24, steps: 0.0...5.0)
    /// Maximum number of candidate views.
    private static let ways = 8

    init?(_ set: PreparedPieceSet) {
        guard let grid = set.grid, let board = set.boardMM else { return nil }
        (self.set, self.grid, boardMM) = (set, grid, board)
    }

    /// Candidate boards by outline, one for each segmentation of the picture.
    private func outlinedViews(of raster: Raster) throws -> [View] {
        try BoardOutlines().all(in: Picture(raster).coloured()).prefix(Self.ways).compactMap {
            try view(of: raster, $0)
        }
    }

    /// Candidate boards by the junctions of four squares, for boards of two colours. Discs leave the corners of
    /// squares bare, so this works on any table.
    private func junctionViews(of raster: Raster) throws -> [View] {
        guard grid.squares.count == 2 else { return [] }
        return try BoardJunctions().all(in: Picture(raster), rows: grid.rows, columns: grid.columns)
            .prefix(Self.ways).compactMap { try view(of: raster, $0) }
    }

    /// Candidate boards by the holes of a frame. A room may be seen through them, so its outline is not enough.
    private func holeViews(of raster: Raster) throws -> [View] {
        guard grid.squares.count == 1, let frame = grid.squares.first else { return [] }
        let holes = try RoundRegions.all(in: raster, besides: frame)
        return try PointLattice(holes.map(\.at), sizes: holes.map(\.longer), Self.holes)
            .boards(columns: grid.columns, rows: grid.rows, inset: 0.5)
            .prefix(Self.ways).compactMap { try view(of: raster, $0) }
    }

    private func view(of raster: Raster, _ board: BoardQuadrangle) throws(PictureFailure) -> View? {
        let scale = Self.viewSide / max(boardMM.width, boardMM.height)
        let (width, height) = (Int(boardMM.width * scale), Int(boardMM.height * scale))
        guard
            let homography = Homography(toCorners: board.corners, width: boardMM.width, height: boardMM.height),
            let top = try raster.warped(homography.fromView(scale: scale), width: width, height: height).raster
        else { return nil }
        return View(top: top, scale: scale, located: .quad, homography: homography, residual: board.residual)
    }

    /// The discs on the view that matches the board best; nil if none matches.
    func discs(in raster: Raster) throws -> (view: View, discs: [FoundTile])? {
        var best: (view: View, squares: [Square], gains: [[Double]], fit: Double)?
        // Outlines cost as much again, so they are tried only if the junctions leave a doubt.
        for views in [junctionViews, holeViews, outlinedViews] where best?.fit ?? 0 < Self.sufficientFit {
            for view in try views(raster) {
                let squares = (0..<grid.rows).flatMap { row in (0..<grid.columns).map { square(row, $0, view) } }
                let light = light(of: squares)
                if light.fit > best?.fit ?? Self.minFit { best = (view, squares, light.gains, light.fit) }
            }
        }
        guard let best else { return nil }
        let paints = set.kinds.enumerated().flatMap { kind, one in
            one.members.enumerated().compactMap { member, paint in
                paint.rgb.map { (kind: kind, member: member, rgb: $0.map(Double.init)) }
            }
        }
        if grid.squares.count == 1, let stand = StandDiscs(paints: paints.map(\.rgb)) {
            let columns = (0..<grid.columns).map { column in best.squares.filter { $0.column == column } }
            let discs = zip(columns, stand.discs(in: columns.map { $0.map(\.hole) })).flatMap { squares, discs in
                zip(squares, discs).compactMap { square, disc in
                    disc.map {
                        var tile = tile(
                            on: square, kind: paints[$0.paint].kind, member: paints[$0.paint].member,
                            confidence: $0.probability, best.view)
                        tile.features = PieceFeatures(["column": $0.probability, "look": $0.look])
                        return tile
                    }
                }
            }
            return (best.view, discs)
        }
        return (
            best.view,
            zip(best.squares, best.gains).compactMap { disc(on: $0, light: $1, best.view) }
                .filter { $0.confidence >= Self.minConfidence }
        )
    }

    /// Minimum share of bare areas with the board's colours.
    private static let minFit = 0.55
    /// Share above which no other view is tried.
    private static let sufficientFit = 0.75

    private struct Square {
        var row: Int
        var column: Int
        var centre: Point
        /// Median colour of its centre.
        var middle: [Double]
        var ground: [Double]
        /// Colour variation of the centre, 0…255.
        var spread: Double
        /// Colour variation of the corners, 0…255.
        var groundSpread: Double
        /// The centre as a hole of a stand.
        var hole: StandDiscs.Hole
    }

    private func square(_ row: Int, _ column: Int, _ view: View) -> Square {
        let (w, h) = (Double(view.top.width) / Double(grid.columns), Double(view.top.height) / Double(grid.rows))
        let centre = Point((Double(column) + 0.5) * w - 0.5, (Double(row) + 0.5) * h - 0.5)
        func samples(_ places: [(Double, Double)]) -> [[Double]] {
            places.map { place in
                let x = max(0, min(view.top.width - 1, Int((centre.x + place.0 * w).rounded())))
                let y = max(0, min(view.top.height - 1, Int((centre.y + place.1 * h).rounded())))
                let at = 3 * (y * view.top.width + x)
                return (0..<3).map { Double(view.top.bytes[at + $0]) }
            }
        }
        let inner = samples(
            (0..<81).compactMap { index in
                let (u, v) = ((Double(index % 9) / 4 - 1) * Self.inner, (Double(index / 9) / 4 - 1) * Self.inner)
                return hypot(u, v) <= Self.inner ? (u, v) : nil
            })
        let corner = samples(
            (0..<36).map { index in
                let (u, v) = (Double(index % 3) / 2, Double(index / 3 % 3) / 2)
                return (
                    (index / 9 % 2 == 0 ? -1 : 1) * (Self.outer - 0.06 * u),
                    (index / 18 == 0 ? -1 : 1) * (Self.outer - 0.06 * v)
                )
            })
        let (middle, ground) = (Self.median(inner), Self.median(corner))
        let spread = inner.map { Self.colourDistance($0, middle) }.quantile(0.75) ?? 0
        return Square(
            row: row, column: column, centre: centre, middle: middle, ground: ground, spread: spread,
            groundSpread: corner.map { Self.colourDistance($0, ground) }.quantile(0.75) ?? 0,
            hole: Self.hole(inner))
    }

    private static func hole(_ samples: [[Double]]) -> StandDiscs.Hole {
        let colours = samples.map(Colour.Lab.init)
        var middle = colours[0]
        middle.lightness = colours.map(\.lightness).median ?? 0
        middle.a = colours.map(\.a).median ?? 0
        middle.b = colours.map(\.b).median ?? 0
        return .init(
            colour: middle,
            unevenness: colours.map { abs($0.lightness - middle.lightness) }.quantile(0.75) ?? 0)
    }

    /// Gains of the light on the squares' colours, by square and channel, and the share 0…1 of squares that match.
    ///
    /// Light falls off across a board of two colours. The holes of a frame all have nearly the same brightness.
    private func light(of squares: [Square]) -> (gains: [[Double]], fit: Double) {
        guard !grid.squares.isEmpty else { return (squares.map { _ in [1, 1, 1] }, 1) }
        let own = squares.map { grid.squares[($0.row + $0.column) % grid.squares.count].map(Double.init) }
        // A channel that is nearly absent in the paint gives little information on the light.
        let ratios = zip(squares, own).map { square, paint in
            zip(square.ground, paint).map { seen, painted -> Double in (seen + 25) / (painted + 25) }
        }
        let all = Self.median(ratios).map { max(0.1, $0) }
        guard (all.max() ?? 1) < 3.5 * (all.min() ?? 1) else { return (squares.map { _ in all }, 0) }
        let gains =
            grid.squares.count < 2
            ? squares.map { _ in all }
            : squares.map { square in
                let near = squares.indices.filter {
                    max(abs(squares[$0].row - square.row), abs(squares[$0].column - square.column)) <= Self.nearby
                }
                return Self.median(near.map { ratios[$0] }).map { max(0.1, $0) }
            }
        let fits = squares.indices.map { index in
            exp(
                -pow(
                    Self.colourDistance(squares[index].ground, (0..<3).map { own[index][$0] * gains[index][$0] }) / 50,
                    2))
                * exp(-pow(squares[index].groundSpread / 60, 2))
        }
        return (gains, fits.reduce(0, +) / Double(max(1, fits.count)))
    }

    /// Squares within this distance share the same light.
    private static let nearby = 2

    private func disc(on square: Square, light: [Double], _ view: View) -> FoundTile? {
        // Bare squares of a frame are holes of any colour that no disc has. Bare squares of a board match their
        // corners.
        let isFrame = grid.squares.count < 2
        let lit = (0..<3).map { square.middle[$0] / light[$0] }
        let brightness = square.ground.reduce(0, +) / 3
        var ranked: [(kind: Int, member: Int, off: Double)] = []
        for (kind, one) in set.kinds.enumerated() {
            for (member, paint) in one.members.enumerated() {
                guard let rgb = paint.rgb?.map(Double.init) else { continue }
                ranked.append(
                    (kind, member, isFrame ? Colour.difference(lit, rgb) : Self.colourDistance(lit, rgb) / 70))
            }
        }
        ranked.sort { $0.off < $1.off }
        guard let best = ranked.first else { return nil }
        let margin = ranked.count > 1 ? ranked[1].off - best.off : 1
        var certainty = min(1, max(0, (1 - best.off) / 0.5)) * min(1, margin / 0.3 + 0.2)
        certainty *= exp(-pow(max(0, square.spread - 18) / 40, 2))
        if !isFrame {
            // A disc must differ from the square below it.
            certainty *= min(1, Self.colourDistance(square.middle, square.ground) / max(18, 0.3 * brightness))
        }
        return tile(on: square, kind: best.kind, member: best.member, confidence: certainty, view)
    }

    private func tile(on square: Square, kind: Int, member: Int, confidence: Double, _ view: View) -> FoundTile {
        let half = set.kinds[kind].edges.longer / 2 * view.scale
        return FoundTile(
            kind: kind, member: member,
            corners: Outline.square(about: square.centre, half: half), angle: 0,
            cell: .init(row: square.row, column: square.column), residual: 0, confidence: confidence)
    }

    private static func median(_ colours: [[Double]]) -> [Double] {
        (0..<3).map { channel in colours.map { $0[channel] }.median ?? 0 }
    }

    private static func colourDistance(_ a: [Double], _ b: [Double]) -> Double {
        zip(a, b).map { abs($0 - $1) }.max() ?? 0
    }
}
