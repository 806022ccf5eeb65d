/// A picture cut into parts that a network looks at one after another: what it holds in memory grows with the part.
///
/// Parts overlap, so that what the network sees at a part's edge is never the edge of its world.
struct PageTiles {
    /// Pixels of a part, overlap included. PP-OCR's detector holds about 300 bytes a pixel: 160 MB.
    static let mostPixels = 540_000
    /// How far a part reaches beyond what it answers for, pixels: twice the height of a line of print or more.
    static let overlap = 64
    /// The network halves its picture five times: sides are multiples of this.
    static let step = 32

    struct Tile: Hashable {
        /// What the network sees, pixels from the picture's top-left corner.
        let seenX: Range<Int>
        let seenY: Range<Int>
        /// What it answers for; the tiles of a picture together cover each pixel once.
        let ownX: Range<Int>
        let ownY: Range<Int>
    }

    /// From left to right, then down.
    let tiles: [Tile]

    /// - Parameters: sides of the picture, pixels, multiples of `step`.
    init(width: Int, height: Int) {
        var best: (cost: Int, columns: [Range<Int>], rows: [Range<Int>])?
        for columns in Self.parts(of: width) {
            for rows in Self.parts(of: height) {
                let (widths, heights) = (Self.seen(columns, width), Self.seen(rows, height))
                guard (widths.max() ?? 0) * (heights.max() ?? 0) <= Self.mostPixels else { continue }
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

    /// The side in one part, in two, in three …, each part a multiple of the step.
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
