import Core

/// Adds the usual allergens of a dish to those its words name. They are at most LIKELY, because a name proves
/// nothing.
struct DishKnowledge: Sendable {
    let detector: FindingDetector

    private static let animal: Set<Allergen> = [.milk, .eggs, .fish, .crustaceans, .molluscs]

    /// - Parameter findings: findings from the words, including the lexicon's knowledge of dishes.
    func added(to findings: [AllergenFinding], _ text: RecognizedText, _ analysis: TextAnalysis) -> [AllergenFinding] {
        var result = findings.filter { $0.strength != .dishKnowledge || $0.polarity != .likely }
        let known = findings.filter { $0.strength == .dishKnowledge && $0.polarity == .likely }
        let language = analysis.language.map { detector.lexiconIndex.lexicons[$0].language }
        let model = language.flatMap { detector.dishes[$0] }
        let words = analysis.tokens.indices.filter { !analysis.has(.function, at: $0) }.map(analysis.corrected)
        var learned = model?.probabilities(of: words) ?? []
        // A free-from or vegan claim lowers the probability but never clears the allergen.
        let denied = Set(findings.filter { $0.polarity == .freeClaim }.map(\.allergen))
        let isVegan = analysis.tokens.contains { detector.lexiconIndex.veganWords.contains($0.text) }
        for allergen in Allergen.eu14 {
            let own = known.filter { $0.allergen == allergen }
            // Noisy-or of independent hints: the dish lacks the allergen only if every hint fails.
            let hinted = 1 - own.reduce(1) { $0 * (1 - $1.probability) }
            let place = learned.firstIndex { $0.allergen == allergen }
            let guess = place.map { learned.remove(at: $0) }
            var hint = own.isEmpty ? 0 : hinted
            var learnt = guess?.probability ?? 0
            if denied.contains(allergen) || isVegan && Self.animal.contains(allergen) {
                hint *= 0.4
                learnt *= 0.4
            }
            guard hint >= FindingDetector.minimumHintProbability || learnt >= FindingDetector.minimumDishProbability
            else { continue }
            let chance = min(DishModel.maximumProbability, max(hint, learnt))
            var evidence = own.flatMap(\.evidence)
            if evidence.isEmpty, let guess, let model {
                let range = words[guess.token].range
                evidence = [
                    AllergenFinding.Evidence(
                        text: text.text(in: range), box: text.box(of: range), ocrConfidence: text.confidence(of: range),
                        language: model.language, ruleId: "dishModel", lexeme: words[guess.token].text)
                ]
            }
            let confidence = evidence.compactMap(\.ocrConfidence).min()
            let probability = chance * FindingDetector.weight(of: confidence)
            result.append(
                AllergenFinding(
                    allergen: allergen, leaf: nil, polarity: .likely, strength: .dishKnowledge, evidence: evidence,
                    probability: probability.rounded(toPlaces: 4)))
        }
        return result
    }
}
