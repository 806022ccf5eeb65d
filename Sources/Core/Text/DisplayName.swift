import Foundation

/// Why a name is refused, for its author.
public struct NameProblem: Error, Sendable, Hashable {
    public var detail: String
}

/// A name that people give to a person, a list or a place.
///
/// Two names are equal if their ``key`` is: `Zoë` is one name, whether its last letter is one or two characters, in
/// capitals, or followed by an invisible character. Every door that stores a name makes one of these; every door that
/// looks for one compares ``key(of:)``.
public struct DisplayName: Sendable, Hashable {
    /// As people see it: NFC, without blanks at its ends, blanks in it single.
    public let shown: String
    /// For comparison; see ``key(of:)``.
    public let key: String

    /// Characters that a name has at most.
    public static let longest = 60
    /// Scalars that a name has at most: one character can have any number.
    private static let mostScalars = 300
    /// Scalars that a text has at most where a name is looked for in it. The others are not looked at.
    private static let mostRead = 1200
    /// UTS 39, 5.4.
    private static let mostMarks = 4

    /// - Throws: ``NameProblem`` for a name without 1 to 60 visible characters, with invisible or control characters, or
    ///   with a word of mixed scripts (UTS 39).
    public init(_ text: String) throws(NameProblem) {
        // Before any normalising, whose work would be the author's to choose.
        guard text.unicodeScalars.count <= Self.mostRead else {
            throw NameProblem(detail: "a name has 1 to \(Self.longest) visible characters")
        }
        let shown = Self.single(Array(text.streamSafe.precomposedStringWithCanonicalMapping.unicodeScalars))
        guard shown.count <= Self.mostScalars, (1...Self.longest).contains(String(scalars: shown).count) else {
            throw NameProblem(detail: "a name has 1 to \(Self.longest) visible characters")
        }
        for index in shown.indices where !Self.isVisible(index, of: shown) {
            let code = String(shown[index].value, radix: 16, uppercase: true)
            let digits = String(repeating: "0", count: max(0, 4 - code.count)) + code
            throw NameProblem(
                detail: "a name must not contain invisible or control characters (here U+\(digits)): type it again")
        }
        guard shown.contains(where: Self.isMeaningful) else {
            throw NameProblem(detail: "a name has at least one letter, digit or picture")
        }
        guard !Self.hasLooseMarks(Array(String(scalars: shown).decomposedStringWithCanonicalMapping.unicodeScalars))
        else {
            throw NameProblem(detail: "a name must not have accents without a letter, or more than four on one")
        }
        if let scripts = Self.mixedScripts(shown) {
            throw NameProblem(
                detail: "a word of a name must not mix letters of \(scripts.joined(separator: " and ")): type it again")
        }
        self.shown = String(scalars: shown)
        key = Self.key(of: self.shown)
    }

    public static func == (one: Self, other: Self) -> Bool { one.key.utf8.elementsEqual(other.key.utf8) }
    public func hash(into hasher: inout Hasher) { for byte in key.utf8 { hasher.combine(byte) } }

    /// What two spellings of one name have in common: NFKC case folding without invisible characters. Any text has one,
    /// also a name that is refused today and was stored before.
    public static func key(of text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            return String(scalars: single(Array(text.lowercased().unicodeScalars)))
        }
        var text = text.streamSafe.decomposedStringWithCanonicalMapping
        for _ in 0..<2 {
            text =
                String(scalars: text.unicodeScalars.filter { !isIgnored($0) }.flatMap(folded))
                .precomposedStringWithCompatibilityMapping
        }
        return String(scalars: single(Array(text.unicodeScalars)))
    }

    /// True if both texts spell one name.
    public static func areEqual(_ one: String, _ other: String) -> Bool {
        key(of: one).utf8.elementsEqual(key(of: other).utf8)
    }

    /// A text of another program as a name: NFC, without what is invisible, at most this number of characters. Words of
    /// mixed scripts stay.
    ///
    /// - Returns: nil if nothing is left.
    public static func cleaned(_ text: String, most: Int = longest) -> String? {
        let read = String(scalars: text.unicodeScalars.prefix(mostRead)).streamSafe
        var scalars = single(Array(read.precomposedStringWithCanonicalMapping.unicodeScalars))
        scalars = scalars.indices.filter { isVisible($0, of: scalars) }.map { scalars[$0] }
        let shown = String(String(scalars: single(scalars)).prefix(most))
        return shown.isEmpty || shown.unicodeScalars.count > mostScalars * 4 ? nil : shown
    }

    // MARK: Characters

    /// Without blanks at the ends, and each other run of blanks as one space.
    private static func single(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        var hasGap = false
        for scalar in scalars {
            if scalar.properties.generalCategory == .spaceSeparator {
                hasGap = true
                continue
            }
            if hasGap, !result.isEmpty { result.append(" ") }
            hasGap = false
            result.append(scalar)
        }
        while result.last?.properties.isWhitespace == true { result.removeLast() }
        return Array(result.drop { $0.properties.isWhitespace })
    }

    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: !scalar.properties.isWhitespace
        case .format: true
        default: scalar.properties.isDefaultIgnorableCodePoint || scalar == brailleBlank
        }
    }

    /// Has no dots: a character that nobody sees, although it is no blank.
    private static let brailleBlank: Unicode.Scalar = "\u{2800}"
    /// In the place of bytes that were no text.
    private static let replacements: Set<Unicode.Scalar> = ["\u{FFFC}", "\u{FFFD}"]

    private static func isVisible(_ index: Int, of scalars: [Unicode.Scalar]) -> Bool {
        let scalar = scalars[index]
        let before = index > 0 ? scalars[index - 1] : nil
        let after = index + 1 < scalars.count ? scalars[index + 1] : nil
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        case .format:
            // Joiners are part of the spelling of some languages, and of pictures.
            guard scalar == "\u{200C}" || scalar == "\u{200D}", let before, let after else { return false }
            if scalar == "\u{200D}", isPicture(before) || before == "\u{FE0F}", isPicture(after) { return true }
            guard let script = LetterScript.of(after) else { return false }
            return joined.contains(script) && (LetterScript.of(before) ?? script) == script && !isPicture(before)
        default: break
        }
        if scalar == "\u{FE0E}" || scalar == "\u{FE0F}" { return before?.properties.isEmoji == true }
        return !scalar.properties.isDefaultIgnorableCodePoint && scalar != brailleBlank
            && !replacements.contains(scalar)
    }

    private static func isMeaningful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .decimalNumber, .letterNumber, .otherNumber, .otherSymbol: true
        default: scalar.properties.isAlphabetic
        }
    }

    private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmoji && scalar.value > 0xFF
    }

    /// The scripts whose letters change their form at a joiner.
    private static let joined: Set<Substring> = [
        "Arabic", "Bengali", "Devanagari", "Gujarati", "Gurmukhi", "Kannada", "Khmer", "Malayalam", "Myanmar", "Oriya",
        "Sinhala", "Tamil", "Telugu", "Tibetan",
    ]

    /// An accent without a letter below it, more than four on one letter, or one twice.
    private static func hasLooseMarks(_ scalars: [Unicode.Scalar]) -> Bool {
        var marks: [Unicode.Scalar] = []
        for (index, scalar) in scalars.enumerated() {
            guard scalar.properties.generalCategory == .nonspacingMark, scalar.value < 0xFE00 || scalar.value > 0xFE0F
            else {
                marks = []
                continue
            }
            if index == 0 || scalars[index - 1] == " " || marks.count == mostMarks || marks.last == scalar {
                return true
            }
            marks.append(scalar)
        }
        return false
    }

    // MARK: Scripts

    /// Scripts that one word may have together (UTS 39, highly restrictive).
    private static let together: [Set<Substring>] = [
        ["Latin", "Han", "Hiragana", "Katakana"], ["Latin", "Han", "Bopomofo"], ["Latin", "Han", "Hangul"],
    ]

    /// The scripts of the first word that mixes them; nil if no word does.
    private static func mixedScripts(_ scalars: [Unicode.Scalar]) -> [String]? {
        let words = scalars.split { scalar in
            !scalar.properties.isAlphabetic && !scalar.properties.isDefaultIgnorableCodePoint
                && ![.nonspacingMark, .spacingMark, .decimalNumber].contains(scalar.properties.generalCategory)
        }
        for word in words {
            let scripts = Set(word.compactMap(LetterScript.of)).subtracting(["Common"])
            guard scripts.count > 1, !together.contains(where: { scripts.isSubset(of: $0) }) else { continue }
            return scripts.map { $0 == "Other" ? "another script" : String($0) }.sorted()
        }
        return nil
    }

    // MARK: Case

    /// The full case folding of a scalar. The mappings to capitals and back give it for all letters except the dotless i,
    /// which folds to itself.
    private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if scalar.isASCII { return Array(scalar.properties.lowercaseMapping.unicodeScalars) }
        if scalar == "\u{131}" { return [scalar] }
        return scalar.properties.lowercaseMapping.unicodeScalars.flatMap {
            $0.properties.uppercaseMapping.unicodeScalars
        }
        .flatMap { $0.properties.lowercaseMapping.unicodeScalars }
    }
}
