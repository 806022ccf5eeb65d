import Core

/// Questions, recommendations, answers and abbreviated denials, which name an allergen and declare nothing.
extension ScopeFinder {
    private func isAllergyWord(_ place: Int) -> Bool {
        text.lexiconIndex.allergyStems.contains { text.tokens[place].text.contains($0) }
    }

    /// True if a word of the range is about allergies. "Allergic to nuts? Ask us." names no ingredient.
    private func hasAllergyWord(_ range: Range<Int>) -> Bool { range.contains(where: isAllergyWord) }

    private func isQuestion(_ sentence: Range<Int>) -> Bool {
        let after = text.tokens[sentence.upperBound - 1].range.upperBound
        let next = sentence.upperBound < text.tokens.count ? text.tokens[sentence.upperBound].range.lowerBound : nil
        return text.characters[after..<(next ?? text.characters.count)].contains("?")
    }

    /// The parts of a sentence that are about allergies and declare nothing, with what they make of the names in them: a
    /// question is no statement, and a recommendation claims that the food is free of them.
    func allergyStatements(in sentence: Range<Int>) -> [(part: Range<Int>, context: MentionContext)] {
        if isQuestion(sentence), hasAllergyWord(sentence) { return [(sentence, .option)] }
        return recommendations(in: sentence).map { ($0, .free) }
    }

    /// The same parts of all sentences, in reading order.
    func allergyStatements() -> [Range<Int>] {
        text.tokens.indices.lazy.filter(text.punctuation.isSentenceStart).flatMap { start in
            allergyStatements(in: start..<(text.punctuation.end(of: start) + 1)).map(\.part)
        }
    }

    /// "Suitable for people with an allergy to …" as far as the next comma; German has "geeignet" at the end.
    private func recommendations(in sentence: Range<Int>) -> [Range<Int>] {
        sentence.compactMap { place in
            guard text.lexiconIndex.isRecommendation(text.tokens[place].text), !isReversed(place) else { return nil }
            let end = (place + 1..<sentence.upperBound).first { text.punctuation.hasBreak(before: $0) }
            let part = place..<(end ?? sentence.upperBound)
            if hasAllergyWord(part) { return part }
            let start = (sentence.lowerBound..<place).last { text.punctuation.hasBreak(before: $0) }
            let before = (start ?? sentence.lowerBound)..<place
            return hasAllergyWord(before) && !before.contains { text.has(.reversal, at: $0) } ? before : nil
        }
    }

    /// The most words between a denial and the word "allergens": "free from the 14 major allergens".
    private static let claimReach = 3

    /// True if the text claims that the food has no allergen at all: "contains no known allergens", "Allergens: none".
    func claimsNoAllergens(beside mentions: [Mention]) -> Bool {
        let named = Set(mentions.lazy.filter { !$0.meanings.isEmpty }.flatMap(\.tokens))
        return text.tokens.indices.contains { place in
            if text.has(.negation, at: place), let (length, _) = text.longest(Lexeme.Role.negation.bit, at: place),
                !isReversed(place)
            {
                let end = (place + length..<text.tokens.count).prefix(Self.claimReach + 1).prefix {
                    !named.contains($0) && !text.punctuation.hasBreak(before: $0)
                }
                if end.contains(where: isAllergyWord) { return true }
            }
            return text.punctuation.isFollowedByColon(place) && isDeniedByAnswer(place..<(place + 1))
                && isAllergyWord(place)
        }
    }

    /// The most words of an answer behind a colon: "Milk: does not contain any".
    private static let answerReach = 4

    /// True for "Sesame: no." and "Milch: nicht enthalten", where one denial and nothing else answers.
    func isDeniedByAnswer(_ name: Range<Int>) -> Bool {
        let start = name.upperBound
        guard start < text.tokens.count, text.punctuation.isFollowedByColon(start - 1) else { return false }
        let end = text.punctuation.end(of: start) + 1
        let limit = (start + 1..<end).first { text.punctuation.hasBreak(before: $0) } ?? end
        guard !text.punctuation.startsLine(start), limit - start <= Self.answerReach else { return false }
        var (place, denials) = (start, 0)
        let answers = Lexeme.Role.negation.bit | Lexeme.Role.reversal.bit | Lexeme.Role.declaration.bit
        while place < limit {
            guard let (length, lexemes) = text.longest(answers, at: place) else {
                guard text.has(.function, at: place) else { return false }
                place += 1
                continue
            }
            if lexemes.contains(where: { $0.role != .declaration }) { denials += 1 }
            place += length
        }
        return denials == 1
    }

    /// The first token of an abbreviated denial before an allergen's name, "s/gluten" and "w/o gluten"; nil without one.
    /// Only the allergen's own name counts, because "s/ pan" is also "sobre pan", on bread.
    func slashDenialStart(_ mention: Mention) -> Int? {
        let first = mention.tokens.lowerBound
        guard first > 0, !mention.meanings.isEmpty, text.isAllergenName(mention) else { return nil }
        var end = text.tokens[first].range.lowerBound
        while end > 0, Folding.isSpace(text.characters[end - 1]), !Folding.isNewline(text.characters[end - 1]) {
            end -= 1
        }
        for form in text.lexiconIndex.slashNegations {
            let letters = Array(form.unicodeScalars)
            let start = end - letters.count
            guard start >= 0, String(scalars: text.characters[start..<end]).lowercased() == form,
                start == 0 || !Folding.isWordPart(text.characters[start - 1])
            else { continue }
            return text.tokens[..<first].lastIndex { $0.range.lowerBound == start }
        }
        return nil
    }
}
