import Core

/// How much text of one photo is judged. The densest pages of menus and labels have some 6,000 characters in 160 lines;
/// only a worker that was taken over, or a picture made for it, gives more than these limits.
enum TextBudget {
    /// Unicode scalars of all lines together.
    static let characters = 50_000
    static let lines = 2_500

    /// The first part of a reading, in reading order, and the reason to say so; nil if all of it is judged.
    static func limited(_ text: TextReading) -> (text: TextReading, reason: Outcome.Reason?) {
        let sizes = text.lines.map { line in
            max(line.text.unicodeScalars.count, line.words.reduce(0) { $0 + $1.text.unicodeScalars.count + 1 })
        }
        let all = sizes.reduce(0, +)
        guard all > characters || sizes.count > lines else { return (text, nil) }
        var cut = text
        cut.lines = []
        var left = characters
        for (line, size) in zip(text.lines, sizes).prefix(lines) {
            guard size > left else {
                cut.lines.append(line)
                left -= size
                continue
            }
            cut.lines.append(start(of: line, characters: left))
            break
        }
        return (cut, reason(all, text.lines.count))
    }

    private static func start(of line: TextLine, characters: Int) -> TextLine {
        var line = line
        var left = characters
        line.words = Array(
            line.words.prefix { word in
                left -= word.text.unicodeScalars.count + 1
                return left >= 0
            })
        line.text = String(String.UnicodeScalarView(line.text.unicodeScalars.prefix(characters)))
        return line
    }

    private static func reason(_ characters: Int, _ lines: Int) -> Outcome.Reason {
        Outcome.Reason(
            code: ItemFailure.Code.tooMuchText.rawValue,
            detail:
                "\(characters) characters in \(lines) lines; only the first \(Self.characters) characters in at most "
                + "\(Self.lines) lines were judged",
            hint: "photograph each part of the page by itself")
    }
}
