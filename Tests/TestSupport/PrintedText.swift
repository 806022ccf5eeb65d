import Core

extension TextReading {
    /// Lines below one another, 30 pixels apart and 20 high; each letter and blank is 10 pixels wide.
    public static func printed(_ lines: [String], language: String, confidence: Double = 0.96) -> TextReading {
        TextReading(
            languages: [language],
            lines: lines.enumerated().map { row, line in
                let y = Double(row) * 30
                var x = 0.0
                let words = line.split(separator: " ", omittingEmptySubsequences: false).compactMap { word -> Word? in
                    guard !word.isEmpty else {
                        x += 10
                        return nil
                    }
                    let box = Quad(x: x, y: y, width: Double(word.count) * 10, height: 20)
                    x += Double(word.count + 1) * 10
                    return Word(text: String(word), confidence: confidence, box: box)
                }
                return TextLine(
                    text: line, confidence: confidence, box: Quad(x: 0, y: y, width: max(10, x - 10), height: 20),
                    words: words)
            })
    }
}
