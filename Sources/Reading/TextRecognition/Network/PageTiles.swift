/// Splits a picture into tiles, which a network processes one after another to limit its memory.
///
/// Tiles overlap, so that each pixel is taken from a tile in which it has context on all sides.
struct PageTiles {
    /// Pixels of a tile, overlap included. PP-OCR's detector needs about 300 bytes per pixel: 160 MB.
    static let maxPixels = 540_000
    /// Overlap on each side, pixels: at least twice the height of a line of text.
    static let overlap = 64
    /// The network halves its input five times, so sides are multiples of this.
    static let step = 32

    struct Tile: Hashable {
        /// Input of the network, pixels from the picture's top-left corner.
        let seenX: Range<Int>
        let seenY: Range<Int>
        /// The part of the output that is used. The tiles of a picture together cover each pixel once.
        let ownX: Range<Int>
        let ownY: Range<Int>

        /// The tile of a part of a picture, in pixels of the picture.
        func moved(by x: Int, _ y: Int) -> Tile {
            func moved(_ range: Range<Int>, by offset: Int) -> Range<Int> {
                (range.lowerBound + offset)..<(range.upperBound + offset)
            }
            return Tile(
                seenX: moved(seenX, by: x), seenY: moved(seenY, by: y), ownX: moved(ownX, by: x),
                ownY: moved(ownY, by: y))
        }
    }

    /// Row by row from the top, from left to right.
    let tiles: [Tile]

    /// - Parameters: Sides of the picture, pixels, multiples of `step`.
    init(width: Int, height: Int) {
        var best: (cost: Int, columns: [Range<Int>], rows: [Range<Int>])?
        for columns in Self.parts(of: width) {
            for rows in Self.parts(of: height) {
                let (widths, heights) = (Self.seen(columns, width), Self.seen(rows, height))
                guard (widths.max() ?? 0) * (heights.max() ?? 0) <= Self.maxPixels else { continue }
                let cost = widths.reduce(0, +) * heights.reduce(0, +)
                if cost < best?.cost ?? .max { best = (cost, columns, rows) }
            }
        }
        let (columns, rows) = best.map { ($0.columns, $0.rows) } ?? ([0..<width], [0..<height])
        tiles = rows.flatMap { row in
            columns.map { column in
                Tile(
                    seenX: Self.grown(column, in: width), seenY: Self.grown(row, in: height), ownX: column, ownY: row)
            }
        }
    }

    /// Partitions of the side into one tile, two, three …, each a multiple of the step.
    private static func parts(of side: Int) -> [[Range<Int>]] {
        (1...max(1, side / 256)).map { count in
            let steps = side / step
            let cuts = (0...count).map { $0 * steps / count * step }
            return zip(cuts, cuts.dropFirst()).map { $0..<$1 }
        }
    }

    private static func grown(_ part: Range<Int>, in side: Int) -> Range<Int> {
        max(0, part.lowerBound - overlap)..<min(side, part.upperBound + overlap)
    }

    private static func seen(_ parts: [Range<Int>], _ side: Int) -> [Int] { parts.map { grown($0, in: side).count } }
}
