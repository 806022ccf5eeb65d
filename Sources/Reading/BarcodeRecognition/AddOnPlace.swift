import Foundation
import Core

/// Whether anything stands beside a code that may be two or five more digits: bars of its own height, as dark as its own.
///
/// A look along a few lines, so that decoders are asked where there is something to read alone.
struct AddOnPlace {
    private let plane: GrayPlane
    /// From the first bar to the last, and from the top of the bars to their foot.
    private let (start, along, down): (Point, Point, Point)

    /// Two digits have seven bars: fourteen edges, less some that blur.
    private static let fewestEdges = 6
    /// In lengths of the code: from its last bar as far as two digits reach, 32 of 95 modules.
    private static let end = 0.34
    private static let heights = [0.4, 0.45, 0.5, 0.55, 0.6]
    /// Bars are the same at every height; print and pictures are not.
    private static let leastLikeness = 0.75

    /// - Parameter outline: four corners of the code, clockwise.
    init?(beside outline: [Point], in plane: GrayPlane) {
        guard outline.count == 4 else { return nil }
        let first = outline[1].minus(outline[0])
        let second = outline[3].minus(outline[0])
        // Bars are longer than they are high on nearly every pack.
        let isAlong = first.length >= second.length
        self.plane = plane
        start = outline[0]
        along = isAlong ? first : second
        down = isAlong ? second : first
        guard along.length >= 20 else { return nil }
    }

    /// True where bars may stand at either end.
    var isPromising: Bool {
        let own = samples(from: 0, to: 1, at: 0.5)
        guard let dark = own.min(), let bright = own.max(), bright > dark + 20 else { return false }
        return [(1, 1 + Self.end), (-Self.end, 0)].contains { from, to in
            let rows = Self.heights.map { signs(samples(from: from, to: to, at: $0), dark, bright) }
                .filter { zip($0, $0.dropFirst()).count(where: !=) >= Self.fewestEdges }
            return zip(rows, rows.dropFirst()).contains { Self.likeness($0, $1) >= Self.leastLikeness }
        }
    }

    /// True for dark, by the code's own dark and bright; a third of the range in between is as the sample before.
    private func signs(_ samples: [UInt8], _ dark: UInt8, _ bright: UInt8) -> [Bool] {
        let (low, high) = (Int(dark) + Int(bright - dark) / 3, Int(bright) - Int(bright - dark) / 3)
        var isDark = false
        return samples.map { value in
            if Int(value) > high { isDark = false }
            if Int(value) < low { isDark = true }
            return isDark
        }
    }

    private static func likeness(_ one: [Bool], _ other: [Bool]) -> Double {
        Double(zip(one, other).count(where: ==)) / Double(max(1, max(one.count, other.count)))
    }

    /// Brightness along the code's direction, a sample a pixel; what lies outside the picture is left out.
    private func samples(from: Double, to: Double, at height: Double) -> [UInt8] {
        let count = max(2, Int((to - from) * along.length))
        return (0..<count).compactMap { index in
            let place = from + (to - from) * Double(index) / Double(count)
            let x = Int(start.x + along.x * place + down.x * height)
            let y = Int(start.y + along.y * place + down.y * height)
            guard (0..<plane.width).contains(x), (0..<plane.height).contains(y) else { return nil }
            return plane.bytes[y * plane.width + x]
        }
    }
}

extension Point {
    fileprivate func minus(_ other: Point) -> Point { Point(x - other.x, y - other.y) }
    fileprivate var length: Double { (x * x + y * y).squareRoot() }
}
