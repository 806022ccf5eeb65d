/// A grocery item from a catalogue, found by its barcode.
public struct Product: Sendable, Hashable, Codable {
    /// Whose word the record is: producer > retailer > crowd.
    public enum Trust: String, Sendable, Hashable, Codable { case producer, retailer, crowd }

    /// 14 digits.
    public var gtin: String
    /// Nil where the code is right and no catalogue knows it.
    public var name: String?
    public var brand: String?
    public var trust: Trust?
    /// How old the record was when its catalogue was made, or when a server gave it: ISO 8601 duration in whole days, `P30D`.
    public var age: String?
    /// The day that the record was made or last confirmed, `yyyy-MM-dd`; nil where it does not say.
    public var recorded: String?
    /// What the record says of ingredients, as printed.
    public var ingredients: String?
    /// What the record declares; it never clears an allergen that the photo names.
    public var findings: [AllergenFinding]
    /// What the code says of this one pack: lot, dates, weight, price; nil where it says nothing.
    public var pack: PackFacts?
    /// Why there is no record: `notInCatalogue`, `restrictedPrefix`, `remoteUnavailable` (it was to be asked for elsewhere,
    /// and nobody answered).
    public var reason: String?
    /// The day that a server gave the record, `yyyy-MM-dd`; nil for an imported one.
    public var retrieved: String?
    /// What else on the photo says that it is this product.
    public var agreement: CodeAgreement?
    /// What is said to each person, by the record and the label of the same photo: the graver of both. Nil in outcomes of versions
    /// that judged no products.
    public var verdicts: Verdicts?
    /// Where the record and the label on the same photo say different things; nil where they do not.
    public var contradictions: [Contradiction]?

    /// One allergen of which the record says one thing and the label another. Both are kept; the graver one counts.
    public struct Contradiction: Sendable, Hashable, Codable {
        /// The profile's name.
        public var profile: String
        public var allergen: Allergen
        public var record: AllergenVerdict.Word
        public var label: AllergenVerdict.Word

        public init(
            profile: String, allergen: Allergen, record: AllergenVerdict.Word, label: AllergenVerdict.Word
        ) {
            self.profile = profile
            self.allergen = allergen
            self.record = record
            self.label = label
        }
    }

    public init(
        gtin: String, name: String? = nil, brand: String? = nil, trust: Trust? = nil, age: String? = nil,
        recorded: String? = nil,
        ingredients: String? = nil, findings: [AllergenFinding] = [], pack: PackFacts? = nil,
        reason: String? = nil, retrieved: String? = nil, agreement: CodeAgreement? = nil
    ) {
        self.gtin = gtin
        self.name = name
        self.brand = brand
        self.trust = trust
        self.age = age
        self.recorded = recorded
        self.ingredients = ingredients
        self.findings = findings
        self.pack = pack
        self.reason = reason
        self.retrieved = retrieved
        self.agreement = agreement
    }
}
