/// A Global Trade Item Number whose check digit is right: the number that names a grocery item.
///
/// GTIN-8, GTIN-12 (UPC-A), GTIN-13 (EAN-13) and GTIN-14 are one number space: a shorter one is the longer one with zeros
/// in front, so all are kept and compared as 14 digits (GS1 General Specifications, section 3.3.2).
public struct GTIN: Sendable, Hashable, CustomStringConvertible {
    /// 14 digits, the last of which is the check digit.
    public let digits: String

    /// A number of 8, 12, 13 or 14 digits; blanks and hyphens between them are ignored.
    /// Nil for any other text, for a wrong check digit, and for zeros alone.
    public init?(_ text: some StringProtocol) {
        let digits = text.unicodeScalars.filter { $0 != " " && $0 != "-" }.map { Self.value(of: $0) }
        guard [8, 12, 13, 14].contains(digits.count) else { return nil }
        self.init(digits)
    }

    /// A UPC-E code: its 6 digits, or with the number system (0 or 1) in front, or also with the check digit behind.
    /// Nil where it is no such code, or its check digit is not that of the UPC-A it stands for.
    public init?(upcE text: some StringProtocol) {
        let digits = text.unicodeScalars.compactMap { Self.value(of: $0) }
        guard digits.count == text.unicodeScalars.count, (6...8).contains(digits.count) else { return nil }
        let system = digits.count == 6 ? 0 : digits[0]
        let short = digits.count == 6 ? digits[...] : digits[1...6]
        let (s, last) = (Array(short.dropLast()), Array(short)[5])
        guard system <= 1 else { return nil }
        // GS1 General Specifications, figure 5.2.2.4.2-1: the last digit says where the zeros were left out.
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

    /// As it is printed and as catalogues key it: without the zeros in front, 8 digits at least; a longer one has 13, or 14
    /// where none of these is zero.
    public var normalised: String {
        let significant = digits.drop { $0 == "0" }
        let length = significant.count <= 8 ? 8 : max(13, significant.count)
        return String(digits.suffix(length))
    }

    public var description: String { digits }

    /// The GS1 check digit: the digits weighted 3, 1, 3, … from the right, then what is missing to a multiple of ten.
    private static func checkDigit(of body: some BidirectionalCollection<Int>) -> Int {
        let sum = body.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 3 : 1) }
        return (10 - sum % 10) % 10
    }

    /// The value of an ASCII digit; nil for every other character, other scripts' digits too.
    private static func value(of scalar: Unicode.Scalar) -> Int? {
        ("0"..."9").contains(scalar) ? Int(scalar.value) - 48 : nil
    }
}
