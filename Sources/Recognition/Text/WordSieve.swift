import Vocabulary

/// Parts print from what only looks like it, and turns Tesseract's confidence into a probability.
struct WordSieve {
    /// Words that Tesseract is less sure of than this (0…1) are more often noise than print.
    static let floor = 0.5

    /// Words worth reporting, in page pixels, with calibrated confidence.
    static func sift(_ words: [Word], pageHeight: Double) -> [Word] {
        words.compactMap { word in
            guard word.confidence >= floor, hasPrint(word.text), hasShape(word, pageHeight: pageHeight) else {
                return nil
            }
            var word = word
            word.confidence = probability(word.confidence)
            return word
        }
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

    static func probability(_ confidence: Double) -> Double { confidence }
}
