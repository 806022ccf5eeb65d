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
        var places = Places(tokens)
        var previous: Hash?
        for (number, token) in tokens.enumerated() where token.text.utf8.count >= 2 && !token.isNumber {
            let word = Hash().adding(token.text.utf8)
            add(word.bucket, 1, &places)
            if let previous { add(previous.adding([0x20]).adding(token.text.utf8).bucket, Self.pairValue, &places) }
            addPieces(of: token.text, &places)
            words.append((entries.count, number))
            previous = word
        }
        let length = entries.reduce(0) { $0 + $1.value * $1.value }.squareRoot()
        let scale = Self.norm / max(1, length)
        for index in entries.indices { entries[index].value *= scale }
    }

    private mutating func addPieces(of word: String, _ places: inout Places) {
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
                let piece = Hash.piece.adding(bytes[starts[start]..<starts[start + length]])
                add(piece.bucket, Self.pieceValue, &places)
            }
        }
    }

    private mutating func add(_ bucket: UInt16, _ value: Float, _ places: inout Places) {
        let slot = places.slot(of: bucket, entries)
        if let place = places[slot] {
            entries[place].value = max(entries[place].value, value)
        } else {
            places[slot] = entries.count
            entries.append(Entry(bucket: bucket, value: value))
        }
    }

    /// The place of each bucket in `entries`: an open hash table, because the buckets are hashes already.
    private struct Places {
        /// -1 for none.
        private var slots: [Int32]

        /// - Parameter tokens: all words that will be added.
        init(_ tokens: [Token]) {
            let most = tokens.reduce(0) { $0 + 2 + DishFeatures.pieceLengths.count * ($1.text.utf8.count + 2) }
            slots = Array(repeating: -1, count: 1 << (64 - (2 * most).leadingZeroBitCount))
        }

        /// The slot that holds the bucket, or the one where it belongs.
        func slot(of bucket: UInt16, _ entries: [Entry]) -> Int {
            var slot = Int(bucket) & (slots.count - 1)
            while slots[slot] >= 0, entries[Int(slots[slot])].bucket != bucket {
                slot = (slot + 1) & (slots.count - 1)
            }
            return slot
        }

        subscript(slot: Int) -> Int? {
            get { slots[slot] < 0 ? nil : Int(slots[slot]) }
            set { slots[slot] = Int32(newValue ?? -1) }
        }
    }

    /// 32-bit FNV-1a of the bytes so far.
    private struct Hash {
        private var state: UInt32 = 0x811C_9DC5

        /// The hash that every piece of a word starts from.
        static let piece = Hash().adding([0x7E])

        func adding(_ bytes: some Sequence<UInt8>) -> Hash {
            var hash = self
            for byte in bytes { hash.state = (hash.state ^ UInt32(byte)) &* 0x0100_0193 }
            return hash
        }

        /// Folded to 16 bits, because the low bits alone mix short texts badly.
        var bucket: UInt16 { UInt16(truncatingIfNeeded: state ^ (state >> 16)) }
    }

    static func == (one: DishFeatures, other: DishFeatures) -> Bool { one.entries == other.entries }

    func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}
