import Foundation
import Core

/// Builds readings for tests: letters ten pixels wide, lines twenty pixels high.
struct LayoutPage {
    private(set) var lines: [TextLine] = []

    mutating func line(_ text: String, x: Double, y: Double, height: Double = 20, gapBefore: [Int: Double] = [:]) {
        var left = x
        var words: [Word] = []
        for (number, part) in text.split(separator: " ").enumerated() {
            left += gapBefore[number] ?? 0
            let width = Double(part.count) * height / 2
            words.append(
                Word(text: String(part), confidence: 0.95, box: Quad(x: left, y: y, width: width, height: height)))
            left += width + height / 3
        }
        lines.append(
            TextLine(
                text: text, confidence: 0.95, box: Quad(x: x, y: y, width: left - x, height: height), words: words))
    }

    /// The lines with every corner transformed by `map`.
    func mapped(_ map: (Point) -> Point) -> [TextLine] {
        lines.map { line in
            var line = line
            line.box = mapped(line.box, map)
            for index in line.words.indices { line.words[index].box = mapped(line.words[index].box, map) }
            return line
        }
    }

    private func mapped(_ box: Quad, _ map: (Point) -> Point) -> Quad {
        Quad(
            topLeft: map(box.topLeft), topRight: map(box.topRight), bottomRight: map(box.bottomRight),
            bottomLeft: map(box.bottomLeft))
    }

    func rotated(_ degrees: Double) -> [TextLine] {
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        return mapped { Point($0.x * cosine - $0.y * sine, $0.x * sine + $0.y * cosine) }
    }

    /// Two columns with prices. OCR merged each row into one line.
    static var twoColumns: LayoutPage {
        var page = LayoutPage()
        for (row, (left, right)) in [
            ("Tomato soup 5.50", "Apple pie 6.50"), ("Fish cakes 7.50", "Ice cream 4.50"),
            ("Green salad 4.00", "Cheese plate 8.00"),
        ].enumerated() {
            let count = left.split(separator: " ").count
            page.line("\(left) \(right)", x: 100, y: Double(row) * 40, gapBefore: [count: 150])
        }
        return page
    }
}
