import Foundation
import Core

/// The classifier features of a page's texts. Training obtains them from this program, so training and inference
/// agree.
public struct RoleFeatures: Sendable {
    /// Number of texts on the page.
    public let count: Int
    /// Number of features of each text.
    public private(set) var width = 0
    /// The features of all texts in row-major order.
    public internal(set) var flatRows: [Float] = []
    /// For each text: above, below, two above, two below, left, right; as indices of the page's texts.
    public private(set) var links: [[Int?]] = []
    /// For each text, the other texts of its style: similar height and capitals, and the same kind of prefix.
    public private(set) var styles: [[Int]] = []
    /// Where each text lies and how it is printed, in row-major order, for comparisons of any two texts: left, right and
    /// middle on the page without its slope, height (page heights of text), then eight of `PrintStyles.place`.
    public internal(set) var places: [Float] = []

    /// Columns of a text's own features that something else refers to.
    enum Column: Int {
        case height = 0, upper = 2, words = 3, length = 4, commas = 5, rowPrices = 7, strong = 8, hasPrice = 10
        case startsUpper = 11, startsLower = 12, startsWithNumber = 13, startsWithBracket = 14, startsWithBullet = 15
        case endsOpen = 16, endsWithColon = 17, headings = 23, noteWords = 25, letterShare = 28, startsWithCount = 32
        case hasContact = 33, isCodes = 38, opensBracket = 39, inkDistance = 52
        /// Logarithms of the letter model's probabilities: its first class, and the three after it.
        case letters = 41, letters2, letters3, letters4

        static let letterScores = [letters, letters2, letters3, letters4]
        /// Features that are averaged over a style.
        static let style = [hasPrice, words, commas, length, startsLower]
    }

    /// Numbers of `places` for each text.
    static let placeWidth = 12

    /// A feature of a text.
    func value(_ index: Int, _ column: Column) -> Float { flatRows[index * width + column.rawValue] }

    /// Features from another source than a page.
    init(count: Int, width: Int, flatRows: [Float], links: [[Int?]], places: [Float]) {
        (self.count, self.width, self.flatRows, self.links, self.places) = (count, width, flatRows, links, places)
    }

    public init(_ page: PageLayout, words: MenuWords, letters: LetterScores?) {
        count = page.texts.count
        let traits = page.texts.map { TextTraits($0.segment.text, $0.tokens, words) }
        var table = page.texts.indices.map { Self.own(page, $0, traits[$0]) }
        if let letters {
            for index in table.indices { table[index] += letters.model.logProbabilities(of: traits[index].tokens) }
        }
        let echoes = Self.nearDuplicates(traits)
        let print = PrintStyles(page)
        for index in table.indices {
            table[index].append(Float(echoes[index]))
            table[index] += print.own(index)
        }
        links = page.texts.map { text in
            [
                text.up, text.down, text.up.flatMap { page.texts[$0].up }, text.down.flatMap { page.texts[$0].down },
                text.left, text.right,
            ]
        }
        styles = Self.styles(page, table, print)
        places = page.texts.indices.flatMap { Self.geometry(page, $0) + print.place($0) }
        let whole = Self.page(table)
        flatRows.reserveCapacity(count * 110)
        for index in page.texts.indices {
            flatRows += table[index]
            flatRows += Self.place(page, index, traits)
            for link in links[index] { flatRows += print.pair(index, link) }
            flatRows += whole
            flatRows += Self.style(styles[index], table)
        }
        width = count > 0 ? flatRows.count / count : 0
    }

    private static func own(_ page: PageLayout, _ index: Int, _ traits: TextTraits) -> [Float] {
        let text = page.texts[index]
        let segment = text.segment
        let length = segment.text.count
        let hasPrice = !text.rowPrices.isEmpty || !text.nearPrices.isEmpty
        return [
            Float(segment.height / page.height),
            Float(log(max(1, segment.width) / page.height)),
            traits.upper,
            Float(log1p(Double(traits.wordCount))),
            Float(log1p(Double(length))),
            traits.share(traits.commaCount),
            Float(segment.prices.count),
            Float(text.rowPrices.count),
            Float(text.rowPrices.count { $0.amount.isStrong }),
            Float(text.nearPrices.count),
            hasPrice ? 1 : 0,
            traits.startsUpper ? 1 : 0,
            traits.startsLower ? 1 : 0,
            traits.startsWithNumber ? 1 : 0,
            traits.startsWithBracket ? 1 : 0,
            traits.startsWithBullet ? 1 : 0,
            traits.endsOpen ? 1 : 0,
            segment.text.last == ":" ? 1 : 0,
            segment.text.last == "." ? 1 : 0,
            segment.text.contains { $0 == "!" || $0 == "?" } ? 1 : 0,
            segment.text.contains("(") ? 1 : 0,
            traits.share(traits.digitCount),
            Float(segment.confidence),
            traits.share(traits.headings),
            traits.share(traits.joins),
            Float(min(4, traits.noteWords)),
            Float(min(3, traits.sizes)),
            traits.share(traits.capitalised),
            Float(traits.letterCount) / Float(max(1, length)),
            traits.isBracketed ? 1 : 0,
            traits.startsWithJoin ? 1 : 0,
            Float(length) / Float(max(1, traits.wordCount)),
            traits.startsWithCount ? 1 : 0,
            traits.hasContact ? 1 : 0,
            Float(min(6, traits.codePairs)),
            traits.share(traits.noteWords),
            traits.share(traits.sizes),
            traits.isFramed ? 1 : 0,
            traits.isCodes ? 1 : 0,
            segment.text.contains("(") && !segment.text.contains(")") ? 1 : 0,
            !segment.text.contains("(") && segment.text.contains(")") ? 1 : 0,
        ]
    }

    /// Number of near-duplicates of each text on the page. Sizes and extras recur, names seldom do.
    private static func nearDuplicates(_ traits: [TextTraits]) -> [Int] {
        var counts = [Int](repeating: 0, count: traits.count)
        let signatures = traits.map { ($0.trigrams.count, TextTraits.signature(of: $0.trigrams)) }
        for one in traits.indices where !traits[one].trigrams.isEmpty {
            for other in traits.indices[(one + 1)...]
            where TextTraits.mayBeSimilar(signatures[one], signatures[other])
                && traits[one].similarity(traits[other]) > 0.5
            {
                counts[one] += 1
                counts[other] += 1
            }
        }
        return counts
    }

    /// Position of a text relative to its neighbours and to the page.
    private static func place(_ page: PageLayout, _ index: Int, _ traits: [TextTraits]) -> [Float] {
        let text = page.texts[index]
        let segment = text.segment
        let up = pair(page, index, text.up, traits)
        let down = pair(page, index, text.down, traits)
        let left = text.left.map { min(20, (segment.left - page.texts[$0].segment.right) / segment.height) } ?? 20
        let right = text.right.map { min(20, (page.texts[$0].segment.left - segment.right) / segment.height) } ?? 20
        let high = max(1, page.bottom - page.top)
        let wide = max(1, page.right - page.left)
        return up + down + [
            Float(left), Float(right), up[0] - down[0], Float((segment.middle - page.top) / high),
            Float((segment.center - page.left) / wide), Float(segment.width / wide), Float(text.below.count),
            text.down == nil ? 1 : 0, text.up == nil ? 1 : 0,
        ]
    }

    private static func pair(_ page: PageLayout, _ index: Int, _ other: Int?, _ traits: [TextTraits]) -> [Float] {
        guard let other else { return [9, 0, 0, 9, 9, 0] }
        let (one, two) = (page.texts[index].segment, page.texts[other].segment)
        let height = max(one.height, two.height)
        func far(_ distance: Double) -> Float { Float(min(9, abs(distance) / height)) }
        return [
            far(page.rise(index, other)), Float(log(one.height / two.height)),
            traits[index].upper - traits[other].upper,
            far(one.left - two.left), far(one.center - two.center), Float(log((one.width + 1) / (two.width + 1))),
        ]
    }

    /// Left, right, middle and height in text heights of the page; the middle is where the text's row meets the page's
    /// centre.
    private static func geometry(_ page: PageLayout, _ index: Int) -> [Float] {
        let segment = page.texts[index].segment
        let centre = (page.left + page.right) / 2
        let middle = page.slope.crossing(of: segment, at: centre)
        return [segment.left - centre, segment.right - centre, middle - page.top, segment.height]
            .map { Float($0 / page.height) }
    }

    private static func styles(_ page: PageLayout, _ table: [[Float]], _ print: PrintStyles) -> [[Int]] {
        struct Style {
            var height: Double
            var upper: Float
            /// Capital, number and bracket at the start.
            var prefix: SIMD3<Float>
        }
        let styles = zip(page.texts, table).map { text, row in
            Style(
                height: log(text.segment.height), upper: row[Column.upper.rawValue],
                prefix: [
                    row[Column.startsUpper.rawValue], row[Column.startsWithNumber.rawValue],
                    row[Column.startsWithBracket.rawValue],
                ])
        }
        return styles.enumerated().map { number, one in
            styles.indices.filter { index in
                let other = styles[index]
                return index != number && abs(one.height - other.height) < 0.15 && abs(one.upper - other.upper) < 0.3
                    && one.prefix == other.prefix && print.mayShareStyle(number, index)
            }
        }
    }

    private static func style(_ group: [Int], _ table: [[Float]]) -> [Float] {
        let means = Column.style.map { column in
            group.isEmpty ? -1 : group.reduce(Float(0)) { $0 + table[$1][column.rawValue] } / Float(group.count)
        }
        return [Float(group.count) / Float(max(1, table.count))] + means
    }

    /// Features of the whole page.
    private static func page(_ table: [[Float]]) -> [Float] {
        let count = Float(max(1, table.count))
        func total(_ column: Column) -> Float { table.reduce(0) { $0 + $1[column.rawValue] } }
        let strong = Float(table.count { $0[Column.strong.rawValue] > 0 })
        return [
            total(.hasPrice) / count, total(.upper) / count, log(count), strong / max(1, total(.hasPrice)),
            Float(table.count { $0[Column.rowPrices.rawValue] > 1 }) / count, total(.startsWithNumber) / count,
        ]
    }
}

/// The letter model in the form of features.
public struct LetterScores: Sendable {
    let model: LetterModel
}
