/// A menu as it was understood: sections with dishes, and the page's own legend.
public struct Menu: Sendable, Hashable, Codable {
    /// Dishes under one heading.
    public struct Section: Sendable, Hashable, Codable {
        public var title: String?
        public var items: [Item]

        public init(title: String?, items: [Item]) {
            self.title = title
            self.items = items
        }
    }

    /// One dish.
    public struct Item: Sendable, Hashable, Codable {
        public var name: String
        public var description: String?
        public var prices: [Price]
        /// Around the dish's lines, pixels of the upright image.
        public var box: Quad?
        public var findings: [AllergenFinding]
        public var verdicts: Verdicts
        /// Reader's confidence in the dish's words, 0…1.
        public var confidence: Double

        public init(
            name: String, description: String? = nil, prices: [Price] = [], box: Quad? = nil,
            findings: [AllergenFinding] = [], verdicts: Verdicts = [:], confidence: Double
        ) {
            self.name = name
            self.description = description
            self.prices = prices
            self.box = box
            self.findings = findings
            self.verdicts = verdicts
            self.confidence = confidence
        }
    }

    /// One price of a dish; a dish in two sizes has two, told apart by `label`.
    public struct Price: Sendable, Hashable, Codable {
        /// Decimal with a point, `12.50`.
        public var amount: String
        public var label: String?

        public init(amount: String, label: String? = nil) {
            self.amount = amount
            self.label = label
        }
    }

    /// A code that the page itself explains.
    public struct LegendEntry: Sendable, Hashable, Codable {
        public var code: String
        public var allergen: Allergen

        public init(code: String, allergen: Allergen) {
            self.code = code
            self.allergen = allergen
        }
    }

    /// ISO 4217, nil where the page shows none.
    public var currency: String?
    public var sections: [Section]
    public var legend: [LegendEntry]
    public var coverage: Coverage
    /// How well the layout was understood: the probability that the dishes were found with an F1 of at least .85.
    public var confidence: Confidence?
    /// For each of several people the dishes, the worst first; nil where one person alone asked.
    public var household: [Person]?

    public init(
        currency: String?, sections: [Section], legend: [LegendEntry], coverage: Coverage,
        confidence: Confidence? = nil, household: [Person]? = nil
    ) {
        self.currency = currency
        self.sections = sections
        self.legend = legend
        self.coverage = coverage
        self.confidence = confidence
        self.household = household
    }

    /// The dishes as one person should see them.
    public struct Person: Sendable, Hashable, Codable {
        /// The profile's name.
        public var name: String
        /// Worst first; the worst verdict stands for a dish, never a mean.
        public var dishes: [RankedDish]

        public init(name: String, dishes: [RankedDish]) {
            self.name = name
            self.dishes = dishes
        }
    }

    /// One dish with its gravest verdict.
    public struct RankedDish: Sendable, Hashable, Codable {
        /// Places in `sections` and in its `items`, from 0.
        public var section, item: Int
        public var name: String
        /// The gravest verdict, and the allergens that it holds for.
        public var worst: AllergenVerdict.Word
        public var risk: AllergenVerdict.Risk
        public var allergens: [Allergen]
        /// Probability 0…1 of the gravest verdict's allergen.
        public var probability: Double

        public init(
            section: Int, item: Int, name: String, worst: AllergenVerdict.Word, risk: AllergenVerdict.Risk,
            allergens: [Allergen], probability: Double
        ) {
            self.section = section
            self.item = item
            self.name = name
            self.worst = worst
            self.risk = risk
            self.allergens = allergens
            self.probability = probability
        }
    }
}

/// The ingredient side of a packet.
public struct Label: Sendable, Hashable, Codable {
    /// One ingredient of the list.
    public struct Ingredient: Sendable, Hashable, Codable {
        public var text: String
        /// Share of the product in percent where the label says it.
        public var percent: Double?
        public var box: Quad?
        /// What it is made of, in the label's order.
        public var ingredients: [Ingredient]

        public init(text: String, percent: Double? = nil, box: Quad? = nil, ingredients: [Ingredient] = []) {
            self.text = text
            self.percent = percent
            self.box = box
            self.ingredients = ingredients
        }
    }

    public var ingredients: [Ingredient]
    public var findings: [AllergenFinding]
    public var verdicts: Verdicts
    public var coverage: Coverage

    public init(
        ingredients: [Ingredient], findings: [AllergenFinding], verdicts: Verdicts, coverage: Coverage
    ) {
        self.ingredients = ingredients
        self.findings = findings
        self.verdicts = verdicts
        self.coverage = coverage
    }
}
