import Core

/// Derives verdicts from findings. Presence outranks absence, and no claim clears an allergen.
struct VerdictRules: Sendable {
    let regimes: [String: AllergenRegime]
    /// The regime for profiles with an unknown regime.
    let fallback: AllergenRegime
    /// Allergen groups with words in a lexicon.
    let covered: Set<Allergen>

    /// Whether the text supports an absence claim, that is, a NOT_FOUND_IN_TEXT verdict.
    enum AbsenceClaim: Sendable, Hashable {
        /// The text would name these groups if they were present. Exceptions are groups that an unclear word may name
        /// (`WordCorrection.suspects`).
        case supported(for: Set<Allergen>, except: UInt64 = 0)
        /// The text supports no absence claim. The key states the reason.
        case unsupported(reason: String)
    }

    /// Minimum probability of an allergen that is typical, and not printed, for LIKELY; below it staff can tell.
    static let minimumLikelihood = 0.5
    /// Allergens that come with what a kitchen buys: stock, margarine, wine, rolls. Mustard follows the words.
    static let purchased: Set<Allergen> = [.soybeans, .celery, .sesame, .sulphites, .lupin]

    /// Minimum mean confidence of a list's words for an absence claim.
    static let minimumReadingQuality = 0.80
    /// Maximum share of unknown ingredients in a list for an absence claim.
    static let maximumUnknownIngredients = 0.25
    /// Maximum share of apparently misread words in a list for an absence claim.
    static let maximumMisreadWords = 0.12

    /// The share of misread words above which unclear words retract more absence claims.
    static let doubtfulMisreadWords = 0.03

    func regime(named name: String) -> AllergenRegime { regimes[name] ?? fallback }

    /// - Parameter seldom: the allergens that such dishes have seldom.
    func verdicts(
        findings: [AllergenFinding], seldom: [AllergenFinding] = [], absenceClaim: AbsenceClaim,
        profiles: [AllergenProfile]
    ) -> Verdicts {
        var verdicts: Verdicts = [:]
        for profile in profiles {
            verdicts[profile.name] = self.verdicts(
                findings: findings, seldom: seldom, absenceClaim: absenceClaim, profile: profile)
        }
        return verdicts
    }

    /// Verdicts for the allergens of one profile, by the keys of its regime.
    func verdicts(
        findings: [AllergenFinding], seldom: [AllergenFinding] = [], absenceClaim: AbsenceClaim,
        profile: AllergenProfile
    ) -> [Allergen: AllergenVerdict] {
        let regime = regime(named: profile.regime)
        let named = regime.findings(findings)
        let seldom = regime.findings(seldom)
        let supported: Set<Allergen>
        var doubtful: Set<Allergen> = []
        if case .supported(let groups, let suspects) = absenceClaim {
            // A key such as walnut may be declared by itself, without its group.
            supported = regime.keys(for: groups.intersection(covered)).union(groups.intersection(regime.allergens))
            if suspects != 0 {
                doubtful = Set(regime.allergens.filter { regime.isDoubtful($0, suspects) })
            }
        } else {
            supported = []
        }
        var words = [Allergen: AllergenVerdict](minimumCapacity: profile.allergens.count + 1)
        for (allergen, sensitivity) in profile.allergens {
            var absenceClaim = absenceClaim
            if case .supported = absenceClaim {
                if doubtful.contains(allergen) {
                    absenceClaim = .unsupported(reason: "unclearWord")
                } else {
                    absenceClaim = .supported(for: supported)
                }
            }
            var verdict = Self.verdict(
                on: allergen, findings: named.filter { $0.allergen == allergen }, absenceClaim: absenceClaim,
                sensitivity: sensitivity, exempts: regime.exempts)
            let chance = seldom.filter { $0.allergen == allergen }.map(\.probability).max()
            if let chance, verdict.verdict == .cannotTell, verdict.reason == AllergenVerdict.noDeclaration {
                (verdict.probability, verdict.risk) = (chance, Self.risk(sensitivity, chance))
            }
            words[allergen] = verdict
        }
        words[.personal] = Self.verdict(onWordsOf: profile, findings)
        return words
    }

    /// The verdict for personal words that were found; nil otherwise. Labels need not declare such words, so a
    /// missing word means nothing.
    private static func verdict(onWordsOf profile: AllergenProfile, _ findings: [AllergenFinding]) -> AllergenVerdict? {
        guard let own = profile.words, !own.isEmpty else { return nil }
        return verdict(
            on: .personal,
            findings: findings.filter { $0.allergen == .personal && $0.leaf.map(own.contains) == true },
            absenceClaim: .unsupported(reason: "wordNotFound"), sensitivity: .high)
    }

    /// The verdict if some findings rest on derivatives that the law exempts.
    ///
    /// The exemption says that such a derivative seldom harms, not that it never does. A person of high or severe
    /// sensitivity gets CONTAINS with the reason. Others get MAY_CONTAIN. Nobody gets NOT_FOUND_IN_TEXT.
    private static func verdict(
        on allergen: Allergen, findings: [AllergenFinding], absenceClaim: AbsenceClaim,
        sensitivity: AllergenProfile.Sensitivity, exempts: (AllergenFinding) -> Bool
    ) -> AllergenVerdict {
        let isExempt = findings.map { [.contains, .likely].contains($0.polarity) && exempts($0) }
        guard isExempt.contains(true) else {
            return verdict(on: allergen, findings: findings, absenceClaim: absenceClaim, sensitivity: sensitivity)
        }
        let other = zip(findings, isExempt).filter { !$1 }.map(\.0)
        let rest = verdict(on: allergen, findings: other, absenceClaim: absenceClaim, sensitivity: sensitivity)
        let strongest = zip(findings, isExempt).filter(\.1).map(\.0.probability).max()
        guard let strongest, rest.verdict != .contains, rest.verdict != .likely else { return rest }
        if sensitivity == .high || sensitivity == .severe {
            return shown(.contains, strongest, sensitivity, "exempt")
        }
        return rest.verdict == .mayContain ? rest : shown(.mayContain, 0.5 * strongest, sensitivity, "exempt")
    }

    static func verdict(
        on allergen: Allergen, findings: [AllergenFinding], absenceClaim: AbsenceClaim,
        sensitivity: AllergenProfile.Sensitivity
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
        let followsKitchen = likely.map(Self.followsKitchen) ?? false
        let isLikely = likely.map { $0.probability >= Self.minimumLikelihood } ?? false
        // A precaution states that traces are possible, not how often they occur. One in two is assumed. It adds to what
        // the rest says and takes nothing down.
        if let finding = strongest(.mayContain), !isLikely {
            return shown(
                .mayContain, 0.5 * finding.probability, sensitivity, claim ? "contradiction" : "precaution")
        }
        if let finding = likely {
            return shown(
                isLikely ? .likely : .cannotTell, finding.probability, sensitivity,
                claim ? "contradiction" : followsKitchen && !isLikely ? Menu.kitchenReason : finding.strength.rawValue)
        }
        switch absenceClaim {
        case .supported(let allergens, _) where allergens.contains(allergen):
            // A complete list seldom omits an allergen, but text cannot prove absence.
            return AllergenVerdict(verdict: .notFoundInText, risk: .low, probability: 0.03, reason: "notMentioned")
        case .supported:
            return AllergenVerdict(
                verdict: .cannotTell, risk: .unknown, probability: 0.5, reason: AllergenVerdict.noDeclaration)
        case .unsupported(let reason):
            let option = findings.contains { $0.polarity == .option }
            return AllergenVerdict(
                verdict: .cannotTell, risk: .unknown, probability: 0.5, reason: option ? "optionOnly" : reason)
        }
    }

    /// True for usual knowledge of an allergen that a kitchen buys, while nothing is known of this kitchen.
    private static func followsKitchen(_ finding: AllergenFinding) -> Bool {
        finding.strength == .dishKnowledge && purchased.contains(finding.allergen)
            && !finding.evidence.contains { $0.ruleId == "houseHabit" || $0.ruleId == "heading" }
    }

    /// Sensitivity × probability, in three levels.
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
        _ word: AllergenVerdict.Kind, _ probability: Double, _ sensitivity: AllergenProfile.Sensitivity,
        _ reason: String
    ) -> AllergenVerdict {
        AllergenVerdict(
            verdict: word, risk: risk(sensitivity, probability), probability: probability, reason: reason)
    }
}
