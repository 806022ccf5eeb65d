import Foundation
import Core

/// Tests whether an add-on of two or five digits may be next to a code.
///
/// An add-on has bars as high and as dark as the code's own. The test samples a few lines, so that decoders search
/// only where bars exist.
struct AddOnProbe {
    private let plane: GrayPlane
    /// Origin at the first bar; `along` runs to the last bar, `down` from the top of the bars to their bottom.
    private let (start, along, down): (Point, Point, Point)

    /// Two digits have seven bars, so fourteen edges; blur removes some of them.
    private static let minEdges = 6
    /// End of the search range, in lengths of the code: two digits take 32 of 95 modules.
    private static let end = 0.34
    private static let heights = [0.4, 0.45, 0.5, 0.55, 0.6]
    /// Minimum share of equal samples between two heights. Bars look the same at every height; print and pictures do
    /// not.
    private static let minLikeness = 0.75

    /// - Parameter outline: Four corners of the code, clockwise.
    init?(beside outline: [Point], in plane: GrayPlane) {
        guard outline.count == 4 else { return nil }
        let first = outline[1].minus(outline[0])
        let second = outline[3].minus(outline[0])
        // On nearly every pack the code is wider than its bars are high.
        let isAlong = first.length >= second.length
        self.plane = plane
        start = outline[0]
        along = isAlong ? first : second
        down = isAlong ? second : first
        guard along.length >= 20 else { return nil }
    }

    /// True if bars may be next to either end.
    var mayHaveAddOn: Bool {
        let own = samples(from: 0, to: 1, at: 0.5)
        guard let dark = own.min(), let bright = own.max(), bright > dark + 20 else { return false }
        return [(1, 1 + Self.end), (-Self.end, 0)].contains { from, to in
            let rows = Self.heights.map { signs(samples(from: from, to: to, at: $0), dark, bright) }
                .filter { zip($0, $0.dropFirst()).count(where: !=) >= Self.minEdges }
            return zip(rows, rows.dropFirst()).contains { Self.likeness($0, $1) >= Self.minLikeness }
        }
    }

    /// Classifies samples as dark (true) or bright. In the middle third of the range a sample keeps the previous
    /// class.
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

    /// Brightness along the code's direction, one sample per pixel. Samples outside the picture are omitted.
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
