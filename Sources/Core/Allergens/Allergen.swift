/// What a law names as an allergen, by the keys that outcomes and profiles use.
///
/// Findings speak of the 14 groups of EU Regulation 1169/2011, Annex II, with members as leaves (`gluten`/`wheat`). The keys of
/// other laws (`wheat` and `shellfish` of the United States, `shrimp` of Japan) are made from them by a regime.
public enum Allergen: String, Sendable, Hashable, Codable, CaseIterable, CodingKeyRepresentable {
    case gluten, crustaceans, eggs, fish, peanuts, soybeans, milk, nuts, celery, mustard, sesame, sulphites, lupin
    case molluscs
    // United States, Canada, Australia and New Zealand.
    case wheat, shellfish, almond, brazilNut, cashew, hazelnut, macadamia, pecan, pineNut, pistachio, walnut
    // Japan.
    case shrimp, crab, buckwheat, abalone, squid, salmonRoe, orange, kiwifruit, beef, salmon, mackerel, chicken, banana
    case pork, peach, yam, apple, gelatin
    /// No law's: a word of a person's own (`AllergenProfile.words`), which the finding's leaf spells.
    case personal

    /// The 14 groups of EU law, in the law's order.
    public static let eu14: [Allergen] = [
        .gluten, .crustaceans, .eggs, .fish, .peanuts, .soybeans, .milk, .nuts, .celery, .mustard, .sesame, .sulphites,
        .lupin, .molluscs,
    ]
}

/// A piece of evidence for or about an allergen in one dish or product.
public struct AllergenFinding: Sendable, Hashable, Codable {
    /// What the text says of the allergen. Nothing here can say that it is absent.
    public enum Polarity: String, Sendable, Hashable, Codable { case contains, mayContain, likely, freeClaim, option }

    /// Where the finding's force comes from, strongest first.
    public enum Strength: String, Sendable, Hashable, Codable {
        case declared, ingredient, legendCode, dishKnowledge, fuzzy
    }

    /// The words that say it.
    public struct Evidence: Sendable, Hashable, Codable {
        /// The printed text, as it was read.
        public var text: String
        /// Where in the picture; nil where the text came without one.
        public var box: Quad?
        /// The reader's confidence in these words, 0…1; nil where the text came without a picture.
        public var ocrConfidence: Double?
        public var language: String
        /// The rule that fired: `lexicon`, `legend`, `precaution`, …
        public var ruleId: String
        /// The lexicon entry or code that matched.
        public var lexeme: String
        /// Edit distance between the print and the lexeme; 0 is exact.
        public var editDistance: Int

        public init(
            text: String, box: Quad? = nil, ocrConfidence: Double? = nil, language: String, ruleId: String,
            lexeme: String, editDistance: Int = 0
        ) {
            self.text = text
            self.box = box
            self.ocrConfidence = ocrConfidence
            self.language = language
            self.ruleId = ruleId
            self.lexeme = lexeme
            self.editDistance = editDistance
        }
    }

    public var allergen: Allergen
    /// The member of a group, `hazelnut` of `nuts`; nil where the text names the group.
    public var leaf: String?
    public var polarity: Polarity
    public var strength: Strength
    public var evidence: [Evidence]
    /// Probability 0…1 that the statement holds for this dish or product.
    public var probability: Double

    public init(
        allergen: Allergen, leaf: String? = nil, polarity: Polarity, strength: Strength, evidence: [Evidence],
        probability: Double
    ) {
        self.allergen = allergen
        self.leaf = leaf
        self.polarity = polarity
        self.strength = strength
        self.evidence = evidence
        self.probability = probability
    }
}

/// What is said to one person about one allergen in one dish or product.
public struct AllergenVerdict: Sendable, Hashable, Codable {
    /// Text can prove presence, never absence: there is no word for the absence of danger here.
    public enum Word: String, Sendable, Hashable, Codable, CaseIterable {
        case contains = "CONTAINS"
        case mayContain = "MAY_CONTAIN"
        case likely = "LIKELY"
        case notFoundInText = "NOT_FOUND_IN_TEXT"
        case cannotTell = "CANNOT_TELL"
    }

    /// The person's sensitivity × the probability.
    public enum Risk: String, Sendable, Hashable, Codable { case high, medium, low, unknown }

    public var verdict: Word
    public var risk: Risk
    /// Probability 0…1 that the allergen is present.
    public var probability: Double
    /// Why it cannot be told, or what the verdict rests on; a key, rendered in the reader's language elsewhere.
    public var reason: String?
    /// Who corrected it; nil for the system's own verdict.
    public var by: String?
    /// When it was corrected, ISO 8601.
    public var at: String?
    /// What the system itself says, where a person corrected it.
    public var system: Own?

    /// The system's own verdict beside a correction.
    public struct Own: Sendable, Hashable, Codable {
        public var verdict: Word
        public var risk: Risk
        public var probability: Double
        public var reason: String?
    }

    /// What the system itself says, corrected or not.
    public var own: Own { system ?? Own(verdict: verdict, risk: risk, probability: probability, reason: reason) }

    public init(verdict: Word, risk: Risk, probability: Double, reason: String? = nil) {
        self.verdict = verdict
        self.risk = risk
        self.probability = probability
        self.reason = reason
    }
}

extension AllergenVerdict.Word {
    /// Order of gravity, larger is graver: what is known to be there before what may be, what cannot be told before what was
    /// not mentioned.
    public var gravity: Int {
        switch self {
        case .contains: 4
        case .likely: 3
        case .mayContain: 2
        case .cannotTell: 1
        case .notFoundInText: 0
        }
    }

    /// True for the words that say that an allergen is or may be there.
    public var isWarning: Bool { gravity >= 2 }
}

/// How much of what matters was read: what a NOT_FOUND_IN_TEXT rests on.
public struct Coverage: Sendable, Hashable, Codable {
    /// Mean confidence of the words read, 0…1.
    public var ocrQuality: Double
    /// Regions that look like text and were not read.
    public var unreadRegions: Int
    /// Share of ingredients that no lexicon knows, 0…1.
    public var unknownIngredientRatio: Double
    public var legendPresent: Bool
    /// Codes printed on the page that no legend of the page explains.
    public var unresolvedCodes: [String]
    /// `label`, `dish`, `menuLine`, `catalogue`.
    public var sourceKind: String

    public init(
        ocrQuality: Double, unreadRegions: Int = 0, unknownIngredientRatio: Double = 0, legendPresent: Bool = false,
        unresolvedCodes: [String] = [], sourceKind: String
    ) {
        self.ocrQuality = ocrQuality
        self.unreadRegions = unreadRegions
        self.unknownIngredientRatio = unknownIngredientRatio
        self.legendPresent = legendPresent
        self.unresolvedCodes = unresolvedCodes
        self.sourceKind = sourceKind
    }
}

/// A person and what they must not eat.
public struct AllergenProfile: Sendable, Hashable, Codable {
    public enum Sensitivity: String, Sendable, Hashable, Codable { case mild, moderate, high, severe }

    /// The name that verdicts are keyed by.
    public var name: String
    /// The law whose list of allergens applies: a file of `models/regimes`.
    public var regime: String
    public var allergens: [Allergen: Sensitivity]
    /// The language that verdicts are worded in, BCP 47; nil is English.
    public var language: String?
    /// Words of the person's own that must be shown wherever they stand: "kiwi", "paprika". Nil is none.
    public var words: [String]?

    public init(
        name: String, regime: String = "eu14", allergens: [Allergen: Sensitivity], language: String? = nil,
        words: [String]? = nil
    ) {
        self.name = name
        self.regime = regime
        self.allergens = allergens
        self.language = language
        self.words = words
    }
}

/// Verdicts by profile name, then by allergen.
public typealias Verdicts = [String: [Allergen: AllergenVerdict]]
