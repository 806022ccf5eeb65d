/// Character classes of print.
public enum Letters {
    @inlinable public static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x30 && scalar.value <= 0x39
    }

    @inlinable public static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? (0x41...0x5A).contains(scalar.value & 0xDF) : scalar.properties.isAlphabetic
    }

    /// A letter, a digit, or the underscore.
    package static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        isDigit(scalar) || scalar == "_" || isLetter(scalar)
            || !scalar.isASCII && scalar.properties.generalCategory == .decimalNumber
    }

    /// Letters that OCR reads for digits, each with its digit. The scanners of numbers decide where one counts.
    package static let lookalikes: [Unicode.Scalar: Unicode.Scalar] = [
        "O": "0", "o": "0", "Q": "0", "D": "0", "I": "1", "l": "1",
    ]

    public static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || Folding.isSpace(scalar) }

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
