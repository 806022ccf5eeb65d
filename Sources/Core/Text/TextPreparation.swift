import Foundation

/// Brings text to the letters that a reader sees, before it is analysed: the one preparation of all text, whether a photo,
/// a person or a record brings it.
///
/// Characters without a shape are removed, forms of one letter (full width, ligatures, mathematical letters) become that
/// letter, and letters of other scripts inside a Latin word become the Latin letters that they look like. Line ends stay:
/// what a line end broke is joined with knowledge of the words (`TextAnalysis`).
public enum TextPreparation {
    /// The prepared scalars. A soft hyphen at a line end becomes a hyphen; elsewhere it is removed.
    /// - Parameter isForeign: true if the text around it has letters of other scripts that look like no Latin letter
    ///   (`hasForeignLetters`); a word of look-alikes alone then is a word of that script.
    public static func prepared(_ text: some Sequence<Unicode.Scalar>, isForeign: Bool = false) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        var isPlain = true
        for scalar in text {
            isPlain = isPlain && scalar.value < 0x80
            result.append(scalar)
        }
        return isPlain ? result : latin(in: visible(result), isForeign: isForeign)
    }

    /// True if a letter of the Greek or Cyrillic script looks like no Latin letter.
    public static func hasForeignLetters(_ text: some Sequence<Unicode.Scalar>) -> Bool {
        text.contains { isOther($0) && $0.properties.isAlphabetic && lookAlikes[$0] == nil }
    }

    private static func visible(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        result.reserveCapacity(text.count)
        var kanaEnd = 0
        for (place, scalar) in text.enumerated() where place >= kanaEnd {
            if isHalfWidthKana(scalar) {
                // A voicing mark belongs to the letter before it.
                let run = text[place...].prefix(while: isHalfWidthKana)
                kanaEnd = run.endIndex
                let wide = String(scalars: run).precomposedStringWithCompatibilityMapping
                result += wide.precomposedStringWithCanonicalMapping.unicodeScalars
            } else if isInvisible(scalar) {
                let next = text[(place + 1)...].first { !Folding.isSpace($0) || Folding.isNewline($0) }
                if scalar == "\u{AD}", next.map(Folding.isNewline) == true { result.append("-") }
            } else if isForm(scalar) {
                result += String(Character(scalar)).precomposedStringWithCompatibilityMapping.unicodeScalars
            } else {
                result.append(scalar)
            }
        }
        return result
    }

    /// True for characters without a shape of their own: soft hyphen, zero-width, direction marks, variation selectors, tags.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180E, 0x200B...0x200F, 0x202A...0x202E,
            0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }

    private static func isHalfWidthKana(_ scalar: Unicode.Scalar) -> Bool { (0xFF61...0xFF9F).contains(scalar.value) }

    /// True for a presentation form of other letters. Circled and raised ones are codes of menus and stay.
    private static func isForm(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x132, 0x133, 0x149, 0x1C4...0x1CC, 0x1F1...0x1F3, 0x210A...0x2115, 0x2119...0x211D, 0x212A...0x2134,
            0xFB00...0xFB06, 0xFF01...0xFF5E, 0x1D400...0x1D7FF:
            true
        default: false
        }
    }

    // MARK: Letters that look alike

    private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs =
            "аaсcеeоoрpхxуyкkмmтtвbнhіiјjѕsԁdһhԛqԝwАAВBЕEКKМMНHОOРPСCТTХXУYІIЈJЅSԚQԜW"
            + "οoαaνvρpτtυuιiκkΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϲc"
        let letters = Array(pairs.unicodeScalars)
        return Dictionary(
            stride(from: 0, to: letters.count - 1, by: 2).map { (letters[$0], letters[$0 + 1]) },
            uniquingKeysWith: { first, _ in first })
    }()

    /// Replaces look-alikes in words with a Latin letter, where every other letter of the word is a look-alike. A word of
    /// look-alikes alone is Latin if the text has no letter that is foreign.
    private static func latin(in text: [Unicode.Scalar], isForeign: Bool) -> [Unicode.Scalar] {
        guard text.contains(where: isOther) else { return text }
        let hasOwnScript = isForeign || hasForeignLetters(text)
        var result = text
        var start = 0
        while start < text.count {
            guard Folding.isWordPart(text[start]) else {
                start += 1
                continue
            }
            var end = start
            while end < text.count, Folding.isWordPart(text[end]) { end += 1 }
            let word = text[start..<end]
            let others = word.filter(isOther)
            let isMixed = word.contains { $0.properties.isAlphabetic && $0.value < 0x250 }
            // One letter alone is a symbol: "β-carotene".
            if others.allSatisfy({ lookAlikes[$0] != nil }), isMixed || !hasOwnScript && others.count > 1 {
                for place in start..<end { result[place] = lookAlikes[text[place]] ?? text[place] }
            }
            start = end
        }
        return result
    }

    private static func isOther(_ scalar: Unicode.Scalar) -> Bool { (0x370...0x52F).contains(scalar.value) }
}
