import Foundation
import Core

/// A printed board of 320 × 220 mm with markers and pieces, in an oblique view.
struct PrintedBoard {
    private var drawing = BoardDrawing(width: 1280, height: 720, table: (150, 120, 92))
    private let tilt: Double

    /// Inner bits of the printed markers, row by row, clockwise from the top-left, with their top-left corners in
    /// millimetres.
    private static let markers: [(String, Point)] = [
        ("1011010100110010", Point(4, 4)), ("0000111110011010", Point(292, 4)),
        ("0011001100101101", Point(292, 192)), ("1001100101000110", Point(4, 192)),
    ]

    /// - Parameter tilt: Degrees from the vertical view.
    init(tilt: Double) {
        self.tilt = tilt * .pi / 180
        drawing.fill(seen(Self.rectangle(Point(-6, -6), 332, 232)), (236, 235, 232))
        for (word, at) in Self.markers {
            drawing.fill(seen(Self.rectangle(at, 24, 24)), (28, 28, 30))
            for (bit, value) in word.enumerated() where value == "1" {
                let cell = Point(at.x + 4 * Double(bit % 4 + 1), at.y + 4 * Double(bit / 4 + 1))
                drawing.fill(seen(Self.rectangle(cell, 4, 4)), (235, 235, 232))
            }
        }
    }

    private static func rectangle(_ at: Point, _ width: Double, _ height: Double) -> [Point] {
        [at, Point(at.x + width, at.y), Point(at.x + width, at.y + height), Point(at.x, at.y + height)]
    }

    /// Pixels of points at a height in millimetres above the table: a pinhole of 1,100 pixels, 400 mm from the
    /// centre.
    private func seen(_ points: [Point], height: Double = 0) -> [Point] {
        let (sine, cosine) = (sin(tilt), cos(tilt))
        return points.map { point in
            let (x, y, z) = (point.x - 160, point.y - 110 - 400 * sine, height - 400 * cosine)
            let depth = -sine * y - cosine * z
            return Point(639.5 + 1100 * x / depth, 359.5 + 1100 * (cosine * y - sine * z) / depth)
        }
    }

    /// Draws pieces, the far ones first; side faces are darker than the top.
    mutating func lay(_ pieces: [(corners: [Point], colour: BoardDrawing.RGB)], height: Double) {
        for piece in pieces.sorted(by: { centroid($0.corners).y < centroid($1.corners).y }) {
            let (low, high) = (seen(piece.corners), seen(piece.corners, height: height))
            let dark = (piece.colour.0 * 0.6, piece.colour.1 * 0.6, piece.colour.2 * 0.6)
            for index in low.indices where height > 0 {
                let next = (index + 1) % low.count
                drawing.fill([low[index], low[next], high[next], high[index]], dark)
            }
            drawing.fill(high, piece.colour)
        }
    }

    /// - Parameter blur: Side of the box filter that is applied twice, pixels, odd.
    func photo(blur: Int = 1) -> Raster? {
        guard let sharp = drawing.photo(), blur > 1 else { return drawing.photo() }
        var samples = sharp.bytes.map(Int.init)
        for step in [3, 3 * sharp.width, 3, 3 * sharp.width] {
            let reach = blur / 2 * step
            samples = samples.indices.map { index in
                guard index >= reach, index + reach < samples.count else { return samples[index] }
                return stride(from: index - reach, through: index + reach, by: step).reduce(0) { $0 + samples[$1] }
                    / blur
            }
        }
        return Raster(width: sharp.width, height: sharp.height, format: .rgb8, bytes: samples.map { UInt8($0) })
    }
}
