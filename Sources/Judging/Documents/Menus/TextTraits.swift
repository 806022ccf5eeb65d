import Core

/// Properties of a single text, computed once.
struct TextTraits: Sendable {
    var tokens: [Token]
    var wordCount: Int
    var letterCount = 0
    var upperCount = 0
    var commaCount = 0
    var digitCount = 0
    var capitalised = 0
    /// Number of words of each kind of `MenuWords`.
    var headings = 0
    var joins = 0
    var sizes = 0
    var noteWords = 0
    var startsUpper = false
    var startsLower = false
    var startsWithNumber = false
    var startsWithCount = false
    var startsWithBracket = false
    var startsWithBullet = false
    var startsWithJoin = false
    var endsOpen = false
    var isBracketed = false
    /// True for "-RICE-" and "~ Soups ~", with the same sign at both ends.
    var isFramed = false
    /// True for text of codes only: "(H,M,E)", "A, C".
    var isCodes = false
    var hasContact = false
    var codePairs = 0
    /// Trigrams, sorted, for the detection of near-duplicates.
    var trigrams: [UInt32]

    /// - Parameter tokens: the words of the text.
    init(_ text: [Unicode.Scalar], _ tokens: [Token], _ words: MenuWords) {
        self.tokens = tokens
        let parts = text.split(whereSeparator: Folding.isSpace)
        wordCount = parts.count
        trigrams = Self.trigrams(of: tokens)
        countCharacters(text)
        capitalised = parts.count { $0.first.map(Self.isUpper) ?? false }
        countWords(words)
        readEnds(text, parts)
        let bare = text.first { Letters.isLetter($0) }
        startsUpper = bare.map(Self.isUpper) ?? false
        startsLower = bare.map { Letters.isLetter($0) && !Self.isUpper($0) } ?? false
    }

    private mutating func countCharacters(_ text: [Unicode.Scalar]) {
        for (index, scalar) in text.enumerated() {
            if Letters.isLetter(scalar) {
                letterCount += 1
                if Self.isUpper(scalar) { upperCount += 1 }
            } else if Letters.isDigit(scalar) {
                digitCount += 1
            } else if [",", "+", "·", "•"].contains(scalar) {
                commaCount += 1
            } else if scalar == "@" {
                hasContact = true
            } else if scalar == "=", index > 0 {
                codePairs += 1
            }
        }
        // "(A) Gluten", "A: Gluten": a single letter or number followed by a sign.
        for token in tokens where token.range.count <= 2 && token.range.upperBound < text.count {
            if [")", ":"].contains(text[token.range.upperBound]) { codePairs += 1 }
        }
    }

    private mutating func countWords(_ words: MenuWords) {
        var run = 0
        for (number, token) in tokens.enumerated() {
            let kinds = words.kinds(of: token.text)
            if kinds & MenuWords.Kind.heading.rawValue != 0 { headings += 1 }
            if kinds & MenuWords.Kind.size.rawValue != 0 { sizes += 1 }
            if kinds & MenuWords.Kind.note.rawValue != 0 { noteWords += 1 }
            if kinds & MenuWords.Kind.join.rawValue != 0 {
                joins += 1
                if number == 0 { startsWithJoin = true }
                if number == tokens.count - 1 { endsOpen = true }
            }
            if token.text.hasPrefix("http") || token.text == "www" || token.text == "tel" { hasContact = true }
            run = token.isNumber ? run + token.range.count : 0
            if run >= 7 { hasContact = true }
        }
    }

    private mutating func readEnds(_ text: [Unicode.Scalar], _ parts: [ArraySlice<Unicode.Scalar>]) {
        guard let first = text.first, let last = text.last else { return }
        startsWithBracket = first == "("
        startsWithBullet = "-–•*·+~".unicodeScalars.contains(first)
        isFramed = text.count > 2 && first == last && !Letters.isLetter(first) && !Letters.isDigit(first)
        isCodes = (startsWithBracket || tokens.count > 1) && Self.areCodes(tokens)
        isBracketed = startsWithBracket && last == ")"
        if ",&+-".unicodeScalars.contains(last) { endsOpen = true }
        guard let word = parts.first else { return }
        let digits = word.prefix(while: Letters.isDigit).count
        if (1...3).contains(digits) {
            let isSigned = word.count > digits && [".", ")"].contains(word[word.startIndex + digits])
            let isAlone = parts.count > 1 && word.count == digits + 1
            let isGlued = word.count > digits + 1 && Letters.isLetter(word[word.startIndex + digits + 1])
            startsWithNumber = isSigned && (isAlone || isGlued)
            startsWithCount = parts.count > 1 && word.count == digits
        }
    }

    /// True for short words, most of them single characters, such as the codes "H,M,E,S".
    static func areCodes(_ tokens: [Token]) -> Bool {
        tokens.allSatisfy { $0.range.count <= 3 } && tokens.count { $0.range.count == 1 } * 2 >= tokens.count
    }

    /// Share of capital letters.
    var upper: Float { Float(upperCount) / Float(max(1, letterCount)) }

    /// Share of the text's words.
    func share(_ count: Int) -> Float { Float(count) / Float(max(1, wordCount)) }

    static func isUpper(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? (0x41...0x5A).contains(scalar.value) : scalar.properties.isUppercase
    }

    private static func trigrams(of tokens: [Token]) -> [UInt32] {
        let letters = tokens.filter { !$0.isNumber }.map(\.text).joined(separator: " ").utf8
        let bytes = Array(letters)
        return trigrams(of: bytes)
    }

    /// The distinct trigrams of the bytes, sorted.
    static func trigrams(of bytes: [UInt8]) -> [UInt32] {
        guard bytes.count >= 3 else { return [] }
        var all: [UInt32] = []
        for place in 0..<(bytes.count - 2) {
            let (first, second) = (UInt32(bytes[place]) << 16, UInt32(bytes[place + 1]) << 8)
            all.append(first | second | UInt32(bytes[place + 2]))
        }
        all.sort()
        var distinct: [UInt32] = []
        distinct.reserveCapacity(all.count)
        for one in all where one != distinct.last { distinct.append(one) }
        return distinct
    }

    /// One bit for each trigram, several trigrams to a bit.
    static func signature(of trigrams: [UInt32]) -> UInt64 {
        trigrams.reduce(0) { $0 | 1 << UInt64(($1 &* 0x9E37_79B1) >> 26) }
    }

    /// False if the signatures prove that the sets have a similarity of at most .5: every bit that only one of them has
    /// stands for a trigram that the other lacks.
    static func mayBeSimilar(_ one: (count: Int, signature: UInt64), _ other: (count: Int, signature: UInt64)) -> Bool {
        let shared = min(
            one.count - (one.signature & ~other.signature).nonzeroBitCount,
            other.count - (other.signature & ~one.signature).nonzeroBitCount)
        return 2 * shared > one.count + other.count - shared
    }

    /// Jaccard similarity of the trigrams, 0…1.
    func similarity(_ other: TextTraits) -> Double {
        Self.similarity(trigrams, other.trigrams)
    }

    static func similarity(_ one: [UInt32], _ other: [UInt32]) -> Double {
        // The union is at least as large as the larger set, so the sizes alone exclude most pairs.
        guard 2 * min(one.count, other.count) > max(one.count, other.count) else { return 0 }
        var (a, b, shared) = (0, 0, 0)
        while a < one.count, b < other.count {
            if one[a] == other[b] {
                shared += 1
                a += 1
                b += 1
            } else if one[a] < other[b] {
                a += 1
            } else {
                b += 1
            }
        }
        return Double(shared) / Double(max(1, one.count + other.count - shared))
    }
}
