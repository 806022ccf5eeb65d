import Foundation
import Core

/// A rectified tile face.
struct TileFace {
    let width: Int
    let height: Int
    /// Red, green, blue, row by row.
    let bytes: [UInt8]
    private let picture: Picture<UInt8>

    /// How ink is segmented.
    struct InkParameters: Sendable {
        /// A smaller difference from the background is grain, 0…255. Set on development photos, as all values here.
        var minLevel = 26.0
        /// Smallest part: pixels, and the face's area divided by this.
        var minArea = 6
        var minShare = 2500
        /// Maximum number of parts.
        var most = 40
    }

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

    /// Rectifies the quadrangle (clockwise from the face's top left) of the picture; nil if it is degenerate.
    init?(_ raster: Raster, corners: [Point], squares: (across: Int, down: Int)) throws(PictureFailure) {
        let (width, height) = (Self.side * squares.across, Self.side * squares.down)
        guard let matrix = Homography(toCorners: corners, width: Double(width), height: Double(height)) else {
            return nil
        }
        let picture = try raster.warped(matrix, width: width, height: height)
        (self.width, self.height, self.picture) = (width, height, picture)
        bytes = Array(UnsafeBufferPointer(start: picture.samples, count: width * height * 3))
    }

    /// The ink, without parts that touch the outermost `rim` pixels, because they are shadows and neighbours.
    func ink(
        rim: Int = TileFace.rim, parameters: InkParameters = InkParameters()
    ) throws(PictureFailure) -> Ink {
        let inner = PixelBox(x: rim, y: rim, width: width - 2 * rim, height: height - 2 * rim)
        let off = try picture.difference(from: try picture.part(inner).medianColour())
        let level = max(try off.part(inner).otsu(), parameters.minLevel)
        let (labels, all) = try off.above(level).parts(neighbours: 8)
        let least = max(parameters.minArea, width * height / parameters.minShare)
        let parts = all.filter { part in
            let box = part.box
            return part.area >= least && box.x >= rim && box.y >= rim && box.right <= width - rim
                && box.bottom <= height - rim
        }.sorted { $0.area > $1.area }.prefix(parameters.most)
        var numbers = [UInt8](repeating: 0, count: all.count + 1)
        for (index, part) in parts.enumerated() { numbers[part.label] = UInt8(index + 1) }
        var mask = [UInt8](repeating: 0, count: width * height)
        var differences = ByteCounts()
        for y in 0..<height {
            for x in 0..<width {
                let number = numbers[Int(labels[x, y])]
                guard number > 0 else { continue }
                mask[y * width + x] = number
                differences.add(off[x, y])
            }
        }
        return Ink(
            parts: parts.map { part in
                Ink.Part(
                    left: part.box.x, top: part.box.y, width: part.box.width, height: part.box.height,
                    area: part.area, middle: part.centre, label: numbers[part.label])
            }, mask: mask, contrast: parts.isEmpty ? 0 : Double(differences.median()))
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
