/// An interpreted menu: sections with dishes, and the legend of the page.
public struct Menu: Sendable, Hashable, Codable {
    /// The dishes under one heading.
    public struct Section: Sendable, Hashable, Codable {
        public var title: String?
        public var items: [Item]

        public init(title: String?, items: [Item]) {
            self.title = title
            self.items = items
        }
    }

    public struct Item: Sendable, Hashable, Codable {
        public var name: String
        public var description: String?
        public var prices: [Price]
        /// Bounding box of the dish's lines, pixels of the upright image.
        public var box: Quad?
        public var findings: [AllergenFinding]
        public var verdicts: Verdicts
        /// Recognition confidence of the dish's words, 0…1.
        public var confidence: Double
        /// What people said of its allergens, oldest first; nil if nobody did.
        public var statements: [AllergenStatement]?
        /// Who corrected what was read of it; nil if nobody did.
        public var corrected: DishCorrection?

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

    /// One price of a dish. `label` distinguishes several sizes.
    public struct Price: Sendable, Hashable, Codable {
        /// Decimal number with a point, such as `12.50`.
        public var amount: String
        public var label: String?

        public init(amount: String, label: String? = nil) {
            self.amount = amount
            self.label = label
        }
    }

    /// A line of a menu that was not understood. It may name an allergen.
    public struct UnreadLine: Sendable, Hashable, Codable {
        /// What was read, which may be wrong; empty if nothing was.
        public var text: String
        public var box: Quad
        /// The name of the dish that it may belong to; nil if none is near.
        public var dish: String?
        /// Allergens that it names and that the dish is not known to contain; nil if there are none.
        public var findings: [AllergenFinding]?

        public init(text: String, box: Quad, dish: String?, findings: [AllergenFinding]? = nil) {
            self.text = text
            self.box = box
            self.dish = dish
            self.findings = findings
        }
    }

    /// A code that the legend of the page explains.
    public struct LegendEntry: Sendable, Hashable, Codable {
        public var code: String
        public var allergen: Allergen

        public init(code: String, allergen: Allergen) {
            self.code = code
            self.allergen = allergen
        }
    }

    /// ISO 4217; nil if the page shows none.
    public var currency: String?
    public var sections: [Section]
    /// What people said is not a dish, in the order of the print; nil if nobody did. What is printed there still warns.
    public var notDishes: [Item]?
    /// Lines that were not understood, from top to bottom; nil if there are none.
    public var unread: [UnreadLine]?
    public var legend: [LegendEntry]
    /// Allergens that dishes may have by what the kitchen buys, in the order of the law; nil if no verdict says so.
    public var kitchenDecides: [Allergen]?
    public var coverage: Coverage
    /// Layout confidence: the probability that dish detection on this page has an F1 score of at least .9.
    public var confidence: Confidence?
    /// The ranked dishes of each person; nil if the request has only one person.
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

    /// The allergens of these people that depend on what the kitchen buys in at least one dish, in the order of the law.
    public func kitchenDecides(for people: some Sequence<String>) -> [Allergen] {
        let verdicts = sections.flatMap(\.items).flatMap { item in people.compactMap { item.verdicts[$0] } }
        let found = Set(
            verdicts.joined().filter { $0.value.verdict == .cannotTell && $0.value.reason == Self.kitchenReason }
                .map(\.key))
        return Allergen.allCases.filter(found.contains)
    }

    /// The reason of a verdict that depends on what the kitchen buys.
    public static let kitchenReason = "kitchenDecides"

    /// Who corrected the reading of a dish, and what the program had read.
    public struct DishCorrection: Sendable, Hashable, Codable {
        /// Who corrected it last, and when (ISO 8601).
        public var by, at: String
        /// Numbers of the reviews, by which they can be withdrawn, oldest first.
        public var reviews: [Int64]
        /// What the program read; nil for a dish that a person added.
        public var system: OwnReading?

        public init(by: String, at: String, reviews: [Int64], system: OwnReading?) {
            self.by = by
            self.at = at
            self.reviews = reviews
            self.system = system
        }
    }

    /// A dish as the program read it, next to a correction.
    public struct OwnReading: Sendable, Hashable, Codable {
        public var name: String
        public var description: String?
        public var prices: [Price]
        public var section: String?

        public init(name: String, description: String?, prices: [Price], section: String?) {
            self.name = name
            self.description = description
            self.prices = prices
            self.section = section
        }
    }

    /// The dishes ranked for one person.
    public struct Person: Sendable, Hashable, Codable {
        /// The profile's name.
        public var name: String
        /// Most serious first. The worst verdict of a dish decides its rank.
        public var dishes: [RankedDish]

        public init(name: String, dishes: [RankedDish]) {
            self.name = name
            self.dishes = dishes
        }
    }

    /// One dish with its most serious verdict.
    public struct RankedDish: Sendable, Hashable, Codable {
        /// Indices into `sections` and into its `items`, from 0.
        public var section, item: Int
        public var name: String
        /// The most serious verdict, and the allergens that have it.
        public var worst: AllergenVerdict.Kind
        public var risk: AllergenVerdict.Risk
        public var allergens: [Allergen]
        /// Probability 0…1 of the allergen with the most serious verdict.
        public var probability: Double

        public init(
            section: Int, item: Int, name: String, worst: AllergenVerdict.Kind, risk: AllergenVerdict.Risk,
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
