import Core

/// Text without blanks and signs, folded, with the places where words begin. OCR joins and splits words, so phrases are
/// searched in this form.
struct Squashed: Sendable {
    let bytes: [UInt8]
    /// True where a word begins, one more than `bytes`: the end counts as a beginning.
    let begins: [Bool]
    /// For each byte the index of its scalar in the text.
    let places: [Int]

    init(_ text: [Unicode.Scalar]) {
        var bytes: [UInt8] = []
        var begins: [Bool] = []
        var places: [Int] = []
        for token in Folding.tokens(of: text) {
            let letters = Self.asLetters(token.text)
            for (index, byte) in letters.enumerated() {
                bytes.append(byte)
                begins.append(index == 0)
                places.append(min(token.range.upperBound - 1, token.range.lowerBound + index))
            }
        }
        begins.append(true)
        self.bytes = bytes
        self.begins = begins
        self.places = places
    }

    /// The same text in which a word also begins behind a digit: "3MFG180925".
    var splitAtDigits: Squashed {
        var begins = begins
        for index in bytes.indices.dropFirst()
        where (0x30...0x39).contains(bytes[index - 1]) && !(0x30...0x39).contains(bytes[index]) {
            begins[index] = true
        }
        return Squashed(bytes: bytes, begins: begins, places: places)
    }

    /// The same text with letters O for noughts: "D.0.0.".
    var withoutNoughts: Squashed {
        Squashed(
            bytes: bytes.map { $0 == UInt8(ascii: "0") ? UInt8(ascii: "o") : $0 }, begins: begins, places: places)
    }

    private init(bytes: [UInt8], begins: [Bool], places: [Int]) {
        self.bytes = bytes
        self.begins = begins
        self.places = places
    }

    /// Reads `0`, `1` and `5` as letters in a word that has more letters than digits: `T0TAL`.
    private static func asLetters(_ word: String) -> [UInt8] {
        var bytes = Array(word.utf8)
        let digits = bytes.count { (0x30...0x39).contains($0) }
        guard digits > 0, digits * 3 < bytes.count else { return bytes }
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "0"): bytes[index] = UInt8(ascii: "o")
            case UInt8(ascii: "1"): bytes[index] = UInt8(ascii: "l")
            case UInt8(ascii: "5"): bytes[index] = UInt8(ascii: "s")
            default: break
            }
        }
        return bytes
    }
}

/// Phrases with their meanings, found in squashed text.
struct Phrases<Meaning: Hashable & Sendable>: Sendable {
    struct Hit {
        var meaning: Meaning
        /// Range of scalars in the text.
        var range: Range<Int>
        /// Number of squashed bytes.
        var length: Int
    }

    private struct Entry {
        /// Range of `letters`.
        var start, count: Int
        /// Index in `meanings`.
        var meaning: Int
        var isShort: Bool
    }

    /// The bytes of all phrases.
    private var letters: [UInt8] = []
    private var meanings: [Meaning] = []
    /// By their first two bytes, and the longest first.
    private var entries: [Entry] = []
    /// One bit for each pair of first bytes: most places of a text begin no phrase.
    private var starts = [UInt64](repeating: 0, count: 1024)
    /// For each word of `starts` the number of pairs before it.
    private var ranks: [Int] = []
    /// The entries of each pair, in the order of the bits.
    private var groups: [Range<Int>] = []
    /// Phrases up to this length match whole words only.
    private static var short: Int { 5 }

    /// - Parameter phrases: pairs of meaning and phrase. Of two meanings for one phrase the first counts.
    init(_ phrases: [(Meaning, String)]) {
        var byStart: [UInt16: [(bytes: [UInt8], meaning: Meaning)]] = [:]
        for (meaning, phrase) in phrases {
            let bytes = Squashed(Array(phrase.unicodeScalars)).bytes
            guard bytes.count >= 2 else { continue }
            byStart[Self.key(bytes[0], bytes[1]), default: []].append((bytes, meaning))
        }
        for (key, group) in byStart.sorted(by: { $0.key < $1.key }) {
            starts[Int(key >> 6)] |= 1 << UInt64(key & 63)
            let first = entries.count
            for (_, one) in group.enumerated().sorted(by: {
                ($1.element.bytes.count, $0.offset) < ($0.element.bytes.count, $1.offset)
            }) {
                entries.append(
                    Entry(
                        start: letters.count, count: one.bytes.count, meaning: meanings.count,
                        isShort: one.bytes.count <= Self.short && one.bytes[0] < 0x80))
                letters += one.bytes
                meanings.append(one.meaning)
            }
            groups.append(first..<entries.count)
        }
        var rank = 0
        for word in starts {
            ranks.append(rank)
            rank += word.nonzeroBitCount
        }
    }

    private static func key(_ one: UInt8, _ other: UInt8) -> UInt16 { UInt16(one) << 8 | UInt16(other) }

    /// The phrases from left to right; of overlapping ones the first and longest.
    func hits(in text: Squashed) -> [Hit] {
        var hits: [Hit] = []
        var index = 0
        let bytes = text.bytes
        while index + 1 < bytes.count {
            let key = Self.key(bytes[index], bytes[index + 1])
            let (word, bit) = (starts[Int(key >> 6)], UInt64(1) << UInt64(key & 63))
            guard word & bit != 0 else {
                index += 1
                continue
            }
            let group = groups[ranks[Int(key >> 6)] + (word & (bit - 1)).nonzeroBitCount]
            guard let number = group.first(where: { matches(entries[$0], at: index, text) }) else {
                index += 1
                continue
            }
            let entry = entries[number]
            let end = index + entry.count
            hits.append(
                Hit(
                    meaning: meanings[entry.meaning], range: text.places[index]..<(text.places[end - 1] + 1),
                    length: end - index))
            index = end
        }
        return hits
    }

    private func matches(_ entry: Entry, at start: Int, _ text: Squashed) -> Bool {
        let end = start + entry.count
        guard end <= text.bytes.count else { return false }
        if entry.isShort {
            // "fat2g": OCR joins a word and a number.
            let isEnd =
                text.begins[end] || end < text.bytes.count && (0x30...0x39).contains(text.bytes[end])
            guard text.begins[start], isEnd else { return false }
        }
        for index in 0..<entry.count where text.bytes[start + index] != letters[entry.start + index] { return false }
        return true
    }
}
