import Core

/// Sentence and parenthesis boundaries by token.
struct Punctuation: Sendable {
    /// The characters between a token and the previous one.
    private struct Gap: Sendable {
        var isSentenceBreak = false
        var isLineStart = false
        var isOnlyComma = false
        /// True if its last printed character is a comma or an open parenthesis.
        var isOpen = false
        /// Opened minus closed parentheses.
        var depth = 0
    }

    private let gaps: [Gap]
    private let colonFollows: [Bool]
    private let isSeparated: [Bool]
    /// The first and the last token of the sentence or parenthesis of each token. Found once: a statement asks for the
    /// end of its sentence, and a page may hold one long sentence with thousands of statements.
    private let starts, ends: [Int]
    private let count: Int

    init(tokens: [Token], characters: [Unicode.Scalar]) {
        count = tokens.count
        isSeparated = tokens.map(\.isSeparated)
        var gaps: [Gap] = []
        gaps.reserveCapacity(count)
        var colons = [Bool](repeating: false, count: count)
        for index in tokens.indices {
            let from = index > 0 ? tokens[index - 1].range.upperBound : 0
            let to = tokens[index].range.lowerBound
            gaps.append(Self.gap(characters[from..<to], index, tokens, characters))
        }
        for index in tokens.indices {
            let rest = characters[tokens[index].range.upperBound...].prefix(3).drop { $0 == " " || $0 == "*" }
            colons[index] = rest.first == ":" || rest.first == "："
        }
        (starts, ends) = (Self.starts(gaps), Self.ends(gaps))
        self.gaps = gaps
        colonFollows = colons
    }

    private static func starts(_ gaps: [Gap]) -> [Int] {
        var start = 0
        return gaps.indices.map { index in
            if gaps[index].isSentenceBreak { start = index }
            return start
        }
    }

    /// A token's sentence ends before the next break, or before a parenthesis closes that was open at the token.
    private static func ends(_ gaps: [Gap]) -> [Int] {
        var ends = [Int](repeating: max(0, gaps.count - 1), count: gaps.count)
        var depth = 0
        /// Tokens whose end is not found yet, with their depth, which rises.
        var open: [(token: Int, depth: Int)] = []
        for index in gaps.indices {
            depth += gaps[index].depth
            let isBreak = gaps[index].isSentenceBreak
            while let last = open.last, isBreak || depth < last.depth {
                ends[last.token] = index - 1
                open.removeLast()
            }
            open.append((index, depth))
        }
        return ends
    }

    private static func gap(
        _ gap: ArraySlice<Unicode.Scalar>, _ index: Int, _ tokens: [Token], _ all: [Unicode.Scalar]
    ) -> Gap {
        var result = Gap()
        result.isLineStart = index == 0
        var printed = 0
        var newlines = 0
        var place = gap.startIndex
        while place < gap.endIndex {
            let scalar = gap[place]
            let next = place + 1 < gap.endIndex ? gap[place + 1] : nil
            switch scalar {
            case "(", "[", "{", "（", "［", "〔", "【": result.depth += 1
            case ")", "]", "}", "）", "］", "〕", "】": result.depth -= 1
            case "•", "|", "。", "．": result.isSentenceBreak = true
            case "!", "?", ".":
                if let next {
                    if Folding.isSpace(next) || ")]\"»”".unicodeScalars.contains(next) { result.isSentenceBreak = true }
                } else if scalar != "." || startsSentence(index, tokens, all) {
                    // A full stop between two letters does not end a sentence, as in "e.g. milk". Before a capital
                    // letter it does.
                    result.isSentenceBreak = true
                }
            default: break
            }
            if Folding.isNewline(scalar) {
                newlines += 1
            } else if !Folding.isSpace(scalar) {
                printed += 1
                result.isOpen = ",;(、".unicodeScalars.contains(scalar)
                if scalar == "," || scalar == "、" {
                    result.isOnlyComma = printed == 1
                } else {
                    result.isOnlyComma = false
                }
            }
            place += 1
        }
        result.isLineStart = result.isLineStart || newlines > 0
        // A blank line ends a sentence.
        if newlines > 1, index > 0 { result.isSentenceBreak = true }
        return result
    }

    /// True for "sel.Peut contenir": a full stop without a blank, between a word of at least three letters and a
    /// capital.
    private static func startsSentence(_ index: Int, _ tokens: [Token], _ all: [Unicode.Scalar]) -> Bool {
        guard index > 0, tokens[index - 1].range.count > 2, tokens[index].range.count > 2 else { return false }
        return all[tokens[index].range.lowerBound].properties.isUppercase
            && all[tokens[index - 1].range.upperBound - 1].properties.isLowercase
    }

    /// The last token of the sentence or parenthesis that contains the token.
    func end(of index: Int) -> Int { ends.indices.contains(index) ? ends[index] : index }

    /// The first token of the sentence that contains the token.
    func start(of index: Int) -> Int { starts.indices.contains(index) ? starts[index] : max(0, index) }

    func isSentenceStart(_ index: Int) -> Bool { index == 0 || gaps[index].isSentenceBreak }

    /// True if anything other than blanks and hyphens precedes the token.
    func hasBreak(before index: Int) -> Bool { isSeparated[index] }

    /// True if exactly a comma precedes the token.
    func hasOnlyComma(before index: Int) -> Bool { gaps[index].isOnlyComma }

    func startsLine(_ index: Int) -> Bool { gaps[index].isLineStart }

    /// True if a comma or an open parenthesis precedes the token: what follows belongs to the same list.
    func continuesList(_ index: Int) -> Bool { gaps[index].isOpen }

    func isFollowedByColon(_ index: Int) -> Bool { index >= 0 && index < count && colonFollows[index] }

    /// Opened minus closed parentheses before the token.
    func depth(before index: Int) -> Int { gaps[index].depth }
}
