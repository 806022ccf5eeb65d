/// Character classes of print.
public enum Letters {
    @inlinable public static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x30 && scalar.value <= 0x39
    }

    @inlinable public static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? (0x41...0x5A).contains(scalar.value & 0xDF) : scalar.properties.isAlphabetic
    }

    /// A letter, a digit, or the underscore.
    @inlinable package static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        isDigit(scalar) || scalar == "_" || isLetter(scalar)
            || !scalar.isASCII && scalar.properties.generalCategory == .decimalNumber
    }

    /// Letters that OCR reads for digits, each with its digit. The scanners of numbers decide where one counts.
    package static let lookalikes = Lookalikes(["O": "0", "o": "0", "Q": "0", "D": "0", "I": "1", "l": "1"])

    @inlinable public static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || Folding.isSpace(scalar) }

    /// Length of the longest run of letters.
    public static func longestRun(_ text: ArraySlice<Unicode.Scalar>) -> Int {
        var longest = 0
        var run = 0
        for scalar in text {
            run = isLetter(scalar) ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}

/// ASCII characters that OCR reads for digits, each with its digit. Scanners ask for each character of a page, so it is
/// a table by value.
package struct Lookalikes: Sendable {
    private let digits: [Unicode.Scalar?]

    init(_ digits: [Unicode.Scalar: Unicode.Scalar]) {
        self.digits = (0..<128).map { digits[Unicode.Scalar(UInt8($0))] }
    }

    /// These and others, which some print needs beside them.
    package func adding(_ others: [Unicode.Scalar: Unicode.Scalar]) -> Lookalikes {
        Lookalikes(
            Dictionary(
                uniqueKeysWithValues: digits.enumerated().compactMap { value, digit in
                    digit.map { (Unicode.Scalar(UInt8(value)), $0) }
                }
            ).merging(others) { $1 })
    }

    package subscript(character: Unicode.Scalar) -> Unicode.Scalar? {
        character.isASCII ? digits[Int(character.value)] : nil
    }
}
