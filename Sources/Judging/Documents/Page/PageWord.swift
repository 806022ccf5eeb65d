import Foundation
import Core

/// A word on the deskewed page. Deskewing removes the rotation of the page but not its perspective.
///
/// Lengths are in pixels of the photo. The axes are those of the deskewed page, x right, y down.
public struct PageWord: Sendable, Hashable {
    /// The recognised word, with its box in pixels of the upright photo.
    public var word: Word
    /// Index of the reading's line, from 0.
    public var line: Int
    /// Index of the word in its line, from 0.
    public var number: Int
    public var left, right: Double
    /// y of the word's centre on the deskewed page, pixels.
    public var middle: Double
    public var height: Double
    /// Slope of the word on the deskewed page: dy/dx, positive if it descends to the right.
    var residualSlope: Double

    var width: Double { right - left }
    var center: Double { (left + right) / 2 }
}

extension PageWord {
    /// Maximum angle between a word and the page, radians. Steeper words are vertical text and are dropped.
    private static let maximumWordAngle = 0.6
    /// Minimum ratio of width to height for a word to count in the skew estimate.
    private static let minimumAspectRatio = 2.0

    /// The words of a reading on the deskewed page.
    static func deskewed(_ lines: [TextLine]) -> [PageWord] {
        let measured = lines.enumerated().flatMap { number, line in
            Self.words(of: line).enumerated().compactMap { Measured($0.element, line: number, number: $0.offset) }
        }
        let turn = Self.turn(of: measured)
        let (sine, cosine) = (sin(-turn), cos(-turn))
        return measured.compactMap { one in
            let residualSlope = wrapped(one.angle - turn)
            let isSideways =
                abs(residualSlope) > maximumWordAngle && abs(abs(residualSlope) - .pi / 2) < maximumWordAngle
                && one.width > one.height
            guard !isSideways else { return nil }
            let x = one.center.x * cosine - one.center.y * sine
            let y = one.center.x * sine + one.center.y * cosine
            return PageWord(
                word: one.word, line: one.line, number: one.number, left: x - one.width / 2, right: x + one.width / 2,
                middle: y,
                height: one.height, residualSlope: abs(residualSlope) <= 0.3 ? tan(residualSlope) : 0)
        }
    }

    /// A word measured along its own baseline.
    private struct Measured {
        var word: Word
        var line, number: Int
        var center: Point
        var width, height, angle: Double

        init?(_ word: Word, line: Int, number: Int) {
            let box = word.box
            let across = Point(box.topRight.x - box.topLeft.x, box.topRight.y - box.topLeft.y)
            width = hypot(across.x, across.y)
            height = hypot(box.bottomLeft.x - box.topLeft.x, box.bottomLeft.y - box.topLeft.y)
            angle = atan2(across.y, across.x)
            center = Point(
                (box.topLeft.x + box.topRight.x + box.bottomRight.x + box.bottomLeft.x) / 4,
                (box.topLeft.y + box.topRight.y + box.bottomRight.y + box.bottomLeft.y) / 4)
            self.word = word
            self.line = line
            self.number = number
            guard width.isFinite, height.isFinite, center.x.isFinite, center.y.isFinite, width >= 1, height >= 1,
                word.text.contains(where: { !$0.isWhitespace })
            else { return nil }
        }
    }

    /// The words of a line. A line without words counts as one word.
    private static func words(of line: TextLine) -> [Word] {
        line.words.isEmpty ? [Word(text: line.text, confidence: line.confidence, box: line.box)] : line.words
    }

    /// The rotation of the page, radians clockwise: the most frequent quarter turn plus the weighted median of the
    /// words' angles. Short words count only if no word is long enough.
    private static func turn(of words: [Measured]) -> Double {
        var long = words.filter { $0.width > minimumAspectRatio * $0.height }
        if long.isEmpty { long = words.filter { $0.width > $0.height } }
        var weights = [0.0, 0.0, 0.0, 0.0]
        for word in long { weights[quarter(of: word.angle)] += word.width }
        let total = weights.reduce(0, +)
        // Some photos are stored rotated without an orientation tag.
        let side = (1...3).first { weights[$0] > 0.6 * total } ?? 0
        let base = wrapped(Double(side) * .pi / 2)
        let angles = long.map { (angle: wrapped($0.angle - base), width: $0.width) }.filter { abs($0.angle) < 0.5 }
            .sorted { $0.angle < $1.angle }
        var half = angles.reduce(0) { $0 + $1.width } / 2
        for one in angles {
            half -= one.width
            if half <= 0 { return base + one.angle }
        }
        return base
    }

    /// The nearest number of clockwise quarter turns, 0…3.
    private static func quarter(of angle: Double) -> Int { ((Int(nearest: angle / (.pi / 2)) % 4) + 4) % 4 }

    /// The angle wrapped to -π…π.
    private static func wrapped(_ angle: Double) -> Double {
        var angle = angle.truncatingRemainder(dividingBy: 2 * .pi)
        if angle > .pi { angle -= 2 * .pi }
        if angle < -.pi { angle += 2 * .pi }
        return angle
    }
}

/// The slope that perspective or page curl leaves on a deskewed page: slope = a + b·x + c·y.
public struct PageSlope: Sendable, Hashable {
    /// Ridge regularisation towards zero slope, as a share of the words' weight.
    private static let ridge = 0.1
    /// False if too few words are long enough; the slope is then 0.
    private(set) var isFitted = false
    private var level = 0.0
    private var alongX = 0.0
    private var alongY = 0.0
    private var origin = Point(0, 0)

    /// Ridge regression over the slopes of the words, trimmed at .05, by coordinate descent.
    init(_ words: [PageWord]) {
        let rows = words.filter { $0.width > 2.5 * $0.height }
        guard rows.count >= 6 else { return }
        isFitted = true
        let count = Double(rows.count)
        origin = Point(rows.reduce(0) { $0 + $1.left } / count, rows.reduce(0) { $0 + $1.middle } / count)
        let spreadX = max(1, (rows.reduce(0) { $0 + pow($1.left - origin.x, 2) } / count).squareRoot())
        let spreadY = max(1, (rows.reduce(0) { $0 + pow($1.middle - origin.y, 2) } / count).squareRoot())
        let scaled = rows.map {
            (
                x: ($0.left - origin.x) / spreadX, y: ($0.middle - origin.y) / spreadY, residualSlope: $0.residualSlope,
                weight: $0.width
            )
        }
        var (a, b, c) = (0.0, 0.0, 0.0)
        for _ in 0..<12 {
            var kept = scaled.filter { abs($0.residualSlope - a - b * $0.x - c * $0.y) < 0.05 }
            if kept.isEmpty { kept = scaled }
            let total = kept.reduce(0) { $0 + $1.weight }
            a = kept.reduce(0) { $0 + $1.weight * ($1.residualSlope - b * $1.x - c * $1.y) } / total
            b =
                kept.reduce(0) { $0 + $1.weight * $1.x * ($1.residualSlope - a - c * $1.y) }
                / (kept.reduce(0) { $0 + $1.weight * $1.x * $1.x } + Self.ridge * total)
            c =
                kept.reduce(0) { $0 + $1.weight * $1.y * ($1.residualSlope - a - b * $1.x) }
                / (kept.reduce(0) { $0 + $1.weight * $1.y * $1.y } + Self.ridge * total)
        }
        (level, alongX, alongY) = (a, b / spreadX, c / spreadY)
    }

    func at(_ x: Double, _ y: Double) -> Double { level + alongX * (x - origin.x) + alongY * (y - origin.y) }

    /// The distance by which one point lies below another along the slope between them, pixels.
    func rise(from x: Double, _ y: Double, to otherX: Double, _ otherY: Double) -> Double {
        otherY - y - (otherX - x) * at((x + otherX) / 2, (y + otherY) / 2)
    }
}
