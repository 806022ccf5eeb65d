import Core

/// Parts print from what only looks like it, by Tesseract's own confidence.
struct WordSieve {
    /// Words that Tesseract is less sure of than this (0…1) are more often noise than print.
    static let floor = 0.5
    /// Words that Tesseract is at least so sure of are print, on whatever page.
    static let sure = 0.85
    /// Share of the letters in sure words below which a page is no page: wood, hands, play pieces and bars had at most
    /// .09, the worst photo with a word read right .51.
    static let printShare = 0.25

    /// Words worth reporting, as they are.
    static func sift(_ words: [Word], pageHeight: Double) -> [Word] {
        let isPrint = isPrint(words)
        return words.filter { word in
            // A shadow may look like one or two sure letters, hardly like three.
            let isPlausible = isPrint ? word.confidence >= floor : word.confidence >= sure && word.text.count > 2
            return isPlausible && hasPrint(word.text) && hasShape(word, pageHeight: pageHeight)
        }
    }

    /// True where enough of the words above the floor are sure ones.
    static func isPrint(_ words: [Word]) -> Bool {
        let plausible = words.filter { $0.confidence >= floor && hasPrint($0.text) }
        let all = plausible.reduce(0) { $0 + $1.text.count }
        let sure = plausible.reduce(0) { $0 + ($1.confidence >= Self.sure ? $1.text.count : 0) }
        return all > 0 && Double(sure) >= printShare * Double(all)
    }

    /// At least one letter, digit, currency or other sign that means something alone.
    static func hasPrint(_ text: String) -> Bool {
        text.contains { $0.isLetter || $0.isNumber || $0.isCurrencySymbol || "%&+".contains($0) }
    }

    /// Letters are not slivers, and no word fills the page.
    private static func hasShape(_ word: Word, pageHeight: Double) -> Bool {
        let letter = word.box.width / Double(max(1, word.text.count))
        return word.box.height >= 6 && letter <= 4 * word.box.height && word.box.height <= 12 * letter
            && (word.box.height < 0.7 * pageHeight || pageHeight < 100)
    }
}
