import Core

/// One row of a document with its text, its numbers and where they stand.
struct PrintedRow: Sendable {
    /// y at the page's left edge after the slope is removed, pixels.
    let middle: Double
    /// Median height of the words, pixels.
    let height: Double
    /// x of its left end on the deskewed page, pixels.
    let left: Double
    /// From left to right.
    let words: [PageWord]
    /// All words, joined by blanks.
    let text: [Unicode.Scalar]
    let squashed: Squashed
    /// Number of letters in the row.
    let letters: Int
    private(set) var figures: [Figure]
    /// The first scalar of each word in `text`.
    private let starts: [Int]
    /// Ranges of the cells in `text`.
    let cells: [Range<Int>]
    /// False for text without a photo.
    private let hasBoxes: Bool

    /// - Parameters:
    ///   - segments: from left to right.
    ///   - middle: y at the page's left edge after the slope is removed, pixels.
    init(_ segments: [TextSegment], middle: Double, _ scanner: FigureScanner, hasBoxes: Bool) {
        self.middle = middle
        self.hasBoxes = hasBoxes
        words = segments.flatMap(\.words)
        left = segments.first?.left ?? 0
        height = TextSegment.median(words.map(\.height))
        var text: [Unicode.Scalar] = []
        var starts: [Int] = []
        var cells: [Range<Int>] = []
        for cell in segments {
            let begin = text.count + (text.isEmpty ? 0 : 1)
            for word in cell.words {
                if !text.isEmpty { text.append(" ") }
                starts.append(text.count)
                text += word.word.text.unicodeScalars
            }
            cells.append(begin..<max(begin, text.count))
        }
        self.text = text
        self.starts = starts
        self.cells = cells
        squashed = Squashed(text)
        letters = text.count(where: Letters.isLetter)
        figures = []
        figures = cells.flatMap { cell in
            scanner.figures(in: Array(text[cell])).map { figure in
                var figure = figure
                figure.range = (figure.range.lowerBound + cell.lowerBound)..<(figure.range.upperBound + cell.lowerBound)
                return figure
            }
        }
        figures = figures.map { located($0) }
    }

    var string: String { String(scalars: text[...]) }

    /// Indices of the words in a range of the text.
    func wordIndices(_ range: Range<Int>) -> [Int] {
        func end(_ index: Int) -> Int { index + 1 < starts.count ? starts[index + 1] - 1 : text.count }
        let last = starts.firstAscending(where: { $0 >= range.upperBound })
        // The word that begins before the range may reach into it.
        let from = max(0, starts.firstAscending(where: { $0 > range.lowerBound }) - 1)
        return from < last ? (from..<last).filter { end($0) > range.lowerBound } : []
    }

    /// The box of a range of the text, in pixels of the photo.
    func box(_ range: Range<Int>? = nil) -> Quad? {
        guard hasBoxes else { return nil }
        return Quad(around: (range.map(wordIndices) ?? Array(words.indices)).map { words[$0].word.box })
    }

    /// The lowest recognition confidence of the words in a range, 0…1.
    func confidence(_ range: Range<Int>? = nil) -> Double {
        (range.map(wordIndices) ?? Array(words.indices)).map { words[$0].word.confidence }.min() ?? 0
    }

    /// x on the deskewed page of the scalar at `place`, interpolated in its word.
    func x(of place: Int) -> Double {
        let index = starts.firstAscending(where: { $0 > place }) - 1
        guard index >= 0 else { return left }
        let word = words[index]
        let count = Double(max(1, word.word.text.unicodeScalars.count))
        return word.left + (word.right - word.left) * min(1, Double(place - starts[index]) / count)
    }

    func string(_ range: Range<Int>) -> String {
        String(scalars: text[range.clamped(to: 0..<text.count)])
    }

    private func located(_ figure: Figure) -> Figure {
        var figure = figure
        let (left, right) = (x(of: figure.range.lowerBound), x(of: figure.range.upperBound))
        figure.center = (left + right) / 2
        figure.right = right
        let own = wordIndices(figure.range)
        figure.height = own.map { words[$0].height }.max() ?? height
        figure.confidence = own.map { words[$0].word.confidence }.min() ?? 0
        return figure
    }
}

extension [Int] {
    /// The index of the first element of an ascending list for which the predicate holds, as it does for all later ones.
    fileprivate func firstAscending(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
