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
        var bytes: [UInt8]
        var meaning: Meaning
        var isShort: Bool
    }

    private var byStart: [UInt16: [Entry]] = [:]
    /// One bit for each pair of first bytes: most places of a text begin no phrase.
    private var starts = [UInt64](repeating: 0, count: 1024)
    /// Phrases up to this length match whole words only.
    private static var short: Int { 5 }

    /// - Parameter phrases: pairs of meaning and phrase. Of two meanings for one phrase the first counts.
    init(_ phrases: [(Meaning, String)]) {
        for (meaning, phrase) in phrases {
            let bytes = Squashed(Array(phrase.unicodeScalars)).bytes
            guard bytes.count >= 2 else { continue }
            byStart[Self.key(bytes[0], bytes[1]), default: []].append(
                Entry(bytes: bytes, meaning: meaning, isShort: bytes.count <= Self.short && bytes[0] < 0x80))
        }
        for key in byStart.keys {
            byStart[key]?.sort { $0.bytes.count > $1.bytes.count }
            starts[Int(key >> 6)] |= 1 << UInt64(key & 63)
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
            guard starts[Int(key >> 6)] & (1 << UInt64(key & 63)) != 0, let entries = byStart[key],
                let entry = entries.first(where: { matches($0, at: index, text) })
            else {
                index += 1
                continue
            }
            let end = index + entry.bytes.count
            hits.append(
                Hit(meaning: entry.meaning, range: text.places[index]..<(text.places[end - 1] + 1), length: end - index)
            )
            index = end
        }
        return hits
    }

    private func matches(_ entry: Entry, at start: Int, _ text: Squashed) -> Bool {
        let end = start + entry.bytes.count
        guard end <= text.bytes.count else { return false }
        if entry.isShort {
            // "fat2g": OCR joins a word and a number.
            let isEnd =
                text.begins[end] || end < text.bytes.count && (0x30...0x39).contains(text.bytes[end])
            guard text.begins[start], isEnd else { return false }
        }
        for index in entry.bytes.indices where text.bytes[start + index] != entry.bytes[index] { return false }
        return true
    }
}
