/// An allergen as a law names it. The raw values are the keys of outcomes and profiles.
///
/// Findings use the 14 groups of EU Regulation 1169/2011, Annex II. A member of a group is a leaf (`gluten`/`wheat`).
/// A regime derives the keys of other laws from these, such as `wheat` of the United States or `shrimp` of Japan.
public enum Allergen: String, Sendable, Hashable, Codable, CaseIterable, CodingKeyRepresentable {
    case gluten, crustaceans, eggs, fish, peanuts, soybeans, milk, nuts, celery, mustard, sesame, sulphites, lupin
    case molluscs
    // United States, Canada, Australia and New Zealand.
    case wheat, shellfish, almond, brazilNut, cashew, hazelnut, macadamia, pecan, pineNut, pistachio, walnut
    // Japan.
    case shrimp, crab, buckwheat, abalone, squid, salmonRoe, orange, kiwifruit, beef, salmon, mackerel, chicken, banana
    case pork, peach, yam, apple, gelatin
    /// Not listed by any law: one of the person's own words (`AllergenProfile.words`). The finding's leaf holds the
    /// word.
    case personal

    /// The 14 groups of EU law, in the order of the regulation.
    public static let eu14: [Allergen] = [
        .gluten, .crustaceans, .eggs, .fish, .peanuts, .soybeans, .milk, .nuts, .celery, .mustard, .sesame, .sulphites,
        .lupin, .molluscs,
    ]
}

/// Evidence about one allergen in one dish or product.
public struct AllergenFinding: Sendable, Hashable, Codable {
    /// What the text states about the allergen. No case states that it is absent.
    public enum Polarity: String, Sendable, Hashable, Codable, CaseIterable {
        case contains, mayContain, likely, freeClaim, option
    }

    /// The kind of evidence, strongest first.
    public enum Strength: String, Sendable, Hashable, Codable, CaseIterable {
        case declared, ingredient, legendCode, dishKnowledge, fuzzy
    }

    /// The words that support the finding.
    public struct Evidence: Sendable, Hashable, Codable {
        /// The recognised text.
        public var text: String
        /// Position in pixels of the upright image; nil if the text has no image.
        public var box: Quad?
        /// Recognition confidence of these words, 0…1; nil if the text has no image.
        public var ocrConfidence: Double?
        public var language: String
        /// The rule that produced the finding: `lexicon`, `legend`, `precaution`, …
        public var ruleId: String
        /// The lexicon entry or the allergen code that matched.
        public var lexeme: String
        /// Edit distance between the recognised text and the lexeme; 0 is an exact match.
        public var editDistance: Int
        /// The derivative that some laws exempt from declaration, such as `refinedSoybeanOil`; nil for all others.
        public var exemption: String?

        public init(
            text: String, box: Quad? = nil, ocrConfidence: Double? = nil, language: String, ruleId: String,
            lexeme: String, editDistance: Int = 0, exemption: String? = nil
        ) {
            self.text = text
            self.box = box
            self.ocrConfidence = ocrConfidence
            self.language = language
            self.ruleId = ruleId
            self.lexeme = lexeme
            self.editDistance = editDistance
            self.exemption = exemption
        }
    }

    public var allergen: Allergen
    /// The member of a group, such as `hazelnut` of `nuts`; nil if the text names the group.
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

/// The verdict for one person, one allergen, and one dish or product.
public struct AllergenVerdict: Sendable, Hashable, Codable {
    /// Text can prove presence, never absence. No verdict therefore states that an allergen is absent.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case contains = "CONTAINS"
        case mayContain = "MAY_CONTAIN"
        case likely = "LIKELY"
        case notFoundInText = "NOT_FOUND_IN_TEXT"
        case cannotTell = "CANNOT_TELL"
    }

    /// The person's sensitivity multiplied by the probability.
    public enum Risk: String, Sendable, Hashable, Codable, CaseIterable { case high, medium, low, unknown }

    public var verdict: Kind
    public var risk: Risk
    /// Probability 0…1 that the allergen is present.
    public var probability: Double
    /// The key of the reason for the verdict. `Wording` translates it.
    public var reason: String?
    /// The person who corrected the verdict; nil for the system's own verdict.
    public var by: String?
    /// The time of the correction, ISO 8601.
    public var at: String?
    /// What that person said; nil if they confirmed the system's own verdict.
    public var said: Review.Said?
    /// The system's own verdict, kept next to a correction.
    public var system: Own?

    /// The system's own verdict, kept next to a correction.
    public struct Own: Sendable, Hashable, Codable {
        public var verdict: Kind
        public var risk: Risk
        public var probability: Double
        public var reason: String?
    }

    /// The system's own verdict, whether or not a person corrected it.
    public var own: Own { system ?? Own(verdict: verdict, risk: risk, probability: probability, reason: reason) }

    public init(verdict: Kind, risk: Risk, probability: Double, reason: String? = nil) {
        self.verdict = verdict
        self.risk = risk
        self.probability = probability
        self.reason = reason
    }
}

extension AllergenVerdict {
    /// The reason of a verdict where nothing declares allergens.
    public static let noDeclaration = "noDeclaration"

    /// From this probability on, staff are asked about an allergen that nothing names.
    public static let askFirst = 0.05

    /// True for an allergen that such dishes may have, with less than 50 %.
    public var isPossible: Bool { verdict == .cannotTell && risk != .unknown && probability >= Self.askFirst }

    /// As ``Own/gravity``, of the verdict with what people said.
    public var gravity: Double { Own(verdict: verdict, risk: risk, probability: probability, reason: nil).gravity }

    /// True if nothing points to the allergen: the text is silent, and such dishes have it too seldom to ask first.
    public var isUnlikely: Bool { verdict.isUnlikely(risk, probability) }

    /// The verdict where something that was not read or not understood may name the allergen: what is unlikely by such
    /// dishes becomes unknown.
    public var doubted: AllergenVerdict {
        guard verdict == .cannotTell, isUnlikely else { return self }
        var doubted = self
        (doubted.risk, doubted.probability) = (.unknown, 0.5)
        return doubted
    }
}

extension AllergenVerdict.Own {
    /// As ``AllergenVerdict/isUnlikely``.
    public var isUnlikely: Bool { verdict.isUnlikely(risk, probability) }

    /// Order of what to avoid and ask about: the verdict, what is possible before what is unknown, then the probability.
    /// That of print says how well it was read, not how grave it is.
    public var gravity: Double {
        let isPossible = verdict == .cannotTell && risk != .unknown && probability >= AllergenVerdict.askFirst
        return Double(verdict.severity) * 10 + (isPossible ? 5 : 0) + (verdict == .contains ? 1 : probability)
    }
}

extension Verdicts {
    /// Each verdict ``AllergenVerdict/doubted``. Where the text is silent, the part that was not read may name the allergen;
    /// what a person said stays.
    public var doubted: Verdicts {
        mapValues { verdicts in
            verdicts.mapValues { verdict in
                guard verdict.verdict == .notFoundInText, verdict.by == nil else { return verdict.doubted }
                return AllergenVerdict(verdict: .cannotTell, risk: .unknown, probability: 0.5, reason: "unreadRegion")
            }
        }
    }
}

extension AllergenVerdict.Kind {
    /// Severity rank; a larger number is more serious. Certain presence outranks possible presence, and CANNOT_TELL
    /// outranks NOT_FOUND_IN_TEXT.
    public var severity: Int {
        switch self {
        case .contains: 4
        case .likely: 3
        case .mayContain: 2
        case .cannotTell: 1
        case .notFoundInText: 0
        }
    }

    /// As ``AllergenVerdict/isUnlikely``, of a verdict with this risk and probability.
    func isUnlikely(_ risk: AllergenVerdict.Risk, _ probability: Double) -> Bool {
        self == .notFoundInText || self == .cannotTell && risk != .unknown && probability < AllergenVerdict.askFirst
    }

    /// True if the verdict states that the allergen is or may be present.
    public var isWarning: Bool { severity >= 2 }
}

/// How completely the relevant text was read. NOT_FOUND_IN_TEXT depends on it.
public struct Coverage: Sendable, Hashable, Codable {
    /// Mean recognition confidence of the words, 0…1.
    public var ocrQuality: Double
    /// Number of text regions that were detected but not recognised.
    public var unreadRegions: Int
    /// Share of ingredients that are in no lexicon, 0…1.
    public var unknownIngredientRatio: Double
    public var legendPresent: Bool
    /// Codes on the page that the page's legend does not explain.
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

/// A person and the allergens they must avoid.
public struct AllergenProfile: Sendable, Hashable, Codable {
    public enum Sensitivity: String, Sendable, Hashable, Codable, CaseIterable { case mild, moderate, high, severe }

    /// The profile for a household without stored people.
    public static let everyone = "everyone"

    /// The name that verdicts are keyed by.
    public var name: String
    /// The allergen regime: the name of a file in `models/regimes`.
    public var regime: String
    public var allergens: [Allergen: Sensitivity]
    /// The language of verdicts, BCP 47; nil means English.
    public var language: String?
    /// The person's own words to report wherever they occur, such as "kiwi" or "paprika"; nil means none.
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

    /// True if at least one allergen or word warns this person.
    public var warns: Bool { !allergens.isEmpty || words?.isEmpty == false }
}

/// Verdicts by profile name, then by allergen.
public typealias Verdicts = [String: [Allergen: AllergenVerdict]]
