import Core

/// The words of a dish as a sparse vector: words, pairs of neighbours, and pieces of words, hashed into buckets.
///
/// Compounds and inflected forms share pieces. A hash (32-bit FNV-1a) replaces a vocabulary. Training reads the same
/// vectors through the program `dish-stage`.
struct DishFeatures: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        var bucket: UInt16
        var value: Float
    }

    /// A model has at most this many buckets. A smaller model uses the low bits.
    static let bits = 16
    private static let pieceLengths = 3...5
    private static let pairValue: Float = 0.7
    private static let pieceValue: Float = 0.35
    /// Maximum norm of a dish. A long description says as much in total as a short name.
    private static let norm: Float = 3

    /// Each bucket once, in the order of the words.
    private(set) var entries: [Entry] = []
    /// The end of each word's own entries in `entries`, and the token that the word came from.
    private(set) var words: [(end: Int, token: Int)] = []

    var isEmpty: Bool { entries.isEmpty }

    /// - Parameter tokens: the words of a dish without function words. Numbers and single letters are left out.
    init(_ tokens: [Token]) {
        var places: [UInt16: Int] = [:]
        var previous: [UInt8]?
        for (number, token) in tokens.enumerated() where token.text.utf8.count >= 2 && !token.isNumber {
            let word = Array(token.text.utf8)
            add(Self.hash("", word[...]), 1, &places)
            if let previous { add(Self.hash(previous + [0x20], word[...]), Self.pairValue, &places) }
            addPieces(of: token.text, &places)
            words.append((entries.count, number))
            previous = word
        }
        let length = entries.reduce(0) { $0 + $1.value * $1.value }.squareRoot()
        let scale = Self.norm / max(1, length)
        for index in entries.indices { entries[index].value *= scale }
    }

    private mutating func addPieces(of word: String, _ places: inout [UInt16: Int]) {
        var bytes: [UInt8] = [0x5E]
        var starts = [0]
        for scalar in word.unicodeScalars {
            starts.append(bytes.count)
            bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
        }
        starts.append(bytes.count)
        bytes.append(0x24)
        starts.append(bytes.count)
        let letters = starts.count - 1
        for length in Self.pieceLengths where letters >= length {
            for start in 0...(letters - length) {
                add(Self.hash("~", bytes[starts[start]..<starts[start + length]]), Self.pieceValue, &places)
            }
        }
    }

    private mutating func add(_ bucket: UInt16, _ value: Float, _ places: inout [UInt16: Int]) {
        if let place = places[bucket] {
            entries[place].value = max(entries[place].value, value)
        } else {
            places[bucket] = entries.count
            entries.append(Entry(bucket: bucket, value: value))
        }
    }

    private static func hash(_ prefix: String, _ bytes: ArraySlice<UInt8>) -> UInt16 {
        hash(Array(prefix.utf8), bytes)
    }

    /// 32-bit FNV-1a, folded to 16 bits, because the low bits alone mix short texts badly.
    private static func hash(_ prefix: [UInt8], _ bytes: ArraySlice<UInt8>) -> UInt16 {
        var hash: UInt32 = 0x811C_9DC5
        for byte in prefix { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return UInt16(truncatingIfNeeded: hash ^ (hash >> 16))
    }

    static func == (one: DishFeatures, other: DishFeatures) -> Bool { one.entries == other.entries }

    func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}
