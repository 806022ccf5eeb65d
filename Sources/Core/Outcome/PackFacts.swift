/// What a code says of the one pack that it stands on, beside the product's number.
public struct PackFacts: Sendable, Hashable, Codable {
    public struct Price: Sendable, Hashable, Codable {
        /// Decimal, with a point.
        public var amount: String
        /// ISO 4217, three letters or three digits as the code has it; nil where it does not say.
        public var currency: String?

        public init(amount: String, currency: String? = nil) {
            self.amount = amount
            self.currency = currency
        }
    }

    public var lot: String?
    public var serial: String?
    /// Days `yyyy-MM-dd`.
    public var produced, packed, bestBefore, expires: String?
    public var kilograms: Double?
    public var price: Price?
    /// The maker's page.
    public var url: String?

    public init() {}

    public var isEmpty: Bool { self == PackFacts() }
}
