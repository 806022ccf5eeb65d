import Core

/// Words printed smaller than the rest of their line, such as allergen codes behind a dish. In the image of the line they have
/// few pixels, so they are read again by themselves.
struct SmallPrint {
    /// A word of a line, and where its ink is.
    struct Word {
        /// Indices of the line's letters.
        var letters: Range<Int>
        var shape: LineShape
    }

    /// Words below this probability are looked at. Small print of a sure reading is right.
    private static let doubtful = 0.95
    /// Words from this probability on tell the size of the line's print.
    private static let sure = 0.95
    private static let sureLetters = 3
    private static let measuredWords = 3
    private static let mostLetters = 24
    /// Height of the ink, as a share of the line's, below which a word is small.
    private static let share = 0.65
    /// Ink of fewer pixels than this is dirt.
    private static let leastHeight = 4.0
    /// More letters one after the other are a word, which the line's image shows well enough.
    private static let longestRun = 3

    /// The small words of a line that the reader doubts.
    static func words(of line: PageLine, on page: Raster) throws -> [Word] {
        let words = line.letters.indices.split { line.letters[$0].character == " " }
            .compactMap { indices -> (letters: Range<Int>, word: ReadWord)? in
                guard let first = indices.first, let last = indices.last else { return nil }
                let range = first..<(last + 1)
                return line.word(range).map { (range, $0) }
            }
        let doubted = words.filter { letters, word in
            word.probability < doubtful && letters.count <= mostLetters
                && word.text.contains { $0.isLetter || $0.isNumber } && !word.text.contains(where: \.isCurrencySymbol)
        }
        guard !doubted.isEmpty else { return [] }
        let known = words.filter { $0.word.probability >= sure && $0.letters.count >= sureLetters }
            .sorted { ($0.letters.count, $1.letters.lowerBound) > ($1.letters.count, $0.letters.lowerBound) }
        let heights = try known.prefix(measuredWords).compactMap { try InkBand(of: $0.word, on: page)?.height }
        guard let height = heights.max() else { return [] }
        return try doubted.compactMap { letters, word in
            guard let band = try InkBand(of: word, on: page), band.height >= leastHeight,
                band.height < share * height
            else { return nil }
            return Word(letters: letters, shape: LineShape(band.quad))
        }
    }

    /// True for a reading that small print has: codes, measures and short marks, with all letters that the line showed.
    static func isPlausible(_ second: [LineDecoder.Letter], for first: ArraySlice<LineDecoder.Letter>) -> Bool {
        let isPrint = { (letter: LineDecoder.Letter) in letter.character.isLetter || letter.character.isNumber }
        let brackets = { (letters: ArraySlice<LineDecoder.Letter>) in letters.map(\.character).filter("()[]".contains) }
        guard second.count(where: isPrint) >= first.count(where: isPrint),
            second.split(whereSeparator: { !$0.character.isLetter }).allSatisfy({ $0.count <= longestRun }),
            brackets(second[...]) == brackets(first)
        else { return false }
        // "A, C" is one list of codes, "o de" is not.
        let isOne = zip(second, second.dropFirst()).allSatisfy {
            $1.character != " " || separators.contains($0.character)
        }
        // A short word in small letters is shown well enough.
        let isMark = second.contains { $0.character.isNumber || separators.contains($0.character) }
        return isOne && (isMark || !second.contains { $0.character.isLowercase })
    }

    private static let separators: Set<Character> = [",", ".", ";", "/", "·"]

    /// True for a word that was read in part, as its first or last sign tells: ".D." of "B.D.".
    static func isCut(_ letter: LineDecoder.Letter?) -> Bool {
        letter.map { separators.contains($0.character) } ?? false
    }
}

/// The rows and columns around a word that have ink of the word, and not of the words beside it.
private struct InkBand {
    /// With a margin. Pixels of the page.
    var quad: Quad
    /// Height of the ink without margin, pixels.
    var height: Double

    /// Ink differs from the ground by at least this share of the greatest difference.
    private static let contrast = 0.45
    /// The least of the greatest difference, of 255.
    private static let leastContrast = 40
    /// Margin around the ink, as a share of its height.
    private static let margin = 0.3
    /// What is looked at beside a word, in widths of a letter: at least, and where a letter was missed.
    private static let least = 0.5
    private static let more = 1.5
    /// Columns without ink, as a share of the ink's height, that end a word.
    private static let blank = 0.35

    /// Nil for a box without ink.
    init?(of word: ReadWord, on page: Raster) throws {
        // The reader tells only roughly where a letter ends, and may miss one.
        let letter = 1 / Double(max(2, word.letters.count))
        let before = letter * (SmallPrint.isCut(word.letters.first) ? Self.more : Self.least)
        let behind = letter * (SmallPrint.isCut(word.letters.last) ? Self.more : Self.least)
        guard let wide = LineShape(word.box).quad(before: before, behind: behind) else { return nil }
        let shape = LineShape(wide)
        let image = try LineRectifier.image(of: shape, on: page)
        let (width, height) = (image.width, image.height)
        let ink = image.ink(contrast: Self.contrast, least: Self.leastContrast)
        guard !ink.isEmpty else { return nil }
        // From the middle of the first letter to that of the last one.
        let scale = Double(width) / (1 + before + behind)
        let first = min(width - 1, Int((before + letter / 2) * scale))
        let core = first...max(first, width - 1 - Int((behind + letter / 2) * scale))
        let rows = (0..<height).filter { y in core.contains { ink[y * width + $0] } }
        guard let top = rows.first, let bottom = rows.last else { return nil }
        let extent = Double(bottom + 1 - top)
        func end(_ columns: some Sequence<Int>, from start: Int) -> Int {
            var (end, gap) = (start, 0)
            for x in columns {
                let inked = (0..<height).filter { ink[$0 * width + x] }
                // Higher ink is that of the next word.
                if inked.contains(where: { $0 < top - 2 || $0 > bottom + 2 }) { break }
                gap = inked.isEmpty ? gap + 1 : 0
                if Double(gap) > Self.blank * extent { break }
                if gap == 0 { end = x }
            }
            return end
        }
        let left = Double(end((0..<core.lowerBound).reversed(), from: core.lowerBound))
        let right = Double(end((core.upperBound + 1)..<width, from: core.upperBound) + 1)
        let reach = extent * Self.margin
        guard
            let part = shape.quad(
                from: max(0, left - reach) / Double(width), to: min(Double(width), right + reach) / Double(width))
        else { return nil }
        quad = part.rows(
            from: (Double(top) - reach) / Double(height), to: (Double(bottom + 1) + reach) / Double(height))
        self.height = extent / Double(height) * shape.height
    }
}

extension LineShape {
    /// The straight line with shares of its length more at its ends.
    fileprivate func quad(before: Double, behind: Double) -> Quad? {
        guard let quad = quad(from: 0, to: 1) else { return nil }
        return Quad(
            topLeft: quad.topRight.between(quad.topLeft, 1 + before),
            topRight: quad.topLeft.between(quad.topRight, 1 + behind),
            bottomRight: quad.bottomLeft.between(quad.bottomRight, 1 + behind),
            bottomLeft: quad.bottomRight.between(quad.bottomLeft, 1 + before))
    }
}

extension Point {
    fileprivate func between(_ other: Point, _ part: Double) -> Point {
        Point(x + part * (other.x - x), y + part * (other.y - y))
    }
}

extension Quad {
    /// The part between two fractions of the height. They may lie outside 0…1.
    fileprivate func rows(from top: Double, to bottom: Double) -> Quad {
        Quad(
            topLeft: topLeft.between(bottomLeft, top), topRight: topRight.between(bottomRight, top),
            bottomRight: topRight.between(bottomRight, bottom), bottomLeft: topLeft.between(bottomLeft, bottom))
    }
}

extension Raster {
    /// For each pixel, whether it differs from the most frequent half of the pixels; empty without contrast.
    ///
    /// - Parameters:
    ///   - contrast: share of the greatest difference.
    ///   - least: the greatest difference that a picture of print has at least.
    fileprivate func ink(contrast: Double, least: Int) -> [Bool] {
        // The green channel, or the only one.
        let values = format == .rgb8 ? stride(from: 1, to: bytes.count, by: 3).map { bytes[$0] } : bytes
        let sorted = values.sorted()
        let ground = Int(sorted[sorted.count / 2])
        let most = max(ground - Int(sorted[0]), Int(sorted[sorted.count - 1]) - ground)
        guard most >= least else { return [] }
        let limit = Int(Double(most) * contrast)
        return values.map { abs(Int($0) - ground) > limit }
    }
}
