import Core

/// Finds the words of a language that is written without blanks, by the longest match with the lexicon.
///
/// "いか" is squid and part of "いかなる", and "イカ" is part of "スイカ". A word of one or two kana therefore counts only
/// where the script changes or next to known words.
struct UnspacedWords: Sendable {
    /// Bits of the lexicons of such languages.
    let lexicons: UInt32
    /// The longest word, in scalars.
    let longest: Int

    /// The segmenter for the lexicons that are marked as unspaced; nil without one.
    init?(_ all: [AllergenLexicon], _ trie: PhraseTrie) {
        var mask: UInt32 = 0
        for (number, lexicon) in all.enumerated() where lexicon.isUnspaced == true { mask |= 1 << UInt32(number) }
        guard mask != 0 else { return nil }
        lexicons = mask
        longest = trie.wordLexicons.indices.reduce(1) { longest, id in
            trie.wordLexicons[id] & mask == 0
                ? longest : max(longest, trie.text(Int32(id)).unicodeScalars.count)
        }
    }

    private enum Kind { case hiragana, katakana, kanji }

    private static func kind(_ scalar: Unicode.Scalar) -> Kind {
        switch scalar.value {
        case 0x3040...0x309F: .hiragana
        case 0x30A0...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: .katakana
        default: .kanji
        }
    }

    /// The words of a token, known and unknown ones, in order.
    func tokens(of token: Token, _ characters: [Unicode.Scalar], _ trie: PhraseTrie) -> [Token] {
        let range = token.range
        var tokens: [Token] = []
        var unknownFrom = range.lowerBound
        var place = range.lowerBound
        func close(_ end: Int) {
            // An unknown stretch is cut where the script changes.
            while unknownFrom < end {
                let kind = Self.kind(characters[unknownFrom])
                let stop = (unknownFrom..<end).first { Self.kind(characters[$0]) != kind } ?? end
                tokens.append(self.token(unknownFrom..<stop, token, characters, trie))
                unknownFrom = stop
            }
        }
        while place < range.upperBound {
            let isAfterKnown = unknownFrom == place
            guard let length = match(at: place, in: range, isAfterKnown: isAfterKnown, characters, trie) else {
                place += 1
                continue
            }
            close(place)
            tokens.append(self.token(place..<place + length, token, characters, trie))
            place += length
            unknownFrom = place
        }
        close(range.upperBound)
        return tokens
    }

    /// The length of the longest known word at a place, in scalars.
    private func match(
        at place: Int, in range: Range<Int>, isAfterKnown: Bool, _ characters: [Unicode.Scalar], _ trie: PhraseTrie
    ) -> Int? {
        let kind = Self.kind(characters[place])
        var length = min(longest, range.upperBound - place)
        while length > 0 {
            let end = place + length
            if isWord(place..<end, characters, trie) {
                let isShortKana = length <= 2 && kind != .kanji && Self.kind(characters[end - 1]) != .kanji
                let startsWell = isAfterKnown || Self.kind(characters[place - 1]) != kind
                let endsWell =
                    end == range.upperBound || Self.kind(characters[end]) != Self.kind(characters[end - 1])
                    || (1...min(longest, range.upperBound - end)).contains { isWord(end..<end + $0, characters, trie) }
                if !isShortKana || startsWell && endsWell { return length }
            }
            length -= 1
        }
        return nil
    }

    private func isWord(_ range: Range<Int>, _ characters: [Unicode.Scalar], _ trie: PhraseTrie) -> Bool {
        guard let id = trie.id(of: Folding.fold(String(scalars: characters[range]))) else { return false }
        return trie.wordLexicons[Int(id)] & lexicons != 0
    }

    private func token(
        _ range: Range<Int>, _ whole: Token, _ characters: [Unicode.Scalar], _ trie: PhraseTrie
    ) -> Token {
        let isFirst = range.lowerBound == whole.range.lowerBound
        let text = Folding.fold(String(scalars: characters[range]))
        return Token(
            text: text, range: range, isHyphenated: isFirst && whole.isHyphenated,
            isSeparated: isFirst && whole.isSeparated, isNumber: false, id: trie.id(of: text) ?? -1)
    }
}
