import Core

/// Splits words that OCR or the layout glued together, at changes of case and script: "MadagascarŒufs", "farineBLÉ",
/// "milk牛乳".
///
/// A change of case alone proves nothing: "WEIZENmehl" is one word, and brands are spelt "OlivOn". A word is split only
/// if it is unknown as a whole, if a part is known, and if the parts name every allergen that the whole names.
struct GluedWords {
    let lexiconIndex: LexiconIndex

    /// The tokens with glued words split. Ranges of the parts stay inside the range of the whole.
    func split(_ tokens: [Token], _ characters: [Unicode.Scalar]) -> [Token] {
        var result: [Token] = []
        var kept = 0
        for (index, token) in tokens.enumerated() where token.id < 0 && !token.isNumber {
            guard let parts = parts(of: token, characters) else { continue }
            if result.isEmpty { result.reserveCapacity(tokens.count + 8) }
            result += tokens[kept..<index]
            result += parts
            kept = index + 1
        }
        return kept == 0 ? tokens : result + tokens[kept...]
    }

    private func parts(of token: Token, _ characters: [Unicode.Scalar]) -> [Token]? {
        // Most tokens are of one script.
        guard characters[token.range].contains(where: { $0.value >= Self.firstOther }) else {
            return caseParts(of: token, characters)
        }
        let byScript = Self.scriptRuns(of: token.range, characters)
        var parts: [Token] = []
        for run in byScript {
            let whole = byScript.count == 1 ? token : part(of: token, run, characters)
            if let segmenter = lexiconIndex.segmenter,
                characters[run].lazy.compactMap({ Script($0) }).first == .japanese
            {
                parts += segmenter.tokens(of: whole, characters, lexiconIndex.trie)
            } else {
                parts += caseParts(of: whole, characters) ?? [whole]
            }
        }
        return parts.count > 1 ? parts : nil
    }

    /// A part as a token of its own. Only a claim such as "free" belongs to the part before it: a trap or a denial must
    /// not reach from one glued word into the next.
    private func part(of token: Token, _ range: Range<Int>, _ characters: [Unicode.Scalar]) -> Token {
        var part = Folding.tokens(of: characters, in: range).first ?? token
        part.id = lexiconIndex.trie.id(of: part.text) ?? -1
        if range.lowerBound == token.range.lowerBound {
            (part.isHyphenated, part.isSeparated) = (token.isHyphenated, token.isSeparated)
        } else {
            (part.isHyphenated, part.isSeparated) = (false, !lexiconIndex.has(.negationAfter, part.text))
        }
        return part
    }

    // MARK: Scripts

    /// The first scalar beyond Latin scripts.
    private static let firstOther: UInt32 = 0x370

    private static func scriptRuns(of range: Range<Int>, _ characters: [Unicode.Scalar]) -> [Range<Int>] {
        guard characters[range].contains(where: { $0.value >= firstOther }) else { return [range] }
        var runs: [Range<Int>] = []
        var start = range.lowerBound
        var script: Script?
        for place in range {
            guard let next = Script(characters[place]) else { continue }
            defer { script = next }
            guard let script, script != next else { continue }
            // A single Greek or Cyrillic letter is a symbol or a look-alike: "βcarotene", "мilk".
            let isWord = { (script: Script) in script == .japanese || script == .hangul }
            let left = place - start
            let right = characters[place..<range.upperBound].prefix { Script($0) == next }.count
            guard isWord(script) || left > 1, isWord(next) || right > 1 else { continue }
            runs.append(start..<place)
            start = place
        }
        return runs + [start..<range.upperBound]
    }

    // MARK: Case

    private func caseParts(of token: Token, _ characters: [Unicode.Scalar]) -> [Token]? {
        let cuts = Self.cuts(in: token.range, characters)
        guard !cuts.isEmpty else { return nil }
        let whole = lexiconIndex.knowledge(of: token.text)
        guard !whole.isWhole, !whole.hasTrap else { return nil }
        for places in cuts {
            let bounds = [token.range.lowerBound] + places + [token.range.upperBound]
            let parts = zip(bounds, bounds.dropFirst()).map { part(of: token, $0..<$1, characters) }
            let known = parts.map { lexiconIndex.knowledge(of: $0.text) }
            let named = known.reduce(0) { $0 | $1.allergens }
            guard known.contains(where: \.isTelling), named & whole.allergens == whole.allergens,
                whole.allergens == 0 || named != whole.allergens
            else { continue }
            return parts
        }
        return nil
    }

    /// Possible cuts of a word, the likeliest first: between "sucre" and "LAIT", and between "BLÉ" and "farine". In
    /// "LAITSucre" the capital before a small letter may start the next word.
    private static func cuts(in range: Range<Int>, _ characters: [Unicode.Scalar]) -> [[Int]] {
        guard range.count >= 5 else { return [] }
        var places: [Int] = []
        var shifted: [Int] = []
        var runStart = range.lowerBound
        var wasUpper = isUpper(characters[runStart])
        for place in range.dropFirst() {
            let upper = isUpper(characters[place])
            guard upper != wasUpper else { continue }
            let run = place - runStart
            if upper {
                // One or two small letters are misread capitals, "FARlNE", and "I" is a misread small letter,
                // "MagermiIch".
                let isAlone = place + 1 < range.upperBound && !isUpper(characters[place + 1])
                let isMisread = characters[place] == "I" && (isAlone || range.upperBound - place < 5)
                if run >= 3, range.upperBound - place >= 3, !isMisread {
                    places.append(place)
                    shifted.append(place)
                }
            } else if run >= 3, characters[place..<range.upperBound].prefix(3).count == 3 {
                places.append(place)
                shifted.append(place - 1)
            }
            (runStart, wasUpper) = (place, upper)
        }
        guard !places.isEmpty else { return [] }
        return places == shifted ? [places] : [places, shifted]
    }

    private static func isUpper(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? (0x41...0x5A).contains(scalar.value) : scalar.properties.isUppercase
    }
}

/// The scripts that a glued word is split at. Digits and marks belong to the script before them.
enum Script: Sendable {
    case latin, greek, cyrillic, japanese, hangul, other

    init?(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: self = .latin
        case 0..<0x370: return nil
        case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
        case 0x400...0x52F: self = .cyrillic
        case 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
            0xFF66...0xFF9F, 0x20000...0x323AF:
            self = .japanese
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: self = .hangul
        case 0xFF10...0xFF19, 0x2000...0x2BFF, 0x3000...0x303F: return nil
        case 0xFF21...0xFF5A: self = .latin
        default: self = .other
        }
    }
}
