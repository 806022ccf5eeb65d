import Core

/// Consecutive words on one line of one column.
public struct TextSegment: Sendable {
    /// From left to right.
    public internal(set) var words: [PageWord]
    /// The text of all words, joined by blanks.
    public let whole: [Unicode.Scalar]
    /// Every amount in `whole`, in reading order; empty without a scanner.
    let amounts: [PrintedAmount]
    public let left, right: Double
    /// y of the line's centre on the deskewed page, pixels.
    public let middle: Double
    /// Median height of the words, pixels.
    public let height: Double
    /// Mean recognition confidence of the words, weighted by letters, 0…1.
    public let confidence: Double

    /// The range of `whole` without the prices at its ends.
    public internal(set) var textRange: Range<Int> { didSet { text = Array(whole[textRange]) } }
    /// `whole` in `textRange`.
    public private(set) var text: [Unicode.Scalar]
    /// The prices at its ends, from left to right, each with the size printed before it.
    public internal(set) var prices: [LabelledAmount] = []
    /// True if the segment contains only prices.
    public internal(set) var isPriceAlone = false

    public var center: Double { (left + right) / 2 }
    public var width: Double { right - left }
    /// `text` as a string.
    public var string: String { String(scalars: text) }

    init(_ words: [PageWord], _ scanner: AmountScanner?) {
        self.words = words
        var joined: [Unicode.Scalar] = []
        var letters = 0.0
        var sure = 0.0
        var weight = 0.0
        var height = 0.0
        var left = Double.infinity
        var right = -Double.infinity
        for word in words {
            if !joined.isEmpty { joined.append(" ") }
            joined.append(contentsOf: word.word.text.unicodeScalars)
            let count = Double(word.word.text.unicodeScalars.count)
            letters += count
            sure += count * word.word.confidence
            weight += word.width + 1
            height += word.middle * (word.width + 1)
            left = min(left, word.left)
            right = max(right, word.right)
        }
        whole = joined
        text = joined
        textRange = 0..<joined.count
        amounts = scanner?.amounts(in: joined) ?? []
        confidence = sure / max(1, letters)
        middle = height / max(1, weight)
        self.left = left
        self.right = right
        self.height = Self.median(words.map(\.height))
    }

    /// The words in `textRange`. A word with an attached price is cut.
    public var printedWords: [Word] {
        var start = 0
        var result: [Word] = []
        for one in words {
            let range = start..<(start + one.word.text.unicodeScalars.count)
            let kept = textRange.clamped(to: range)
            if whole[kept].contains(where: { !Letters.isSpace($0) }) {
                var word = one.word
                if kept != range { word.text = String(scalars: whole[kept]) }
                result.append(word)
            }
            start = range.upperBound + 1
        }
        return result
    }

    static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 1 }
        let sorted = values.sorted()
        let half = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
    }

    /// True if the segment has at least two adjacent letters.
    var hasWord: Bool { Letters.longestRun(whole[...]) >= 2 }
}

/// Where a segment lies on the deskewed page, pixels. Loops over all pairs of segments compare these and copy no text.
struct SegmentPlace {
    var left, right, center, middle, height: Double
    var width: Double { right - left }

    init(_ segment: TextSegment) {
        (left, right, center) = (segment.left, segment.right, segment.center)
        (middle, height) = (segment.middle, segment.height)
    }
}

extension PageSlope {
    /// The distance by which `other` lies below `one`, pixels.
    public func rise(_ one: TextSegment, _ other: TextSegment) -> Double {
        rise(from: one.center, one.middle, to: other.center, other.middle)
    }

    /// y at which the row of a text crosses a vertical line, pixels.
    public func crossing(of segment: TextSegment, at x: Double) -> Double {
        segment.middle - (segment.center - x) * at((segment.center + x) / 2, segment.middle)
    }
}
