/// Whether what stands on a pack agrees that a code names its product: bars, check digit, printed digits, label.
public struct CodeAgreement: Sendable, Hashable, Codable {
    public enum Verdict: String, Sendable, Hashable, Codable {
        case agrees, disagrees
        /// Not on the photo, or not legible enough to say.
        case unseen
    }

    /// Probability 0…1 that the bars were read right, by themselves; 0 where they were not believed by themselves.
    public var bars: Double
    /// `agrees` where the number has a check digit, else `unseen`: a wrong one names nothing.
    public var checkDigit: Verdict
    /// The digits beside the bars.
    public var printedDigits: Verdict
    /// The words on the photo, against the record's brand and name.
    public var label: Verdict
    /// Probability 0…1 that the product is the one that is named, of all four together.
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
