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
    /// The same for an allergen's word inside the word, with one wrong letter or an unknown ending. A correct word of the
    /// language has many such neighbours, so it is not suspect.
    var insideSuspects: UInt64 = 0
}

/// Finds the lexicon words that a misread word may stand for. Corrections only raise warnings or retract absence
/// claims.
struct WordCorrector: Sendable {
    private struct Candidate: Sendable {
        var id: Int32
        /// Start of the candidate's letters in the trie's `wordBytes`.
        var start: Int
        /// Letter counts by class. They filter out distant words quickly.
        var classes: SIMD16<Int8>
        /// True if only name lists have the word: so many names are near any word that a warning needs a closer one.
        var isListed: Bool
        /// True for a word that says something of its own, and names no allergen.
        var isHarmless: Bool
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

    /// By lexicon and length.
    private var byLength: [[[Candidate]]]
    private let distance = EditDistance.print
    private let trie: PhraseTrie
    private var parts: [[Part]] = []
    /// The endings of each language.
    private let endings: WordEndings
    private let analyser: WordAnalyser
    /// The stems of each lexicon that are long enough to make a word suspect, with the allergen's bit.
    private let stems: [[(letters: [UInt8], allergenMask: UInt64)]]
    private let allergens: [UInt64]
    private let entries: [[AllergenLexicon.Entry]]

    init(_ vocabulary: Vocabulary, _ analyser: WordAnalyser) {
        self.analyser = analyser
        allergens = vocabulary.allergens
        entries = vocabulary.lexicons.map(\.entries)
        stems = entries.map { own in
            own.flatMap { entry in
                (entry.stems ?? []).map { (Array(Folding.fold($0).utf8), entry.allergen.bit) }
            }.filter { $0.0.count >= Self.shortestInside }
        }
        trie = vocabulary.trie
        endings = WordEndings(vocabulary.lexicons)
        byLength = vocabulary.lexicons.map { _ in Array(repeating: [], count: 64) }
        for id in 0..<Int32(trie.count) {
            let letters = trie.bytes(id)
            guard (2..<60).contains(letters.count), !letters.allSatisfy({ (0x30...0x39).contains($0) }) else {
                continue
            }
            let single = trie.single(id)
            let candidate = Candidate(
                id: id, start: letters.startIndex, classes: distance.classes(of: letters),
                isListed: (single + vocabulary.bases(of: id).flatMap { trie.single($0.id) }).allSatisfy(
                    vocabulary.isListed),
                isHarmless: !single.isEmpty && vocabulary.allergens[Int(id)] == 0,
                allergenMask: vocabulary.allergens[Int(id)])
            var lexicons = trie.wordLexicons[Int(id)]
            while lexicons != 0 {
                byLength[lexicons.trailingZeroBitCount][letters.count].append(candidate)
                lexicons &= lexicons - 1
            }
        }
        parts = analyser.splitters.map { splitter in
            guard let splitter else { return [] }
            return splitter.entryParts.filter { !$0.lexemes.allSatisfy(vocabulary.isListed) }.map {
                [trie, distance] id, lexemes in
                let named = lexemes.reduce(UInt64(0)) { mask, lexeme in
                    mask | vocabulary.lexicons[Int(lexeme.lexicon)].entries[Int(lexeme.index)].allergen.bit
                }
                let letters = Array(trie.bytes(id))
                return Part(
                    letters: letters, classes: distance.classes(of: letters[...]), lexemes: lexemes, allergenMask: named
                )
            }
        }
    }

    func correction(of word: String, in lexicons: UInt32) -> WordCorrection {
        let letters = Array(word.utf8)
        // A kanji is not a misread form of its neighbour in the code table.
        if let first = letters.first, first >= 0xE3 { return WordCorrection() }
        for text in Self.withLetters(letters) {
            if let found = corrected(text, lexicons) { return found }
        }
        var result = nearest(to: letters, lexicons)
        // "haze1nuts": the lexicon has the word without its ending.
        let isFound = !result.ids.isEmpty
        for number in endings.lexicons where lexicons & (1 << UInt32(number)) != 0 {
            for stem in endings.stems(of: letters, in: number) {
                let stripped = nearest(to: Array(stem), lexicons)
                result.suspects |= stripped.suspects
                result.wideSuspects |= stripped.wideSuspects
                if isFound { continue }
                if !stripped.ids.isEmpty, result.ids.isEmpty || stripped.cost < result.cost {
                    (result.ids, result.cost, result.isSure) = (stripped.ids, stripped.cost, stripped.isSure)
                }
                if result.wideIds.isEmpty { result.wideIds = stripped.wideIds }
            }
        }
        if result.ids.isEmpty { lookInside(letters, lexicons, &result) }
        result.insideSuspects = suspects(inside: letters, lexicons)
        return result
    }

    /// What "50y", "egg5" and "s0jamehl" are with letters in place of misread digits; "1" may be an l or an i.
    private static func withLetters(_ letters: [UInt8]) -> [[UInt8]] {
        guard letters.count >= 3, letters.contains(where: { (0x30...0x39).contains($0) }),
            letters.contains(where: { $0 >= 0x61 })
        else { return [] }
        return ["olzeas?tbg", "oizeas?tbg"].map { digits in
            let digits = Array(digits.utf8)
            return letters.map { (0x30...0x39).contains($0) ? digits[Int($0) - 0x30] : $0 }
        }
    }

    /// True if letters in place of digits make an allergen's word: "c0d".
    func isMisreadDigits(_ word: String, in lexicons: UInt32) -> Bool {
        Self.withLetters(Array(word.utf8)).contains { letters in
            trie.id(of: letters).map { trie.wordLexicons[Int($0)] & lexicons != 0 && allergens[Int($0)] != 0 } ?? false
        }
    }

    private static func sure(_ id: Int32, _ allergens: UInt64) -> WordCorrection {
        WordCorrection(
            ids: [id], cost: 0.5, wideIds: [id], isSure: true, suspects: allergens, wideSuspects: allergens)
    }

    /// The correction to a word that is known as it stands, as a form, or as a compound.
    private func corrected(_ letters: [UInt8], _ lexicons: UInt32) -> WordCorrection? {
        if let id = trie.id(of: letters), trie.wordLexicons[Int(id)] & lexicons != 0 {
            return Self.sure(id, allergens[Int(id)])
        }
        let analysis = analyser.analysis(of: String(decoding: letters, as: UTF8.self))
        if let base = analysis.bases.first(where: { lexicons & (1 << UInt32($0.lexicon)) != 0 }) {
            return Self.sure(base.id, allergens[Int(base.id)])
        }
        let part = (analysis.stems + analysis.compounds).first { lexicons & (1 << UInt32($0.lexicon)) != 0 }
        return part.map { part in
            let named = part.lexemes.reduce(UInt64(0)) { mask, lexeme in
                lexeme.role == .entry ? mask | entries[Int(lexeme.lexicon)][Int(lexeme.index)].allergen.bit : mask
            }
            return WordCorrection(cost: 0.5, parts: part.lexemes, suspects: named, wideSuspects: named)
        }
    }

    /// A suspect that is more half units farther away than the nearest word is dropped.
    private static let farther = 2

    private func nearest(to letters: [UInt8], _ lexicons: UInt32) -> WordCorrection {
        var result = WordCorrection()
        guard (2..<58).contains(letters.count), letters.contains(where: { $0 >= 0x61 }) else { return result }
        // Digits between letters indicate a misread word.
        let isMixed = letters.contains { (0x30...0x39).contains($0) }
        let classes = distance.classes(of: letters[...])
        let sought = distance.sought(letters)
        var nearest: [(candidate: Candidate, length: Int)] = []
        var least = Int.max
        var suspects: [(allergenMask: UInt64, cost: Int)] = []
        for number in byLength.indices where lexicons & (1 << UInt32(number)) != 0 {
            for length in max(2, letters.count - 3)...min(63, letters.count + 3) {
                let suspicionLimit = Self.suspicionLimit(length)
                let correctionLimit = Self.correctionLimit(length)
                for candidate in byLength[number][length] {
                    // A harmless word matters only if it is close enough to be the correction.
                    var limit = candidate.allergenMask == 0 ? correctionLimit : suspicionLimit
                    if candidate.isListed { limit = min(limit, Self.listedLimit) }
                    // What is farther than the nearest word is dropped, a suspect if it is much farther.
                    if least != .max { limit = min(limit, candidate.allergenMask == 0 ? least : least + Self.farther) }
                    // A half unit of cost changes the count of each letter class by at most one.
                    let apart = candidate.classes &- classes
                    if Int(pointwiseMax(apart, 0 &- apart).wrappedSum()) > limit { continue }
                    let word = trie.tables.wordBytes[candidate.start..<candidate.start + length]
                    if sought.least(word) > limit { continue }
                    let cost = distance.between(letters, word, limit: limit)
                    guard cost <= limit else { continue }
                    if candidate.allergenMask != 0 { suspects.append((candidate.allergenMask, cost)) }
                    if candidate.isListed, cost > Self.sureListedLimit { continue }
                    if cost < least {
                        least = cost
                        nearest = [(candidate, length)]
                    } else if cost == least, !nearest.contains(where: { $0.candidate.id == candidate.id }) {
                        nearest.append((candidate, length))
                    }
                }
            }
        }
        let nearestSuspect = suspects.lazy.map(\.cost).min() ?? .max
        if least == .max { least = nearestSuspect }
        // If a harmless word is equally near, no warning is raised, but the absence claim is retracted.
        if let harmless = nearest.first(where: \.candidate.isHarmless) { nearest = [harmless] }
        for suspect in suspects where suspect.cost <= least + Self.farther {
            result.wideSuspects |= suspect.allergenMask
            if isMixed || suspect.cost <= (letters.count >= 6 ? 3 : letters.count >= 4 ? 2 : 1) {
                result.suspects |= suspect.allergenMask
            }
        }
        guard letters.count >= 4, let length = nearest.map(\.length).min(), length >= 4 else { return result }
        result.cost = Double(least) / 2
        // "okra" is one letter short of "okara".
        let isLong = min(length, letters.count) >= 5
        if least <= 1 || (isLong && least <= 2) || (length >= 10 && least <= 4) {
            result.ids = nearest.map(\.candidate.id)
            result.isSure = least <= 1 || (isLong && least <= 2) || (length >= 10 && least <= 3)
        }
        if least <= Self.correctionLimit(length) {
            result.wideIds = nearest.map(\.candidate.id)
        }
        return result
    }

    /// The shortest part of a compound that is found with any one letter wrong.
    private static let sureInside = 10
    /// The shortest word that makes a longer one suspect.
    private static let shortestInside = 5

    /// Allergens of the words that the letters begin with, or hold with one wrong letter.
    private func suspects(inside letters: [UInt8], _ lexicons: UInt32) -> UInt64 {
        guard letters.count > Self.shortestInside, letters.count < 60 else { return 0 }
        var found: UInt64 = 0
        for end in Self.shortestInside..<letters.count {
            guard let id = trie.id(of: letters.prefix(end)), trie.wordLexicons[Int(id)] & lexicons != 0 else {
                continue
            }
            found |= allergens[Int(id)]
        }
        let classes = distance.classes(of: letters[...])
        for number in byLength.indices where lexicons & (1 << UInt32(number)) != 0 {
            for stem in stems[number] where stem.allergenMask & ~found != 0 && stem.letters.count <= letters.count {
                let start = letters.prefix(stem.letters.count)
                if distance.between(stem.letters, start, limit: 2) <= 2 { found |= stem.allergenMask }
            }
            for length in (Self.shortestInside + 1)..<letters.count {
                for candidate in byLength[number][length] where candidate.allergenMask & ~found != 0 {
                    let missing = pointwiseMax(candidate.classes &- classes, .zero).wrappedSum()
                    if missing > 1 { continue }
                    let word = Array(trie.tables.wordBytes[candidate.start..<candidate.start + length])
                    if distance.between(word, letters[...], limit: 2, .inside) <= 2 { found |= candidate.allergenMask }
                }
            }
        }
        return found
    }

    /// Finds entries inside a misread compound, with one or two wrong letters.
    private func lookInside(_ letters: [UInt8], _ lexicons: UInt32, _ result: inout WordCorrection) {
        guard letters.count >= 7 else { return }
        let classes = distance.classes(of: letters[...])
        for (number, parts) in parts.enumerated() where lexicons & (1 << UInt32(number)) != 0 {
            for part in parts where part.letters.count < letters.count + 1 {
                let limit = part.letters.count >= 8 ? 4 : part.letters.count >= 6 ? 3 : 2
                // A letter whose class the word lacks costs two half units.
                let missing = pointwiseMax(part.classes &- classes, .zero).wrappedSum()
                if 2 * Int(missing) > limit { continue }
                let cost = distance.between(part.letters, letters[...], limit: limit, .inside)
                guard cost <= limit else { continue }
                result.wideSuspects |= part.allergenMask
                if cost <= 2 { result.suspects |= part.allergenMask }
                // Any compound on powder is one letter from one on egg powder: a shorter part warns only for letters that
                // print confuses.
                let nearest =
                    part.letters.count >= Self.sureInside ? 2 : part.letters.count >= Self.shortestInside ? 1 : 0
                if cost <= nearest { result.parts += part.lexemes }
            }
        }
    }

    /// Maximum distance, in half units, at which a name of a list is suspect, and at which it is warned of.
    private static let (listedLimit, sureListedLimit) = (2, 1)

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
