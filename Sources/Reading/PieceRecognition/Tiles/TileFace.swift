internal import COpenCV
import Foundation
import Core

/// A rectified tile face.
struct TileFace {
    let width: Int
    let height: Int
    /// Red, green, blue, row by row.
    let bytes: [UInt8]

    /// The ink on the face.
    struct Ink {
        struct Part {
            var left, top, width, height, area: Int
            var middle: Point
            var label: UInt8
        }
        let parts: [Part]
        /// For each pixel the number of its part; 0 for the background.
        let mask: [UInt8]
        /// Difference from the background, 0…255.
        let contrast: Double
    }

    /// Edge of one square, pixels.
    static let side = 96
    /// Width of the rim that is ignored, pixels: it shows the tile's own rim or the table.
    static let rim = 7
    /// The same for pips, which lie nearer to the edge than letters.
    static let pipRim = 3
    private static let most = 40

    /// Rectifies the quadrangle (clockwise from the face's top left) of the picture.
    init?(_ raster: Raster, corners: [Point], squares: (across: Int, down: Int)) {
        let (width, height) = (Self.side * squares.across, Self.side * squares.down)
        guard let matrix = Self.matrix(to: corners, width: Double(width), height: Double(height)) else { return nil }
        var bytes = [UInt8](repeating: 0, count: width * height * 3)
        let status = raster.bytes.withUnsafeBufferPointer { pixels in
            tcv_board_warp(
                pixels.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue), matrix,
                &bytes, Int32(width), Int32(height))
        }
        guard status == TCV_OK else { return nil }
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    /// The ink, without parts that touch the outermost `rim` pixels.
    func ink(rim: Int = TileFace.rim) -> Ink {
        var mask = [UInt8](repeating: 0, count: width * height)
        var found = [tcv_ink_part](repeating: tcv_ink_part(), count: Self.most)
        var count: Int32 = 0
        var contrast = 0.0
        guard
            tcv_tile_ink(
                bytes, Int32(width), Int32(height), Int32(rim), &mask, &found, Int32(Self.most), &count, &contrast)
                == TCV_OK
        else { return Ink(parts: [], mask: mask, contrast: 0) }
        let parts = found.prefix(Int(count)).map { part in
            Ink.Part(
                left: Int(part.left), top: Int(part.top), width: Int(part.width), height: Int(part.height),
                area: Int(part.area), middle: Point(part.x, part.y), label: UInt8(part.label))
        }
        return Ink(parts: parts, mask: mask, contrast: contrast)
    }

    /// The homography that maps (0, 0), (width, 0), (width, height), (0, height) to four corners, row by row.
    static func matrix(to corners: [Point], width: Double, height: Double) -> [Double]? {
        guard corners.count == 4 else { return nil }
        let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
        // Heckbert 1989, §2.2.3: unit square → quadrangle.
        let sum = a - b + c - d
        let (e, f) = (b - c, d - c)
        let turn = e.cross(f)
        guard abs(turn) > 1e-9 else { return nil }
        let g = sum.cross(f) / turn
        let h = e.cross(sum) / turn
        return [
            (b.x - a.x + g * b.x) / width, (d.x - a.x + h * d.x) / height, a.x,
            (b.y - a.y + g * b.y) / width, (d.y - a.y + h * d.y) / height, a.y,
            g / width, h / height, 1,
        ]
    }
}

extension TileFace.Ink {
    /// Inked share 0…1 of each cell at the size of the templates, row by row; the parts' box fills the grid.
    func coverage(_ parts: [Part], width: Int) -> [Float] {
        let left = parts.map(\.left).min() ?? 0
        let top = parts.map(\.top).min() ?? 0
        let right = parts.map { $0.left + $0.width }.max() ?? 1
        let bottom = parts.map { $0.top + $0.height }.max() ?? 1
        let side = Double(max(right - left, bottom - top))
        let (middleX, middleY) = (Double(left + right) / 2, Double(top + bottom) / 2)
        let size = FaceTemplate.size
        let height = mask.count / max(1, width)
        var isOwn = [Bool](repeating: false, count: 256)
        for part in parts { isOwn[Int(part.label)] = true }
        return (0..<size * size).map { cell in
            var inked = 0
            for place in 0..<9 {
                let u = (Double(cell % size) + (Double(place % 3) + 0.5) / 3) / Double(size) - 0.5
                let v = (Double(cell / size) + (Double(place / 3) + 0.5) / 3) / Double(size) - 0.5
                let (x, y) = (Int((middleX + u * side).rounded(.down)), Int((middleY + v * side).rounded(.down)))
                if x >= 0, y >= 0, x < width, y < height, isOwn[Int(mask[y * width + x])] { inked += 1 }
            }
            return Float(inked) / 9
        }
    }
}
