import Core

/// Finds lexicon words inside the compounds of one language: Haselnusskuchen, sojaeiwit, tejcsokoládé.
///
/// First the word is segmented completely into known parts. Otherwise, entries of at least four letters match at the
/// positions their lexicon allows. The longest entry at each position hides the entries inside it. Kokosmilch
/// therefore gives no milk, and Weizeneiweiß no egg.
final class CompoundSplitter: Sendable {
    /// The meanings of a part, each with its own position: "nudel" is wheat at both ends of a compound, and a dish with
    /// eggs only at its end.
    private typealias Part = [(lexeme: Lexeme, position: AllergenLexicon.CompoundPosition)]

    /// A part of one word, with its meanings at that position.
    private struct Found {
        var text: String
        var lexemes: [Lexeme]
    }

    private let lexicon: UInt8
    private let entries: [AllergenLexicon.Entry]
    private let trie: PhraseTrie
    /// One bit for each hash of three first bytes of a part: most places of a word begin no part.
    private let starts: [UInt64]
    private let longest: Int
    private let joints: [String]
    private let endings: Set<String>

    init(_ vocabulary: Vocabulary, _ number: UInt8) {
        lexicon = number
        trie = vocabulary.trie
        let own = vocabulary.lexicons[Int(number)]
        entries = own.entries
        joints = (own.joints ?? []).map(Folding.fold)
        endings = Set(own.inflections.map(Folding.fold))
        var starts = [UInt64](repeating: 0, count: 1024)
        var longest = 0
        for id in 0..<Int32(trie.count) where trie.wordLexicons[Int(id)] & (1 << UInt32(number)) != 0 {
            let bytes = Array(trie.bytes(id))
            guard bytes.count >= 3, !Self.meanings(of: id, trie, entries, number).isEmpty else { continue }
            longest = max(longest, bytes.count)
            let hash = Self.hash(bytes, 0)
            starts[hash >> 6] |= 1 << UInt64(hash & 63)
        }
        (self.starts, self.longest) = (starts, longest)
    }

    private func meanings(of id: Int32) -> Part { Self.meanings(of: id, trie, entries, lexicon) }

    /// What the word means inside a compound. A trap takes precedence over an entry with the same text, and an entry over
    /// a neutral word.
    private static func meanings(
        of id: Int32, _ trie: PhraseTrie, _ entries: [AllergenLexicon.Entry], _ lexicon: UInt8
    ) -> Part {
        var part: Part = []
        var rank = 3
        for lexeme in trie.single(id) where lexeme.lexicon == lexicon {
            let (own, position): (Int, AllergenLexicon.CompoundPosition?) =
                switch lexeme.role {
                case .trap: (0, .anywhere)
                case .entry: (1, entries[Int(lexeme.index)].compound)
                case .neutral: (2, .anywhere)
                default: (3, nil)
                }
            guard let position, own <= rank else { continue }
            if own < rank { part = [] }
            rank = own
            part.append((lexeme, position))
        }
        return part
    }

    private func part(_ bytes: ArraySlice<UInt8>) -> Part? {
        guard let id = trie.id(of: bytes) else { return nil }
        let part = meanings(of: id)
        return part.isEmpty ? nil : part
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
                // The whole word is no part of itself.
                if end - start < count, let part = part(bytes[start..<end]), !allowed(part, start).isEmpty {
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
            let part = bytes[place.start..<place.end]
            found.insert(
                Found(
                    text: String(decoding: part, as: UTF8.self),
                    lexemes: self.part(part).map { allowed($0, place.start) } ?? []), at: 0)
            guard place.start > 0, let before = best[place.start] else { break }
            place = before
        }
        return found
    }

    /// The meanings that a part has in a completely segmented word.
    private func allowed(_ part: Part, _ start: Int) -> [Lexeme] {
        part.filter { lexeme, position in
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
                if let known = part(bytes[index..<end]), known[0].lexeme.role != .neutral,
                    isLongEnough(known, index, end, bytes)
                {
                    let lexemes = allowed(known, index, end, bytes)
                    if !lexemes.isEmpty {
                        found.append(Found(text: text(bytes, index..<end), lexemes: lexemes))
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

    /// The shortest name of a list that counts beside unknown letters: at the start of a word, and at its end.
    private static let (shortestStart, shortestEnd) = (8, 6)

    private func isLongEnough(_ part: Part, _ start: Int, _ end: Int, _ bytes: [UInt8]) -> Bool {
        guard part.allSatisfy({ $0.lexeme.role == .entry && entries[Int($0.lexeme.index)].isListed == true }) else {
            return true
        }
        return end - start >= (end == bytes.count ? Self.shortestEnd : Self.shortestStart)
    }

    /// The meanings that a part has among unknown letters.
    private func allowed(_ part: Part, _ start: Int, _ end: Int, _ bytes: [UInt8]) -> [Lexeme] {
        let atEnd = end == bytes.count || endings.contains(text(bytes, end..<bytes.count))
        return part.filter { _, position in
            switch position {
            case .anywhere: true
            case .start: start == 0
            case .end: atEnd
            case .both: start == 0 || atEnd
            }
        }.map(\.lexeme)
    }

    /// Words of at least four bytes that name an allergen inside a compound, for misread compounds.
    var entryParts: [(id: Int32, lexemes: [Lexeme])] {
        (0..<Int32(trie.count)).compactMap { id in
            guard trie.wordLexicons[Int(id)] & (1 << UInt32(lexicon)) != 0, trie.bytes(id).count >= 4 else {
                return nil
            }
            let part = meanings(of: id)
            return part.first?.lexeme.role == .entry ? (id, part.map(\.lexeme)) : nil
        }
    }
}
