import Core

/// Long phrases that OCR misread in a letter or two: "Total Fal", "Sodlum", "Protoln". Letters that look alike cost half.
struct NearPhrases<Meaning: Hashable & Sendable>: Sendable {
    private struct Entry {
        var bytes: [UInt8]
        var meaning: Meaning
    }

    /// Shorter phrases have too many neighbours: "fat" and "fal", "sel" and "sol".
    private static var shortest: Int { 6 }
    /// From this length on, three lookalikes or one other letter more may differ.
    private static var long: Int { 10 }

    private var byStart: [UInt8: [Entry]] = [:]

    /// - Parameter phrases: pairs of meaning and phrase.
    init(_ phrases: [(Meaning, String)]) {
        for (meaning, phrase) in phrases {
            let bytes = Squashed(Array(phrase.unicodeScalars)).bytes
            guard bytes.count >= Self.shortest, bytes[0] < 0x80 else { continue }
            byStart[bytes[0], default: []].append(Entry(bytes: bytes, meaning: meaning))
        }
    }

    /// The best phrase that begins and ends with words of the text; nil if none is near, or two meanings are equally near.
    func hit(in text: Squashed) -> Phrases<Meaning>.Hit? {
        var best: (hit: Phrases<Meaning>.Hit, share: Double)?
        var isTied = false
        for start in text.bytes.indices where text.begins[start] {
            for entry in byStart[text.bytes[start]] ?? [] {
                let most = entry.bytes.count >= Self.long ? 3 : 2
                for end in (start + entry.bytes.count - 1)...(start + entry.bytes.count + 1)
                where end <= text.bytes.count && isEnd(end, text) {
                    let cost = EditDistance.phrase.between(entry.bytes, text.bytes[start..<end], limit: most)
                    guard cost <= most else { continue }
                    let share = Double(cost) / Double(entry.bytes.count)
                    let hit = Phrases<Meaning>.Hit(
                        meaning: entry.meaning, range: text.places[start]..<(text.places[end - 1] + 1),
                        length: end - start)
                    if let known = best, share >= known.share {
                        if share == known.share, known.hit.meaning != entry.meaning { isTied = true }
                        continue
                    }
                    best = (hit, share)
                    isTied = false
                }
            }
        }
        return isTied ? nil : best?.hit
    }

    /// The end of a word, or a number joined to it.
    private func isEnd(_ end: Int, _ text: Squashed) -> Bool {
        text.begins[end] || end < text.bytes.count && (0x30...0x39).contains(text.bytes[end])
    }
}
