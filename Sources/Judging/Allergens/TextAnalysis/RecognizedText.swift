import Core

/// Text assembled from recognised words. Each character keeps a reference to its word.
struct RecognizedText: Sendable {
    private struct Piece: Sendable {
        var range: Range<Int>
        var box: Quad?
        var confidence: Double?
    }

    private(set) var characters: [Unicode.Scalar] = []
    private var pieces: [Piece] = []
    /// True if a word has letters of another script that look like no Latin letter.
    private var isForeign = false
    /// Number of lines that were detected but not recognised. They may name an allergen.
    private(set) var unreadLines = 0
    /// True if some of them are in a script that is not read.
    private(set) var hasUnreadScript = false

    /// Plain text without an image.
    init(_ text: String) { characters = TextPreparation.prepared(text.unicodeScalars) }

    /// The lines in order.
    init(lines: [TextLine]) {
        self.init(
            rows: lines.map { line in
                line.words.isEmpty ? [Word(text: line.text, confidence: line.confidence, box: line.box)] : line.words
            })
    }

    /// The words of each line.
    init(rows: [[Word]]) {
        isForeign = TextPreparation.hasForeignLetters(rows.lazy.joined().lazy.flatMap { $0.text.unicodeScalars })
        for row in rows { append(row) }
    }

    /// The text with one more line.
    func appending(_ row: [Word]) -> RecognizedText {
        guard !row.isEmpty else { return self }
        var text = self
        text.append(row)
        return text
    }

    /// The text of a reading, with the number of unrecognised lines.
    init(_ reading: TextReading) {
        self.init(lines: reading.lines)
        unreadLines = reading.unreadLines ?? 0
        hasUnreadScript = reading.unreadScripts?.isEmpty == false
    }

    var isEmpty: Bool { characters.allSatisfy(Folding.isSpace) }
    var isFromPicture: Bool { !pieces.isEmpty }

    /// The characters of a range, with line ends as blanks. A word that a line end broke is whole again.
    func text(in range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        var isBlank = false
        var place = range.lowerBound
        while place < range.upperBound {
            let scalar = characters[place]
            if Folding.isSpace(scalar) {
                isBlank = !view.isEmpty
            } else {
                if isBlank { view.append(" ") }
                isBlank = false
                if let end = LineBreak.end(of: place, in: characters), end < range.upperBound {
                    if !LineBreak.breaksWord(at: place, before: end, in: characters) { view.append(scalar) }
                    place = end
                    continue
                }
                view.append(scalar)
            }
            place += 1
        }
        return String(view)
    }

    /// The box around the words in the range.
    func box(of range: Range<Int>) -> Quad? { Quad(along: touching(range).compactMap(\.box)) }

    /// The lowest confidence of the words in the range; nil without an image.
    func confidence(of range: Range<Int>) -> Double? { touching(range).lazy.compactMap(\.confidence).min() }

    /// Mean confidence of the words in the range, weighted by letters; nil without an image.
    func meanConfidence(of range: Range<Int>? = nil) -> Double? {
        let words = touching(range ?? 0..<characters.count)
        let letters = words.reduce(0) { $0 + $1.range.count }
        guard letters > 0 else { return nil }
        return words.reduce(0) { $0 + Double($1.range.count) * ($1.confidence ?? 0) } / Double(letters)
    }

    /// The pieces that overlap a range. They are in the order of the text and do not overlap each other.
    private func touching(_ range: Range<Int>) -> ArraySlice<Piece> {
        guard !range.isEmpty else { return [] }
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].range.upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return pieces[low...].prefix { $0.range.lowerBound < range.upperBound }
    }

    private mutating func append(_ words: [Word]) {
        for (index, word) in words.enumerated() where !word.text.isEmpty {
            if !characters.isEmpty { characters.append(index == 0 ? "\n" : " ") }
            let start = characters.count
            characters += TextPreparation.prepared(word.text.unicodeScalars, isForeign: isForeign)
            pieces.append(Piece(range: start..<characters.count, box: word.box, confidence: word.confidence))
        }
    }
}
