import Vocabulary

/// Finds lexicon words inside compounds: Haselnusskuchen, Vollmilchschokolade. The longest part wins at each place and
/// hides what lies inside it, so that Kokosmilch is no milk and Weizeneiweiß no egg.
struct CompoundSplitter: Sendable {
    struct Part: Sendable {
        var text: [UInt8]
        var position: AllergenLexicon.CompoundPosition
        var meaning: LexiconIndex.Meaning
    }

    private var parts: [UInt8: [Part]] = [:]
    private var neutral: [UInt8: [[UInt8]]] = [:]
    private let endings: [[UInt8]]

    init(_ lexicon: AllergenLexicon) {
        endings = lexicon.inflections.map { Array($0.utf8) }
        guard lexicon.compounds else { return }
        func add(_ word: String, _ position: AllergenLexicon.CompoundPosition, _ meaning: LexiconIndex.Meaning) {
            for spelling in Folding.spellings(of: word) where spelling.count == 1 {
                let text = Array(spelling[0].utf8)
                // Parts of fewer than four letters stand in too many words by chance.
                guard text.count >= 4 else { continue }
                parts[text[0], default: []].append(Part(text: text, position: position, meaning: meaning))
            }
        }
        for (index, entry) in lexicon.entries.enumerated() {
            guard let position = entry.compound else { continue }
            for word in entry.words { add(word, position, .entry(index)) }
        }
        for (index, trap) in lexicon.traps.enumerated() {
            for word in trap.words { add(word, .anywhere, .trap(index)) }
        }
        for key in parts.keys { parts[key]?.sort { $0.text.count > $1.text.count } }
        for word in lexicon.neutral {
            for spelling in Folding.spellings(of: word) where spelling.count == 1 && spelling[0].utf8.count >= 4 {
                let text = Array(spelling[0].utf8)
                neutral[text[0], default: []].append(text)
            }
        }
        for key in neutral.keys { neutral[key]?.sort { $0.count > $1.count } }
    }

    /// The meanings of the parts of a folded word, in order; parts that lie at the same place and are equally long all count.
    func meanings(of word: String) -> [(meaning: LexiconIndex.Meaning, part: String)] {
        let bytes = Array(word.utf8)
        guard bytes.count >= 5 else { return [] }
        var found: [(LexiconIndex.Meaning, String)] = []
        var index = 0
        while index < bytes.count {
            var length = 0
            for part in parts[bytes[index]] ?? [] {
                if part.text.count < length { break }
                guard matches(part, in: bytes, at: index) else { continue }
                length = part.text.count
                found.append((part.meaning, String(decoding: part.text, as: UTF8.self)))
            }
            index += max(1, length)
        }
        return found
    }

    /// True where a known part covers at least half of the word.
    func explains(_ word: String) -> Bool {
        let bytes = Array(word.utf8)
        guard bytes.count >= 6 else { return false }
        var covered = 0
        var index = 0
        while index < bytes.count {
            let part = (parts[bytes[index]] ?? []).first { matches($0, in: bytes, at: index) }?.text.count ?? 0
            let plain = (neutral[bytes[index]] ?? []).first { bytes[index...].starts(with: $0) }?.count ?? 0
            let length = max(part, plain)
            covered += length
            index += max(1, length)
        }
        return covered * 2 >= bytes.count
    }

    private func matches(_ part: Part, in bytes: [UInt8], at index: Int) -> Bool {
        guard index + part.text.count <= bytes.count, bytes[index...].starts(with: part.text) else { return false }
        let rest = bytes[(index + part.text.count)...]
        let atEnd = rest.isEmpty || endings.contains { $0.elementsEqual(rest) }
        switch part.position {
        case .anywhere: return true
        case .start: return index == 0
        case .end: return atEnd
        case .both: return index == 0 || atEnd
        }
    }
}
