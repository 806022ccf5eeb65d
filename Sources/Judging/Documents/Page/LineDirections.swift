import Core
import Foundation

/// The words of a photo by the direction of their print. Packages are printed in several directions: the date is often
/// upside down or sideways to the other print.
enum LineDirections {
    /// The lines of each direction, the direction with most print first. A line whose words differ in direction is split.
    static func groups(of lines: [TextLine]) -> [[TextLine]] {
        let measured = lines.map { line in (line.words.isEmpty ? [line.box] : line.words.map(\.box)).map(Self.measured)
        }
        var weights = [0.0, 0.0, 0.0, 0.0]
        for one in measured.joined() { weights[quarter(one.angle)] += one.width }
        guard let main = weights.indices.max(by: { weights[$0] < weights[$1] }), weights[main] > 0 else {
            return lines.isEmpty ? [] : [lines]
        }
        // The directions are quarter turns from the mean angle of most print, so a tilted page stays one direction.
        let base = Double(main) * .pi / 2
        let offset = measured.joined().reduce(0) { sum, one in
            quarter(one.angle) == main ? sum + remainder(one.angle - base, 2 * .pi) * one.width : sum
        }
        let mean = base + offset / weights[main]
        var groups: [[TextLine]] = [[], [], [], []]
        for (line, words) in zip(lines, measured) {
            let quarters = words.map { quarter($0.angle - mean) }
            for number in Set(quarters).sorted() {
                groups[number].append(part(of: line, quarters.map { $0 == number }))
            }
        }
        return groups.filter { !$0.isEmpty }
    }

    /// The chosen words of a line; the line itself if all are chosen.
    private static func part(of line: TextLine, _ isChosen: [Bool]) -> TextLine {
        guard isChosen.contains(false) else { return line }
        let words = zip(line.words, isChosen).filter(\.1).map(\.0)
        return TextLine(
            text: words.map(\.text).joined(separator: " "), confidence: line.confidence,
            box: Quad(around: words.map(\.box)) ?? line.box, words: words)
    }

    /// The nearest number of clockwise quarter turns, 0…3.
    private static func quarter(_ angle: Double) -> Int { ((Int(nearest: angle / (.pi / 2)) % 4) + 4) % 4 }

    /// The direction in which a word is read, radians clockwise from the right, and its width in pixels.
    private static func measured(_ box: Quad) -> (angle: Double, width: Double) {
        let across = Point(box.topRight.x - box.topLeft.x, box.topRight.y - box.topLeft.y)
        let (angle, width) = (atan2(across.y, across.x), hypot(across.x, across.y))
        return angle.isFinite && width.isFinite ? (angle, width) : (0, 0)
    }
}
