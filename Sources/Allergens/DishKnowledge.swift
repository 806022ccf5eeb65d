import Vocabulary

/// Adds what a dish usually holds to what its words name. Capped at LIKELY: a name proves nothing.
struct DishKnowledge: Sendable {
    let detector: FindingDetector

    /// - Parameter findings: what the words name, with the lexicon's own knowledge of dishes among it.
    func added(to findings: [AllergenFinding], _ text: ReadText, _ analysis: TextAnalysis) -> [AllergenFinding] {
        var result = findings.filter { $0.strength != .dishKnowledge || $0.polarity != .likely }
        let known = findings.filter { $0.strength == .dishKnowledge && $0.polarity == .likely }
        let language = analysis.language.map { detector.lexica.lexicons[$0].language }
        let model = language.flatMap { detector.dishes[$0] }
        var learned = model?.chances(of: analysis.tokens) ?? []
        for allergen in Allergen.eu14 {
            let own = known.filter { $0.allergen == allergen }
            // Several hints make a better one: the dish has it unless none of them holds.
            let hinted = 1 - own.reduce(1) { $0 * (1 - $1.probability) }
            let place = learned.firstIndex { $0.allergen == allergen }
            let guess = place.map { learned.remove(at: $0) }
            let chance = min(DishModel.mostProbability, max(own.isEmpty ? 0 : hinted, guess?.probability ?? 0))
            guard chance >= FindingDetector.leastDishProbability else { continue }
            var evidence = own.flatMap(\.evidence)
            if evidence.isEmpty, let guess, let model {
                let range = analysis.tokens[guess.token].range
                evidence = [
                    AllergenFinding.Evidence(
                        text: text.text(in: range), box: text.box(of: range), ocrConfidence: text.confidence(of: range),
                        language: model.language, ruleId: "dishModel", lexeme: analysis.tokens[guess.token].text)
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
