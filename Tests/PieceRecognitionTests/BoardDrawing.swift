import Foundation
import Vocabulary

/// Draws flat polygons on a table with uneven light and noise, the same on every run.
struct BoardDrawing {
    typealias RGB = (Double, Double, Double)

    let width: Int
    let height: Int
    private var pixels: [Double]

    init(width: Int = 800, height: Int = 600, table: RGB = (232, 230, 226)) {
        self.width = width
        self.height = height
        pixels = (0..<width * height).flatMap { _ in [table.0, table.1, table.2] }
    }

    /// Fills a polygon, its sides smoothed by 4×4 places a pixel.
    mutating func fill(_ corners: [Point], _ colour: RGB) {
        let rows = max(0, Int(corners.map(\.y).min() ?? 0) - 1)...min(height - 1, Int(corners.map(\.y).max() ?? 0) + 1)
        let columns =
            max(0, Int(corners.map(\.x).min() ?? 0) - 1)...min(width - 1, Int(corners.map(\.x).max() ?? 0) + 1)
        for row in rows {
            for column in columns {
                var inside = 0.0
                for part in 0..<16 {
                    let x = Double(column) + (Double(part % 4) - 1.5) / 4
                    let y = Double(row) + (Double(part / 4) - 1.5) / 4
                    if covers(corners, x, y) { inside += 1 / 16 }
                }
                guard inside > 0 else { continue }
                let at = 3 * (row * width + column)
                pixels[at] += inside * (colour.0 - pixels[at])
                pixels[at + 1] += inside * (colour.1 - pixels[at + 1])
                pixels[at + 2] += inside * (colour.2 - pixels[at + 2])
            }
        }
    }

    private func covers(_ corners: [Point], _ x: Double, _ y: Double) -> Bool {
        var inside = false
        var before = corners[corners.count - 1]
        for corner in corners {
            if (corner.y > y) != (before.y > y),
                x < (before.x - corner.x) * (y - corner.y) / (before.y - corner.y) + corner.x
            {
                inside.toggle()
            }
            before = corner
        }
        return inside
    }

    /// The photo: light falls off by `falloff` from the left to the right edge, and every sample is off by up to `noise`.
    func photo(falloff: Double = 0.25, noise: Double = 4) -> Raster? {
        var state: UInt64 = 42
        var bytes = [UInt8](repeating: 0, count: pixels.count)
        for index in bytes.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let random = Double(state >> 40) / Double(1 << 24) * 2 - 1
            let light = 1 - falloff * Double(index / 3 % width) / Double(width)
            bytes[index] = UInt8(max(0, min(255, pixels[index] * light + noise * random)))
        }
        return Raster(width: width, height: height, format: .rgb8, bytes: bytes)
    }
}

/// A piece as it is laid on the drawn table.
struct LaidPiece {
    var type: String
    var slot: String?
    var colour: BoardDrawing.RGB
    /// Millimetres, as the set's file has it.
    var template: [Point]
    /// Millimetres; where the centroid lies.
    var x, y: Double
    /// Degrees, clockwise as seen.
    var angle: Double
    var flipped = false

    /// Corners in millimetres on the table: moved to the centroid, mirrored when flipped, turned, moved.
    var corners: [Point] {
        let middle = centroid(template)
        let (cosine, sine) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        return template.map { corner in
            let dx = (corner.x - middle.x) * (flipped ? -1 : 1)
            let dy = corner.y - middle.y
            return Point(x + cosine * dx - sine * dy, y + sine * dx + cosine * dy)
        }
    }
}

/// The area's centroid, by fans of triangles.
func centroid(_ corners: [Point]) -> Point {
    var (area, x, y) = (0.0, 0.0, 0.0)
    for index in 1..<corners.count - 1 {
        let (a, b, c) = (corners[0], corners[index], corners[index + 1])
        let part = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
        area += part
        x += part * (a.x + b.x + c.x) / 3
        y += part * (a.y + b.y + c.y) / 3
    }
    return Point(x / area, y / area)
}
