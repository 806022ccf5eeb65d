import Vocabulary

/// Finds the lexicon word that a misread word may have been. It only ever raises a warning.
struct FuzzyMatcher: Sendable {
    private struct Candidate: Sendable {
        var word: String
        var letters: [UInt8]
        /// Which letters the word has, to pass over distant words quickly.
        var mask: UInt64
        var meanings: [LexiconIndex.Meaning]
        /// True for a food that is none of the 14.
        var isHarmless: Bool {
            meanings.contains { if case .neutral = $0 { true } else { false } }
        }
    }

    private var byLength: [Int: [Candidate]] = [:]

    init(_ words: PhraseIndex<LexiconIndex.Meaning>) {
        for (word, meanings) in words.singleWords {
            let letters = Array(word.utf8)
            guard letters.count >= 5 else { continue }
            byLength[letters.count, default: []].append(
                Candidate(
                    word: word, letters: letters, mask: Self.mask(letters), meanings: meanings))
        }
        for key in byLength.keys { byLength[key]?.sort { $0.word < $1.word } }
    }

    /// Letters that readers take for one another cost half.
    private static let confusions: [Bool] = {
        var table = [Bool](repeating: false, count: 128 * 128)
        for pair in [
            "0o", "1l", "1i", "il", "5s", "8b", "6b", "2z", "ce", "un", "vu", "hb", "tf", "gq", "9g", "lt", "rn",
        ] {
            let letters = Array(pair.utf8).map(Int.init)
            table[letters[0] * 128 + letters[1]] = true
            table[letters[1] * 128 + letters[0]] = true
        }
        return table
    }()

    private static func areConfused(_ a: UInt8, _ b: UInt8) -> Bool {
        a < 128 && b < 128 && confusions[Int(a) * 128 + Int(b)]
    }

    private static func mask(_ letters: [UInt8]) -> UInt64 {
        letters.reduce(0) { $0 | (1 << UInt64($1 & 63)) }
    }

    /// The nearest word within the distance that the length allows: 1 from six letters, 2 from ten.
    /// - Returns: nil where none is near, or where a harmless word is at least as near.
    func nearest(to word: String) -> (word: String, meanings: [LexiconIndex.Meaning], distance: Int)? {
        let letters = Array(word.utf8)
        guard letters.count >= 6 else { return nil }
        let allowed = letters.count >= 10 ? 2.0 : 1.0
        let mask = Self.mask(letters)
        // Every unit of cost is at most two confusions, and each changes two letters.
        let mostChanges = Int(allowed) * 4
        var best: (candidate: Candidate, cost: Double)?
        for length in (letters.count - 2)...(letters.count + 2) {
            for candidate in byLength[length] ?? [] where (candidate.mask ^ mask).nonzeroBitCount <= mostChanges {
                let cost = Self.distance(letters, candidate.letters, limit: allowed)
                guard cost <= allowed else { continue }
                let isNearer =
                    best.map { cost < $0.cost || (cost == $0.cost && candidate.isHarmless && !$0.candidate.isHarmless) }
                    ?? true
                if isNearer { best = (candidate, cost) }
            }
        }
        guard let best, !best.candidate.isHarmless else { return nil }
        return (best.candidate.word, best.candidate.meanings, max(1, Int(best.cost.rounded(.up))))
    }

    /// Edit distance in which a confusion costs half, and "rn" for "m" counts as one; more than `limit` is not exact.
    static func distance(_ a: [UInt8], _ b: [UInt8], limit: Double) -> Double {
        if a.isEmpty || b.isEmpty || abs(a.count - b.count) > Int(limit) { return limit + 1 }
        var beforePrevious: [Double] = []
        var previous = (0...b.count).map(Double.init)
        for i in 1...a.count {
            var row = [Double(i)]
            row.reserveCapacity(b.count + 1)
            var least = row[0]
            for j in 1...b.count {
                let same = a[i - 1] == b[j - 1]
                let swap = same ? 0 : (areConfused(a[i - 1], b[j - 1]) ? 0.5 : 1)
                var cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + swap)
                // "rn" printed or read as "m".
                if i >= 2, a[i - 2] == 0x72, a[i - 1] == 0x6E, b[j - 1] == 0x6D {
                    cost = min(cost, beforePrevious[j - 1] + 0.5)
                }
                if j >= 2, b[j - 2] == 0x72, b[j - 1] == 0x6E, a[i - 1] == 0x6D {
                    cost = min(cost, previous[j - 2] + 0.5)
                }
                row.append(cost)
                least = min(least, cost)
            }
            if least > limit, (previous.min() ?? 0) > limit { return limit + 1 }
            beforePrevious = previous
            previous = row
        }
        return previous[b.count]
    }
}
