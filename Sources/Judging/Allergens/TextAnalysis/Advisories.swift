import Core

extension TextAnalysis {
    /// The most words of a warning of raw food.
    private static let longestAdvisory = 60

    /// Warnings of raw food in general, such as "consuming raw or undercooked shellfish or eggs may increase your risk". They
    /// name groups of food and no ingredient of a dish.
    var advisories: [Range<Int>] {
        tokens.indices.compactMap { index in
            guard let (length, lexemes) = longest(Lexeme.Role.advisory.bit, at: index) else { return nil }
            let closes = Set(
                lexemes.flatMap { lexeme -> [String] in
                    let phrases = lexiconIndex.lexicons[Int(lexeme.lexicon)].advisories ?? []
                    return phrases.indices.contains(Int(lexeme.index))
                        ? [phrases[Int(lexeme.index)].close.map { Folding.fold($0) } ?? ""] : []
                })
            let end = min(punctuation.end(of: index), index + Self.longestAdvisory)
            let rest = min(index + length, end)...end
            return tokens[rest].lastIndex { closes.contains($0.text) }.map { index..<($0 + 1) }
        }
    }
}
