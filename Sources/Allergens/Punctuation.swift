/// Where sentences and parentheses end, seen from the tokens.
struct Punctuation: Sendable {
    private let tokens: [Token]
    private let characters: [Character]
    /// Last token of the sentence or parenthesis that a token stands in.
    private var ends: [Int] = []
    private var starts: [Int] = []

    init(tokens: [Token], characters: [Character]) {
        self.tokens = tokens
        self.characters = characters
        var sentenceStart = 0
        for index in tokens.indices {
            if index > 0, isSentenceBreak(before: index) { sentenceStart = index }
            starts.append(sentenceStart)
        }
        for index in tokens.indices { ends.append(findEnd(of: index)) }
    }

    func end(of index: Int) -> Int { ends[index] }
    func start(of index: Int) -> Int { starts[index] }

    /// The characters between a token and the one before it.
    private func gap(before index: Int) -> ArraySlice<Character> {
        let from = index > 0 ? tokens[index - 1].range.upperBound : 0
        return characters[from..<tokens[index].range.lowerBound]
    }

    /// True where anything but blanks and hyphens stands before the token.
    func hasBreak(before index: Int) -> Bool { tokens[index].isApart }

    /// True where exactly a comma stands before the token.
    func hasOnlyComma(before index: Int) -> Bool { gap(before: index).filter { !$0.isWhitespace } == [","] }

    func startsLine(_ index: Int) -> Bool { index == 0 || gap(before: index).contains(where: \.isNewline) }

    func isFollowedByColon(_ index: Int) -> Bool {
        guard index >= 0, index < tokens.count else { return false }
        let rest = characters[tokens[index].range.upperBound...].prefix(3).drop { $0 == " " || $0 == "*" }
        return rest.first == ":"
    }

    private func isSentenceBreak(before index: Int) -> Bool {
        let gap = Array(gap(before: index))
        for (place, character) in gap.enumerated() where ".!?•|".contains(character) {
            if "•|".contains(character) || place + 1 == gap.count || gap[place + 1].isWhitespace
                || ")]\"".contains(gap[place + 1])
            {
                // "e.g. milk": a full stop right between two letters is no end; between a word and a blank it is.
                if !(place + 1 == gap.count && character == ".") { return true }
            }
        }
        return false
    }

    private func findEnd(of index: Int) -> Int {
        var depth = 0
        var last = index
        while last + 1 < tokens.count {
            if isSentenceBreak(before: last + 1) { return last }
            for character in gap(before: last + 1) {
                if "([{".contains(character) { depth += 1 }
                if ")]}".contains(character) { depth -= 1 }
            }
            if depth < 0 { return last }
            last += 1
        }
        return last
    }
}
