import Core
import Foundation

/// Detects oblong tiles by the bar across their middle. It works for touching tiles, tiles with shadows, and tiles
/// hardly brighter than the table.
///
/// The bar gives the tile's centre and rotation. Each side is then located where a colour step or a seam runs along
/// most of its length.
struct BarredTiles {
    struct Tile {
        /// Pixels of the raster, clockwise; the first edge is a longer one.
        var corners: [Point]
        /// The shorter edge, pixels.
        var side: Double
        /// Length of the bar divided by the shorter edge.
        var bar: Double
        /// Contrast of the bar against the background beside it, 0…255.
        var contrast: Double
        /// The weakest edge's colour step, 0…255, plus a small share of the others'.
        var strength: Double
        /// How well the pips of both halves are centred, 0…2.
        var pips: Double
        /// True if four edges are visible by themselves. Fainter edges need pips beside the bar.
        var standsOut: Bool
    }

    /// The plane in which a bar is darker or lighter than its tile.
    enum Plane: Int, CaseIterable {
        /// Nearly all sets.
        case brightness = -1
        /// Coloured tiles whose ink is as bright: yellow on pink, red on green.
        case blue = 2
    }

    /// Set on development photos.
    struct Parameters: Sendable {
        /// Longer side of the working copy, pixels: a bar of a thirtieth of the tile's length is more than a pixel
        /// thick.
        var longSide = 1280.0
        /// A photo smaller than this is enlarged by two: its bars are a pixel thick.
        var smallest = 640.0
        /// Smaller photos are not read, pixels.
        var minSide = 64
        /// Steps below this around a tile are noise, 0…255.
        var minStrength = 6.0
        /// Minimum step of a tile, whatever its pips, 0…255.
        var minStep = 1.2
        /// Minimum score of the pips of one half in a noisy picture.
        var minPips = 0.6
        /// Minimum contrast relative to the typical tile. Tiles of one set have similar contrast.
        var minShare = 0.25
        /// Number of bars that are examined: those of the highest contrast.
        var most = 90
        /// Lengths of bars: in the shorter edge of a tile, if that is known or agreed on; else pixels, and the
        /// picture's longer side divided by the last value.
        var barInSide = 0.35...1.05
        var minBar = 12.0
        var barsInPicture = 7.0
        /// Shorter edges that are tried for a bar, in its length, and the relative step between them.
        var sideInBar = 0.96...2.1
        var finer = 0.02
        /// Strength from which the edges of a candidate edge length count fully, 0…255.
        var fullStrength = 12.0
        /// The camera shows nearer tiles larger: a bar votes for so many widths beside its best one too. The widths
        /// about the first choice with this share of its votes give the result.
        var sizesBeside = 2
        var sizesAround = 4
        var minVotes = 0.9
        /// Pixels of the working copy per pixel of a patch: at least this, and at most so many pixels to a bar's length
        /// or to a tile's shorter edge.
        var patchStep = 0.7
        var pixelsOfBar = 24.0
        var pixelsOfSide = 56.0
        /// Half of the patch, in the longest tried edge and in the agreed edge, and pixels more.
        var patchOfBar = 0.56
        var patchOfSide = 0.63
        var patchRim = 8.0
        /// The centres of both halves' pips correct the bar's angle by less than this, radians.
        var maxTurn = 0.09
        /// Angles tried on both sides, degrees: with and without pips; and the loss of value for each.
        var angles = (pips: 1, bare: 3)
        var perDegree = 0.04
        /// Edge lengths tried on both sides of the agreed one, and the spread expected of them.
        var sizes = 5
        var sizeSpread = 0.08
        /// Value of one half of pips, in grey levels of the edges' steps.
        var pipWeight = 6.0

        /// For tiles that fill the photo: their bars and pips are wider than the windows of ``BarMarks`` at full size.
        static let large = Parameters(longSide: 400, smallest: 0, barsInPicture: 3)
    }

    private let work: Picture<UInt8>
    private let scale: Double
    private let aspect: Double
    private let print: [[Point]]
    private let parameters: Parameters

    /// Nil for a photo that is too small.
    ///
    /// - Parameters:
    ///   - aspect: Longer edge divided by shorter edge.
    ///   - print: Outlines whose bars belong to no tile, pixels of the raster.
    init?(
        _ raster: Raster, aspect: Double, outside print: [[Point]] = [], _ parameters: Parameters = .init()
    ) throws(PictureFailure) {
        let long = Double(max(raster.width, raster.height))
        guard min(raster.width, raster.height) >= parameters.minSide else { return nil }
        scale = long < parameters.smallest ? 0.5 : max(1, long / parameters.longSide)
        let work = try raster.reduced(by: scale, enlarging: .linear)
        (self.work, self.aspect, self.print, self.parameters) = (work, aspect, print, parameters)
    }

    /// Most visible edges first.
    ///
    /// - Parameters:
    ///   - plane: Where bars are looked for.
    ///   - side: The shorter edge in pixels of the raster, if known.
    func tiles(in plane: Plane, side: Double?) throws(PictureFailure) -> [Tile] {
        let all = try detected(in: plane, side: side.map { $0 / scale })
        let usual = all.map(\.strength).filter { $0 > parameters.minStrength }.median ?? 0
        return all.compactMap { tile in
            var tile = tile
            tile.standsOut = tile.strength > max(parameters.minStrength, parameters.minShare * usual)
            return tile.standsOut || (tile.pips > parameters.minPips && tile.strength > parameters.minStep)
                ? tile : nil
        }
    }

    private func detected(in plane: Plane, side: Double?) throws(PictureFailure) -> [Tile] {
        let p = parameters
        let ink = try (plane == .brightness ? work.grey() : work.channel(plane.rawValue)).blurred(3)
        let (least, most) =
            side.map { (p.barInSide.lowerBound * $0, p.barInSide.upperBound * $0) }
            ?? (p.minBar, Double(max(work.width, work.height)) / p.barsInPicture)
        guard least <= most else { return [] }
        let marks = try BarMarks(in: ink, lengths: least...most)
        let free = marks.bars.filter { bar in
            let at = bar.at.enlarged(by: scale)
            return !print.contains { Outline.contains($0, at) }
        }
        let bars = Array(free.sorted { $0.contrast > $1.contrast }.prefix(p.most))
        var agreed = side
        if agreed == nil { agreed = try commonSide(bars, marks.spots) }
        guard let common = agreed else { return [] }
        var tiles: [Tile] = []
        for bar in bars
        where bar.length >= p.barInSide.lowerBound * common && bar.length <= p.barInSide.upperBound * common {
            if let tile = try tile(around: bar, marks.spots, side: common) { tiles.append(tile) }
        }
        return tiles.sorted { $0.strength > $1.strength }
    }

    /// The most common shorter edge of tiles around bars, in working pixels; nil without bars.
    private func commonSide(_ bars: [BarMark], _ spots: [InkSpot]) throws(PictureFailure) -> Double? {
        let p = parameters
        guard let shortest = bars.map(\.length).min(), let longest = bars.map(\.length).max() else { return nil }
        let first = p.sideInBar.lowerBound * shortest
        let count = Int(log(p.sideInBar.upperBound * longest / first) / p.finer) + 1
        var votes = [Double](repeating: 0, count: count)
        for bar in bars {
            let sides = p.sideInBar.lowerBound * bar.length...p.sideInBar.upperBound * bar.length
            let step = max(p.patchStep, bar.length / p.pixelsOfBar)
            let steps = try patch(
                around: bar, angle: bar.angle, step: step, half: p.patchOfBar * sides.upperBound / step)
            let pips = PipsBesideBar(bar, spots, aspect: aspect, sides: sides)
            var own = [Double](repeating: 0, count: count)
            for index in 0..<count {
                let side = first * exp(Double(index) * p.finer)
                guard sides.contains(side) else { continue }
                let strength = try TileEdges(in: steps, aspect: aspect, half: side / 2 / step)?.strength ?? 0
                own[index] = min(p.fullStrength, strength) / p.fullStrength + pips.score(side: side)
            }
            for index in 0..<count {
                let near = own[max(0, index - p.sizesBeside)..<min(count, index + p.sizesBeside + 1)]
                votes[index] += near.max() ?? 0
            }
        }
        // The centre of the edge lengths with the maximum number of votes.
        guard let top = votes.max(), top > 0, let at = votes.firstIndex(of: top) else { return nil }
        var (sum, weight) = (0.0, 0.0)
        for index in max(0, at - p.sizesAround)..<min(count, at + p.sizesAround + 1)
        where votes[index] > p.minVotes * top {
            sum += Double(index) * votes[index]
            weight += votes[index]
        }
        return first * exp(sum / weight * p.finer)
    }

    /// The tile around a bar, of roughly this shorter edge in working pixels.
    private func tile(
        around bar: BarMark, _ spots: [InkSpot], side: Double
    ) throws(PictureFailure) -> Tile? {
        let p = parameters
        let step = max(p.patchStep, side / p.pixelsOfSide)
        let tried = (-p.sizes...p.sizes).map { side * exp(Double($0) * p.finer) }
        let pips = PipsBesideBar(bar, spots, aspect: aspect, sides: tried[0] / 1.3...tried[tried.count - 1] * 1.3)
        let pipValues = tried.map { p.pipWeight * pips.score(side: $0) }
        let across = pips.across(side: side)
        var middle = bar.angle
        if let across {
            // The centres of both halves' pips are farther apart than the bar is long.
            let turn = remainder(atan2(across.y, across.x) - .pi / 2 - bar.angle, .pi)
            if abs(turn) < p.maxTurn { middle += turn }
        }
        let reach = across == nil ? p.angles.bare : p.angles.pips
        var best: (edges: TileEdges, angle: Double, value: Double)?
        for degrees in -reach...reach {
            let angle = middle + Double(degrees) * .pi / 180
            let steps = try patch(around: bar, angle: angle, step: step, half: p.patchOfSide * side / step)
            for (index, one) in tried.enumerated() {
                guard let edges = try TileEdges(in: steps, aspect: aspect, half: one / 2 / step) else { continue }
                let off = Double(index - p.sizes) * p.finer / p.sizeSpread
                let value =
                    (edges.value + pipValues[index]) * exp(-off * off) * (1 - p.perDegree * Double(abs(degrees)))
                if value > best?.value ?? 0 { best = (edges, angle, value) }
            }
        }
        guard let (edges, angle, _) = best else { return nil }
        let (c, s) = (cos(angle), sin(angle))
        let at = bar.at + (edges.middle * step).rotated(cosine: c, sine: s)
        let (u, v) = (edges.halfLong * step * scale, edges.half * step * scale)
        // The longer edge runs across the bar.
        return Tile(
            corners: Outline.corners(about: at.enlarged(by: scale), Point(-s, c) * u, Point(-c, -s) * v), side: 2 * v,
            bar: bar.length / (2 * edges.half * step), contrast: bar.contrast,
            strength: edges.strength, pips: pips.score(side: 2 * edges.half * step), standsOut: false)
    }

    /// Colour steps of a patch about a bar's middle, rotated so that the bar is horizontal.
    ///
    /// - Parameters:
    ///   - step: Working pixels per pixel of the patch.
    ///   - half: Half of its width, pixels of the patch.
    private func patch(
        around bar: BarMark, angle: Double, step: Double, half: Double
    ) throws(PictureFailure) -> LineSteps {
        try LineSteps(
            work.patch(
                about: bar.at, angle: angle, step: step, width: 2 * Int(half + parameters.patchRim) + 1,
                height: 2 * Int(half * aspect + parameters.patchRim) + 1))
    }
}
