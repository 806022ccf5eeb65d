import Core

/// Rectangles of a picture that may contain print, chosen by the detector's map of the same or a smaller picture.
///
/// A picture of a packet's barcode or of a game has little print: searching these rectangles instead of the whole
/// picture takes a third of the time (docs/measurements/speed.md). Print that the small picture shows only faintly still
/// raises the map above `minProbability`.
struct PrintRegions: Hashable {
    /// Longer side of the small picture, pixels. At 416, seven times as many lines were lost.
    static let overviewSide = 480
    /// Probability of text above which a place is searched. Text itself counts from .3.
    private static let minProbability: Float = 0.004
    /// Side of a cell of the map, pixels. Cells are joined to rectangles.
    private static let cell = 8
    /// Pixels added on each side of a rectangle, so that a line is not cut and the detector has context.
    private static let margin = 48
    /// Two rectangles are joined if their common rectangle is at most this much larger than both.
    private static let joinFactor = 1.15
    /// Share of the picture above which searching rectangles saves nothing.
    private static let maxShare = 0.7
    /// Clutter gives more rectangles; then the whole picture is searched.
    private static let maxCount = 60

    struct Rect: Hashable {
        var x: Range<Int>
        var y: Range<Int>

        var area: Int { x.count * y.count }

        func union(_ other: Rect) -> Rect {
            Rect(
                x: min(x.lowerBound, other.x.lowerBound)..<max(x.upperBound, other.x.upperBound),
                y: min(y.lowerBound, other.y.lowerBound)..<max(y.upperBound, other.y.upperBound))
        }

        func overlaps(_ other: Rect) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }
    }

    /// Disjoint, in pixels of the picture, sides multiples of `PageTiles.step`. Empty: no print.
    let rects: [Rect]

    init(wholeOf width: Int, _ height: Int) { rects = [Rect(x: 0..<width, y: 0..<height)] }

    /// - Parameters:
    ///   - map: Probabilities 0…1 of text, row by row from the top.
    ///   - mapWidth: Width of the map, pixels.
    ///   - width: Width of the picture to search, pixels, a multiple of `PageTiles.step`; its height alike.
    init(map: [Float], mapWidth: Int, width: Int, height: Int) {
        rects =
            Self.rects(map, mapWidth: mapWidth, width: width, height: height)
            ?? PrintRegions(wholeOf: width, height).rects
    }

    /// Nil if the whole picture is to be searched.
    private static func rects(_ map: [Float], mapWidth: Int, width: Int, height: Int) -> [Rect]? {
        let mapHeight = map.count / max(1, mapWidth)
        guard mapWidth > 0, mapHeight > 0 else { return nil }
        let cells = litCells(map, width: mapWidth, height: mapHeight)
        let (across, down) = (Double(width) / Double(mapWidth), Double(height) / Double(mapHeight))
        var rects = cells.components().map { part in
            Rect(
                x: grown(part.x, by: Double(cell) * across, within: width),
                y: grown(part.y, by: Double(cell) * down, within: height))
        }
        guard rects.count <= maxCount else { return nil }
        join(&rects)
        return Double(rects.reduce(0) { $0 + $1.area }) > maxShare * Double(width * height) ? nil : rects
    }

    private static func litCells(_ map: [Float], width: Int, height: Int) -> CellGrid {
        var grid = CellGrid(columns: (width + cell - 1) / cell, rows: (height + cell - 1) / cell)
        map.withUnsafeBufferPointer { map in
            for y in 0..<height {
                for x in 0..<width where map[y * width + x] > minProbability {
                    grid.isLit[y / cell * grid.columns + x / cell] = true
                }
            }
        }
        return grid
    }

    /// A range of cells in pixels of the picture, with margin, aligned.
    private static func grown(_ cells: Range<Int>, by size: Double, within side: Int) -> Range<Int> {
        let start = Int(Double(cells.lowerBound) * size) - margin
        let end = Int((Double(cells.upperBound) * size).rounded(.up)) + margin
        let step = PageTiles.step
        return max(0, start / step * step)..<min(side, (end + step - 1) / step * step)
    }

    private static func join(_ rects: inout [Rect]) {
        var isChanged = true
        while isChanged {
            isChanged = false
            search: for first in rects.indices {
                for second in rects.indices.dropFirst(first + 1) {
                    let union = rects[first].union(rects[second])
                    let areas = Double(rects[first].area + rects[second].area)
                    guard rects[first].overlaps(rects[second]) || Double(union.area) <= joinFactor * areas
                    else { continue }
                    rects[first] = union
                    rects.remove(at: second)
                    isChanged = true
                    break search
                }
            }
        }
    }
}

/// Cells in rows from the top, some of them lit.
private struct CellGrid {
    let columns: Int
    let rows: Int
    var isLit: [Bool]

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        isLit = [Bool](repeating: false, count: columns * rows)
    }

    /// Bounds of each group of lit cells that touch at a side or a corner, in cells.
    func components() -> [PrintRegions.Rect] {
        var open = isLit
        var found: [PrintRegions.Rect] = []
        for start in open.indices where open[start] {
            open[start] = false
            var bounds = rect(of: start)
            var waiting = [start]
            while let cell = waiting.popLast() {
                bounds = bounds.union(rect(of: cell))
                let (column, row) = (cell % columns, cell / columns)
                for y in max(0, row - 1)...min(rows - 1, row + 1) {
                    for x in max(0, column - 1)...min(columns - 1, column + 1) where open[y * columns + x] {
                        open[y * columns + x] = false
                        waiting.append(y * columns + x)
                    }
                }
            }
            found.append(bounds)
        }
        return found
    }

    private func rect(of cell: Int) -> PrintRegions.Rect {
        let (column, row) = (cell % columns, cell / columns)
        return PrintRegions.Rect(x: column..<(column + 1), y: row..<(row + 1))
    }
}
