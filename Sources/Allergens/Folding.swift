import Foundation

/// A word of a text, folded for comparison, and where it stands.
struct Token: Sendable, Hashable {
    /// Lower case, without accents, ß as ss.
    var text: String
    /// Characters of the text.
    var range: Range<Int>
    /// True where only a hyphen parts it from the token before.
    var isHyphenated: Bool
    /// True where more than blanks, hyphens and emphasis part it from the token before: "soy, milk" is no soy milk.
    var isApart: Bool
    /// True where the token is all digits.
    var isNumber: Bool
}

/// How print and lexicon are made comparable.
enum Folding {
    /// One character, folded; it may become two.
    static func fold(_ character: Character) -> String {
        if character.isASCII { return character.lowercased() }
        switch character {
        case "ß", "ẞ": return "ss"
        case "æ", "Æ": return "ae"
        case "œ", "Œ": return "oe"
        case "ø", "Ø": return "o"
        case "ł", "Ł": return "l"
        default:
            return String(character).folding(
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        }
    }

    static func fold(_ text: String) -> String { text.map(fold).joined() }

    /// The folded words of a phrase.
    static func words(of phrase: String) -> [String] { tokens(of: Array(phrase)).map(\.text) }

    /// Words of letters and digits; everything else parts them.
    static func tokens(of characters: [Character], in range: Range<Int>? = nil) -> [Token] {
        var tokens: [Token] = []
        let range = range ?? 0..<characters.count
        var index = range.lowerBound
        while index < range.upperBound {
            guard isWordPart(characters[index]) else {
                index += 1
                continue
            }
            let start = index
            var text = ""
            var isNumber = true
            while index < range.upperBound, isWordPart(characters[index]) {
                text += fold(characters[index])
                isNumber = isNumber && characters[index].isNumber
                index += 1
            }
            let gap = characters[(tokens.last?.range.upperBound ?? range.lowerBound)..<start]
            tokens.append(
                Token(
                    text: text, range: start..<index,
                    isHyphenated: !tokens.isEmpty && gap.count == 1 && gap.allSatisfy { "-‐‑–".contains($0) },
                    isApart: gap.contains { !$0.isWhitespace && !"-‐‑–_*'’`´\u{AD}".contains($0) }, isNumber: isNumber))
        }
        return tokens
    }

    private static func isWordPart(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    /// The folded word, and for German umlauts also the spelling with e: Kaese.
    static func spellings(of phrase: String) -> [[String]] {
        let plain = words(of: phrase)
        let lower = phrase.lowercased()
        guard lower.contains(where: { "äöü".contains($0) }) else { return [plain] }
        let written = lower.replacingOccurrences(of: "ä", with: "ae").replacingOccurrences(of: "ö", with: "oe")
            .replacingOccurrences(of: "ü", with: "ue")
        return [plain, words(of: written)]
    }
}
