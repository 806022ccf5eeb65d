import Core

/// A derivative that a law exempts from declaration, such as fully refined soybean oil: an entry of a regime's file.
///
/// An exemption of the law is no statement about a person. The derivative is still found and shown; only its verdict
/// for people of mild or moderate sensitivity is lowered (`VerdictRules`).
struct Exemption: Sendable, Hashable, Codable {
    /// The name in findings, such as `refinedSoybeanOil`.
    var key: String
    var allergen: Allergen
    /// The day since when it applies, ISO 8601.
    var since: String
    /// The law and its clause.
    var source: String
    /// Phrases that name the derivative, by language. A bracket stands for a bracket in the print. Empty if the print
    /// does not show that the condition of the law is met; `note` then says why.
    var words: [String: [String]]
    var note: String?
}

/// An allergen that a law no longer lists, for readers of the data: coconut in the United States since 2025.
struct RemovedMember: Sendable, Hashable, Codable {
    var allergen: Allergen
    /// A leaf that the regime's `except` names.
    var leaf: String
    var since: String
    var source: String
}

/// Finds exempt derivatives around a mention of their allergen.
struct ExemptionFinder: Sendable {
    private struct Phrase: Sendable {
        var key: String
        var allergen: Allergen
        /// The folded words; true if a bracket precedes the word.
        var words: [(text: String, isBracketed: Bool)]
    }

    /// Phrases by their first word.
    private var phrases: [String: [Phrase]] = [:]
    private var allergens: Set<Allergen> = []
    private var longest = 0

    init(_ exemptions: some Sequence<Exemption> = []) {
        for exemption in exemptions {
            for text in Set(exemption.words.values.joined()) {
                let characters = Array(text.unicodeScalars)
                let tokens = Folding.tokens(of: characters)
                guard let first = tokens.first else { continue }
                let words = tokens.map { (text: $0.text, isBracketed: $0.isSeparated) }
                phrases[first.text, default: []].append(
                    Phrase(key: exemption.key, allergen: exemption.allergen, words: words))
                longest = max(longest, words.count)
                allergens.insert(exemption.allergen)
            }
        }
    }

    /// The exemption whose phrase covers the mention; nil without one.
    func exemption(of allergen: Allergen, at mention: Range<Int>, in text: TextAnalysis) -> String? {
        let first = max(0, mention.upperBound - longest)
        // No exemption is as long as some names.
        guard allergens.contains(allergen), first <= mention.lowerBound else { return nil }
        for start in first...mention.lowerBound {
            for phrase in phrases[text.tokens[start].text] ?? []
            where phrase.allergen == allergen && start + phrase.words.count >= mention.upperBound {
                if matches(phrase, at: start, text) { return phrase.key }
            }
        }
        return nil
    }

    private func matches(_ phrase: Phrase, at start: Int, _ text: TextAnalysis) -> Bool {
        guard start + phrase.words.count <= text.tokens.count else { return false }
        for (offset, word) in phrase.words.enumerated() {
            let token = text.tokens[start + offset]
            guard token.text == word.text else { return false }
            guard offset > 0 else { continue }
            guard token.isSeparated == word.isBracketed else { return false }
            // A comma separates two ingredients: "glucose syrup, wheat".
            if token.isSeparated {
                let gap = text.characters[text.tokens[start + offset - 1].range.upperBound..<token.range.lowerBound]
                guard gap.allSatisfy({ Folding.isSpace($0) || "([（".unicodeScalars.contains($0) }) else {
                    return false
                }
            }
        }
        return true
    }
}
