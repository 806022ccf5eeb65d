import Vocabulary

/// Parts print from what only looks like it, and turns Tesseract's confidence into a probability.
struct WordSieve {
    /// Words that Tesseract is less sure of than this (0…1) are more often noise than print.
    static let floor = 0.5
    /// Words that Tesseract is at least so sure of are print, on whatever page.
    static let sure = 0.85
    /// Share of the letters in sure words below which a page is no page: wood, hands, play pieces and bars had at most
    /// .09, the worst photo with a word read right .51.
    static let printShare = 0.25

    /// Words worth reporting, in page pixels, with calibrated confidence.
    static func sift(_ words: [Word], pageHeight: Double) -> [Word] {
        let isPrint = isPrint(words)
        return words.compactMap { word in
            // A shadow may look like one or two sure letters, hardly like three.
            let isPlausible = isPrint ? word.confidence >= floor : word.confidence >= sure && word.text.count > 2
            guard isPlausible, hasPrint(word.text), hasShape(word, pageHeight: pageHeight) else {
                return nil
            }
            var word = word
            word.confidence = probability(word)
            return word
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

    /// Probability that the word is right, from Tesseract's confidence (0…1).
    ///
    /// Share of words found in the transcript, by confidence, in 2,300 words of 22 photos and receipts (English, German,
    /// French) read by English and German; between the points it runs straight. Words of one or two characters are
    /// more often wrong at the same confidence.
    static func probability(_ word: Word) -> Double {
        let table = word.text.count < 3 ? shortWords : longWords
        guard let upper = table.firstIndex(where: { $0.confidence >= word.confidence }) else {
            return table.last?.probability ?? 0
        }
        guard upper > 0 else { return table[0].probability }
        let (low, high) = (table[upper - 1], table[upper])
        let place = (word.confidence - low.confidence) / (high.confidence - low.confidence)
        return low.probability + place * (high.probability - low.probability)
    }

    private static let longWords: [(confidence: Double, probability: Double)] = [
        (0, 0.1), (0.5, 0.27), (0.6, 0.38), (0.7, 0.48), (0.8, 0.56), (0.875, 0.74), (0.925, 0.88), (0.965, 0.97),
        (1, 0.98),
    ]
    private static let shortWords: [(confidence: Double, probability: Double)] = [
        (0, 0.05), (0.5, 0.15), (0.7, 0.3), (0.8, 0.5), (0.875, 0.75), (0.925, 0.83), (0.965, 0.86), (1, 0.9),
    ]
}
