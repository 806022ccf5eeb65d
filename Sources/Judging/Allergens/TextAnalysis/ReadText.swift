import Core

/// Text put together from the words of a reading, in which every character still knows its word.
struct ReadText: Sendable {
    private struct Piece: Sendable {
        var range: Range<Int>
        var box: Quad?
        var confidence: Double?
    }

    private(set) var characters: [Unicode.Scalar] = []
    private var pieces: [Piece] = []
    /// Lines of print that were seen and not read: an allergen may stand there.
    private(set) var unreadLines = 0

    /// Plain text without a picture.
    init(_ text: String) { characters = Array(text.unicodeScalars) }

    /// Lines one after the other; a word broken at a line's end is joined again.
    init(lines: [TextLine]) {
        for line in lines { append(line) }
    }

    /// A picture's text, with what of it could not be read.
    init(_ reading: TextReading) {
        self.init(lines: reading.lines)
        unreadLines = reading.unreadLines ?? 0
    }

    var isEmpty: Bool { characters.allSatisfy(Folding.isSpace) }
    var isFromPicture: Bool { !pieces.isEmpty }

    /// The characters of a span, line ends as blanks.
    func text(in range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        var isBlank = false
        for scalar in characters[range] {
            if Folding.isSpace(scalar) {
                isBlank = !view.isEmpty
            } else {
                if isBlank { view.append(" ") }
                isBlank = false
                view.append(scalar)
            }
        }
        return String(view)
    }

    /// Around the words that the span touches.
    func box(of range: Range<Int>) -> Quad? { Quad(around: touching(range).compactMap(\.box)) }

    /// The least confidence of the words that the span touches; nil without a picture.
    func confidence(of range: Range<Int>) -> Double? { touching(range).compactMap(\.confidence).min() }

    /// Mean confidence of the span's words, weighted by their letters; nil without a picture.
    func meanConfidence(of range: Range<Int>? = nil) -> Double? {
        let words = touching(range ?? 0..<characters.count)
        let letters = words.reduce(0) { $0 + $1.range.count }
        guard letters > 0 else { return nil }
        return words.reduce(0) { $0 + Double($1.range.count) * ($1.confidence ?? 0) } / Double(letters)
    }

    private func touching(_ range: Range<Int>) -> [Piece] { pieces.filter { $0.range.overlaps(range) } }

    private mutating func append(_ line: TextLine) {
        let words =
            line.words.isEmpty ? [Word(text: line.text, confidence: line.confidence, box: line.box)] : line.words
        for (index, word) in words.enumerated() where !word.text.isEmpty {
            if !characters.isEmpty {
                if index == 0, joinsBrokenWord(before: word.text) {
                    characters.removeLast()
                    if let last = pieces.indices.last {
                        pieces[last].range = pieces[last].range.lowerBound..<characters.count
                    }
                } else if index == 0 {
                    characters.append("\n")
                } else {
                    characters.append(" ")
                }
            }
            let start = characters.count
            characters += Array(word.text.unicodeScalars)
            pieces.append(Piece(range: start..<characters.count, box: word.box, confidence: word.confidence))
        }
    }

    /// "Wei-" before "zenmehl", but neither "Milch-" before "und" nor "Soja-" before "Lecithin".
    private func joinsBrokenWord(before next: String) -> Bool {
        guard let last = characters.last, "-¬\u{AD}".unicodeScalars.contains(last), characters.count >= 2,
            characters[characters.count - 2].properties.isAlphabetic, let first = next.first, first.isLowercase
        else { return false }
        let word = Folding.words(of: next).first ?? ""
        return !["und", "oder", "and", "or", "bzw"].contains(word)
    }
}
