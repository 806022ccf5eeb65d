import Core

/// The words of a page's lines in reading order.
struct PageLayout {
    private let lines: [[Word]]
    /// Maps the levelled page, on which rows are horizontal, to the page.
    private let toPage: PageMap
    /// Slope of the lines in degrees; positive runs down to the right.
    let tilt: Double
    /// Median height of letters, pixels of the page; nil without lines.
    let letterHeight: Double?

    /// Share of a detected line's height that its letters occupy. The detector enlarges lines on both sides.
    private static let letterShare = 0.6

    /// - Parameter probability: The probability that a word of a line is right, 0…1.
    init(lines: [PageLine], page: Raster, probability: (ReadWord, PageLine) -> Double) {
        let horizontal = lines.filter { abs($0.shape.angle) < 45 && $0.shape.length > 3 * $0.shape.height }
        tilt = horizontal.map(\.shape.angle).median ?? 0
        letterHeight = lines.map(\.shape.height).median.map { $0 * Self.letterShare }
        let level = PageMap.rotation(width: page.width, height: page.height, degrees: -tilt).map
        toPage = level.inverse ?? PageMap()
        let read = lines.flatMap { line in
            line.words.filter { WordFilter.hasPrint($0.text) }.map { (word: $0, line: line) }
        }
        let doubt = Self.isPage(read.map(\.word)) ? 1 : Self.doubt
        let words = read.map {
            Word(text: $0.word.text, confidence: doubt * probability($0.word, $0.line), box: level($0.word.box))
        }
        self.lines = ReadingOrder.lines(of: words)
    }

    /// False if the reader is confident of almost no word: the picture is more likely wood, cloth or noise.
    private static func isPage(_ words: [ReadWord]) -> Bool {
        let letters = words.reduce(0) { $0 + $1.text.count }
        let confident = words.reduce(0) {
            $0 + ($1.probability >= confidentWord && $1.text.count > 2 ? $1.text.count : 0)
        }
        return Double(confident) >= WordFilter.printShare * Double(letters)
    }

    /// Minimum probability by the reader of a confident word.
    private static let confidentWord = 0.95
    /// Factor on a word's probability if the picture is probably not a page.
    private static let doubt = 0.5

    /// The text lines, with boxes mapped by `map`.
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
