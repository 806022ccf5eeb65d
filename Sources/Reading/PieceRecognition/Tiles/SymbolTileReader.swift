import Foundation
import Core

/// Detects coloured shapes on dark tiles and classifies shape and colour.
struct SymbolTileReader {
    private let set: PreparedPieceSet
    private let matcher: FaceMatcher
    /// The symbol's share of a tile's edge, measured as the square root of its area: about .5 on common tiles.
    private static let share = 0.5
    /// Minimum confidence of a reported tile.
    private static let minConfidence = 0.35
    /// Minimum number of tiles from which the squares of a mat are estimated.
    private static let minTiles = 3
    /// Minimum number of tiles that establish a common direction.
    private static let minTilesInLine = 4
    /// Minimum agreement of the edges around a spot on a direction, 0…1.
    private static let minAgreement = 0.3
    /// Minimum similarity margin of a shape with unknown direction.
    private static let minMargin = 0.02
    /// Rotations in radians that are tried if the direction is unknown, in addition to quarter turns.
    private static let turns = (0..<8).map { Double($0) * .pi / 16 }
    /// Paint with a chroma below this share of its brightest channel is white under any light.
    private static let white = 0.4
    /// Maximum size difference between spots, as a natural logarithm.
    private static let maxDeviation = 0.45

    init?(_ set: PreparedPieceSet) {
        guard let kind = set.kinds.first, case .symbol = kind.face, let matcher = kind.matcher else { return nil }
        self.set = set
        self.matcher = matcher
    }

    private typealias Spot = ColourSpot

    /// Tiles by their symbols, for the camera's tilt. Symbols look alike after a quarter turn, so their moments are alike
    /// in all directions; those of a square are a twelfth of its area.
    static func forms(_ spots: [ColourSpot]) -> [TableTilt.Form] {
        spots.map {
            TableTilt.Form(
                at: $0.at, moments: [$0.moments * (12 / (share * share))], weight: min(1, $0.darkness / 50))
        }
    }

    /// The tiles, and the squares of the mat below them if one is visible.
    func tiles(
        in raster: Raster, _ spots: [ColourSpot]
    ) throws(PictureFailure) -> (tiles: [FoundTile], mat: TileLattice?) {
        let spots = Self.alike(spots)
        let tiles = spots.compactMap { tile($0, isAlone: spots.count < Self.minTilesInLine) }.filter {
            $0.confidence >= Self.minConfidence
        }
        guard tiles.count >= Self.minTiles, let lattice = try Self.lattice(spots, tiles, in: raster),
            lattice.printed != nil
        else { return (tiles, nil) }
        return (tiles.map { Self.placed($0, on: lattice) }, lattice)
    }

    private static func lattice(
        _ spots: [Spot], _ tiles: [FoundTile], in raster: Raster
    ) throws(PictureFailure) -> TileLattice? {
        // Directions agree modulo a quarter turn.
        let (even, odd) = spots.reduce((0.0, 0.0)) {
            ($0.0 + $1.agreement * cos(4 * $1.angle), $0.1 + $1.agreement * sin(4 * $1.angle))
        }
        let side = tiles.map(\.size).median ?? 0
        return try LatticeSearch(raster, side: side)?
            .lattice(of: tiles.map(\.centre), side: side, angle: atan2(odd, even) / 4)
    }

    /// The tile with its square and the size of a square there. A symbol gives only a rough tile size.
    private static func placed(_ tile: FoundTile, on lattice: TileLattice) -> FoundTile {
        guard let printed = lattice.printed else { return tile }
        let middle = lattice.squares(tile.centre)
        var tile = tile
        tile.corners = Outline.square(about: middle, half: 0.5).map { lattice.inPicture($0) }
        let edge = tile.corners[1] - tile.corners[0]
        tile.angle = atan2(edge.y, edge.x)
        let (column, row) = (Int(middle.x.rounded(.down)), Int(middle.y.rounded(.down)))
        if (0..<printed.columns).contains(column), (0..<printed.rows).contains(row) {
            tile.cell = RecognizedPiece.Cell(row: row, column: column)
        }
        return tile
    }

    /// The spots of the most common size, because tiles of a set have equal size.
    private static func alike(_ spots: [Spot]) -> [Spot] {
        SizeConsensus.agreeing(spots, size: \.size, within: maxDeviation) { near in near.reduce(0) { $0 + $1.size } }
    }

    private func tile(_ spot: Spot, isAlone: Bool) -> FoundTile? {
        // An isolated tile that hardly differs from the table shows no direction. Its shape is then matched at all
        // rotations.
        let isRotated = isAlone && spot.agreement < Self.minAgreement
        let masks = isRotated ? Self.turns.map { Self.rotated(spot.mask, by: $0) } : [spot.mask]
        let matches = masks.flatMap { matcher.match(Self.coverage($0)).byTurn }
        guard let best = matches.max(by: { $0.likeness < $1.likeness }) else { return nil }
        let second = max(best.second, matches.filter { $0.name != best.name }.map(\.likeness).max() ?? -1)
        // A square and a diamond differ only by rotation.
        guard !isRotated || best.likeness - second > Self.minMargin else { return nil }
        guard let (member, margin) = colour(of: spot) else { return nil }
        let features = PieceFeatures([
            "likeness": min(1, max(0, (best.likeness - 0.45) / 0.35)),
            "margin": min(1, max(0, (best.likeness - second) / 0.08 + 0.35)),
            "colour": min(1, 0.4 + 1.5 * margin), "ground": min(1, spot.darkness / 50),
        ])
        let certainty = features["likeness"] * features["margin"] * features["colour"] * features["ground"]
        let half = spot.size / Self.share / 2
        return FoundTile(
            kind: 0, member: member, corners: Outline.square(about: spot.at, half: half, angle: spot.angle),
            angle: spot.angle, symbol: best.name, residual: 1,
            confidence: certainty, features: features)
    }

    /// The nearest paint of the set, and the margin to the next, 0…1.
    ///
    /// White is identified by its low chroma, because the hue of a white spot is the light's.
    private func colour(of spot: Spot) -> (member: Int, margin: Double)? {
        func chroma(_ rgb: [Double]) -> Double {
            let most = rgb.max() ?? 0
            return (most - (rgb.min() ?? 0)) / max(1, most)
        }
        let own = chroma(spot.rgb)
        let members = set.kinds[0].members.enumerated().compactMap { index, member in
            member.rgb.map { (index: index, rgb: $0.map(Double.init)) }
        }
        let hasWhite = members.contains { chroma($0.rgb) < Self.white }
        let fitting = members.filter { !hasWhite || (chroma($0.rgb) < Self.white) == (own < Self.white) }
        let near = fitting.map { ($0.index, Colour.hueDifference(spot.rgb, $0.rgb)) }.sorted { $0.1 < $1.1 }
        guard let first = near.first else { return nil }
        let apart = hasWhite ? min(1, abs(own - Self.white) / 0.2) : 1
        return (first.0, apart * (near.count > 1 ? (near[1].1 - first.1) / max(1, near[1].1) : 1))
    }

    /// A mask rotated about its centre and rescaled so that its box fills the square.
    private static func rotated(_ mask: [UInt8], by angle: Double) -> [UInt8] {
        let side = ColourSpot.side
        let middle = Double(side - 1) / 2
        let (c, s) = (cos(angle), sin(angle))
        var (left, right, top, bottom) = (Double(side), -Double(side), Double(side), -Double(side))
        for at in mask.indices where mask[at] != 0 {
            let p = Point(Double(at % side) - middle, Double(at / side) - middle).rotated(cosine: c, sine: s)
            (left, right, top, bottom) = (min(left, p.x), max(right, p.x), min(top, p.y), max(bottom, p.y))
        }
        let longer = max(right - left, bottom - top) + 1
        let centre = Point((left + right) / 2, (top + bottom) / 2)
        return mask.indices.map { at in
            let p = Point(Double(at % side) - middle, Double(at / side) - middle) * (longer / Double(side)) + centre
            let from = p.rotated(cosine: c, sine: -s)
            let (x, y) = (Int((from.x + middle).rounded()), Int((from.y + middle).rounded()))
            return (0..<side).contains(x) && (0..<side).contains(y) ? mask[y * side + x] : 0
        }
    }

    /// The spot's mask at the size of the templates.
    private static func coverage(_ mask: [UInt8]) -> [Float] {
        let size = FaceTemplate.size
        let ratio = ColourSpot.side / size
        return (0..<size * size).map { cell in
            var inked = 0
            for place in 0..<ratio * ratio {
                let (x, y) = (cell % size * ratio + place % ratio, cell / size * ratio + place / ratio)
                if mask[y * ColourSpot.side + x] != 0 { inked += 1 }
            }
            return Float(inked) / Float(ratio * ratio)
        }
    }
}
