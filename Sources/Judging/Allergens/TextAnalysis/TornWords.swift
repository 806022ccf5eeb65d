import Core

/// Puts words together that print tore apart: at the end of a line ("Wei-⏎zenmehl", "Wei⏎zenmehl", "Wei- zenmehl"), and letter by letter
/// ("P E A N U T S").
///
/// Two known words are never made one: the whole is then looked for beside them (`pairs`).
struct TornWords {
    let lexiconIndex: LexiconIndex
    let characters: [Unicode.Scalar]

    func joined(_ tokens: [Token]) -> [Token] {
        guard tokens.count > 1 else { return tokens }
        return joinedLines(joinedLetters(tokens))
    }

    private func gap(_ left: Token, _ right: Token) -> ArraySlice<Unicode.Scalar> {
        characters[left.range.upperBound..<right.range.lowerBound]
    }

    private func token(_ text: String, _ parts: ArraySlice<Token>) -> Token? {
        guard var token = parts.first, let last = parts.last else { return nil }
        token.text = text
        token.range = token.range.lowerBound..<last.range.upperBound
        token.id = lexiconIndex.trie.id(of: text) ?? -1
        token.isNumber = parts.allSatisfy(\.isNumber)
        return token
    }

    // MARK: Letters

    /// The shortest run of single letters that is looked at; a run of three must spell an entry.
    private static let shortestRun = 3

    private func joinedLetters(_ tokens: [Token]) -> [Token] {
        var result: [Token] = []
        var start = 0
        while start < tokens.count {
            var end = start
            while end < tokens.count, isLetter(tokens[end]), end == start || isSpaced(tokens[end - 1], tokens[end]) {
                end += 1
            }
            if end - start >= Self.shortestRun, let words = words(tokens[start..<end]) {
                result += words
            } else {
                end = max(end, start + 1)
                result += tokens[start..<end]
            }
            start = end
        }
        return result
    }

    private func isLetter(_ token: Token) -> Bool { token.range.count == 1 }

    /// True if blanks or one line end separate the letters, and at most the hyphen or apostrophe of a word.
    private func isSpaced(_ left: Token, _ right: Token) -> Bool {
        let gap = gap(left, right)
        return gap.contains(where: Folding.isSpace) && gap.allSatisfy { Folding.isSpace($0) || isInnerMark($0) }
            && gap.count(where: { Folding.isNewline($0) && $0 != "\r" }) <= 1
    }

    private func isInnerMark(_ scalar: Unicode.Scalar) -> Bool {
        Folding.isHyphen(scalar) || scalar == "'" || scalar == "’"
    }

    /// The words that single letters spell; nil if they are codes.
    private func words(_ letters: ArraySlice<Token>) -> [Token]? {
        // "A C G" is a list of codes: it rises, as no name of a food does.
        let isRising = zip(letters, letters.dropFirst()).allSatisfy { $0.text < $1.text }
        guard !isRising, !letters.allSatisfy(\.isNumber) else { return nil }
        let parts = segmented(letters)
        let longest = parts.filter { lexiconIndex.knowledge(of: $0.text).allergens != 0 }.map(\.range.count).max() ?? 0
        if letters.count == Self.shortestRun ? parts.count == 1 && longest > 0 : longest > Self.shortestRun {
            return parts
        }
        // Letters that spell no known word may still be a misread one.
        guard letters.count >= 6 else { return nil }
        return token(letters.map(\.text).joined(), letters).map { [$0] }
    }

    /// The cheapest words that the letters spell. An allergen's name costs least, and a letter outside of words most.
    private func segmented(_ letters: ArraySlice<Token>) -> [Token] {
        let count = letters.count
        let first = letters.startIndex
        var best = [(cost: Int, from: Int)](repeating: (.max, 0), count: count + 1)
        best[0] = (0, 0)
        for start in 0..<count {
            let before = best[start].cost
            if before + 4 < best[start + 1].cost { best[start + 1] = (before + 4, start) }
            var text = letters[first + start].text
            for end in stride(from: start + 2, through: count, by: 1) {
                // A hyphen ends a word.
                if gap(letters[first + end - 2], letters[first + end - 1]).contains(where: isInnerMark) { break }
                text += letters[first + end - 1].text
                guard let cost = cost(of: text), before + cost < best[end].cost else { continue }
                best[end] = (before + cost, start)
            }
        }
        var parts: [Token] = []
        var end = count
        while end > 0 {
            let from = best[end].from
            let part = letters[(first + from)..<(first + end)]
            if let word = token(part.map(\.text).joined(), part) { parts.insert(word, at: 0) }
            end = from
        }
        return parts
    }

    private func cost(of text: String) -> Int? {
        let known = lexiconIndex.knowledge(of: text)
        if lexiconIndex.trie.id(of: text) != nil { return known.named != 0 && text.utf8.count >= 4 ? 1 : 2 }
        return text.utf8.count >= 4 && known.isWhole ? 3 : nil
    }

    // MARK: Lines

    private func joinedLines(_ tokens: [Token]) -> [Token] {
        var result: [Token] = []
        for token in tokens {
            if let last = result.last, let whole = whole(last, token) {
                result[result.count - 1] = whole
            } else {
                result.append(token)
                if let last = result.dropLast().last, breaksLine(last, token) == .hyphen {
                    result[result.count - 1].isHyphenated = true
                }
            }
        }
        return result
    }

    private enum Break { case hyphen, blank, lostEnd }

    /// How a line end separates two words; nil if it does not, or if more separates them. Databases and spreadsheets make a
    /// blank of a line end: "Wei- zenmehl".
    private func breaksLine(_ left: Token, _ right: Token) -> Break? {
        let gap = gap(left, right)
        guard !left.isNumber, !right.isNumber else { return nil }
        if gap.count == 2, gap.last == " ", gap.first.map(Folding.isHyphen) == true { return .lostEnd }
        guard gap.contains(where: Folding.isNewline),
            gap.count(where: { Folding.isNewline($0) && $0 != "\r" }) <= 1
        else { return nil }
        if LineBreak.end(of: left.range.upperBound, in: characters) == right.range.lowerBound { return .hyphen }
        return gap.allSatisfy(Folding.isSpace) ? .blank : nil
    }

    /// The word that a line end broke; nil if the two are words of their own.
    private func whole(_ left: Token, _ right: Token) -> Token? {
        guard let kind = breaksLine(left, right) else { return nil }
        let text = left.text + right.text
        let isLink = lexiconIndex.has(.conjunction, right.text)
        // "Erd-⏎und" is no word, "THOUS-⏎AND" is one.
        if isLink, lexiconIndex.trie.id(of: text) == nil { return nil }
        let (first, second) = (lexiconIndex.knowledge(of: left.text), lexiconIndex.knowledge(of: right.text))
        let isKnown = lexiconIndex.trie.id(of: text) != nil || lexiconIndex.knowledge(of: text).isWhole
        let areWords = first.isWhole && second.isWhole
        // A part that names an allergen must not vanish into a whole that does not.
        let isNamed = first.named | second.named != 0
        let isWord: Bool
        switch kind {
        case .hyphen, .lostEnd:
            let isBroken = LineBreak.breaksWord(
                at: left.range.upperBound, before: right.range.lowerBound, in: characters)
            isWord =
                kind == .lostEnd
                ? isKnown && isBroken && !areWords : isKnown ? isBroken || !areWords : isBroken && !areWords && !isNamed
        case .blank:
            guard left.text.utf8.count >= 2, right.text.utf8.count >= 2, text.utf8.count >= 5 else { return nil }
            let isPlain = first.allergens | second.allergens == 0
            isWord =
                isKnown && !areWords && (left.id < 0 || right.id < 0)
                && (lexiconIndex.trie.id(of: text) == nil ? isPlain : !isNamed)
        }
        return isWord ? token(text, [left, right]) : nil
    }

    /// Words that two known words at a line end may be: "pea⏎nuts". Nothing says which is meant, so both count.
    func pairs(in tokens: [Token]) -> [(tokens: Range<Int>, word: String)] {
        tokens.indices.dropLast().compactMap { index in
            let (left, right) = (tokens[index], tokens[index + 1])
            guard breaksLine(left, right) != nil, !lexiconIndex.has(.conjunction, right.text) else { return nil }
            return (index..<(index + 2), left.text + right.text)
        }
    }
}
