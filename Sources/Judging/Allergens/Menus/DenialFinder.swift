import Core

/// Finds the food that a denial of a dish means. In most languages it precedes the denial: "pasta senza glutine",
/// "Brot glutenfrei". In doubt the denial means no food, and the food warns.
struct DenialFinder: Sendable {
    let text: TextAnalysis
    let mentions: [Mention]
    let contexts: [MentionContext]

    /// A food that a denial means, and the denied allergens that it usually has.
    struct Food: Sendable {
        var mention: Mention
        var allergens: Set<Allergen>
    }

    /// True if the words are denied and name an allergen: "glutine" of "senza glutine".
    func isDenial(_ mention: Mention) -> Bool {
        guard !mention.meanings.isEmpty, case .free = contexts[mention.tokens.lowerBound] else { return false }
        return true
    }

    /// The denied allergens. A part is not the allergen: food without lactose may contain milk.
    func denied(by mention: Mention) -> Set<Allergen> {
        let words = text.tokens[mention.tokens].map(\.text)
        let isPart = words.contains { word in text.lexiconIndex.partStems.contains { word.hasPrefix($0) } }
        return isPart ? [] : Set(mention.meanings.map(\.allergen))
    }

    /// True if a word such as "senza" denies the mention, and a food with its allergen precedes both.
    func followsFood(_ denial: Mention) -> Bool {
        guard !denial.isDenied, !isDeniedByNextWord(denial) else { return false }
        return precedingFood(of: denial).food != nil
    }

    /// The tokens that the denial refers to with its own, nil for the whole dish, and the food to lower.
    /// - Parameter isBefore: the tokens of a food behind the denial that was lowered already.
    func reach(of denial: Mention, isBefore: Range<Int>?) -> (scope: Range<Int>?, food: Food?) {
        let end = denialEnd(denial)
        if let isBefore { return (denial.tokens.lowerBound..<max(end, isBefore.upperBound), nil) }
        let (start, food) = precedingFood(of: denial)
        let first = phraseStart(denial)
        let isAlone = start == first && food == nil
        return (isAlone ? nil : start..<end, food)
    }

    private func isDeniedByNextWord(_ mention: Mention) -> Bool { ScopeFinder(text: text).isDeniedByNextWord(mention) }

    private func denialEnd(_ mention: Mention) -> Int {
        isDeniedByNextWord(mention) ? mention.tokens.upperBound + 1 : mention.tokens.upperBound
    }

    /// The first token of the denial: "senza" of "senza glutine".
    private func phraseStart(_ denial: Mention) -> Int {
        var first = ScopeFinder(text: text).slashDenialStart(denial) ?? denial.tokens.lowerBound
        while first > 0, !text.punctuation.hasBreak(before: first), !text.punctuation.startsLine(first),
            isDenying(first - 1)
        {
            first -= 1
        }
        return first
    }

    private func isDenying(_ place: Int) -> Bool {
        if text.has(.addition, at: place) { return false }
        if text.has(.negation, at: place) || text.has(.function, at: place) { return true }
        if case .free = contexts[place] { return true }
        return text.longest(Lexeme.Role.negation.bit, at: max(0, place - 1))?.length ?? 0 > 1
    }

    /// The nearest food with the denied allergen before the denial, and the first token of what the denial may mean.
    /// The search ends at punctuation, at a new line and at an added food ("with", "and"). Only an opening parenthesis
    /// directly before the denial is passed: "pizza (senza glutine)".
    private func precedingFood(of denial: Mention) -> (start: Int, food: Food?) {
        let allergens = denied(by: denial)
        let first = phraseStart(denial)
        var place = first
        while place > 0, !text.punctuation.startsLine(place) {
            if text.punctuation.hasBreak(before: place) {
                guard place == first, text.punctuation.depth(before: place) > 0 else { break }
            }
            if text.has(.addition, at: place - 1) || text.has(.conjunction, at: place - 1) { break }
            place -= 1
            for mention in mentions where mention.tokens.contains(place) {
                let usual = usual(mention, allergens)
                if !usual.isEmpty { return (mention.tokens.lowerBound, Food(mention: mention, allergens: usual)) }
            }
        }
        return (place, nil)
    }

    /// The denied allergens that the food usually has. Gluten-free bread exists, so any food may be without gluten.
    /// A word that names another allergen itself, such as butter, keeps its warning.
    func usual(_ mention: Mention, _ allergens: Set<Allergen>) -> Set<Allergen> {
        guard case .plain = contexts[mention.tokens.lowerBound] else { return [] }
        return allergens.filter { allergen in
            let meanings = mentions.filter { $0.tokens.lowerBound == mention.tokens.lowerBound }.flatMap(\.meanings)
                .filter {
                    $0.allergen == allergen
                }
            return !meanings.isEmpty
                && (allergen == .gluten || meanings.allSatisfy { $0.kind == .dish || $0.kind == .composite })
        }
    }
}
