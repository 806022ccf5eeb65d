import Vocabulary

/// Findings → the word a person is shown. Presence outranks absence, and no claim clears anything.
enum VerdictRules {
    /// Whether the text that was read can carry a NOT_FOUND_IN_TEXT.
    enum Silence: Sendable, Hashable {
        /// It names what it must name for these allergens.
        case speaks(for: Set<Allergen>)
        /// Its silence means nothing; the key says why.
        case meansNothing(reason: String)
    }

    /// The least mean confidence of a list's words that its silence may rest on.
    static let leastReadingQuality = 0.80
    /// The largest share of unknown ingredients that a list's silence may rest on: one in ten.
    static let mostUnknownIngredients = 0.10

    static func verdicts(
        findings: [AllergenFinding], silence: Silence, profiles: [AllergenProfile]
    ) -> Verdicts {
        var verdicts: Verdicts = [:]
        for profile in profiles {
            var words: [Allergen: AllergenVerdict] = [:]
            for (allergen, sensitivity) in profile.allergens {
                words[allergen] = verdict(
                    on: allergen, findings: findings.filter { $0.allergen == allergen }, silence: silence,
                    sensitivity: sensitivity)
            }
            verdicts[profile.name] = words
        }
        return verdicts
    }

    static func verdict(
        on allergen: Allergen, findings: [AllergenFinding], silence: Silence, sensitivity: AllergenProfile.Sensitivity
    ) -> AllergenVerdict {
        func strongest(_ polarity: AllergenFinding.Polarity) -> AllergenFinding? {
            findings.filter { $0.polarity == polarity }.max { $0.probability < $1.probability }
        }
        let claim = findings.contains { $0.polarity == .freeClaim || $0.polarity == .option }
        if let finding = strongest(.contains) {
            return shown(
                .contains, finding.probability, sensitivity, claim ? "contradiction" : finding.strength.rawValue)
        }
        let likely = strongest(.likely)
        if let finding = strongest(.mayContain), finding.probability >= likely?.probability ?? 0 {
            return shown(.mayContain, finding.probability, sensitivity, claim ? "contradiction" : "precaution")
        }
        if let finding = likely {
            return shown(.likely, finding.probability, sensitivity, claim ? "contradiction" : finding.strength.rawValue)
        }
        switch silence {
        case .speaks(let allergens) where allergens.contains(allergen):
            // What a complete list leaves out is seldom inside, but text proves no absence. Not calibrated yet.
            return AllergenVerdict(verdict: .notFoundInText, risk: .low, probability: 0.03, reason: "notMentioned")
        case .speaks:
            return AllergenVerdict(verdict: .cannotTell, risk: .unknown, probability: 0.5, reason: "noDeclaration")
        case .meansNothing(let reason):
            let option = findings.contains { $0.polarity == .option }
            return AllergenVerdict(
                verdict: .cannotTell, risk: .unknown, probability: 0.5, reason: option ? "optionOnly" : reason)
        }
    }

    /// Sensitivity × probability, in three steps.
    static func risk(_ sensitivity: AllergenProfile.Sensitivity, _ probability: Double) -> AllergenVerdict.Risk {
        let weight =
            switch sensitivity {
            case .mild: 0.4
            case .moderate: 0.6
            case .high: 0.85
            case .severe: 1.0
            }
        return switch weight * probability {
        case 0.5...: .high
        case 0.25...: .medium
        default: .low
        }
    }

    private static func shown(
        _ word: AllergenVerdict.Word, _ probability: Double, _ sensitivity: AllergenProfile.Sensitivity,
        _ reason: String
    ) -> AllergenVerdict {
        AllergenVerdict(
            verdict: word, risk: risk(sensitivity, probability), probability: probability, reason: reason)
    }
}
