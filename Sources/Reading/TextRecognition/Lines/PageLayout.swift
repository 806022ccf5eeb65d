import Core

/// The words of a page's lines in reading order.
struct PageLayout {
    private let lines: [[Word]]
    /// From the level page, on which rows are horizontal, to the page.
    private let toPage: PageMap
    /// How far the lines run down to the right, degrees.
    let tilt: Double
    /// Median height of the lines' letters, pixels of the page; nil without lines.
    let letterHeight: Double?

    /// Share of a detected line's height that its letters have: the detector's lines are grown on both sides.
    private static let letterShare = 0.6

    /// `probability` tells how likely a word of a line is right.
    init(lines: [PageLine], page: Raster, probability: (ReadWord, PageLine) -> Double) {
        let lying = lines.filter { abs($0.shape.angle) < 45 && $0.shape.length > 3 * $0.shape.height }
        tilt = median(lying.map(\.shape.angle))
        letterHeight = lines.isEmpty ? nil : median(lines.map(\.shape.height)) * Self.letterShare
        let level = PageMap.turn(width: page.width, height: page.height, degrees: -tilt).map
        toPage = level.inverse ?? PageMap()
        let read = lines.flatMap { line in
            line.words.filter { WordSieve.hasPrint($0.text) }.map { (word: $0, line: line) }
        }
        let doubt = Self.isPage(read.map(\.word)) ? 1 : Self.doubt
        let words = read.map {
            Word(text: $0.word.text, confidence: doubt * probability($0.word, $0.line), box: level($0.word.box))
        }
        self.lines = ReadingOrder.lines(of: words)
    }

    /// A page on which the reader itself was sure of next to nothing is more likely wood, cloth or noise.
    private static func isPage(_ words: [ReadWord]) -> Bool {
        let letters = words.reduce(0) { $0 + $1.text.count }
        let sure = words.reduce(0) { $0 + ($1.probability >= sureWord && $1.text.count > 2 ? $1.text.count : 0) }
        return Double(sure) >= WordSieve.printShare * Double(letters)
    }

    /// The reader's own probability of a word that it is sure of.
    private static let sureWord = 0.95
    /// What is left of a word's probability where its page is none.
    private static let doubt = 0.5

    /// The lines with their boxes where `map` puts those of the page.
    func textLines(_ map: (Quad) -> Quad) -> [TextLine] {
        lines.compactMap { words in
            guard let box = Quad(around: words.map(\.box)) else { return nil }
            let letters = words.reduce(0) { $0 + $1.text.count }
            let weighed = words.reduce(0) { $0 + $1.confidence * Double($1.text.count) }
            return TextLine(
                text: words.map(\.text).joined(separator: " "), confidence: weighed / Double(max(1, letters)),
                box: map(toPage(box)),
                words: words.map { Word(text: $0.text, confidence: $0.confidence, box: map(toPage($0.box))) })
        }
    }
}
