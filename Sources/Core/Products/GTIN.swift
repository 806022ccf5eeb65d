/// A Global Trade Item Number with a valid check digit.
///
/// GTIN-8, GTIN-12 (UPC-A), GTIN-13 (EAN-13) and GTIN-14 share one number space. Leading zeros extend a shorter
/// number to a longer one. All are stored and compared as 14 digits (GS1 General Specifications, section 3.3.2).
public struct GTIN: Sendable, Hashable, CustomStringConvertible {
    /// 14 digits. The last one is the check digit.
    public let digits: String

    /// Parses a number of 8, 12, 13 or 14 digits and ignores blanks and hyphens. Nil for other text, for a wrong
    /// check digit, and for zeros only.
    public init?(_ text: some StringProtocol) {
        let digits = text.unicodeScalars.filter { $0 != " " && $0 != "-" }.map { Self.value(of: $0) }
        guard [8, 12, 13, 14].contains(digits.count) else { return nil }
        self.init(digits)
    }

    /// Parses a UPC-E code: 6 digits, optionally with the number system (0 or 1) before and the check digit after.
    /// Nil if the text has another form or the check digit does not match the expanded UPC-A.
    public init?(upcE text: some StringProtocol) {
        let digits = text.unicodeScalars.compactMap { Self.value(of: $0) }
        guard digits.count == text.unicodeScalars.count, (6...8).contains(digits.count) else { return nil }
        let system = digits.count == 6 ? 0 : digits[0]
        let short = digits.count == 6 ? digits[...] : digits[1...6]
        let (s, last) = (Array(short.dropLast()), Array(short)[5])
        guard system <= 1 else { return nil }
        // GS1 General Specifications, figure 5.2.2.4.2-1: the last digit encodes the position of the omitted zeros.
        let body =
            switch last {
            case 0...2: [system, s[0], s[1], last, 0, 0, 0, 0, s[2], s[3], s[4]]
            case 3: [system, s[0], s[1], s[2], 0, 0, 0, 0, 0, s[3], s[4]]
            case 4: [system, s[0], s[1], s[2], s[3], 0, 0, 0, 0, 0, s[4]]
            default: [system, s[0], s[1], s[2], s[3], s[4], 0, 0, 0, 0, last]
            }
        self.init(body + [digits.count == 8 ? digits[7] : Self.checkDigit(of: body)])
    }

    private init?(_ digits: [Int?]) {
        let known = digits.compactMap(\.self)
        guard known.count == digits.count, known.contains(where: { $0 > 0 }), let last = known.last,
            Self.checkDigit(of: known.dropLast()) == last
        else { return nil }
        let zeros = [Int](repeating: 0, count: 14 - known.count)
        self.digits = (zeros + known).map(String.init).joined()
    }

    /// The printed form, which catalogues use as key. Leading zeros are dropped, then padded to 8 or 13 digits; 14
    /// significant digits stay.
    public var normalised: String {
        let significant = digits.drop { $0 == "0" }
        let length = significant.count <= 8 ? 8 : max(13, significant.count)
        return String(digits.suffix(length))
    }

    public var description: String { digits }

    /// The GS1 check digit. It complements the sum of the digits, weighted 3, 1, 3, … from the right, to a multiple
    /// of ten.
    private static func checkDigit(of body: some BidirectionalCollection<Int>) -> Int {
        let sum = body.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 3 : 1) }
        return (10 - sum % 10) % 10
    }

    /// The value of an ASCII digit; nil for every other character, including digits of other scripts.
    private static func value(of scalar: Unicode.Scalar) -> Int? {
        ("0"..."9").contains(scalar) ? Int(scalar.value) - 48 : nil
    }
}
