import Vocabulary

/// What a word that nobody knows may have been before it was misread.
struct WordCorrection: Sendable {
    /// The nearest words of the lexicons, equally near; empty where none is near enough.
    var ids: [Int32] = []
    /// Edit distance to them, a confusion of readers counting half.
    var cost = 0.0
    /// The nearest words where more of the page is misread: short words with one wrong letter, long ones with two.
    var wideIds: [Int32] = []
    /// True where so little is wrong that the word is as good as read.
    var isSure = false
    /// Entries found inside a misread compound.
    var parts: [Lexeme] = []
    /// Allergens that the word may have named with a letter or two misread, by place in `Allergen.allCases`.
    var suspects: UInt64 = 0
    /// The same where the page is read badly, and more of the word may be wrong.
    var wideSuspects: UInt64 = 0
}

/// Finds the lexicon word that a misread word may have been. It only ever raises a warning, or takes a silence back.
struct WordCorrector: Sendable {
    private struct Candidate: Sendable {
        var id: Int32
        var letters: [UInt8]
        /// Which letters the word has, to pass over distant words quickly.
        var mask: UInt32
        var lexicons: UInt32
        /// Allergens that the word names, as `WordCorrection.suspects`.
        var dangers: UInt64
    }

    private struct Part: Sendable {
        var letters: [UInt8]
        var lexemes: [Lexeme]
        var dangers: UInt64
    }

    private var byLength: [[Candidate]] = []
    private let words: [String: Int32]
    private let wordLexicons: [UInt32]
    private var parts: [[Part]] = []
    /// Endings of each language.
    private let endings: [[[UInt8]]]

    init(_ lexicons: [AllergenLexicon], _ trie: PhraseTrie) {
        words = trie.words
        wordLexicons = trie.wordLexicons
        let dangers = Self.dangers(lexicons, trie)
        endings = lexicons.map { $0.inflections.map { Array(Folding.fold($0).utf8) }.filter { $0.count <= 3 } }
        byLength = Array(repeating: [], count: 64)
        for (word, id) in trie.words.sorted(by: { $0.value < $1.value }) {
            let letters = Array(word.utf8)
            guard (2..<60).contains(letters.count), !word.allSatisfy(\.isNumber) else { continue }
            byLength[letters.count].append(
                Candidate(
                    id: id, letters: letters, mask: Self.mask(letters), lexicons: trie.wordLexicons[Int(id)],
                    dangers: dangers[Int(id)]))
        }
        parts = lexicons.enumerated().map { number, lexicon in
            guard lexicon.compounds else { return [] }
            return CompoundSplitter(lexicon, UInt8(number)).entryParts.sorted { $0.text < $1.text }.map { part in
                let named = part.lexemes.reduce(UInt64(0)) { mask, lexeme in
                    mask | Self.bit(lexicon.entries[Int(lexeme.index)].allergen)
                }
                return Part(letters: Array(part.text.utf8), lexemes: part.lexemes, dangers: named)
            }
        }
    }

    private static let places: [Allergen: Int] = Dictionary(
        uniqueKeysWithValues: Allergen.allCases.enumerated().map { ($1, $0) })

    static func bit(_ allergen: Allergen) -> UInt64 { 1 << UInt64(places[allergen] ?? 63) }

    /// Allergens named by a word alone, and by a phrase whose other words are harmless.
    private static func dangers(_ lexicons: [AllergenLexicon], _ trie: PhraseTrie) -> [UInt64] {
        var dangers = [UInt64](repeating: 0, count: trie.words.count)
        for lexicon in lexicons {
            for entry in lexicon.entries where entry.kind != .dish {
                for words in entry.words.flatMap(Folding.spellings) {
                    let telling = words.count == 1 ? words : words.filter { isTelling($0, trie) }
                    for word in telling {
                        if let id = trie.words[word] { dangers[Int(id)] |= bit(entry.allergen) }
                    }
                }
            }
        }
        return dangers
    }

    private static func isTelling(_ word: String, _ trie: PhraseTrie) -> Bool {
        !trie.single(word).contains { $0.role == .neutral || $0.role == .function }
    }

    func correction(of word: String, in lexicons: UInt32) -> WordCorrection {
        let letters = Array(word.utf8)
        if let id = withLetters(letters), wordLexicons[Int(id)] & lexicons != 0 {
            return WordCorrection(ids: [id], cost: 0.5, wideIds: [id], isSure: true)
        }
        var result = nearest(to: letters, lexicons)
        // "haze1nuts": the lexicon has the word without its ending.
        if result.ids.isEmpty {
            for (number, endings) in endings.enumerated() where lexicons & (1 << UInt32(number)) != 0 {
                for ending in endings
                where letters.count - ending.count >= 4 && letters.suffix(ending.count).elementsEqual(ending) {
                    let stripped = nearest(to: Array(letters.dropLast(ending.count)), lexicons)
                    result.suspects |= stripped.suspects
                    result.wideSuspects |= stripped.wideSuspects
                    if !stripped.ids.isEmpty, result.ids.isEmpty || stripped.cost < result.cost {
                        (result.ids, result.cost, result.isSure) = (stripped.ids, stripped.cost, stripped.isSure)
                    }
                    if result.wideIds.isEmpty { result.wideIds = stripped.wideIds }
                }
            }
        }
        if result.ids.isEmpty { lookInside(letters, lexicons, &result) }
        return result
    }

    /// "50y", "egg5": a word of the lexicons in which letters were read as digits.
    private func withLetters(_ letters: [UInt8]) -> Int32? {
        guard letters.count >= 3, letters.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        let digits = Array("olzeas?tbg".utf8)
        let text = letters.map { (0x30...0x39).contains($0) ? digits[Int($0) - 0x30] : $0 }
        if let id = words[String(decoding: text, as: UTF8.self)] { return id }
        // A one may be an i as well.
        let other = zip(letters, text).map { $0 == 0x31 ? UInt8(ascii: "i") : $1 }
        return words[String(decoding: other, as: UTF8.self)]
    }

    private func nearest(to letters: [UInt8], _ lexicons: UInt32) -> WordCorrection {
        var result = WordCorrection()
        guard (2..<58).contains(letters.count), letters.contains(where: { $0 >= 0x61 }) else { return result }
        // Digits among letters are a sign of misreading.
        let isMixed = letters.contains { (0x30...0x39).contains($0) }
        let mask = Self.mask(letters)
        var nearest: [Candidate] = []
        var least = Double.infinity
        var suspects: [(dangers: UInt64, cost: Double)] = []
        for length in max(2, letters.count - 3)...min(byLength.count - 1, letters.count + 3) {
            let limit = Self.doubt(length)
            for candidate in byLength[length] where candidate.lexicons & lexicons != 0 {
                // A unit of cost is at most two confusions, and each changes two letters.
                if Double((candidate.mask ^ mask).nonzeroBitCount) > limit * 4 { continue }
                let cost = Self.distance(letters, candidate.letters, limit: limit)
                guard cost <= limit else { continue }
                if candidate.dangers != 0 { suspects.append((candidate.dangers, cost)) }
                if cost < least {
                    least = cost
                    nearest = [candidate]
                } else if cost == least {
                    nearest.append(candidate)
                }
            }
        }
        // Of words that are equally near, a harmless one is as good a guess: then nothing is raised, and the silence is doubted.
        if let harmless = nearest.first(where: { $0.dangers == 0 }) { nearest = [harmless] }
        // What is clearly nearer to another word was that word.
        for suspect in suspects where suspect.cost <= least + 1 {
            result.wideSuspects |= suspect.dangers
            if isMixed || suspect.cost <= (letters.count >= 6 ? 1.5 : letters.count == 5 ? 1 : 0.5) {
                result.suspects |= suspect.dangers
            }
        }
        guard letters.count >= 4, let length = nearest.map(\.letters.count).min(), length >= 4 else { return result }
        result.cost = least
        if least <= 0.5 || (length >= 5 && least <= 1) || (length >= 10 && least <= 2) {
            result.ids = nearest.map(\.id)
            result.isSure = least <= 0.5 || (length >= 5 && least <= 1) || (length >= 10 && least <= 1.5)
        }
        if least <= 1 || (length >= 7 && least <= 1.5) || (length >= 9 && least <= 2) {
            result.wideIds = nearest.map(\.id)
        }
        return result
    }

    /// Misread compounds: an entry that stands somewhere in the word with a letter or two wrong.
    private func lookInside(_ letters: [UInt8], _ lexicons: UInt32, _ result: inout WordCorrection) {
        guard letters.count >= 7 else { return }
        for (number, parts) in parts.enumerated() where lexicons & (1 << UInt32(number)) != 0 {
            for part in parts where part.letters.count < letters.count + 1 {
                let limit = part.letters.count >= 8 ? 2.0 : part.letters.count >= 6 ? 1.5 : 1
                let cost = Self.distanceInside(letters, part.letters)
                guard cost <= limit else { continue }
                result.wideSuspects |= part.dangers
                if cost <= 1 { result.suspects |= part.dangers }
                if cost <= (part.letters.count >= 7 ? 1 : part.letters.count >= 5 ? 0.5 : 0) {
                    result.parts += part.lexemes
                }
            }
        }
    }

    /// How far a word may be from one of this length before it can no longer have been it.
    private static func doubt(_ length: Int) -> Double {
        switch length {
        case ..<4: 1
        case 4: 1.5
        case 5...6: 2
        case 7...8: 2.5
        default: 3
        }
    }

    /// Letters that readers take for one another cost half.
    private static let confusions: [Bool] = {
        var table = [Bool](repeating: false, count: 128 * 128)
        for pair in [
            "0o", "1l", "1i", "il", "5s", "8b", "6b", "2z", "ce", "un", "vu", "hb", "tf", "gq", "9g", "lt", "rn", "ao",
            "nh", "0d", "ij", "vy",
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

    private static func mask(_ letters: [UInt8]) -> UInt32 { letters.reduce(0) { $0 | (1 << UInt32($1 & 31)) } }

    /// Edit distance in which a confusion costs half, and "rn" for "m" too; more than `limit` is not exact.
    static func distance(_ a: [UInt8], _ b: [UInt8], limit: Double) -> Double {
        if a.isEmpty || b.isEmpty || Double(abs(a.count - b.count)) > limit + 1 { return limit + 1 }
        let width = b.count + 1
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: width * 3) { rows in
            for j in 0..<width { rows[width + j] = Double(j) }
            for i in 1...a.count {
                let current = (i % 3) * width
                let previous = ((i + 2) % 3) * width
                let beforePrevious = ((i + 1) % 3) * width
                if i == 1 { for j in 0..<width { rows[previous + j] = Double(j) } }
                rows[current] = Double(i)
                var least = rows[current]
                for j in 1..<width {
                    let swap = a[i - 1] == b[j - 1] ? 0 : (areConfused(a[i - 1], b[j - 1]) ? 0.5 : 1)
                    var cost = min(rows[previous + j] + 1, rows[current + j - 1] + 1, rows[previous + j - 1] + swap)
                    // "rn" printed or read as "m".
                    if i >= 2, a[i - 2] == 0x72, a[i - 1] == 0x6E, b[j - 1] == 0x6D {
                        cost = min(cost, rows[beforePrevious + j - 1] + 0.5)
                    }
                    if j >= 2, b[j - 2] == 0x72, b[j - 1] == 0x6E, a[i - 1] == 0x6D {
                        cost = min(cost, rows[previous + j - 2] + 0.5)
                    }
                    rows[current + j] = cost
                    least = min(least, cost)
                }
                if least > limit + 0.5 { return limit + 1 }
            }
            return rows[(a.count % 3) * width + b.count]
        }
    }

    /// The least distance of `part` to any stretch of `word`.
    private static func distanceInside(_ word: [UInt8], _ part: [UInt8]) -> Double {
        let height = part.count + 1
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: height * 2) { columns in
            for i in 0..<height { columns[i] = Double(i) }
            var least = Double(part.count)
            for j in 1...word.count {
                let current = (j % 2) * height
                let previous = ((j + 1) % 2) * height
                columns[current] = 0
                for i in 1..<height {
                    let swap = word[j - 1] == part[i - 1] ? 0 : (areConfused(word[j - 1], part[i - 1]) ? 0.5 : 1)
                    columns[current + i] = min(
                        columns[previous + i] + 1, columns[current + i - 1] + 1, columns[previous + i - 1] + swap)
                }
                least = min(least, columns[current + part.count])
            }
            return least
        }
    }
}
