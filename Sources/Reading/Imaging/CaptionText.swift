import Foundation

/// Converts notes to the characters of the drawing font: printable ASCII.
enum CaptionText {
    private static let spellings: [Character: String] = [
        "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L",
        "đ": "d", "Đ": "D", "ð": "d", "þ": "th", "ı": "i", "€": "EUR", "£": "GBP", "¥": "JPY", "°": "deg", "×": "x",
        "–": "-", "—": "-", "−": "-", "…": "...", "·": "-", "•": "-", "‘": "'", "’": "'", "‚": ",", "“": "\"",
        "”": "\"", "„": "\"", "«": "<<", "»": ">>", "½": "1/2", "¼": "1/4", "→": "->", "≥": ">=", "≤": "<=",
    ]

    /// Removes accents, transliterates other scripts to Latin, and replaces the rest by question marks.
    static func ascii(_ text: String) -> String {
        let known = text.map { spellings[$0] ?? String($0) }.joined()
        let latin = known.allSatisfy(\.isASCII) ? known : known.applyingTransform(.toLatin, reverse: false) ?? known
        let plain =
            latin.allSatisfy(\.isASCII) ? latin : latin.applyingTransform(.stripDiacritics, reverse: false) ?? latin
        return String(
            plain.map { character -> Character in
                if character.isWhitespace { return " " }
                guard let value = character.asciiValue, (0x20...0x7E).contains(value) else { return "?" }
                return character
            })
    }
}
