import Core

/// Finds personal words at any position: alone, inflected, or inside a longer word.
struct PersonalWords: Sendable {
    private struct Phrase: Sendable {
        /// The word as the person wrote it.
        var word: String
        var tokens: [[UInt8]]
    }

    private let phrases: [Phrase]

    var isEmpty: Bool { phrases.isEmpty }

    init(_ profiles: [AllergenProfile] = []) {
        var seen: Set<String> = []
        phrases = profiles.flatMap { $0.words ?? [] }.compactMap { word in
            let tokens = Folding.words(of: word).map { Array($0.utf8) }
            return tokens.isEmpty || !seen.insert(word).inserted ? nil : Phrase(word: word, tokens: tokens)
        }
    }

    /// One mention for each match, in addition to other mentions at the same position.
    func mentions(in text: TextAnalysis) -> [Mention] {
        guard !isEmpty else { return [] }
        var mentions: [Mention] = []
        let letters = text.tokens.map { Array($0.text.utf8) }
        for start in text.tokens.indices {
            for phrase in phrases where start + phrase.tokens.count <= text.tokens.count {
                let end = start + phrase.tokens.count
                guard (start + 1..<max(start + 1, end)).allSatisfy({ !text.tokens[$0].isSeparated }),
                    let cost = cost(letters[start..<end], phrase.tokens)
                else { continue }
                mentions.append(
                    Mention(
                        tokens: start..<end,
                        range: text.tokens[start].range.lowerBound..<text.tokens[end - 1].range.upperBound,
                        meanings: [.init(allergen: .personal, leaf: phrase.word, kind: .ingredient)],
                        lexeme: phrase.word, editDistance: (cost + 1) / 2, lexicon: text.language ?? 0,
                        method: .personal,
                        isDenied: false))
            }
        }
        return mentions
    }

    /// Edit distance in half units (`EditDistance`); nil if the words differ too much.
    private func cost(_ words: ArraySlice<[UInt8]>, _ phrase: [[UInt8]]) -> Int? {
        var sum = 0
        for (word, sought) in zip(words, phrase) {
            if word == sought { continue }
            // "Kiwis", "Kiwisaft", "Wildkiwi": at least four letters may be part of a longer word.
            if sought.count >= 4, word.count > sought.count, contains(word, sought) { continue }
            // One misread letter is accepted in a word of at least five letters; a shorter one may be another word.
            guard sought.count >= 5 else { return nil }
            let cost = EditDistance.print.between(word, sought[...], limit: 2)
            guard cost <= (sought.count >= 7 ? 2 : 1) else { return nil }
            sum += cost
        }
        return sum
    }

    private func contains(_ word: [UInt8], _ part: [UInt8]) -> Bool {
        (0...(word.count - part.count)).contains { word[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
