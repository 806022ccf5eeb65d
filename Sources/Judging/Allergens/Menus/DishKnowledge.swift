import Core

/// What is known about a dish.
struct DishFindings: Sendable {
    var findings: [AllergenFinding] = []
    /// Allergens that such dishes have too seldom for a finding, each with its probability. An allergen without findings
    /// that is not among them is one of which nothing is known.
    var seldom: [AllergenFinding] = []
}

/// Adds the usual allergens of a dish to those its words name. They are at most LIKELY, because a name proves
/// nothing.
struct DishKnowledge: Sendable {
    let detector: FindingDetector

    /// Factor on evidence that a claim of the dish denies. It lowers the probability and never clears the allergen.
    private static let deniedFactor = 0.4
    /// Smallest effect of a kitchen's habit, in logits, that the evidence names.
    private static let minimumNamedShift = 0.25

    /// What is known about one allergen of a dish.
    private struct Estimate {
        /// Probability without a kitchen's habit, 0…1.
        var probability: Double
        var hints: [AllergenFinding]
        var guess: DishModel.Guess?
    }

    /// A dish's words, and an estimate for each allergen of `Allergen.eu14`.
    private struct Dish {
        var words: [Token]
        var features: DishFeatures
        var estimates: [Estimate]
        var language: String?
        /// True if the language of the dish knows each of its words by itself.
        var isKnown: Bool
        /// Bits of the allergens that a word names in any language: "Kung Pao" is a dish in English, and on a German menu.
        var named: UInt64
    }

    /// - Parameters:
    ///   - findings: findings from the words, including the lexicon's knowledge of dishes.
    ///   - habit: the habit of the kitchen; nil if nothing is known about it.
    func added(
        to findings: [AllergenFinding], _ text: DishText, habit: HouseHabit? = nil
    ) -> DishFindings {
        var result = findings.filter { $0.strength != .dishKnowledge || $0.polarity != .likely }
        var seldom: [AllergenFinding] = []
        let dish = dish(findings, text)
        let shifts = habit?.shifts(for: dish.features)
        let named = Set(result.filter { $0.polarity == .contains }.map(\.allergen))
        // A guess about an allergen that the dish names adds nothing.
        for (number, allergen) in Allergen.eu14.enumerated() where !named.contains(allergen) {
            let estimate = dish.estimates[number]
            let shift = shifts?[number]
            let chance = min(
                DishModel.maximumProbability,
                shift.map { HouseHabit.sigmoid(HouseHabit.logit(estimate.probability) + $0.logit) }
                    ?? estimate.probability)
            let isKept = text.qualifiers.doubtful.contains(allergen) && !estimate.hints.isEmpty
            guard chance >= detector.minimumDishProbability || isKept else {
                // Words that nobody knows may name anything, so a low probability says nothing.
                let isSilent = dish.isKnown && dish.named & allergen.bit == 0
                if isSilent || chance >= AllergenVerdict.askFirst, estimate.guess != nil || !estimate.hints.isEmpty {
                    seldom.append(
                        AllergenFinding(
                            allergen: allergen, polarity: .likely, strength: .dishKnowledge, evidence: [],
                            probability: chance.rounded(toPlaces: 4)))
                }
                continue
            }
            var evidence = evidence(estimate, dish, text.text)
            if let shift, abs(shift.logit) >= Self.minimumNamedShift {
                evidence.append(
                    AllergenFinding.Evidence(
                        text: shift.example ?? "", language: dish.language ?? "und", ruleId: "houseHabit",
                        lexeme: allergen.rawValue))
            }
            let confidence = evidence.compactMap(\.ocrConfidence).min()
            let probability = chance * FindingDetector.weight(of: confidence)
            result.append(
                AllergenFinding(
                    allergen: allergen, leaf: nil, polarity: .likely, strength: .dishKnowledge, evidence: evidence,
                    probability: probability.rounded(toPlaces: 4)))
        }
        return DishFindings(findings: result, seldom: seldom)
    }

    /// A dish with declared allergens, as an observation of its kitchen.
    func observation(
        _ text: RecognizedText, language: String?, declared: Set<Allergen>, covered: Set<Allergen>
    ) -> HouseHabit.Observation {
        let (findings, words) = detector.dish(text, language: language)
        let dish = dish(findings, words)
        let probabilities = zip(Allergen.eu14, dish.estimates).map { allergen, estimate in
            let named = findings.filter { $0.allergen == allergen && $0.polarity == .contains }
            return max(estimate.probability, named.map(\.probability).max() ?? 0)
        }
        return HouseHabit.Observation(
            name: text.text(in: 0..<text.characters.count).split(separator: "\n").first.map(String.init) ?? "",
            features: dish.features, probabilities: probabilities, declared: declared, covered: covered)
    }

    /// The words and the lexicon's hints of a dish, which training reads (`DishSample`).
    func sample(
        _ findings: [AllergenFinding], _ text: DishText
    ) -> (features: DishFeatures, hints: [Allergen: Double]) {
        let dish = dish(findings, text)
        let hints = zip(Allergen.eu14, dish.estimates).map { ($0, Self.combined($1.hints)) }
        return (dish.features, Dictionary(uniqueKeysWithValues: hints.filter { $0.1 > 0 }))
    }

    /// Noisy-or of independent hints: the dish lacks the allergen only if every hint fails.
    private static func combined(_ hints: [AllergenFinding]) -> Double {
        hints.isEmpty ? 0 : 1 - hints.reduce(1) { $0 * (1 - $1.probability) }
    }

    private func dish(_ findings: [AllergenFinding], _ text: DishText) -> Dish {
        let hints = findings.filter { $0.strength == .dishKnowledge && $0.polarity == .likely }
        let analysis = text.analysis
        let language = analysis.language.map { detector.lexiconIndex.lexicons[$0].language }
        let model = language.flatMap { detector.dishes[$0] }
        // A word that matches by chance shares letters with the allergen's word, and the model reads pieces of words.
        // A trap hides its words from the model too: oat milk is not milk, and oyster mushrooms are no oysters.
        let hidden = text.mentions.filter { $0.method == .trap }.map(\.tokens) + text.qualifiers.statements
        let places = analysis.tokens.indices.filter { index in
            !analysis.has(.function, at: index) && !analysis.has(.size, at: index)
                && !hidden.contains { $0.contains(index) }
                && !text.qualifiers.unlikely.contains(index)
        }
        let words = places.map(analysis.corrected)
        let features = DishFeatures(words)
        let guesses = model?.guesses(features) ?? []
        let estimates = Allergen.eu14.map { allergen in
            let own = hints.filter { $0.allergen == allergen }
            let guess = guesses.first { $0.allergen == allergen }
            var strength = Self.strength(Self.combined(own), guess)
            let claims = text.qualifiers.claims.filter { $0.allergens.contains(allergen) }
            if !claims.isEmpty {
                // A claim says nothing about the other foods of the dish.
                let scopes = claims.map { $0.scope ?? analysis.tokens.indices }
                let rest = places.filter { place in !scopes.contains { $0.contains(place) } }.map(analysis.corrected)
                let other = model?.guesses(DishFeatures(rest)).first { $0.allergen == allergen }
                let unclaimed = own.filter { $0.probability > DishQualifiers.remainder }
                let isWhole = claims.contains { $0.scope == nil }
                let remaining = isWhole ? 0 : Self.strength(Self.combined(unclaimed), other)
                strength = max(min(strength, remaining), strength * Self.deniedFactor)
            }
            let chance = detector.calibration.probability(ofDishKnowledge: strength)
            return Estimate(probability: chance, hints: own, guess: guess)
        }
        // One unknown word may be the allergen's: "Udang mit Reis". Numbers are no words.
        let content = places.filter { !analysis.tokens[$0].isNumber }
        let isKnown = analysis.language.map { number in
            content.allSatisfy { analysis.standsAlone($0, in: 1 << UInt32(number)) || analysis.isEveryday($0) }
        }
        return Dish(
            words: words, features: features, estimates: estimates, language: language,
            isKnown: !content.isEmpty && isKnown == true, named: named(in: analysis.tokens))
    }

    private func named(in tokens: [Token]) -> UInt64 {
        let index = detector.lexiconIndex
        return tokens.indices.flatMap { index.phrases(at: $0, of: tokens) }.flatMap { index.trie.lexemes($0.node) }
            .filter { $0.role == .entry }
            .reduce(0) { $0 | index.lexicons[Int($1.lexicon)].entries[Int($1.index)].allergen.bit }
    }

    /// The mean of two opinions ranks at least as well as either. Without a model the lexicon is alone.
    private static func strength(_ hint: Double, _ guess: DishModel.Guess?) -> Double {
        guess.map { (hint + $0.probability) / 2 } ?? hint
    }

    private func evidence(
        _ estimate: Estimate, _ dish: Dish, _ text: RecognizedText
    ) -> [AllergenFinding.Evidence] {
        let named = estimate.hints.flatMap(\.evidence)
        guard named.isEmpty, let guess = estimate.guess else { return named }
        let word = dish.words[guess.token]
        return [
            AllergenFinding.Evidence(
                text: text.text(in: word.range), box: text.box(of: word.range),
                ocrConfidence: text.confidence(of: word.range), language: dish.language ?? "und",
                ruleId: "dishModel", lexeme: word.text)
        ]
    }
}
