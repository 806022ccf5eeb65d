internal import COpenCV
import Foundation
import Core

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

    /// Steps below this around a tile are noise, 0…255.
    private static let minStrength = 6.0
    /// Minimum step of a tile, whatever its pips, 0…255.
    private static let minStep = 1.2
    /// Minimum score of the pips of one half in a noisy picture.
    private static let minPips = 0.6
    /// Minimum contrast relative to the typical tile. Tiles of one set have similar contrast.
    private static let minShare = 0.25
    private static let most = 90

    /// The plane in which a bar is darker or lighter than its tile.
    enum Plane: Int32, CaseIterable {
        /// Nearly all sets.
        case brightness = -1
        /// Coloured tiles whose ink is as bright: yellow on pink, red on green.
        case blue = 2
    }

    struct Parameters: Sendable {
        /// Longer side of the working copy, pixels: a bar of a thirtieth of the tile's length is more than a pixel
        /// thick.
        var longSide = 1280.0
        /// A photo smaller than this is enlarged by two: its bars are a pixel thick.
        var smallest = 640.0
    }

    /// - Parameters:
    ///   - plane: Where bars are looked for.
    ///   - aspect: Longer edge divided by shorter edge.
    ///   - side: The shorter edge in pixels, if known.
    static func tiles(
        in raster: Raster, plane: Plane, aspect: Double, side: Double?, _ parameters: Parameters = .init()
    ) -> [Tile] {
        let long = Double(max(raster.width, raster.height))
        let scale = long < parameters.smallest ? 0.5 : max(1, long / parameters.longSide)
        let all = detected(raster, plane, scale: scale, aspect, side: side ?? 0)
        let strong = all.map(\.strength).filter { $0 > minStrength }.sorted()
        let usual = strong.isEmpty ? 0 : strong[strong.count / 2]
        return all.compactMap { tile in
            var tile = tile
            tile.standsOut = tile.strength > max(minStrength, minShare * usual)
            return tile.standsOut || (tile.pips > minPips && tile.strength > minStep) ? tile : nil
        }
    }

    private static func detected(
        _ raster: Raster, _ plane: Plane, scale: Double, _ aspect: Double, side: Double
    ) -> [Tile] {
        var found = [tcv_barred_tile](repeating: tcv_barred_tile(), count: most)
        var count: Int32 = 0
        let status = raster.bytes.withUnsafeBufferPointer { pixels in
            tcv_barred_tiles(
                pixels.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue), scale,
                plane.rawValue, aspect, side, nil, 0, &found, Int32(most), &count)
        }
        guard status == TCV_OK else { return [] }
        return found.prefix(Int(count)).map { tile in
            let (u, v) = (tile.longer / 2, tile.shorter / 2)
            let middle = Point(tile.x, tile.y)
            return Tile(
                corners: [(-u, -v), (u, -v), (u, v), (-u, v)].map {
                    Point($0.0, $0.1).rotated(cosine: cos(tile.angle), sine: sin(tile.angle)) + middle
                }, side: tile.shorter, bar: tile.bar / tile.shorter, contrast: tile.contrast, strength: tile.strength,
                pips: tile.pips,
                standsOut: false)
        }
    }
}
