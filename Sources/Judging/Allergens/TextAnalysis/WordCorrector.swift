import Core

/// The possible corrections of an unknown word.
struct WordCorrection: Sendable {
    /// The nearest lexicon words, all at the same distance; empty if none is close enough.
    var ids: [Int32] = []
    /// Edit distance to them. An OCR confusion costs half.
    var cost = 0.0
    /// The nearest words if the page is poorly recognised: short words with one wrong letter, long ones with two.
    var wideIds: [Int32] = []
    /// True if the distance is so small that the correction is certain.
    var isSure = false
    /// Entries inside a misread compound.
    var parts: [Lexeme] = []
    /// Bits of the allergens that the word may name after one or two corrections, in the order of
    /// `Allergen.allCases`.
    var suspects: UInt64 = 0
    /// The same for a poorly recognised page, with more corrections.
    var wideSuspects: UInt64 = 0
}

/// Finds the lexicon words that a misread word may stand for. Corrections only raise warnings or retract absence
/// claims.
struct WordCorrector: Sendable {
    private struct Candidate: Sendable {
        var id: Int32
        /// Start of the candidate's letters in `letters`.
        var start: Int
        /// Letter counts by class. They filter out distant words quickly.
        var classes: SIMD16<Int8>
        var lexicons: UInt32
        /// Bits of the allergens that the word names, as in `WordCorrection.suspects`.
        var allergenMask: UInt64
    }

    private struct Part: Sendable {
        var letters: [UInt8]
        /// As in `Candidate`.
        var classes: SIMD16<Int8>
        var lexemes: [Lexeme]
        var allergenMask: UInt64
    }

    private var byLength: [[Candidate]] = []
    /// The letters of all candidates, concatenated.
    private var letters: [UInt8] = []
    private let confusions = LetterConfusions()
    private let words: [String: Int32]
    private let wordLexicons: [UInt32]
    private var parts: [[Part]] = []
    /// The endings of each language.
    private let endings: [[[UInt8]]]

    init(_ lexicons: [AllergenLexicon], _ trie: PhraseTrie) {
        words = trie.words
        wordLexicons = trie.wordLexicons
        let allergenMask = Self.allergenMask(lexicons, trie)
        endings = lexicons.map { $0.inflections.map { Array(Folding.fold($0).utf8) }.filter { $0.count <= 3 } }
        byLength = Array(repeating: [], count: 64)
        for (word, id) in trie.words.sorted(by: { $0.value < $1.value }) {
            let letters = Array(word.utf8)
            guard (2..<60).contains(letters.count), !word.allSatisfy(\.isNumber) else { continue }
            byLength[letters.count].append(
                Candidate(
                    id: id, start: self.letters.count, classes: confusions.classes(of: letters),
                    lexicons: trie.wordLexicons[Int(id)], allergenMask: allergenMask[Int(id)]))
            self.letters += letters
        }
        parts = lexicons.enumerated().map { number, lexicon in
            guard lexicon.compounds else { return [] }
            return CompoundSplitter(lexicon, UInt8(number)).entryParts.sorted { $0.text < $1.text }.map { part in
                let named = part.lexemes.reduce(UInt64(0)) { mask, lexeme in
                    mask | Self.bit(lexicon.entries[Int(lexeme.index)].allergen)
                }
                let letters = Array(part.text.utf8)
                return Part(
                    letters: letters, classes: confusions.classes(of: letters), lexemes: part.lexemes,
                    allergenMask: named)
            }
        }
    }

    private static let places: [Allergen: Int] = Dictionary(
        uniqueKeysWithValues: Allergen.allCases.enumerated().map { ($1, $0) })

    static func bit(_ allergen: Allergen) -> UInt64 { 1 << UInt64(places[allergen] ?? 63) }

    /// Allergens that a word names alone, or in a phrase with otherwise harmless words.
    private static func allergenMask(_ lexicons: [AllergenLexicon], _ trie: PhraseTrie) -> [UInt64] {
        var allergenMask = [UInt64](repeating: 0, count: trie.words.count)
        for lexicon in lexicons {
            for entry in lexicon.entries where entry.kind != .dish {
                for words in entry.words.flatMap(Folding.spellings) {
                    let telling = words.count == 1 ? words : words.filter { isTelling($0, trie) }
                    for word in telling {
                        if let id = trie.words[word] { allergenMask[Int(id)] |= bit(entry.allergen) }
                    }
                }
            }
        }
        return allergenMask
    }

    private static func isTelling(_ word: String, _ trie: PhraseTrie) -> Bool {
        !trie.single(word).contains { $0.role == .neutral || $0.role == .function }
    }

    func correction(of word: String, in lexicons: UInt32) -> WordCorrection {
        let letters = Array(word.utf8)
        // A kanji is not a misread form of its neighbour in the code table.
        if let first = letters.first, first >= 0xE3 { return WordCorrection() }
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

    /// The lexicon word for "50y" or "egg5", with letters in place of misread digits.
    private func withLetters(_ letters: [UInt8]) -> Int32? {
        guard letters.count >= 3, letters.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        let digits = Array("olzeas?tbg".utf8)
        let text = letters.map { (0x30...0x39).contains($0) ? digits[Int($0) - 0x30] : $0 }
        if let id = words[String(decoding: text, as: UTF8.self)] { return id }
        // The digit 1 may also stand for the letter i.
        let other = zip(letters, text).map { $0 == 0x31 ? UInt8(ascii: "i") : $1 }
        return words[String(decoding: other, as: UTF8.self)]
    }

    private func nearest(to letters: [UInt8], _ lexicons: UInt32) -> WordCorrection {
        var result = WordCorrection()
        guard (2..<58).contains(letters.count), letters.contains(where: { $0 >= 0x61 }) else { return result }
        // Digits between letters indicate a misread word.
        let isMixed = letters.contains { (0x30...0x39).contains($0) }
        let classes = confusions.classes(of: letters)
        var nearest: [(candidate: Candidate, length: Int)] = []
        var least = Int.max
        var suspects: [(allergenMask: UInt64, cost: Int)] = []
        for length in max(2, letters.count - 3)...min(byLength.count - 1, letters.count + 3) {
            let suspicionLimit = Self.suspicionLimit(length)
            let correctionLimit = Self.correctionLimit(length)
            for candidate in byLength[length] where candidate.lexicons & lexicons != 0 {
                // A harmless word matters only if it is close enough to be the correction.
                let limit = candidate.allergenMask == 0 ? correctionLimit : suspicionLimit
                // A half unit of cost changes the count of each letter class by at most one.
                let apart = candidate.classes &- classes
                if Int(pointwiseMax(apart, 0 &- apart).wrappedSum()) > limit { continue }
                let cost = confusions.distance(
                    letters, self.letters[candidate.start..<candidate.start + length], limit: limit)
                guard cost <= limit else { continue }
                if candidate.allergenMask != 0 { suspects.append((candidate.allergenMask, cost)) }
                if cost < least {
                    least = cost
                    nearest = [(candidate, length)]
                } else if cost == least {
                    nearest.append((candidate, length))
                }
            }
        }
        // If a harmless word is equally near, no warning is raised, but the absence claim is retracted.
        if let harmless = nearest.first(where: { $0.candidate.allergenMask == 0 }) { nearest = [harmless] }
        // A suspect much farther away than the nearest word is dropped.
        for suspect in suspects where suspect.cost <= least + 2 {
            result.wideSuspects |= suspect.allergenMask
            if isMixed || suspect.cost <= (letters.count >= 6 ? 3 : letters.count >= 4 ? 2 : 1) {
                result.suspects |= suspect.allergenMask
            }
        }
        guard letters.count >= 4, let length = nearest.map(\.length).min(), length >= 4 else { return result }
        result.cost = Double(least) / 2
        if least <= 1 || (length >= 5 && least <= 2) || (length >= 10 && least <= 4) {
            result.ids = nearest.map(\.candidate.id)
            result.isSure = least <= 1 || (length >= 5 && least <= 2) || (length >= 10 && least <= 3)
        }
        if least <= Self.correctionLimit(length) {
            result.wideIds = nearest.map(\.candidate.id)
        }
        return result
    }

    /// Finds entries inside a misread compound, with one or two wrong letters.
    private func lookInside(_ letters: [UInt8], _ lexicons: UInt32, _ result: inout WordCorrection) {
        guard letters.count >= 7 else { return }
        let classes = confusions.classes(of: letters)
        for (number, parts) in parts.enumerated() where lexicons & (1 << UInt32(number)) != 0 {
            for part in parts where part.letters.count < letters.count + 1 {
                let limit = part.letters.count >= 8 ? 4 : part.letters.count >= 6 ? 3 : 2
                // A letter whose class the word lacks costs two half units.
                let missing = pointwiseMax(part.classes &- classes, .zero).wrappedSum()
                if 2 * Int(missing) > limit { continue }
                let cost = confusions.distance(inside: letters, part.letters)
                guard cost <= limit else { continue }
                result.wideSuspects |= part.allergenMask
                if cost <= 2 { result.suspects |= part.allergenMask }
                if cost <= (part.letters.count >= 7 ? 2 : part.letters.count >= 5 ? 1 : 0) {
                    result.parts += part.lexemes
                }
            }
        }
    }

    /// Maximum distance, in half units, at which a word of this length is corrected in a poorly recognised text.
    private static func correctionLimit(_ length: Int) -> Int {
        switch length {
        case ..<7: 2
        case 7...8: 3
        default: 4
        }
    }

    /// Maximum distance, in half units, at which a word of this length remains a suspect.
    private static func suspicionLimit(_ length: Int) -> Int {
        switch length {
        case ..<4: 2
        case 4: 3
        case 5...6: 4
        case 7...8: 5
        default: 6
        }
    }
}
