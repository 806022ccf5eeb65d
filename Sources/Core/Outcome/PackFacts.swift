/// What a code states about one pack, in addition to the product number.
public struct PackFacts: Sendable, Hashable, Codable {
    public struct Price: Sendable, Hashable, Codable {
        /// Decimal number with a point.
        public var amount: String
        /// ISO 4217, three letters or three digits as the code has it; nil if not stated.
        public var currency: String?

        public init(amount: String, currency: String? = nil) {
            self.amount = amount
            self.currency = currency
        }
    }

    public var lot: String?
    public var serial: String?
    /// Dates, `yyyy-MM-dd`.
    public var produced, packed, bestBefore, expires: String?
    public var kilograms: Double?
    public var price: Price?
    /// The producer's web page.
    public var url: String?

    public init() {}

    public var isEmpty: Bool { self == PackFacts() }
}
