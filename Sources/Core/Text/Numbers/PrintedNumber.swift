/// The digits of one number as a text has them: groups with a sign between each two, and a fraction.
///
/// What a sign means is for the reader of the text: `1.500` has decimals on a label and thousands on a menu.
package struct PrintedNumber: Sendable, Hashable {
    /// What besides a comma or a point may stand between two groups.
    package enum Blanks: Sendable, Hashable {
        case none
        /// `100 000`, `33'000`: a blank or an apostrophe before three digits.
        case betweenThousands
        /// `9. 90`, `9 .90`, as OCR reads a decimal sign, and an apostrophe.
        case besideDecimals
    }

    /// `1/2`, `½`.
    package struct Fraction: Sendable, Hashable {
        /// The denominator is above 0.
        package let numerator, denominator: Int
        package let range: Range<Int>
        /// True for one sign, `½`.
        package let isSign: Bool
    }

    /// The groups of digits as places in the text, from left to right. None if the number is the sign of a fraction.
    package private(set) var groups: [Range<Int>] = []
    /// The signs between the groups; each blank is `" "`, each apostrophe `'`.
    package private(set) var signs: [Unicode.Scalar] = []
    /// True if a sign has a blank beside it.
    package private(set) var isBroken = false
    /// A fraction behind the digits, or one whose numerator they are: `1 1/2`, `1½`, `1/2`.
    package private(set) var fraction: Fraction?

    /// The end of the digits.
    package var end: Int { groups.last?.upperBound ?? fraction?.range.upperBound ?? 0 }
    /// True if the digits are a whole number of their own, not the numerator of the fraction.
    package var hasWhole: Bool {
        guard let first = groups.first else { return false }
        return fraction.map { $0.range.lowerBound > first.lowerBound } ?? true
    }
    /// True if one sign separates groups of three digits: `1.500`, `33,000,000`.
    package var isGrouped: Bool {
        guard let first = groups.first, let sign = signs.first else { return false }
        return first.count <= 3 && groups.dropFirst().allSatisfy { $0.count == 3 } && signs.allSatisfy { $0 == sign }
    }
    /// True if the last sign can only separate decimals: `12.50`, `1.234,50`.
    package var hasDecimals: Bool {
        guard let last = signs.last else { return false }
        let before = signs.dropLast()
        return before.isEmpty
            || groups[0].count <= 3 && groups.dropFirst().dropLast().allSatisfy { $0.count == 3 }
                && before.allSatisfy { $0 == signs[0] && $0 != last }
    }

    /// The number that begins at a place; nil if neither a digit nor a fraction is there.
    package init?(at start: Int, in text: [Unicode.Scalar], blanks: Blanks = .none) {
        guard start < text.count, Self.begins(text[start]) else { return nil }
        var next: Int? = start
        while let begin = next, Letters.isDigit(text[begin]) {
            groups.append(begin..<Self.endOfDigits(from: begin, in: text))
            next = addSign(text, blanks)
        }
        fraction = Self.fraction(of: groups, at: start, in: text)
    }

    /// Adds the sign behind the last group, and gives the place of the next one.
    private mutating func addSign(_ text: [Unicode.Scalar], _ blanks: Blanks) -> Int? {
        guard let last = groups.last, last.upperBound + 1 < text.count else { return nil }
        let (sign, behind) = (Self.sign(text[last.upperBound]), last.upperBound + 1)
        guard let sign else { return nil }
        let isDecimal = sign == "." || sign == ","
        switch blanks {
        case .besideDecimals where groups.count == 1 && last.count <= 4 && (isDecimal || sign == " "):
            let second = Self.sign(text[behind])
            let isSplit = isDecimal ? second == " " : second == "." || second == ","
            guard isSplit else { break }
            let digits = behind + 1..<Self.endOfDigits(from: behind + 1, in: text)
            guard digits.count == 2,
                digits.upperBound == text.count || !".,".unicodeScalars.contains(text[digits.upperBound])
            else { return nil }
            signs.append(isDecimal ? sign : second ?? sign)
            isBroken = true
            return digits.lowerBound
        case .betweenThousands where !isDecimal:
            guard last.count <= 3, Self.endOfDigits(from: behind, in: text) == behind + 3 else { return nil }
            signs.append(sign)
            return behind
        default: break
        }
        guard Letters.isDigit(text[behind]), isDecimal || blanks == .besideDecimals && sign == "'" else { return nil }
        signs.append(sign)
        return behind
    }

    private static func sign(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case ".", ",": scalar
        case "'", "’": "'"
        case " ", "\u{A0}", "\u{202F}", "\u{2009}": " "
        default: nil
        }
    }

    // MARK: Fractions

    private static let vulgar: [Unicode.Scalar: (Int, Int)] = [
        "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8),
        "⅞": (7, 8), "⅕": (1, 5), "⅙": (1, 6),
    ]
    /// Of a numerator and a denominator.
    private static let mostFractionDigits = 9

    private static func fraction(of groups: [Range<Int>], at start: Int, in text: [Unicode.Scalar]) -> Fraction? {
        guard let last = groups.last else { return sign(at: start, in: text) }
        if groups.count == 1, let own = quotient(of: last, in: text) { return own }
        var next = last.upperBound
        while next < text.count, sign(text[next]) == " " { next += 1 }
        if let sign = sign(at: next, in: text) { return sign }
        // `1 1/2`, not `11/2`.
        let numerator = next..<endOfDigits(from: next, in: text)
        guard next > last.upperBound, let own = quotient(of: numerator, in: text), own.numerator < own.denominator
        else {
            return nil
        }
        return own
    }

    private static func sign(at place: Int, in text: [Unicode.Scalar]) -> Fraction? {
        guard place < text.count, let (above, below) = vulgar[text[place]] else { return nil }
        return Fraction(numerator: above, denominator: below, range: place..<place + 1, isSign: true)
    }

    private static func quotient(of numerator: Range<Int>, in text: [Unicode.Scalar]) -> Fraction? {
        guard numerator.upperBound < text.count, text[numerator.upperBound] == "/" || text[numerator.upperBound] == "⁄"
        else { return nil }
        let denominator = numerator.upperBound + 1..<endOfDigits(from: numerator.upperBound + 1, in: text)
        guard numerator.count <= mostFractionDigits, denominator.count <= mostFractionDigits,
            let above = Int(String(scalars: text[numerator])), let below = Int(String(scalars: text[denominator])),
            below > 0, !continues(at: denominator.upperBound, in: text)
        else { return nil }
        return Fraction(
            numerator: above, denominator: below, range: numerator.lowerBound..<denominator.upperBound, isSign: false)
    }

    /// True in "1/2,5" and "1/2/3", which are numbers of a series.
    private static func continues(at place: Int, in text: [Unicode.Scalar]) -> Bool {
        place + 1 < text.count && ".,/⁄".unicodeScalars.contains(text[place]) && Letters.isDigit(text[place + 1])
    }

    // MARK: Digits

    /// True for an ASCII digit and the sign of a fraction.
    package static func begins(_ scalar: Unicode.Scalar) -> Bool { Letters.isDigit(scalar) || vulgar[scalar] != nil }

    /// The index behind the digits that begin at a place; the place itself if none do.
    package static func endOfDigits(from start: Int, in text: [Unicode.Scalar]) -> Int {
        text[min(start, text.count)...].firstIndex { !Letters.isDigit($0) } ?? text.count
    }
}
