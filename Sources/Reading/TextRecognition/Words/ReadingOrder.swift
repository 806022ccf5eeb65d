import Core

/// Groups words into lines and sorts the lines in reading order.
///
/// Expects a level page, on which rows are horizontal. It uses only geometry and the number of characters.
struct ReadingOrder {
    /// Words further apart than this many text heights belong to different segments of a row.
    static let segmentGap = 1.5
    /// Segments of one column further apart than this many text heights are separate lines: names and prices.
    static let lineGap = 3.0
    /// Minimum number of characters in the typical segment of a text column. Prices, amounts and codes have fewer and
    /// belong to the row beside them.
    static let columnCharacters = 10

    /// The words of each line from left to right; lines in reading order.
    static func lines(of words: [Word]) -> [[Word]] {
        let segments = segments(of: words)
        let height = segments.map(\.height).median ?? 0
        return ordered(segments, height: height).map(\.words)
    }

    /// Words of one row without a wide gap between them.
    private struct Segment {
        var words: [Word]
        var minX, maxX, minY, maxY: Double
        /// Median height of the words.
        var height: Double
        var characters: Int

        init(_ words: [Word]) {
            self.words = words
            minX = words.map(\.box.minX).min() ?? 0
            maxX = words.map(\.box.maxX).max() ?? 0
            minY = words.map(\.box.minY).min() ?? 0
            maxY = words.map(\.box.maxY).max() ?? 0
            height = words.map(\.box.height).median ?? 0
            characters = words.reduce(0) { $0 + $1.text.count + 1 } - 1
        }

        var middle: Double { (minY + maxY) / 2 }
    }

    /// Chains words from left to right: each next word is beside the previous one, at the same height.
    private static func segments(of words: [Word]) -> [Segment] {
        var chains: [[Word]] = []
        for word in words.sorted(by: { ($0.box.minX, $0.box.minY) < ($1.box.minX, $1.box.minY) }) {
            var best: (chain: Int, distance: Double)?
            for (index, chain) in chains.enumerated() {
                guard let last = chain.last else { continue }
                let size = max(min(word.box.height, 2 * last.box.height), min(last.box.height, 2 * word.box.height))
                let gap = word.box.minX - last.box.maxX
                guard gap <= segmentGap * size, gap >= -0.5 * size, areAdjacent(last.box, word.box) else { continue }
                let distance = max(0, gap) + 2 * abs(word.box.center.y - last.box.center.y)
                if best.map({ distance < $0.distance }) ?? true { best = (index, distance) }
            }
            if let best { chains[best.chain].append(word) } else { chains.append([word]) }
        }
        return chains.map(Segment.init)
    }

    /// True if at least half of the smaller box lies at the height of the other.
    private static func areAdjacent(_ one: Quad, _ other: Quad) -> Bool {
        let shared = min(one.maxY, other.maxY) - max(one.minY, other.minY)
        return shared >= 0.5 * min(one.height, other.height)
    }

    /// Columns from left to right, each from the top down. Segments that span columns divide the page.
    private static func ordered(_ segments: [Segment], height: Double) -> [Segment] {
        guard segments.count > 5 else { return rows(of: segments) }
        if let x = gutter(in: segments, height: height) {
            return ordered(segments.filter { $0.maxX <= x }, height: height)
                + ordered(segments.filter { $0.maxX > x }, height: height)
        }
        // A heading across both columns hides their gutter. The page is therefore split at blank bands, widest first.
        for y in blankBands(in: segments) {
            let above = segments.filter { $0.middle < y }
            let below = segments.filter { $0.middle >= y }
            if gutter(in: above, height: height) != nil || gutter(in: below, height: height) != nil {
                return ordered(above, height: height) + ordered(below, height: height)
            }
        }
        return rows(of: segments)
    }

    /// The widest blank strip from top to bottom that separates two columns of text.
    private static func gutter(in segments: [Segment], height: Double) -> Double? {
        guard segments.count > 5 else { return nil }
        var best: (x: Double, width: Double)?
        var reach = -Double.infinity
        for segment in segments.sorted(by: { $0.minX < $1.minX }) {
            let width = segment.minX - reach
            if reach.isFinite, width >= 0.8 * height, width > best?.width ?? 0 {
                let x = reach + width / 2
                let left = segments.filter { $0.maxX <= x }
                let right = segments.filter { $0.maxX > x }
                if isColumn(left), isColumn(right), areSideBySide(left, right) { best = (x, width) }
            }
            reach = max(reach, segment.maxX)
        }
        return best?.x
    }

    private static func isColumn(_ segments: [Segment]) -> Bool {
        segments.count >= 3 && (segments.map { Double($0.characters) }.median ?? 0) >= Double(columnCharacters)
    }

    /// True if the two sides share at least half of the height of the shorter one.
    private static func areSideBySide(_ left: [Segment], _ right: [Segment]) -> Bool {
        guard let leftTop = left.map(\.minY).min(), let leftEnd = left.map(\.maxY).max(),
            let rightTop = right.map(\.minY).min(), let rightEnd = right.map(\.maxY).max()
        else { return false }
        return min(leftEnd, rightEnd) - max(leftTop, rightTop) >= 0.5 * min(leftEnd - leftTop, rightEnd - rightTop)
    }

    /// Centres of the bands without segments, widest first.
    private static func blankBands(in segments: [Segment]) -> [Double] {
        var bands: [(y: Double, height: Double)] = []
        var reach = -Double.infinity
        for segment in segments.sorted(by: { $0.minY < $1.minY }) {
            if reach.isFinite, segment.minY > reach { bands.append(((reach + segment.minY) / 2, segment.minY - reach)) }
            reach = max(reach, segment.maxY)
        }
        return bands.sorted { ($1.height, $0.y) < ($0.height, $1.y) }.map(\.y)
    }

    /// Rows from the top down, segments of a row from left to right. Segments with a narrow gap are joined.
    private static func rows(of segments: [Segment]) -> [Segment] {
        var rows: [[Segment]] = []
        for segment in segments.sorted(by: { ($0.middle, $0.minX) < ($1.middle, $1.minX) }) {
            if let row = rows.last, let nearest = row.min(by: { distance($0, segment) < distance($1, segment) }),
                abs(nearest.middle - segment.middle) < 0.5 * min(nearest.height, segment.height),
                row.allSatisfy({ $0.maxX <= segment.minX + 1 || $0.minX + 1 >= segment.maxX })
            {
                rows[rows.count - 1].append(segment)
            } else {
                rows.append([segment])
            }
        }
        return rows.flatMap { row in
            var joined: [Segment] = []
            for segment in row.sorted(by: { $0.minX < $1.minX }) {
                if let last = joined.last, segment.minX - last.maxX <= lineGap * max(last.height, segment.height) {
                    joined[joined.count - 1] = Segment(last.words + segment.words)
                } else {
                    joined.append(segment)
                }
            }
            return joined
        }
    }

    private static func distance(_ one: Segment, _ other: Segment) -> Double {
        max(one.minX - other.maxX, other.minX - one.maxX)
    }
}
