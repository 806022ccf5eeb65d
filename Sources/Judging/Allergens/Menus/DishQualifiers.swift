import Core

/// Words of a dish that weaken the evidence of other words. After "with oat milk", "steamed milk" is weak evidence of
/// milk. "gluten-free bread" and "pasta senza glutine" are weak evidence of gluten. The allergen is still hinted at
/// and never cleared.
struct DishQualifiers: Sendable {
    /// A claim that denies allergens: "gluten-free", "senza latte".
    struct Claim: Sendable, Hashable {
        var allergens: Set<Allergen>
        /// The tokens of the claim and of the food that it names; nil if the claim has no food and means the dish.
        var scope: Range<Int>?
    }

    /// The factor on the probability of a qualified word's allergen.
    static let remainder = 0.35
    /// The same for a word that matches by chance.
    static let chance = 0.1

    private static let animal: Set<Allergen> = [.milk, .eggs, .fish, .crustaceans, .molluscs]

    /// Allergens with weakened evidence, by the first token of the mention.
    private(set) var lowered: [Int: Set<Allergen>] = [:]
    /// Allergens that the dish has a substitute for.
    private(set) var replaced: Set<Allergen> = []
    private(set) var claims: [Claim] = []
    /// Allergens whose evidence a diet code or a chance match weakens. They stay findings, however weak, so nothing
    /// clears them.
    private(set) var doubtful: Set<Allergen> = []
    /// First tokens of the mentions that match by chance.
    private(set) var unlikely: Set<Int> = []
    /// The context of each token.
    private(set) var contexts: [MentionContext] = []
    /// Sentences about allergies, whose words are no part of the dish.
    private(set) var statements: [Range<Int>] = []

    init() {}

    /// - Parameter coded: allergens that a code of the dish denies, such as GF.
    init(_ text: TextAnalysis, mentions: [Mention], contexts: [MentionContext], coded: Set<Allergen> = []) {
        self.contexts = contexts
        statements = ScopeFinder(text: text).allergyStatements()
        findSubstitutes(text, mentions)
        findDiets(text, mentions)
        for mention in mentions where !mention.meanings.isEmpty {
            let claimed = claims(before: mention, text, mentions, contexts)
            if !claimed.isEmpty { lowered[mention.tokens.lowerBound, default: []].formUnion(claimed) }
        }
        let finder = DenialFinder(text: text, mentions: mentions, contexts: contexts)
        for denial in mentions where finder.isDenial(denial) {
            let allergens = finder.denied(by: denial)
            guard !allergens.isEmpty else { continue }
            let (scope, food) = finder.reach(of: denial, isBefore: isClaimed(after: denial, mentions))
            claims.append(Claim(allergens: allergens, scope: scope))
            if let food { lowered[food.mention.tokens.lowerBound, default: []].formUnion(food.allergens) }
        }
        for mention in mentions where text.isUnlikely(mention) {
            unlikely.insert(mention.tokens.lowerBound)
            weaken(mention, Set(mention.meanings.map(\.allergen)))
        }
        guard !coded.isEmpty else { return }
        // A code means the whole dish, and no food that names the allergen: "rye bread GF" is a contradiction.
        claims.append(Claim(allergens: coded, scope: nil))
        for mention in mentions where !text.isAllergenName(mention) && !text.namesGrain(mention) {
            weaken(mention, finder.usual(mention, coded))
        }
    }

    private mutating func weaken(_ mention: Mention, _ allergens: Set<Allergen>) {
        guard !allergens.isEmpty else { return }
        lowered[mention.tokens.lowerBound, default: []].formUnion(allergens)
        doubtful.formUnion(allergens)
    }

    /// The greatest strength of a lowered mention.
    func remainder(of mention: Mention) -> Double {
        unlikely.contains(mention.tokens.lowerBound) ? Self.chance : Self.remainder
    }

    func isLowered(_ mention: Mention, _ allergen: Allergen) -> Bool {
        lowered[mention.tokens.lowerBound]?.contains(allergen) == true
    }

    /// The food behind a denial that `claims(before:)` lowered: "gluten-free bread".
    private func isClaimed(after denial: Mention, _ mentions: [Mention]) -> Range<Int>? {
        mentions.first {
            (denial.tokens.upperBound..<denial.tokens.upperBound + 3).contains($0.tokens.lowerBound)
                && isLowered($0, .gluten) && denial.meanings.contains { $0.allergen == .gluten }
        }?.tokens
    }

    private mutating func findSubstitutes(_ text: TextAnalysis, _ mentions: [Mention]) {
        for mention in mentions where text.lexiconIndex.substitutes.indices.contains(mention.lexicon) {
            let words = text.tokens[mention.tokens].map(\.text).joined(separator: " ")
            for substitute in text.lexiconIndex.substitutes[mention.lexicon] where substitute.words.contains(words) {
                replaced.insert(substitute.allergen)
                for other in mentions where other.tokens.lowerBound != mention.tokens.lowerBound {
                    let word = text.tokens[other.tokens].map(\.text).joined(separator: " ")
                    guard substitute.replaced.contains(word) else { continue }
                    lowered[other.tokens.lowerBound, default: []].insert(substitute.allergen)
                }
            }
        }
    }

    /// A diet at the end of a phrase governs the phrase: "Banana yoghurt – vegan"; not what stands before a comma, "with" or
    /// "and". The claim means the whole dish if the phrase is all of it.
    private mutating func findDiets(_ text: TextAnalysis, _ mentions: [Mention]) {
        for place in text.tokens.indices where isDiet(text, at: place) {
            let isLast =
                place + 1 == text.tokens.count || text.punctuation.startsLine(place + 1)
                || text.punctuation.hasBreak(before: place + 1)
            var (start, end) = (place, place + 1)
            if isLast, !text.punctuation.startsLine(place) {
                while start > 0, !text.punctuation.hasBreak(before: start), !text.punctuation.startsLine(start),
                    !text.has(.addition, at: start - 1), !text.has(.conjunction, at: start - 1)
                {
                    start -= 1
                }
                for mention in mentions where (start..<place).contains(mention.tokens.lowerBound) {
                    lowered[mention.tokens.lowerBound, default: []].formUnion(Self.animal)
                }
            } else {
                while end < text.tokens.count, !text.punctuation.hasBreak(before: end),
                    !text.punctuation.startsLine(end),
                    !text.has(.addition, at: end), !text.has(.conjunction, at: end)
                {
                    end += 1
                }
            }
            let isWhole = start == 0 && end == text.tokens.count
            claims.append(Claim(allergens: Self.animal, scope: isWhole ? nil : start..<end))
        }
    }

    /// True if a word such as "vegan" says what the dish is: not in "not vegan", "can be made vegan", "vegan on request".
    private func isDiet(_ text: TextAnalysis, at place: Int) -> Bool {
        let words = text.lexiconIndex.veganWords
        guard
            words.contains(text.tokens[place].text)
                || place > 0 && words.contains(text.tokens[place - 1].text + " " + text.tokens[place].text)
        else { return false }
        let scope = ScopeFinder(text: text)
        let before = max(0, place - 4)..<place
        let after = (place + 1)..<min(text.tokens.count, place + 4)
        return !scope.isReversed(place) && !before.contains { text.has(.optionBefore, at: $0) }
            && !after.contains { text.has(.optionAfter, at: $0) } && !scope.hasSurcharge(after: place + 1)
    }

    /// Claims directly before a food, with at most one word between.
    private func claims(
        before mention: Mention, _ text: TextAnalysis, _ mentions: [Mention], _ contexts: [MentionContext]
    ) -> Set<Allergen> {
        var claimed: Set<Allergen> = []
        var place = mention.tokens.lowerBound
        var passed = 0
        while place > 0, passed < 3, !text.punctuation.hasBreak(before: place), !text.punctuation.startsLine(place) {
            place -= 1
            passed += 1
            // A claim ends at an addition: "vegan cake with milk".
            let isDenial = if case .free = contexts[place] { true } else { false }
            if !isDenial, text.has(.function, at: place) { return claimed }
            if isDiet(text, at: place) { claimed.formUnion(Self.animal) }
            let printed = String(scalars: text.characters[text.tokens[place].range])
            if let claim = text.lexiconIndex.claimCodes[printed], claim.polarity == .freeClaim {
                claimed.insert(claim.allergen)
            }
            if case .free = contexts[place], let denied = mentions.first(where: { $0.tokens.contains(place) }) {
                // "without milk and butter" lists two foods; "gluten-free bread" names one.
                if case .free = contexts[mention.tokens.lowerBound] { return claimed }
                // "senza glutine" means the food before it.
                let finder = DenialFinder(text: text, mentions: mentions, contexts: contexts)
                if finder.followsFood(denied) { return claimed }
                // Gluten-free bread contains no gluten, but lactose-free milk is milk.
                if denied.meanings.contains(where: { $0.allergen == .gluten }) { claimed.insert(.gluten) }
            }
        }
        return claimed
    }
}
