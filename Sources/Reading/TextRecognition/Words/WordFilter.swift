import Core

/// Filters out words that are not text, by Tesseract's own confidence.
struct WordFilter {
    /// Minimum confidence (0…1) of a word. Words below it are more often noise than text.
    static let minConfidence = 0.5
    /// Words of at least this confidence are text on any page.
    static let confidentWord = 0.85
    /// Share of letters in confident words below which the picture is not a page.
    ///
    /// Wood, hands, play pieces and bars had at most .09; the worst photo with a correctly read word had .51.
    static let printShare = 0.25

    /// The words worth reporting, unchanged.
    static func filtered(_ words: [Word], pageHeight: Double) -> [Word] {
        let isPrint = isPrint(words)
        return words.filter { word in
            // A shadow may look like one or two confident letters, rarely like three.
            let isPlausible =
                isPrint ? word.confidence >= minConfidence : word.confidence >= confidentWord && word.text.count > 2
            return isPlausible && hasPrint(word.text) && hasShape(word, pageHeight: pageHeight)
        }
    }

    /// True if enough of the words above the minimum are confident ones.
    static func isPrint(_ words: [Word]) -> Bool {
        let plausible = words.filter { $0.confidence >= minConfidence && hasPrint($0.text) }
        let all = plausible.reduce(0) { $0 + $1.text.count }
        let confident = plausible.reduce(0) { $0 + ($1.confidence >= Self.confidentWord ? $1.text.count : 0) }
        return all > 0 && Double(confident) >= printShare * Double(all)
    }

    /// True if the text has at least one letter, digit, currency or other sign that has a meaning by itself.
    static func hasPrint(_ text: String) -> Bool {
        text.contains { $0.isLetter || $0.isNumber || $0.isCurrencySymbol || "%&+".contains($0) }
    }

    /// False for slivers, and for words that fill the page.
    private static func hasShape(_ word: Word, pageHeight: Double) -> Bool {
        let letter = word.box.width / Double(max(1, word.text.count))
        return word.box.height >= 6 && letter <= 4 * word.box.height && word.box.height <= 12 * letter
            && (word.box.height < 0.7 * pageHeight || pageHeight < 100)
    }
}
