/// How far the rest of a package confirms a barcode: bars, check digit, printed digits, label.
public struct CodeAgreement: Sendable, Hashable, Codable {
    public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
        case agrees, disagrees
        /// Not on the photo or not legible.
        case unseen
    }

    /// Probability 0…1 that the bars were decoded correctly; 0 if the decoder result was not accepted on its own.
    public var bars: Double
    /// `agrees` if the number has a check digit, else `unseen`. A number with a wrong check digit gives no product.
    public var checkDigit: Verdict
    /// The digits next to the bars.
    public var printedDigits: Verdict
    /// The words on the photo compared with the brand and name of the record.
    public var label: Verdict
    /// Probability 0…1 that the product is identified correctly, given all four checks.
    public var confidence: Double

    public init(
        bars: Double, checkDigit: Verdict = .agrees, printedDigits: Verdict = .unseen, label: Verdict = .unseen,
        confidence: Double
    ) {
        self.bars = bars
        self.checkDigit = checkDigit
        self.printedDigits = printedDigits
        self.label = label
        self.confidence = confidence
    }
}
