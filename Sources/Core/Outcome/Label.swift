/// The ingredient list and statements of a package.
public struct Label: Sendable, Hashable, Codable {
    /// One entry of the ingredient list.
    public struct Ingredient: Sendable, Hashable, Codable {
        public var text: String
        /// Share of the product in percent; nil if the label does not state it.
        public var percent: Double?
        public var box: Quad?
        /// The ingredients of this ingredient, in the order of the label.
        public var ingredients: [Ingredient]

        public init(text: String, percent: Double? = nil, box: Quad? = nil, ingredients: [Ingredient] = []) {
            self.text = text
            self.percent = percent
            self.box = box
            self.ingredients = ingredients
        }
    }

    /// The name that a person gave the packet; nil if nobody did.
    public var name: String?
    public var ingredients: [Ingredient]
    public var findings: [AllergenFinding]
    public var verdicts: Verdicts
    public var coverage: Coverage
    /// The nutrition table; nil if none was read.
    public var nutrition: Nutrition?
    /// The dates of the package, in the order of the print; nil if none was read.
    public var dates: [PrintedDate]?
    /// What is on file about the ingredients; nil without an ingredient list.
    public var assessment: IngredientAssessment?
    /// What people said of its allergens, oldest first; nil if nobody did.
    public var statements: [AllergenStatement]?

    public init(
        ingredients: [Ingredient], findings: [AllergenFinding], verdicts: Verdicts, coverage: Coverage,
        assessment: IngredientAssessment? = nil
    ) {
        self.assessment = assessment
        self.ingredients = ingredients
        self.findings = findings
        self.verdicts = verdicts
        self.coverage = coverage
    }
}
