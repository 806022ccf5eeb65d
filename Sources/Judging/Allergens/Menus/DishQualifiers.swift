import Core

/// Words of a dish that make another one of it less telling: with oat milk, "steamed milk" is no dairy, and "gluten-free
/// bread" no evidence of gluten. What is qualified so still hints at its allergen, and is never cleared of it.
struct DishQualifiers: Sendable {
    /// What of an allergen is left to a qualified word.
    static let remainder = 0.35

    private static let animal: Set<Allergen> = [.milk, .eggs, .fish, .crustaceans, .molluscs]

    /// Allergens that a mention hardly speaks for, by the mention's first token.
    private(set) var lowered: [Int: Set<Allergen>] = [:]
    /// Allergens that the dish has a substitute for.
    private(set) var replaced: Set<Allergen> = []

    init() {}

    init(_ text: TextAnalysis, mentions: [Mention], contexts: [MentionContext]) {
        findSubstitutes(text, mentions)
        findVeganLines(text, mentions)
        for mention in mentions where !mention.meanings.isEmpty {
            let claimed = claims(before: mention, text, mentions, contexts)
            if !claimed.isEmpty { lowered[mention.tokens.lowerBound, default: []].formUnion(claimed) }
        }
    }

    func isLowered(_ mention: Mention, _ allergen: Allergen) -> Bool {
        lowered[mention.tokens.lowerBound]?.contains(allergen) == true
    }

    private mutating func findSubstitutes(_ text: TextAnalysis, _ mentions: [Mention]) {
        for mention in mentions where text.lexica.substitutes.indices.contains(mention.lexicon) {
            let words = text.tokens[mention.tokens].map(\.text).joined(separator: " ")
            for substitute in text.lexica.substitutes[mention.lexicon] where substitute.words.contains(words) {
                replaced.insert(substitute.allergen)
                for other in mentions where other.tokens.lowerBound != mention.tokens.lowerBound {
                    let word = text.tokens[other.tokens].map(\.text).joined(separator: " ")
                    guard substitute.replaced.contains(word) else { continue }
                    lowered[other.tokens.lowerBound, default: []].insert(substitute.allergen)
                }
            }
        }
    }

    /// "Banana yoghurt – vegan": a line that ends so is said to be vegan as a whole.
    private mutating func findVeganLines(_ text: TextAnalysis, _ mentions: [Mention]) {
        for place in text.tokens.indices where text.lexica.veganWords.contains(text.tokens[place].text) {
            let isLast = place + 1 == text.tokens.count || text.punctuation.startsLine(place + 1)
            guard isLast, !text.punctuation.startsLine(place) else { continue }
            var start = place
            while start > 0, !text.punctuation.startsLine(start) { start -= 1 }
            for mention in mentions where (start..<place).contains(mention.tokens.lowerBound) {
                lowered[mention.tokens.lowerBound, default: []].formUnion(Self.animal)
            }
        }
    }

    /// Claims right in front of a food, with a word between them at most.
    private func claims(
        before mention: Mention, _ text: TextAnalysis, _ mentions: [Mention], _ contexts: [MentionContext]
    ) -> Set<Allergen> {
        var claimed: Set<Allergen> = []
        var place = mention.tokens.lowerBound
        var passed = 0
        while place > 0, passed < 3, !text.punctuation.hasBreak(before: place), !text.punctuation.startsLine(place) {
            place -= 1
            passed += 1
            // "vegan cake with milk": the claim ends where something is added.
            let isDenial = if case .free = contexts[place] { true } else { false }
            if !isDenial, text.has(.function, at: place) { return claimed }
            let word = text.tokens[place].text
            if text.lexica.veganWords.contains(word)
                || place > 0 && text.lexica.veganWords.contains(text.tokens[place - 1].text + " " + word)
            {
                claimed.formUnion(Self.animal)
            }
            let printed = String(scalars: text.characters[text.tokens[place].range])
            if let claim = text.lexica.claimCodes[printed], claim.polarity == .freeClaim {
                claimed.insert(claim.allergen)
            }
            if case .free = contexts[place], let denied = mentions.first(where: { $0.tokens.contains(place) }) {
                // "without milk and butter" lists two things; "gluten-free bread" names one.
                if case .free = contexts[mention.tokens.lowerBound] { return claimed }
                // Gluten-free bread holds none, and lactose-free milk is milk.
                if denied.meanings.contains(where: { $0.allergen == .gluten }) { claimed.insert(.gluten) }
            }
        }
        return claimed
    }
}
