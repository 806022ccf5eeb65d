import Core

/// Separates the tags of a shelf photo: the page is cut at its widest gaps until each part has one price.
struct TagSplitter {
    let phrases: Phrases<TagMeaning>
    let amounts: AmountWords

    /// A price with at least this share of the tallest price's height may be that of a tag of its own.
    private static let leastHeight = 0.7
    /// Gaps of a cut, in heights of the page's words. Tags are beside each other; below each other only with a shelf
    /// between them.
    private static let leastColumnGap = 1.8
    private static let leastRowGap = 3.0
    /// More tags on one photo are too small to be read.
    private static let most = 24

    struct Part {
        var lines: [TextLine]
        var left, right, top, bottom: Double

        /// Pixels between the part and the middle of the corners.
        func distance(to corners: [Point]) -> Double {
            let count = Double(max(1, corners.count))
            let x = corners.reduce(0) { $0 + $1.x } / count
            let y = corners.reduce(0) { $0 + $1.y } / count
            return max(0, left - x, x - right) + max(0, top - y, y - bottom)
        }
    }

    /// The lines of each tag, in the order of the shelf; one part for a photo of one tag.
    func parts(of lines: [TextLine]) -> [Part] {
        let words = lines.flatMap { line in line.words.map { Placed($0) } }
        guard !words.isEmpty else { return [] }
        var parts: [[Placed]] = []
        var open = [words]
        while let next = open.popLast() {
            if parts.count + open.count < Self.most, let (one, other) = cut(next) {
                open += [other, one]
            } else {
                parts.append(next)
            }
        }
        return parts.map { part in
            let kept = Set(part.map(\.box))
            return Part(
                lines: lines.compactMap { Self.line($0, keeping: kept) }, left: part.map(\.left).min() ?? 0,
                right: part.map(\.right).max() ?? 0, top: part.map(\.top).min() ?? 0,
                bottom: part.map(\.bottom).max() ?? 0)
        }
    }

    private struct Placed {
        var word: Word
        var left, right, top, bottom: Double
        var box: Quad { word.box }
        var height: Double { bottom - top }

        init(_ word: Word) {
            self.word = word
            let corners = word.box.corners
            left = corners.map(\.x).min() ?? 0
            right = corners.map(\.x).max() ?? 0
            top = corners.map(\.y).min() ?? 0
            bottom = corners.map(\.y).max() ?? 0
        }
    }

    private static func line(_ line: TextLine, keeping: Set<Quad>) -> TextLine? {
        let words = line.words.filter { keeping.contains($0.box) }
        guard !words.isEmpty, words.count < line.words.count else { return words.isEmpty ? nil : line }
        return TextLine(
            text: words.map(\.text).joined(separator: " "), confidence: line.confidence,
            box: Quad(around: words.map(\.box)) ?? line.box, words: words)
    }

    /// The widest gap that leaves a complete tag on both sides; nil without such a gap.
    private func cut(_ words: [Placed]) -> ([Placed], [Placed])? {
        guard words.count >= 4 else { return nil }
        let height = max(1, words.map(\.height).median ?? 1)
        var best: (gap: Double, one: [Placed], other: [Placed])?
        for (least, start, end) in [
            (Self.leastColumnGap, \Placed.left, \Placed.right), (Self.leastRowGap, \Placed.top, \Placed.bottom),
        ] {
            let sorted = words.sorted { $0[keyPath: start] < $1[keyPath: start] }
            var reach = sorted[0][keyPath: end]
            for index in sorted.indices.dropFirst() {
                let gap = (sorted[index][keyPath: start] - reach) / height
                reach = max(reach, sorted[index][keyPath: end])
                guard gap >= least, gap > best?.gap ?? 0 else { continue }
                let (one, other) = (Array(sorted[..<index]), Array(sorted[index...]))
                guard areTags(one, other) else { continue }
                best = (gap, one, other)
            }
        }
        return best.map { ($0.one, $0.other) }
    }

    /// True if both sides have a name and a price, and the prices are about equally tall. The two prices of an offer
    /// are one tag: one of them is smaller, or has no name.
    private func areTags(_ one: [Placed], _ other: [Placed]) -> Bool {
        guard let first = tallestPrice(one), let second = tallestPrice(other) else { return false }
        return min(first, second) >= Self.leastHeight * max(first, second) && hasName(one) && hasName(other)
    }

    /// The height of the tallest price, pixels; nil without one.
    private func tallestPrice(_ words: [Placed]) -> Double? {
        let lines = words.map { one in
            TextLine(text: one.word.text, confidence: one.word.confidence, box: one.box, words: [one.word])
        }
        let page = PrintedPage(lines, amounts: amounts)
        let hits = page.rows.map { phrases.hits(in: $0.squashed) }
        guard !hits.joined().contains(where: { $0.meaning == .was }) else { return nil }
        return TagNumbers.prices(page, hits, currency: nil).filter { price in
            !price.isUnitPrice && (price.decimals == 2 || price.isRaised || price.isMarked)
                && price.height > 1.15 * page.height
        }.map(\.height).max()
    }

    /// True if a word of four letters and more is there that is no note.
    private func hasName(_ words: [Placed]) -> Bool {
        words.contains { one in
            let text = Array(one.word.text.unicodeScalars)
            return Letters.longestRun(text[...]) >= 4
                && !phrases.hits(in: Squashed(text)).contains { $0.meaning == .notProduct || $0.meaning == .unitPrice }
        }
    }
}
