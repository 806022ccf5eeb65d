import Core

/// Finds lexicon words inside the compounds of one language: Haselnusskuchen, sojaeiwit, tejcsokoládé.
///
/// First the word is segmented completely into known parts. Otherwise, entries of at least four letters match at the
/// positions their lexicon allows. The longest entry at each position hides the entries inside it. Kokosmilch
/// therefore gives no milk, and Weizeneiweiß no egg.
struct CompoundSplitter: Sendable {
    /// The meanings of a part, each with its own position: "nudel" is wheat at both ends of a compound, and a dish with
    /// eggs only at its end.
    private struct Part: Sendable {
        var meanings: [(lexeme: Lexeme, position: AllergenLexicon.CompoundPosition)]

        var role: Lexeme.Role? { meanings.first?.lexeme.role }
    }

    /// A part of one word, with its meanings at that position.
    private struct Found {
        var text: String
        var lexemes: [Lexeme]
    }

    private let lexicon: UInt8
    private var parts: [String: Part] = [:]
    /// One bit for each hash of three first bytes of a part: most places of a word begin no part.
    private var starts = [UInt64](repeating: 0, count: 1024)
    private var longest = 0
    private let joints: [String]
    private let endings: Set<String>

    init(_ lexicon: AllergenLexicon, _ number: UInt8) {
        self.lexicon = number
        joints = (lexicon.joints ?? []).map(Folding.fold)
        endings = Set(lexicon.inflections.map(Folding.fold))
        func add(_ words: [String], _ role: Lexeme.Role, _ index: Int, _ position: AllergenLexicon.CompoundPosition) {
            for word in words {
                for spelling in Folding.spellings(of: word) where spelling.count == 1 && spelling[0].utf8.count >= 3 {
                    let lexeme = Lexeme(lexicon: number, role: role, index: Int32(index))
                    // A trap takes precedence over an entry with the same text, and an entry over a neutral word.
                    if let old = parts[spelling[0]] {
                        let rank = { (role: Lexeme.Role) in role == .trap ? 0 : role == .entry ? 1 : 2 }
                        guard let known = old.role, rank(role) <= rank(known) else { continue }
                        let kept = rank(role) == rank(known) ? old.meanings : []
                        parts[spelling[0]] = Part(meanings: kept + [(lexeme, position)])
                    } else {
                        parts[spelling[0]] = Part(meanings: [(lexeme, position)])
                    }
                    longest = max(longest, spelling[0].utf8.count)
                }
            }
        }
        for (index, entry) in lexicon.entries.enumerated() {
            guard let position = entry.compound else { continue }
            add(entry.words, .entry, index, position)
        }
        for (index, trap) in lexicon.traps.enumerated() { add(trap.words, .trap, index, .anywhere) }
        for (index, word) in lexicon.neutral.enumerated() { add([word], .neutral, index, .anywhere) }
        for part in parts.keys {
            let hash = Self.hash(Array(part.utf8), 0)
            starts[hash >> 6] |= 1 << UInt64(hash & 63)
        }
    }

    private static func hash(_ bytes: [UInt8], _ start: Int) -> Int {
        (Int(bytes[start]) << 10 ^ Int(bytes[start + 1]) << 5 ^ Int(bytes[start + 2])) & 0xFFFF
    }

    /// False if no part begins here. Parts have at least three bytes.
    private func mayBegin(at start: Int, _ bytes: [UInt8]) -> Bool {
        guard start + 3 <= bytes.count else { return false }
        let hash = Self.hash(bytes, start)
        return starts[hash >> 6] & (1 << UInt64(hash & 63)) != 0
    }

    /// The parts of a folded word; nil if no part is known.
    func parts(of word: String) -> WordAnalysis.Parts? {
        let bytes = Array(word.utf8)
        guard bytes.count >= 5 else { return nil }
        if let whole = segmentation(of: bytes) {
            return WordAnalysis.Parts(
                lexicon: lexicon, lexemes: whole.flatMap(\.lexemes).filter { $0.role != .neutral },
                text: whole.map(\.text).joined(separator: "+"), isWhole: true)
        }
        let found = scattered(in: bytes)
        guard !found.isEmpty else { return nil }
        return WordAnalysis.Parts(
            lexicon: lexicon, lexemes: found.flatMap(\.lexemes), text: found.map(\.text).joined(separator: "+"),
            isWhole: false)
    }

    private func text(_ bytes: [UInt8], _ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The smallest number of known parts that form the word, with linking elements and one final ending,
    /// or nil.
    private func segmentation(of bytes: [UInt8]) -> [Found]? {
        let count = bytes.count
        // best[n]: the smallest number of parts that end at n, and the start of the last part.
        var best = [(count: Int, start: Int, end: Int)?](repeating: nil, count: count + 1)
        best[0] = (0, 0, 0)
        for start in 0..<count {
            guard let before = best[start], mayBegin(at: start, bytes) else { continue }
            var end = start + 3
            while end <= min(count, start + longest) {
                if let part = parts[text(bytes, start..<end)], !allowed(part, start).isEmpty {
                    // Of two equal segmentations the one with the longer beginning is right: Kokosnussmilch+pulver.
                    for (stop, _) in stops(after: end, bytes)
                    where best[stop].map({ $0.count >= before.count + 1 }) ?? true {
                        best[stop] = (before.count + 1, start, end)
                    }
                }
                end += 1
            }
        }
        guard var place = best[count], place.count >= 1 else { return nil }
        var found: [Found] = []
        while true {
            let text = text(bytes, place.start..<place.end)
            found.insert(Found(text: text, lexemes: parts[text].map { allowed($0, place.start) } ?? []), at: 0)
            guard place.start > 0, let before = best[place.start] else { break }
            place = before
        }
        return found
    }

    /// The meanings that a part has in a completely segmented word.
    private func allowed(_ part: Part, _ start: Int) -> [Lexeme] {
        part.meanings.filter { lexeme, position in
            guard lexeme.role == .entry else { return true }
            return switch position {
            case .anywhere, .both: true
            case .start: start == 0
            case .end: start > 0
            }
        }.map(\.lexeme)
    }

    /// Positions where the next part may start: here, after a linking element, or at the end of the word after an
    /// ending.
    private func stops(after end: Int, _ bytes: [UInt8]) -> [(Int, Bool)] {
        var stops = [(end, false)]
        for joint in joints where end + joint.utf8.count < bytes.count && bytes[end...].starts(with: joint.utf8) {
            stops.append((end + joint.utf8.count, true))
        }
        if end < bytes.count, bytes.count - end <= 4, endings.contains(text(bytes, end..<bytes.count)) {
            stops.append((bytes.count, true))
        }
        return stops
    }

    private func scattered(in bytes: [UInt8]) -> [Found] {
        var found: [Found] = []
        var index = 0
        while index < bytes.count {
            var end = min(bytes.count, index + longest)
            var taken = 0
            while end - index >= 4, mayBegin(at: index, bytes) {
                let part = text(bytes, index..<end)
                if let known = parts[part], known.role != .neutral {
                    let lexemes = allowed(known, index, end, bytes)
                    if !lexemes.isEmpty {
                        found.append(Found(text: part, lexemes: lexemes))
                        taken = end - index
                        break
                    }
                }
                end -= 1
            }
            index += max(1, taken)
        }
        return found
    }

    /// The meanings that a part has among unknown letters.
    private func allowed(_ part: Part, _ start: Int, _ end: Int, _ bytes: [UInt8]) -> [Lexeme] {
        let atEnd = end == bytes.count || endings.contains(text(bytes, end..<bytes.count))
        return part.meanings.filter { _, position in
            switch position {
            case .anywhere: true
            case .start: start == 0
            case .end: atEnd
            case .both: start == 0 || atEnd
            }
        }.map(\.lexeme)
    }

    /// Texts of the parts that name an allergen, for misread compounds.
    var entryParts: [(text: String, lexemes: [Lexeme])] {
        parts.compactMap { text, part in
            part.role == .entry && text.utf8.count >= 4 ? (text, part.meanings.map(\.lexeme)) : nil
        }
    }
}
