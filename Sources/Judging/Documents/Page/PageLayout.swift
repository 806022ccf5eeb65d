import Core

/// The layout of a page: segments with their neighbours, and prices with the texts they may belong to.
///
/// A pure function: the same lines give the same layout. It has no menu-specific rules and detects no columns; the
/// neighbour relations imply them.
public struct PageLayout: Sendable {
    /// A text on the page with its neighbours, as indices into `texts`.
    public struct Text: Sendable {
        public var segment: TextSegment
        public var up, down, left, right: Int?
        /// Texts whose nearest text above is this one.
        public var below: [Int] = []
        /// The prices of the segment and of its row.
        public var rowPrices: [LabelledAmount] = []
        /// Lone prices before, above or below it, as indices into `prices`.
        public var nearPrices: [Int] = []
        /// True if it names one day and nothing else: "Montag, 12. Mai".
        public internal(set) var isDay = false
        /// True for the date of a day that is named elsewhere: "12. Mai 2026".
        public internal(set) var isDate = false
        /// The words of the segment's text.
        public let tokens: [Token]

        init(segment: TextSegment) {
            self.segment = segment
            tokens = Folding.tokens(of: segment.text)
        }
    }

    /// A price in a segment without text.
    public struct LonePrice: Sendable {
        public var segment: TextSegment
        /// The index of the text it most likely belongs to; nil if none is near.
        public var host: Int?
        /// True if its row has no text on the left. `host` is then a guess.
        public var isLoose = false
        /// Texts after, below or above it, most likely first.
        public var near: [Int] = []
    }

    /// From top to bottom.
    public let texts: [Text]
    public let prices: [LonePrice]
    public let slope: PageSlope
    let codes: PageCodes
    /// Median height of the texts, pixels. All distances use it as unit.
    public let height: Double
    /// Bounds of all content on the deskewed page, pixels.
    public let left, right, top, bottom: Double
    /// ISO 4217 of the most frequent currency mark, or nil.
    public let currency: String?

    /// - Parameter isSize: true for one or two words that name a size, printed before a price: `large`, `0,3 l`.
    public init(_ page: PrintedPage, isSize: (ArraySlice<Unicode.Scalar>) -> Bool = { _ in false }) {
        let uncut = RaisedCents(slope: page.slope, scanner: page.scanner).joined(page.joined)
        let days = page.scanner.words.days.on(uncut.map(\.whole))
        let forms = PriceForms(uncut, isWeek: days.isWeek)
        let split = withoutActuallyEscaping(isSize) {
            PriceSplitter(forms: forms, scanner: page.scanner, days: days, isSize: $0)
                .applied(to: uncut.filter { !forms.isOrphan($0) })
        }
        let segments = HeadlessBrackets(slope: page.slope).opened(split)
        var neighbours = Neighbours(segments, page.slope)
        neighbours.link()
        texts = neighbours.texts.map { text in
            var text = text
            text.isDay = text.rowPrices.isEmpty && days.isDay(text.segment.text)
            text.isDate = days.isDate(text.segment.text)
            return text
        }
        prices = neighbours.prices
        slope = page.slope
        codes = page.scanner.codes
        height = TextSegment.median(texts.map(\.segment.height))
        left = segments.map(\.left).min() ?? 0
        right = segments.map(\.right).max() ?? 1
        top = segments.map(\.middle).min() ?? 0
        bottom = segments.map(\.middle).max() ?? 1
        currency = segments.flatMap(\.prices).compactMap(\.amount.currency).mostFrequent
    }

    /// The largest rise between the middle lines of one row, in heights of the texts.
    private static let riseOfRow = 0.3

    /// True if a text and a lone price are in one row.
    func isRow(_ text: Int, price: Int) -> Bool {
        abs(slope.rise(texts[text].segment, prices[price].segment)) < Self.riseOfRow * height
    }

    /// True for a text that declares the codes of a dish behind a word: "Allergene: A, G".
    public func declaresCodes(_ text: Int) -> Bool { !codes.led(by: texts[text]).isEmpty }

    /// The distance by which one text lies below another, pixels.
    public func rise(_ one: Int, _ other: Int) -> Double { slope.rise(texts[one].segment, texts[other].segment) }
}
