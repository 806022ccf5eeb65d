import Core

/// Builds lines with boxes for tests: letters ten pixels wide, lines twenty pixels high.
struct MenuLines {
    private(set) var lines: [TextLine] = []

    mutating func line(_ text: String, x: Double, y: Double) {
        var left = x
        let words = text.split(separator: " ").map { part in
            let box = Quad(x: left, y: y, width: Double(part.count) * 10, height: 20)
            left += Double(part.count) * 10 + 7
            return Word(text: String(part), confidence: 0.95, box: box)
        }
        lines.append(
            TextLine(text: text, confidence: 0.95, box: Quad(x: x, y: y, width: left - x, height: 20), words: words))
    }

    static func words(_ text: String) -> [Word] {
        var page = MenuLines()
        page.line(text, x: 0, y: 0)
        return page.lines[0].words
    }
}
