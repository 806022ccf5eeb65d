import Foundation
import Core

/// Reads both halves of a rectified domino: the arrangement of pips that explains the ink at the nine places of each
/// half.
///
/// Segmentation counts separate spots. It fails where a pip touches the rim, a glint or its neighbour. Here a pip
/// only has to be inked where the arrangement has one, and bare where it has none.
struct DominoFace {
    struct Parameters: Sendable {
        /// Distance of rows and columns from the half's centre, relative to its edge: common dominoes have .2 to .32.
        var pitches = Array(stride(from: 0.19, through: 0.35, by: 0.02))
        /// Maximum shift of the centre, and its step. A tile's rounded rim moves its outline by so much.
        var maxShift = 0.04
        var shiftStep = 0.04
        /// Half the edge of the square that is sampled at a place: a pip's inner part.
        var sample = 0.045
        /// The same between two places, where no pip is, and the weight of ink there.
        var gap = 0.02
        var gapWeight = 0.4
        /// Half the edge of the square that holds a whole pip, and the area of a pip, in edges of the half. Each area
        /// of ink beside the pips costs as much as `unexplained` places.
        var whole = 0.11
        var pipArea = 0.03
        var unexplained = 2.0
        /// Ring of the half that is not looked at: rim, and the bar at the middle of the tile.
        var rim = 0.04
        var bar = 0.07
        /// Share of a half's pixels, of which the most inked one gives the ink's contrast. One pip covers .02.
        var inkShare = 0.012
        /// Minimum contrast of ink, 0…255, and relative to the more inked half. Fainter marks are grain or a shadow.
        var minContrast = 28.0
        var minRelativeContrast = 0.3
        /// Minimum margin of the best number over the next one, in places.
        var minMargin = 0.3
    }

    /// One half as read.
    struct Half: Sendable {
        var value: Int
        /// How much better this number explains the nine places than the next one; 1 for one place without doubt.
        var margin: Double
        /// The palest pip, and the most inked bare place: 1 is ink, 0 is background.
        var palest: Double
        var inkiest: Double
    }

    private let face: TileFace
    private let parameters: Parameters

    init(_ face: TileFace, _ parameters: Parameters = .init()) { (self.face, self.parameters) = (face, parameters) }

    /// Both halves; nil for a half without ink, or without a number that explains it.
    func halves() -> [Half?] {
        let edge = face.height
        guard face.width == 2 * edge else { return [nil, nil] }
        let planes = (0..<2).map { distances(half: $0, edge: edge) }
        let contrasts = planes.map(contrast)
        let least = max(parameters.minContrast, parameters.minRelativeContrast * (contrasts.max() ?? 0))
        return zip(planes, contrasts).map { plane, contrast in
            guard contrast >= least, let half = half(plane, contrast: contrast, edge: edge),
                half.margin >= parameters.minMargin
            else { return nil }
            return half
        }
    }

    /// Maximum channel difference of each pixel of a half from the half's median colour.
    private func distances(half: Int, edge: Int) -> [Double] {
        func at(_ x: Int, _ y: Int) -> Int { 3 * (y * face.width + half * edge + x) }
        var middle = [0.0, 0, 0]
        let rim = Int(parameters.rim * Double(edge))
        for channel in 0..<3 {
            var counts = [Int](repeating: 0, count: 256)
            var total = 0
            for y in rim..<(edge - rim) {
                for x in rim..<(edge - rim) {
                    counts[Int(face.bytes[at(x, y) + channel])] += 1
                    total += 1
                }
            }
            var sum = 0
            middle[channel] = Double(
                counts.indices.first { index in
                    sum += counts[index]
                    return 2 * sum >= total
                } ?? 0)
        }
        // The bar lies on the right of the left half, and on the left of the right one.
        let bar = Int(parameters.bar * Double(edge))
        let columns = half == 0 ? rim..<(edge - bar) : bar..<(edge - rim)
        var plane = [Double](repeating: 0, count: edge * edge)
        for y in rim..<(edge - rim) {
            for x in columns {
                let place = at(x, y)
                var most = 0.0
                for channel in 0..<3 { most = max(most, abs(Double(face.bytes[place + channel]) - middle[channel])) }
                plane[y * edge + x] = most
            }
        }
        return plane
    }

    private func contrast(_ plane: [Double]) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        for value in plane { counts[Int(value)] += 1 }
        var left = Int(parameters.inkShare * Double(plane.count))
        return Double(
            counts.indices.reversed().first { value in
                left -= counts[value]
                return left < 0
            } ?? 0)
    }

    private func half(_ plane: [Double], contrast: Double, edge: Int) -> Half? {
        let sums = Sums(plane.map { min(1, $0 / contrast) }, edge: edge)
        var best: (inks: [Double], score: Double)?
        let all = sums.mean(Point(0.5, 0.5), 0.5)
        let shifts = stride(from: -parameters.maxShift, through: parameters.maxShift, by: parameters.shiftStep)
        for pitch in parameters.pitches {
            for dx in shifts {
                for dy in shifts {
                    let middle = Point(0.5 + dx, 0.5 + dy)
                    let inks = Self.places.map { sums.mean(middle + $0 * pitch, parameters.sample) }
                    var gaps = 0.0
                    for gap in Self.gaps { gaps += sums.mean(middle + gap * pitch, parameters.gap) }
                    gaps /= Double(Self.gaps.count)
                    let (index, score) = Self.best(inks)
                    var beside = all
                    let area = 4 * parameters.whole * parameters.whole
                    for pip in Self.arrangements[index].places {
                        beside -= area * sums.mean(middle + Self.places[pip] * pitch, parameters.whole)
                    }
                    let total =
                        score - parameters.gapWeight * gaps * 9
                        - parameters.unexplained * abs(beside) / parameters.pipArea
                    if total > best?.score ?? -.infinity { best = (inks, total) }
                }
            }
        }
        return best.map { Self.explained($0.inks) }
    }

    /// The nine places, row by row, and those half-way between neighbours; units of the pitch.
    private static let places = [-1.0, 0, 1].flatMap { row in [-1.0, 0, 1].map { Point($0, row) } }
    private static let gaps = [
        Point(-0.5, -1), Point(0.5, -1), Point(-0.5, 0), Point(0.5, 0), Point(-0.5, 1), Point(0.5, 1), Point(-1, -0.5),
        Point(-1, 0.5), Point(0, -0.5), Point(0, 0.5), Point(1, -0.5), Point(1, 0.5),
    ]

    /// How well an arrangement explains the ink at nine places: the sum of 2·ink − 1 over its pips, less that over its
    /// bare places.
    private static func score(_ places: [Int], _ inks: [Double], all: Double) -> Double {
        var score = -all
        for place in places { score += 2 * (2 * inks[place] - 1) }
        return score
    }

    private static func sum(_ inks: [Double]) -> Double {
        var all = 0.0
        for ink in inks { all += 2 * ink - 1 }
        return all
    }

    /// The arrangement that explains the ink best.
    private static func best(_ inks: [Double]) -> (index: Int, score: Double) {
        let all = sum(inks)
        var best = (index: 0, score: -Double.infinity)
        for index in arrangements.indices {
            let score = score(arrangements[index].places, inks, all: all)
            if score > best.score { best = (index, score) }
        }
        return best
    }

    /// The number that explains the ink best, and its margin over the next number.
    static func explained(_ inks: [Double]) -> Half {
        let (index, score) = best(inks)
        let (value, places) = arrangements[index]
        let all = sum(inks)
        var next = -Double.infinity
        for other in arrangements where other.value != value {
            next = max(next, Self.score(other.places, inks, all: all))
        }
        let bare = (0..<9).filter { !places.contains($0) }.map { inks[$0] }
        return Half(
            value: value, margin: (score - next) / 2, palest: places.map { inks[$0] }.min() ?? 1,
            inkiest: bare.max() ?? 0)
    }

    /// Places of each number of inked pips, row by row; those that a quarter turn changes twice. Numbers above six are
    /// rivals too.
    private static let arrangements: [(value: Int, places: [Int])] = [
        (1, [4]), (2, [0, 8]), (2, [2, 6]), (3, [0, 4, 8]), (3, [2, 4, 6]), (4, [0, 2, 6, 8]), (5, [0, 2, 4, 6, 8]),
        (6, [0, 2, 3, 5, 6, 8]), (6, [0, 1, 2, 6, 7, 8]), (7, [0, 2, 3, 4, 5, 6, 8]), (7, [0, 1, 2, 4, 6, 7, 8]),
        (8, [0, 1, 2, 3, 5, 6, 7, 8]), (9, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
    ]

    /// Means of rectangles of a square plane.
    private struct Sums {
        let edge: Int
        private let table: [Double]

        init(_ plane: [Double], edge: Int) {
            var table = [Double](repeating: 0, count: (edge + 1) * (edge + 1))
            for y in 0..<edge {
                var row = 0.0
                for x in 0..<edge {
                    row += plane[y * edge + x]
                    table[(y + 1) * (edge + 1) + x + 1] = table[y * (edge + 1) + x + 1] + row
                }
            }
            (self.edge, self.table) = (edge, table)
        }

        /// About a place in edges, `reach` edges to each side.
        func mean(_ at: Point, _ reach: Double) -> Double {
            let size = Double(edge)
            func clamped(_ value: Double) -> Int { max(0, min(edge, Int((value * size).rounded()))) }
            let (left, right, top, bottom) = (
                clamped(at.x - reach), clamped(at.x + reach), clamped(at.y - reach), clamped(at.y + reach)
            )
            let area = (right - left) * (bottom - top)
            guard area > 0 else { return 0 }
            let (upper, lower) = (top * (edge + 1), bottom * (edge + 1))
            let sum = table[lower + right] - table[upper + right] - table[lower + left] + table[upper + left]
            return sum / Double(area)
        }
    }
}
