import Core

/// Lays plain text out like a page, so that the same code reads it. Every character has the same width.
enum PlainText {
    private static let width = 10.0
    private static let height = 15.0
    private static let pitch = 30.0
    /// Columns of a tab.
    private static let tab = 8
    /// Longer texts are cut, in characters.
    private static let limit = 200_000

    static func lines(of text: String) -> [TextLine] {
        text.prefix(limit).split(separator: "\n", omittingEmptySubsequences: false).prefix(2000).enumerated()
            .compactMap { number, line in self.line(String(line), number) }
    }

    private static func line(_ text: String, _ number: Int) -> TextLine? {
        var words: [Word] = []
        var word = ""
        var start = 0
        var column = 0
        func end() {
            guard !word.isEmpty else { return }
            words.append(
                Word(
                    text: word, confidence: 1,
                    box: Quad(
                        x: Double(start) * width, y: Double(number) * pitch, width: Double(column - start) * width,
                        height: height)))
            word = ""
        }
        for character in text {
            if character == "\t" {
                end()
                column = (column / tab + 1) * tab
            } else if character.isWhitespace {
                end()
                column += 1
            } else {
                if word.isEmpty { start = column }
                word.append(character)
                column += 1
            }
        }
        end()
        guard let box = Quad(around: words.map(\.box)) else { return nil }
        return TextLine(text: words.map(\.text).joined(separator: " "), confidence: 1, box: box, words: words)
    }
}
