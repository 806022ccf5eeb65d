/// What is on file about the ingredients of one product, with references. Every sentence comes from a record with at
/// least one citation; an ingredient without a record is listed, and nothing is said about it.
///
/// The keys are those of Scanivore's format. Encoding repeats the three legacy lists below `ingredients_assessment`.
public struct IngredientAssessment: Sendable, Hashable {
    /// How much a record says about an ingredient. A missing level says nothing.
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable { case high, moderate, low }

    /// One ingredient and its records.
    public struct Ingredient: Sendable, Hashable, Codable {
        /// As printed; unique within the assessment.
        public var name: String
        /// The text of the first statement, or "No evidence on file".
        public var risk: String
        public var risk_level: Level?
        public var overview: String?
        public var health_risks: [String]
        /// Functional classes, such as `preservative`, as keys of `models/risk/subjects.json`.
        public var common_uses: [String]
        /// Ids of `IngredientAssessment.citations`.
        public var citations: [Int]
        /// Records that the name was resolved to: `E250`, `ing:salt`.
        public var subjects: [String]
        /// All current statements; those that decided the level come first.
        public var statements: [Statement]
        /// The rule that gave the level, such as `high.mean-above-value`; nil without a level.
        public var rule: String?
        /// Share of the product in percent; nil if the label does not state it.
        public var percent: Double?
        /// The share of a daily value; nil if the label does not state the amount.
        public var dose: Dose?

        public init(
            name: String, risk: String, risk_level: Level? = nil, overview: String? = nil, health_risks: [String] = [],
            common_uses: [String] = [], citations: [Int] = [], subjects: [String] = [], statements: [Statement] = [],
            rule: String? = nil, percent: Double? = nil, dose: Dose? = nil
        ) {
            self.name = name
            self.risk = risk
            self.risk_level = risk_level
            self.overview = overview
            self.health_risks = health_risks
            self.common_uses = common_uses
            self.citations = citations
            self.subjects = subjects
            self.statements = statements
            self.rule = rule
            self.percent = percent
            self.dose = dose
        }
    }

    /// The amount of an ingredient that the label states, as a share of the daily value of one statement.
    public struct Dose: Sendable, Hashable, Codable {
        /// Amount in the portion.
        public var milligrams: Double
        /// Milligrams of sodium in an amount of salt, because the daily value is one of sodium; nil for the rest.
        public var sodium: Double?
        /// Grams or millilitres.
        public var portion: Double
        /// 1 is the whole daily value.
        public var share: Double
        /// Kilograms; nil if the value does not depend on it.
        public var bodyWeight: Double?
        public var text: String
        /// The id of the statement with the daily value.
        public var statement: String
        public var citations: [Int]

        public init(
            milligrams: Double, sodium: Double? = nil, portion: Double, share: Double, bodyWeight: Double?,
            text: String, statement: String, citations: [Int]
        ) {
            self.milligrams = milligrams
            self.sodium = sodium
            self.portion = portion
            self.share = share
            self.bodyWeight = bodyWeight
            self.text = text
            self.statement = statement
            self.citations = citations
        }

        private enum CodingKeys: String, CodingKey {
            case milligrams, sodium, portion, share, text, statement, citations
            case bodyWeight = "body_weight"
        }
    }

    /// One statement of the evidence release.
    public struct Statement: Sendable, Hashable, Codable {
        /// The record's id in the release.
        public var id: String
        public var text: String
        /// `guidance-value`, `risk-assessment`, `exposure`, `legal-status` …
        public var kind: String
        /// `EU`, `US`, `US-CA`, `UK` or `INT`.
        public var jurisdiction: String
        public var body: String
        /// `yyyy-MM-dd`, `yyyy-MM` or `yyyy`; nil for undated law.
        public var date: String?
        /// The day from which a law applies, `yyyy-MM-dd`.
        public var effective: String?
        public var status: String
        public var evidence_level: String
        public var citations: [Int]

        public init(
            id: String, text: String, kind: String, jurisdiction: String, body: String, date: String?,
            effective: String?, status: String, evidence_level: String, citations: [Int]
        ) {
            self.id = id
            self.text = text
            self.kind = kind
            self.jurisdiction = jurisdiction
            self.body = body
            self.date = date
            self.effective = effective
            self.status = status
            self.evidence_level = evidence_level
            self.citations = citations
        }
    }

    /// A document. Clients print a missing year as a year of their own, so there always is one.
    public struct Citation: Sendable, Hashable, Codable {
        /// 1…n within the assessment.
        public var id: Int
        public var title: String
        public var source: String
        public var year: Int
        public var url: String
        public var format: String
        /// The document's id in the release, such as `doi:10.2903/j.efsa.2017.4786`.
        public var ref: String

        public init(
            id: Int, title: String, source: String, year: Int, url: String, format: String = "APA", ref: String
        ) {
            self.id = id
            self.title = title
            self.source = source
            self.year = year
            self.url = url
            self.format = format
            self.ref = ref
        }
    }

    /// The legacy grade: the Nutri-Score letter, or F for a use that is prohibited in the user's jurisdiction.
    public struct Summary: Sendable, Hashable, Codable {
        public var grade: String?
        public var score: Int?
        /// `nutriscore-2023`.
        public var scale: String?
        /// Why there is no grade, or why it is F.
        public var reason: String?

        public init(grade: String? = nil, score: Int? = nil, scale: String? = nil, reason: String? = nil) {
            self.grade = grade
            self.score = score
            self.scale = scale
            self.reason = reason
        }
    }

    /// Three figures that are never added up.
    public struct Components: Sendable, Hashable, Codable {
        public var nutrition: Nutrition
        public var additives: Additives
        public var processing: Processing

        public init(nutrition: Nutrition, additives: Additives, processing: Processing) {
            self.nutrition = nutrition
            self.additives = additives
            self.processing = processing
        }
    }

    /// The Nutri-Score of 2023, computed from the nutrition table. It is not the logo of the label.
    public struct Nutrition: Sendable, Hashable, Codable {
        /// `A`…`E`; nil if the table was not read.
        public var grade: String?
        public var score: Int?
        /// Points by part: energy, sugars, saturatedFat, salt, sweeteners, fruitShare, fibre, protein.
        public var points: [String: Int]
        /// Keys of what was assumed, such as `fibreMissing`.
        public var assumptions: [String]
        public var reason: String?
        /// Probability 0…1 that the table was read correctly.
        public var confidence: Double
        public var citations: [Int]

        public init(
            grade: String? = nil, score: Int? = nil, points: [String: Int] = [:], assumptions: [String] = [],
            reason: String? = nil, confidence: Double = 0, citations: [Int] = []
        ) {
            self.grade = grade
            self.score = score
            self.points = points
            self.assumptions = assumptions
            self.reason = reason
            self.confidence = confidence
            self.citations = citations
        }
    }

    /// The additives by level, as printed; each list in the order of the label.
    public struct Additives: Sendable, Hashable, Codable {
        public var high, moderate, low, no_level, no_evidence: [String]
        public var confidence: Double

        public init(
            high: [String] = [], moderate: [String] = [], low: [String] = [], no_level: [String] = [],
            no_evidence: [String] = [], confidence: Double = 0
        ) {
            self.high = high
            self.moderate = moderate
            self.low = low
            self.no_level = no_level
            self.no_evidence = no_evidence
            self.confidence = confidence
        }
    }

    /// The NOVA group and the words that put it there. NOVA is disputed, and no health claim follows from it.
    public struct Processing: Sendable, Hashable, Codable {
        public struct Marker: Sendable, Hashable, Codable {
            public var group: Int
            /// The words of the label.
            public var text: String

            public init(group: Int, text: String) {
                self.group = group
                self.text = text
            }
        }

        /// 1…4; nil without ingredients.
        public var nova_group: Int?
        public var markers: [Marker]
        public var confidence: Double
        public var citations: [Int]

        public init(
            nova_group: Int? = nil, markers: [Marker] = [], confidence: Double = 0, citations: [Int] = []
        ) {
            self.nova_group = nova_group
            self.markers = markers
            self.confidence = confidence
            self.citations = citations
        }
    }

    /// The jurisdiction whose law decided: `EU`, `US`, `US-CA`; nil if unknown, then all law is only listed.
    public var jurisdiction: String?
    /// The language of all sentences: `en` or `de`.
    public var language: String
    public var risk_summary: Summary
    public var high_risk, moderate_risk, low_risk: [Ingredient]
    /// Recognised, with records that rank nothing.
    public var no_level: [Ingredient]
    /// No record, or none that is verified and current.
    public var no_evidence: [Ingredient]
    /// Too unsure to look up. A missing record says nothing about them.
    public var not_read: [Ingredient]
    public var citations: [Citation]
    public var components: Components
    /// Keys of what the label cannot tell: `amounts`, `flavourings`, `enzymes`, `unread`, `nutrition`.
    public var limits: [String]

    public init(
        jurisdiction: String?, language: String, risk_summary: Summary, high_risk: [Ingredient] = [],
        moderate_risk: [Ingredient] = [], low_risk: [Ingredient] = [], no_level: [Ingredient] = [],
        no_evidence: [Ingredient] = [], not_read: [Ingredient] = [], citations: [Citation] = [],
        components: Components, limits: [String] = []
    ) {
        self.jurisdiction = jurisdiction
        self.language = language
        self.risk_summary = risk_summary
        self.high_risk = high_risk
        self.moderate_risk = moderate_risk
        self.low_risk = low_risk
        self.no_level = no_level
        self.no_evidence = no_evidence
        self.not_read = not_read
        self.citations = citations
        self.components = components
        self.limits = limits
    }

    /// All ingredients, most serious first.
    public var ingredients: [Ingredient] {
        high_risk + moderate_risk + low_risk + no_level + no_evidence + not_read
    }
}

extension IngredientAssessment: Codable {
    private enum Key: String, CodingKey {
        case jurisdiction, language, risk_summary, high_risk, moderate_risk, low_risk, no_level, no_evidence
        case not_read, citations, components, limits, ingredients_assessment
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        jurisdiction = try values.decodeIfPresent(String.self, forKey: .jurisdiction)
        language = try values.decode(String.self, forKey: .language)
        risk_summary = try values.decode(Summary.self, forKey: .risk_summary)
        high_risk = try values.decode([Ingredient].self, forKey: .high_risk)
        moderate_risk = try values.decode([Ingredient].self, forKey: .moderate_risk)
        low_risk = try values.decode([Ingredient].self, forKey: .low_risk)
        no_level = try values.decode([Ingredient].self, forKey: .no_level)
        no_evidence = try values.decode([Ingredient].self, forKey: .no_evidence)
        not_read = try values.decode([Ingredient].self, forKey: .not_read)
        citations = try values.decode([Citation].self, forKey: .citations)
        components = try values.decode(Components.self, forKey: .components)
        limits = try values.decode([String].self, forKey: .limits)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(jurisdiction, forKey: .jurisdiction)
        try values.encode(language, forKey: .language)
        try values.encode(risk_summary, forKey: .risk_summary)
        try values.encode(high_risk, forKey: .high_risk)
        try values.encode(moderate_risk, forKey: .moderate_risk)
        try values.encode(low_risk, forKey: .low_risk)
        try values.encode(no_level, forKey: .no_level)
        try values.encode(no_evidence, forKey: .no_evidence)
        try values.encode(not_read, forKey: .not_read)
        try values.encode(citations, forKey: .citations)
        try values.encode(components, forKey: .components)
        try values.encode(limits, forKey: .limits)
        try values.encode(Legacy(self), forKey: .ingredients_assessment)
    }

    /// The legacy lists, without the newer keys of an ingredient.
    public struct Legacy: Codable {
        struct Ingredient: Codable {
            var name, risk: String
            var risk_level: Level?
            var overview: String?
            var health_risks, common_uses: [String]
            var citations: [Int]

            init(_ one: IngredientAssessment.Ingredient) {
                name = one.name
                risk = one.risk
                risk_level = one.risk_level
                overview = one.overview
                health_risks = one.health_risks
                common_uses = one.common_uses
                citations = one.citations
            }
        }

        var high_risk, moderate_risk, low_risk: [Ingredient]
        var citations: [Citation]

        init(_ assessment: IngredientAssessment) {
            high_risk = assessment.high_risk.map(Ingredient.init)
            moderate_risk = assessment.moderate_risk.map(Ingredient.init)
            low_risk = assessment.low_risk.map(Ingredient.init)
            citations = assessment.citations
        }
    }
}
