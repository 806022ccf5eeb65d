import Core

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

    /// This look with the words of `other` where it saw none itself, or was less sure of the one word there.
    func completed(by other: PageLook) -> PageLook {
        var words = words
        for word in other.words where word.confidence >= Self.sure {
            let rivals = words.indices.filter { words[$0].box.covers(word.box) || word.box.covers(words[$0].box) }
            if rivals.isEmpty {
                words.append(word)
            } else if rivals.count == 1, words[rivals[0]].confidence < word.confidence,
                word.box.covers(words[rivals[0]].box, share: 0.6)
            {
                words[rivals[0]] = word
            }
        }
        return PageLook(page: page, words: words)
    }

    /// Words of the other look are taken from here on: below, they are more often noise.
    private static let sure = 0.6

    /// So little that the page may lie on its side.
    var isPoor: Bool { meanConfidence < 0.6 || words.count { $0.confidence > 0.7 && $0.text.count > 1 } < 3 }

    /// Print was read, and a second way of reading may find more: looking again below .88 and keeping the better
    /// look raised word F1 on 22 photos and receipts from .826 to .842; a limit of .82 gave .833.
    var isUncertain: Bool { meanConfidence < 0.88 && WordSieve.isPrint(words) }
}

extension Quad {
    /// True where the upright rectangle around this quad covers `share` of that around `other`.
    fileprivate func covers(_ other: Quad, share: Double = 0.3) -> Bool {
        let width = min(maxX, other.maxX) - max(minX, other.minX)
        let height = min(maxY, other.maxY) - max(minY, other.minY)
        return width > 0 && height > 0 && width * height >= share * other.width * other.height
    }
}
