import Core

/// A page as its print stands: segments with their neighbours, and prices with the texts that they may belong to.
///
/// Pure: the same lines give the same layout. It knows nothing of menus; every later question (is this a dish?) is asked of
/// segments and of who stands above, below and beside whom. No columns are searched for: the neighbours carry them.
public struct PageLayout: Sendable {
    /// Parts that can be left out, to measure what each brings.
    public struct Options: Sendable, Hashable {
        public var cutsAtGaps = true
        public var joinsSegments = true
        public var usesPageForms = true
        public init() {}
    }

    /// A text on the page with its neighbours, all as indices of `texts`.
    public struct Text: Sendable {
        public var segment: TextSegment
        public var up, down, left, right: Int?
        /// Texts whose nearest text above is this one.
        public var below: [Int] = []
        /// Its own prices and those that stand in its row.
        public var rowPrices: [LabelledAmount] = []
        /// Lone prices in front of it, above or below it, as indices of `prices`.
        public var nearPrices: [Int] = []
    }

    /// A price with no text in its segment.
    public struct LonePrice: Sendable {
        public var segment: TextSegment
        /// The text that it most likely belongs to, an index of `texts`; nil where none is near.
        public var host: Int?
        /// True where no text stands on its left in its row: then `host` is a guess.
        public var isLoose = false
        /// Texts in front of which, below or above which it stands, the likeliest first.
        public var near: [Int] = []
    }

    /// From the top of the page down.
    public let texts: [Text]
    public let prices: [LonePrice]
    public let slope: PageSlope
    /// Median height of the texts, pixels; the unit of all distances.
    public let height: Double
    /// Around everything on the levelled page, pixels.
    public let left, right, top, bottom: Double
    /// ISO 4217 of the mark that most prices carry; nil where none does.
    public let currency: String?

    /// - Parameters:
    ///   - lines: a reading, in any order.
    ///   - isSize: true for a word or two that name a size, printed before a price: `large`, `0,3 l`.
    public init(
        _ lines: [TextLine], isSize: (ArraySlice<Unicode.Scalar>) -> Bool = { _ in false },
        options: Options = Options()
    ) {
        let page = LevelPage(lines: lines)
        let uncut = SegmentBuilder(page: page, options: options).segments()
        let forms = PriceForms(uncut, usesPageForms: options.usesPageForms)
        let segments = withoutActuallyEscaping(isSize) {
            PriceCutter(forms: forms, isSize: $0).applied(to: uncut)
        }
        var neighbours = Neighbours(segments, page.slope)
        neighbours.link()
        texts = neighbours.texts
        prices = neighbours.prices
        slope = page.slope
        height = TextSegment.median(texts.map(\.segment.height))
        left = segments.map(\.left).min() ?? 0
        right = segments.map(\.right).max() ?? 1
        top = segments.map(\.middle).min() ?? 0
        bottom = segments.map(\.middle).max() ?? 1
        currency = Self.currency(of: segments)
    }

    private static func currency(of segments: [TextSegment]) -> String? {
        let codes = segments.flatMap(\.prices).compactMap(\.amount.currency)
        let counts = Dictionary(codes.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// How far one text lies below another, pixels.
    public func rise(_ one: Int, _ other: Int) -> Double { slope.rise(texts[one].segment, texts[other].segment) }
}
