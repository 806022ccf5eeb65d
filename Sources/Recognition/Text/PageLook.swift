import Vocabulary

/// One pass over a page: what was read, and how far to trust it.
struct PageLook {
    let page: PreparedPage
    /// In page pixels, with Tesseract's own confidence.
    let words: [Word]

    /// How much was read with confidence: letters weighed by what their word has above one half.
    var merit: Double {
        words.reduce(0) { $0 + max(0, $1.confidence - 0.5) * Double($1.text.count) }
    }

    /// Mean confidence of a letter; 0 where there is none.
    var meanConfidence: Double {
        let letters = words.reduce(0) { $0 + $1.text.count }
        return letters == 0 ? 0 : words.reduce(0) { $0 + $1.confidence * Double($1.text.count) } / Double(letters)
    }

    /// So little that the page may lie on its side.
    var isPoor: Bool { meanConfidence < 0.6 || words.count { $0.confidence > 0.7 && $0.text.count > 1 } < 3 }

    /// Something was read, and a second way of reading may find more: below .88 it did on half of the receipts.
    var isUncertain: Bool { meanConfidence < 0.88 && merit > 0 }
}
