/// A Global Trade Item Number with a valid check digit.
///
/// GTIN-8, GTIN-12 (UPC-A), GTIN-13 (EAN-13) and GTIN-14 share one number space. Leading zeros extend a shorter
/// number to a longer one. All are stored and compared as 14 digits (GS1 General Specifications, section 3.3.2).
public struct GTIN: Sendable, Hashable, CustomStringConvertible {
    /// The value, 1…99,999,999,999,999. The last digit is the check digit.
    public let number: Int64

    /// Why a text is no GTIN.
    public enum Failure: Error, Sendable, Hashable {
        /// Another character, or the wrong number of digits.
        case wrongLength
        /// A spreadsheet rounded the number, as in `6.51511E+11`; the digits are lost.
        case spreadsheetCode
        case wrongCheckDigit
    }

    /// Parses a number of 8, 12, 13 or 14 digits and ignores blanks and hyphens. Nil for other text, for a wrong
    /// check digit, and for zeros only.
    public init?(_ text: some StringProtocol) {
        guard [8, 12, 13, 14].contains(Self.figures(of: text)), let number = try? Self.number(text) else { return nil }
        self.init(number: number)
    }

    /// Parses a number that a person typed: as above, or a UPC-E code of 6 to 8 digits.
    public init?(typed text: some StringProtocol) {
        switch Self.figures(of: text) {
        case 6, 7: self.init(upcE: text)
        case 8: do { self = try GTIN(ofAnyLength: text) } catch { return nil }
        default: self.init(text)
        }
    }

    /// Parses a number of a data set: sources add leading zeros, and spreadsheets drop them. At most 14 significant
    /// digits; blanks and hyphens are ignored. A UPC-E code, as Open Food Facts keeps it, becomes its UPC-A.
    public init(ofAnyLength text: some StringProtocol) throws(Failure) {
        let number = try Self.number(text)
        guard let gtin = Self.expanded(number) ?? GTIN(number: number) else { throw .wrongCheckDigit }
        self = gtin
    }

    /// The UPC-A of a UPC-E code with its check digit; nil for a GTIN-8. GTIN-8 that begin with 0 are numbers of one shop
    /// only, and UPC-E codes with fewer digits have no company.
    private static func expanded(_ number: Int64) -> GTIN? {
        guard (100_000..<100_000_000).contains(number), number < 10_000_000 || GTIN(number: number) == nil else {
            return nil
        }
        return GTIN(upcE: String(String(100_000_000 + number).dropFirst()))
    }

    private static func figures(of text: some StringProtocol) -> Int {
        text.utf8.count { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
    }

    /// The value of the digits, above 0.
    private static func number(_ text: some StringProtocol) throws(Failure) -> Int64 {
        var (number, figures): (Int64, Int) = (0, 0)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if number > 0 || byte != UInt8(ascii: "0") { figures += 1 }
                guard figures <= 14 else { throw .wrongLength }
                number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            case UInt8(ascii: "."), UInt8(ascii: "E"), UInt8(ascii: "e"), UInt8(ascii: "+"): throw .spreadsheetCode
            default: throw .wrongLength
            }
        }
        guard figures > 0 else { throw .wrongLength }
        return number
    }

    /// Nil if the number is out of range or its check digit is wrong.
    public init?(number: Int64) {
        guard (1...99_999_999_999_999).contains(number), Self.checkDigit(of: number / 10 * 10) == number % 10 else {
            return nil
        }
        self.number = number
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
        let number = body.reduce(0) { $0 * 10 + Int64($1) } * 10
        self.init(number: number + (digits.count == 8 ? Int64(digits[7]) : Self.checkDigit(of: number)))
    }

    /// 14 digits.
    public var digits: String {
        let digits = String(number)
        return String(repeating: "0", count: 14 - digits.count) + digits
    }

    /// The printed form, which catalogues use as key. Leading zeros are dropped, then padded to 8 or 13 digits; 14
    /// significant digits stay.
    public var normalised: String {
        let significant = digits.drop { $0 == "0" }
        let length = significant.count <= 8 ? 8 : max(13, significant.count)
        return String(digits.suffix(length))
    }

    /// A number that a person or a program wrote, in the form of catalogues. A text that is no number stays.
    public static func normalised(typed text: String) -> String { GTIN(typed: text)?.normalised ?? text }

    public var description: String { digits }

    /// The GS1 check digit of a number whose last digit is 0. It complements the sum of the digits, weighted 3, 1,
    /// 3, … from the right, to a multiple of ten.
    private static func checkDigit(of number: Int64) -> Int64 {
        var (rest, sum, weight) = (number / 10, Int64(0), Int64(3))
        while rest > 0 {
            sum += rest % 10 * weight
            (rest, weight) = (rest / 10, 4 - weight)
        }
        return (10 - sum % 10) % 10
    }

    /// The value of an ASCII digit; nil for every other character, including digits of other scripts.
    private static func value(of scalar: Unicode.Scalar) -> Int? {
        ("0"..."9").contains(scalar) ? Int(scalar.value) - 48 : nil
    }
}
