import Core

/// Findings → the word a person is shown. Presence outranks absence, and no claim clears anything.
struct VerdictRules: Sendable {
    let regimes: [String: AllergenRegime]
    /// The regime of a profile that names one nobody knows.
    let fallback: AllergenRegime
    /// Groups of which a lexicon has words.
    let covered: Set<Allergen>

    /// Whether the text that was read can carry a NOT_FOUND_IN_TEXT.
    enum Silence: Sendable, Hashable {
        /// It names what it must name for these groups, but for those that an unclear word may have named
        /// (`WordCorrection.suspects`).
        case speaks(for: Set<Allergen>, except: UInt64 = 0)
        /// Its silence means nothing; the key says why.
        case meansNothing(reason: String)
    }

    /// The least mean confidence of a list's words that its silence may rest on.
    static let leastReadingQuality = 0.80
    /// The largest share of unknown ingredients that a list's silence may rest on: one in four.
    static let mostUnknownIngredients = 0.25
    /// The largest share of words that look misread that a list's silence may rest on.
    static let mostMisreadWords = 0.12

    /// The share of such words above which unclear words are doubted more.
    static let fewMisreadWords = 0.03

    func regime(named name: String) -> AllergenRegime { regimes[name] ?? fallback }

    func verdicts(findings: [AllergenFinding], silence: Silence, profiles: [AllergenProfile]) -> Verdicts {
        var verdicts: Verdicts = [:]
        for profile in profiles {
            verdicts[profile.name] = self.verdicts(findings: findings, silence: silence, profile: profile)
        }
        return verdicts
    }

    /// Verdicts for the allergens of one profile, by the keys of its regime.
    func verdicts(
        findings: [AllergenFinding], silence: Silence, profile: AllergenProfile
    ) -> [Allergen: AllergenVerdict] {
        let regime = regime(named: profile.regime)
        let named = regime.findings(findings)
        let spoken: Set<Allergen>
        var doubtful: Set<Allergen> = []
        if case .speaks(let groups, let suspects) = silence {
            spoken = regime.keys(for: groups.intersection(covered))
            if suspects != 0 {
                doubtful = Set(regime.allergens.filter { regime.isDoubtful($0, suspects) })
            }
        } else {
            spoken = []
        }
        var words: [Allergen: AllergenVerdict] = [:]
        for (allergen, sensitivity) in profile.allergens {
            var silence = silence
            if case .speaks = silence {
                if doubtful.contains(allergen) {
                    silence = .meansNothing(reason: "unclearWord")
                } else {
                    silence = .speaks(for: spoken)
                }
            }
            words[allergen] = Self.verdict(
                on: allergen, findings: named.filter { $0.allergen == allergen }, silence: silence,
                sensitivity: sensitivity)
        }
        words[.personal] = Self.verdict(onWordsOf: profile, findings)
        return words
    }

    /// A person's own words that were found; that they were not says nothing, since nobody must declare them.
    private static func verdict(onWordsOf profile: AllergenProfile, _ findings: [AllergenFinding]) -> AllergenVerdict? {
        guard let own = profile.words, !own.isEmpty else { return nil }
        return verdict(
            on: .personal,
            findings: findings.filter { $0.allergen == .personal && $0.leaf.map(own.contains) == true },
            silence: .meansNothing(reason: "wordNotFound"), sensitivity: .high)
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
        // A warning of traces says that traces are possible: how often they are there nobody states; one in two is assumed.
        if let finding = strongest(.mayContain), finding.probability >= likely?.probability ?? 0 {
            return shown(
                .mayContain, 0.5 * finding.probability, sensitivity, claim ? "contradiction" : "precaution")
        }
        if let finding = likely {
            return shown(.likely, finding.probability, sensitivity, claim ? "contradiction" : finding.strength.rawValue)
        }
        switch silence {
        case .speaks(let allergens, _) where allergens.contains(allergen):
            // What a complete list leaves out is seldom inside, but text proves no absence.
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
