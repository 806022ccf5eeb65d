internal import COpenCV
import Foundation
import Core

/// Oblong tiles that are found by the bar across their middle: also where they touch, hardly differ from the table, or throw shadows.
///
/// The bar says where the tile's middle is and how it lies; its four sides then are where colour steps, or a seam runs, along most of
/// a whole side.
struct BarredTiles {
    struct Tile {
        /// Pixels of the raster, clockwise; the first edge is a longer one.
        var corners: [Point]
        /// The shorter edge, pixels.
        var side: Double
        /// Length of the bar over the shorter edge.
        var bar: Double
        /// Of the bar and the ground beside it, 0…255.
        var contrast: Double
        /// The weakest edge's colour step, 0…255, with a little of the others'.
        var strength: Double
        /// How well the pips of both halves lie about their middles, 0…2.
        var pips: Double
        /// Four edges by themselves; fainter ones need pips beside the bar.
        var standsOut: Bool
    }

    /// Steps of less than this around a tile are grain, 0…255.
    private static let leastStrength = 6.0
    /// Less than this is none, whatever the pips say.
    private static let leastSeen = 1.2
    /// Pips of one half about its middle, as they are seen in grain.
    private static let leastPips = 0.6
    /// Tiles of one set stand out alike: less than this share of what most do is none.
    private static let leastShare = 0.25
    private static let most = 90

    /// - Parameters:
    ///   - aspect: longer over shorter edge.
    ///   - side: the shorter edge in pixels where others say it.
    static func tiles(in raster: Raster, aspect: Double, side: Double?) -> [Tile] {
        let all = look(raster, aspect, side: side ?? 0)
        let strong = all.map(\.strength).filter { $0 > leastStrength }.sorted()
        let usual = strong.isEmpty ? 0 : strong[strong.count / 2]
        return all.compactMap { tile in
            var tile = tile
            tile.standsOut = tile.strength > max(leastStrength, leastShare * usual)
            return tile.standsOut || (tile.pips > leastPips && tile.strength > leastSeen) ? tile : nil
        }
    }

    private static func look(_ raster: Raster, _ aspect: Double, side: Double) -> [Tile] {
        var found = [tcv_barred_tile](repeating: tcv_barred_tile(), count: most)
        var count: Int32 = 0
        let status = raster.bytes.withUnsafeBufferPointer { pixels in
            tcv_barred_tiles(
                pixels.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue), aspect,
                side,
                nil, 0, &found, Int32(most), &count)
        }
        guard status == TCV_OK else { return [] }
        return found.prefix(Int(count)).map { tile in
            let (u, v) = (tile.longer / 2, tile.shorter / 2)
            let middle = Point(tile.x, tile.y)
            return Tile(
                corners: [(-u, -v), (u, -v), (u, v), (-u, v)].map {
                    Point($0.0, $0.1).turned(cosine: cos(tile.angle), sine: sin(tile.angle)) + middle
                }, side: tile.shorter, bar: tile.bar / tile.shorter, contrast: tile.contrast, strength: tile.strength,
                pips: tile.pips,
                standsOut: false)
        }
    }
}
