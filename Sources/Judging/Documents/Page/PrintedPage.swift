import Core

/// The print of a page, made once: words, segments of them, rows. Menus, tables, receipts and price tags take
/// slices of it.
public struct PrintedPage: Sendable {
    /// The slope that is left after the page's rotation is removed.
    let slope: PageSlope
    /// Lines, split at the gaps between columns.
    private(set) var segments: [TextSegment]
    /// From top to bottom. A row spans all columns.
    let rows: [PrintedRow]
    /// Median height of all words, pixels.
    let height: Double
    /// Bounds of all words on the deskewed page, pixels.
    let left, right, top, bottom: Double
    /// ISO 4217 of the most frequent currency mark beside numbers, or nil.
    let currency: String?
    /// Mean recognition confidence of the words, 0…1.
    let confidence: Double
    private(set) var scanner: AmountScanner

    /// - Parameters:
    ///   - lines: the lines of a reading, in any order.
    ///   - amounts: the words beside numbers.
    ///   - hasBoxes: false for text without a photo.
    public init(_ lines: [TextLine], amounts: AmountWords, hasBoxes: Bool = true) {
        let words = PageWord.deskewed(lines)
        slope = PageSlope(words)
        var scanner = AmountScanner(words: amounts)
        var segments = SegmentBuilder(slope: slope, scanner: scanner).segments(of: words)
        (scanner.codes, scanner.habits) = (PageCodes(segments), PriceHabits(segments))
        segments = segments.map {
            $0.amounts.isEmpty && !scanner.habits.hasSlashes ? $0 : TextSegment($0.words, scanner)
        }
        (self.scanner, self.segments) = (scanner, segments)
        let edge = segments.map(\.left).min() ?? 0
        (left, right) = (edge, segments.map(\.right).max() ?? 1)
        height = TextSegment.median(words.map(\.height))
        let figures = FigureScanner(amounts: amounts)
        rows = RowBuilder(slope: slope, words: words).rows(of: segments, from: edge).map {
            PrintedRow($0.cells, middle: $0.middle, figures, hasBoxes: hasBoxes)
        }
        (top, bottom) = (rows.first?.middle ?? 0, rows.last?.middle ?? 1)
        currency = rows.flatMap { $0.figures.compactMap(\.currency) }.mostFrequent
        let all = rows.flatMap { $0.words.map(\.word.confidence) }
        confidence = all.isEmpty ? 0 : all.reduce(0, +) / Double(all.count)
    }

    /// The page with codes that its legend explains, if some of them look like amounts or stand behind a word of their own;
    /// else nil.
    ///
    /// - Parameter headings: words that begin codes whether or not the page explains them: "Allergene".
    public func explaining(_ codes: Set<String>, behind headings: Set<Substring> = []) -> PrintedPage? {
        var page = self
        page.scanner.codes = scanner.codes.explaining(codes, behind: headings, on: segments)
        page.segments = segments.map { $0.amounts.isEmpty ? $0 : TextSegment($0.words, page.scanner) }
        let isChanged = zip(segments, page.segments).contains { $0.amounts.count != $1.amounts.count }
        return isChanged || page.scanner.codes.areLed ? page : nil
    }

    var width: Double { max(1, right - left) }

    /// The segments, two of them joined again if a line directly above or below spans the gap.
    var joined: [TextSegment] { SegmentBuilder(slope: slope, scanner: scanner).joined(segments) }
}

extension [String] {
    /// Of equally frequent ones the first by the alphabet; nil if there are none.
    var mostFrequent: String? {
        Dictionary(map { ($0, 1) }, uniquingKeysWith: +).max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}
