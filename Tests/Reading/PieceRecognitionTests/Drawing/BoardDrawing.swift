import Foundation
import Core

/// Draws flat polygons on a table with uneven light and noise, identically on every run.
struct BoardDrawing {
    typealias RGB = (Double, Double, Double)

    let width: Int
    let height: Int
    private let tilt: Double
    private var pixels: [Double]

    /// - Parameter tilt: Degrees between the camera's axis and the table's normal.
    init(width: Int = 800, height: Int = 600, table: RGB = (232, 230, 226), tilt: Double = 0) {
        self.width = width
        self.height = height
        self.tilt = tilt
        pixels = [Double](repeating: table.0, count: 3 * width * height)
        for at in stride(from: 0, to: pixels.count, by: 3) {
            pixels[at + 1] = table.1
            pixels[at + 2] = table.2
        }
    }

    /// Fills a polygon. A pixel on its edge is blended by its covered share, measured on four lines per pixel.
    mutating func fill(_ corners: [Point], _ colour: RGB) {
        let corners = corners.map(inPhoto)
        let rows = max(0, Int(corners.map(\.y).min() ?? 0) - 1)...min(height - 1, Int(corners.map(\.y).max() ?? 0) + 1)
        for row in rows {
            var covered: [Int: Double] = [:]
            for line in 0..<4 {
                let cuts = crossings(corners, Double(row) + (Double(line) - 1.5) / 4)
                for pair in stride(from: 0, to: cuts.count - 1, by: 2) {
                    let first = max(0, Int((cuts[pair] + 0.5).rounded(.down)))
                    let last = min(width - 1, Int((cuts[pair + 1] + 0.5).rounded(.down)))
                    guard first <= last else { continue }
                    for column in first...last {
                        let from = max(cuts[pair], Double(column) - 0.5)
                        covered[column, default: 0] += (min(cuts[pair + 1], Double(column) + 0.5) - from) / 4
                    }
                }
            }
            for (column, share) in covered {
                let at = 3 * (row * width + column)
                pixels[at] += share * (colour.0 - pixels[at])
                pixels[at + 1] += share * (colour.1 - pixels[at + 1])
                pixels[at + 2] += share * (colour.2 - pixels[at + 2])
            }
        }
    }

    /// The place of a point on the table in the photo. From straight above both are the same.
    func inPhoto(_ p: Point) -> Point {
        guard tilt > 0 else { return p }
        let (focal, middle) = (0.9 * Double(width), (x: Double(width) / 2, y: Double(height) / 2))
        let (x, y, angle) = (p.x - middle.x, p.y - middle.y, tilt * .pi / 180)
        let depth = 1.25 * focal - y * sin(angle)
        return Point(middle.x + focal * x / depth, middle.y + focal * y * cos(angle) / depth)
    }

    /// Where a horizontal line enters and leaves the polygon, from left to right.
    private func crossings(_ corners: [Point], _ y: Double) -> [Double] {
        zip(corners, corners.dropFirst() + corners.prefix(1)).compactMap { a, b in
            (a.y > y) == (b.y > y) ? nil : a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y)
        }.sorted()
    }

    /// The photo. Light falls off by `falloff` from the left to the right edge; each sample deviates by up to
    /// `noise`.
    func photo(falloff: Double = 0.25, noise: Double = 4) -> Raster? {
        var state: UInt64 = 42
        var bytes = [UInt8](repeating: 0, count: pixels.count)
        for row in 0..<height {
            for column in 0..<width {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let light = 1 - falloff * Double(column) / Double(width)
                for channel in 0..<3 {
                    let at = 3 * (row * width + column) + channel
                    let random = Double((state >> (24 + 13 * UInt64(channel))) & 8191) / 4096 - 1
                    bytes[at] = UInt8(max(0, min(255, pixels[at] * light + noise * random)))
                }
            }
        }
        return Raster(width: width, height: height, format: .rgb8, bytes: bytes)
    }
}

/// A piece and its pose on the drawn table.
struct LaidPiece {
    var type: String
    var slot: String?
    var colour: BoardDrawing.RGB
    /// Template in millimetres, as in the set's file.
    var template: [Point]
    /// Position of the centroid, millimetres.
    var x, y: Double
    /// Degrees, clockwise as seen.
    var angle: Double
    var flipped = false

    /// Corners in millimetres on the table: shifted to the centroid, mirrored if flipped, rotated, translated.
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

/// The area's centroid, by a fan of triangles.
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
