import Foundation

/// A word of a text, folded for comparison, and its position.
public struct Token: Sendable, Hashable {
    /// Lower case, without accents, with ß as ss.
    public var text: String
    /// Range of Unicode scalars in the text.
    public var range: Range<Int>
    /// True if only a hyphen separates the token from the previous one.
    public var isHyphenated: Bool
    /// True if more than blanks, hyphens and emphasis separates the token from the previous one. "soy, milk" does not
    /// mean soy milk.
    public var isSeparated: Bool
    /// True if the token consists of digits only.
    public var isNumber: Bool
    /// Index of the word in the table of all lexicons; negative if no lexicon has it.
    public var id: Int32

    public init(text: String, range: Range<Int>, isHyphenated: Bool, isSeparated: Bool, isNumber: Bool, id: Int32 = -1)
    {
        self.text = text
        self.range = range
        self.isHyphenated = isHyphenated
        self.isSeparated = isSeparated
        self.isNumber = isNumber
        self.id = id
    }
}

/// Folds recognised text and lexicon entries to a comparable form. Text is an array of Unicode scalars, which gives
/// random access in constant time.
public enum Folding {
    /// The folded UTF-8 bytes of one scalar below U+0250 in their order, the first one in the low byte; 0 if the scalar
    /// separates words. No scalar has more than four.
    private static let latin: [UInt32] = (0..<0x250).map { value in
        guard let scalar = Unicode.Scalar(UInt32(value)), isLetterOrDigit(scalar) else { return 0 }
        return folded(scalar).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Appends the folded form of a scalar below U+0250; false if it separates words.
    private static func appendLatin(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) -> Bool {
        if scalar.isASCII {
            guard isLetterOrDigit(scalar) else { return false }
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            bytes.append(byte >= 0x41 ? byte | 0x20 : byte)
            return true
        }
        var rest = latin[Int(scalar.value)]
        guard rest != 0 else { return false }
        while rest != 0 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return true
    }

    private static func folded(_ scalar: Unicode.Scalar) -> [UInt8] {
        switch scalar {
        case "ß", "ẞ": Array("ss".utf8)
        case "æ", "Æ": Array("ae".utf8)
        case "œ", "Œ": Array("oe".utf8)
        case "ø", "Ø": Array("o".utf8)
        case "ł", "Ł": Array("l".utf8)
        case "đ", "Đ": Array("d".utf8)
        case "ı": Array("i".utf8)
        // Hiragana and katakana spell the same words; their voicing marks distinguish words.
        case "\u{3041}"..."\u{3096}":
            Array(String(Character(Unicode.Scalar(scalar.value + 0x60) ?? scalar)).utf8)
        case "\u{30A1}"..."\u{30FF}": Array(String(Character(scalar)).utf8)
        default:
            Array(
                String(Character(scalar)).folding(
                    options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil
                ).unicodeScalars.filter { !isMark($0) }.map(Character.init).map(String.init).joined().utf8)
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool { (0x300...0x36F).contains(scalar.value) }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return (0x30...0x39).contains(scalar.value) || (0x41...0x5A).contains(scalar.value & 0xDF)
        }
        // Superscript digits and ordinal signs follow a word and are not part of it.
        if ["ª", "º", "¹", "²", "³"].contains(scalar) { return false }
        return scalar.properties.isAlphabetic || scalar.properties.generalCategory == .decimalNumber
    }

    /// True for letters, digits and combining accents.
    public static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isLetterOrDigit(scalar) }
        if scalar.value < 0x250 { return latin[Int(scalar.value)] != 0 }
        return isMark(scalar) || isLetterOrDigit(scalar)
    }

    public static func fold(_ text: String) -> String {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars { append(scalar, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar.value < 0x250 {
            if !appendLatin(scalar, to: &bytes) { bytes.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
        } else if !isMark(scalar) {
            bytes += folded(scalar)
        }
    }

    /// The folded words of a phrase.
    public static func words(of phrase: String) -> [String] {
        latinWords(of: phrase) ?? tokens(of: Array(phrase.unicodeScalars)).map(\.text)
    }

    /// The folded words of a phrase of scalars below U+0250, in one pass: every start folds the phrases of all lexicons. Nil for
    /// another phrase.
    private static func latinWords(of phrase: String) -> [String]? {
        var words: [String] = []
        var bytes: [UInt8] = []
        for scalar in phrase.unicodeScalars {
            guard scalar.value < 0x250 else { return nil }
            var rest = latin[Int(scalar.value)]
            if rest == 0, !bytes.isEmpty {
                words.append(String(decoding: bytes, as: UTF8.self))
                bytes.removeAll(keepingCapacity: true)
            }
            while rest != 0 {
                bytes.append(UInt8(truncatingIfNeeded: rest))
                rest >>= 8
            }
        }
        if !bytes.isEmpty { words.append(String(decoding: bytes, as: UTF8.self)) }
        return words
    }

    /// Splits text into words of letters and digits. All other characters are separators.
    public static func tokens(of scalars: [Unicode.Scalar], in range: Range<Int>? = nil) -> [Token] {
        var tokens: [Token] = []
        let range = range ?? 0..<scalars.count
        var bytes: [UInt8] = []
        var index = range.lowerBound
        var gapStart = index
        while index < range.upperBound {
            guard isWordPart(scalars[index]) else {
                index += 1
                continue
            }
            let start = index
            bytes.removeAll(keepingCapacity: true)
            var isNumber = true
            while index < range.upperBound, isWordPart(scalars[index]) {
                let scalar = scalars[index]
                append(scalar, to: &bytes)
                if !(0x30...0x39).contains(scalar.value) { isNumber = false }
                index += 1
            }
            let gap = scalars[gapStart..<start]
            tokens.append(
                Token(
                    text: String(decoding: bytes, as: UTF8.self), range: start..<index,
                    isHyphenated: !tokens.isEmpty && gap.count == 1 && gap.first.map(isHyphen) == true,
                    isSeparated: separates(gap, after: tokens.last), isNumber: isNumber))
            gapStart = index
        }
        return tokens
    }

    /// True for more than blanks, hyphens and emphasis; false for the full stop of an abbreviation, "St. Jacques".
    private static func separates(_ gap: ArraySlice<Unicode.Scalar>, after last: Token?) -> Bool {
        let marks = gap.filter { !isSpace($0) && !isHyphen($0) && !isEmphasis($0) }
        let isAbbreviation =
            marks.count == 1 && marks.first == "." && gap.first == "." && (last?.text.utf8.count ?? 3) <= 2
        return !marks.isEmpty && !(isAbbreviation && gap.count == 2 && last?.isNumber == false)
    }

    public static func isHyphen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "-", "‐", "‑", "–": true
        default: false
        }
    }

    public static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20, 0x09...0x0D, 0xA0, 0x2000...0x200B, 0x2028, 0x2029, 0x202F, 0x3000, 0xFEFF: true
        default: false
        }
    }

    public static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func isEmphasis(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        // "m&ms" is one name.
        case "_", "*", "'", "’", "`", "´", "&", "\u{AD}": true
        default: false
        }
    }

    /// The folded word. German umlauts also give the spelling with e, such as Kaese.
    public static func spellings(of phrase: String) -> [[String]] {
        let plain = words(of: phrase)
        if phrase.utf8.allSatisfy({ $0 < 0x80 }) { return [plain] }
        let lower = phrase.lowercased()
        guard lower.contains(where: { "äöü".contains($0) }) else { return [plain] }
        let written = lower.replacingOccurrences(of: "ä", with: "ae").replacingOccurrences(of: "ö", with: "oe")
            .replacingOccurrences(of: "ü", with: "ue")
        return [plain, words(of: written)]
    }
}

extension String {
    public init(scalars: some Sequence<Unicode.Scalar>) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
