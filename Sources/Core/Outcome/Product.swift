/// A grocery product from a catalogue, identified by its barcode.
public struct Product: Sendable, Hashable, Codable {
    /// The reason of a number that no catalogue has.
    public static let unknown = "notInCatalogue"

    /// True for a number that no catalogue has.
    public var isUnknown: Bool { reason == Self.unknown }

    /// The source of the record, most trusted first.
    public enum Trust: String, Sendable, Hashable, Codable, CaseIterable { case producer, retailer, crowd }

    /// 14 digits.
    public var gtin: String
    /// Nil if the code is valid but no catalogue has it.
    public var name: String?
    public var brand: String?
    public var trust: Trust?
    /// Age of the record when its catalogue was made or when a server returned it. ISO 8601 duration in whole days,
    /// `P30D`.
    public var age: String?
    /// The date when the record was made or last confirmed, `yyyy-MM-dd`; nil if not stated.
    public var recorded: String?
    /// The ingredient list of the record, as printed.
    public var ingredients: String?
    /// The allergens that the record declares. They never clear an allergen that the photo names.
    public var findings: [AllergenFinding]
    /// What the code states about this pack: lot, dates, weight, price; nil if nothing.
    public var pack: PackFacts?
    /// Why there is no record: `notInCatalogue`, `restrictedPrefix`, or `remoteUnavailable` if no server answered.
    public var reason: String?
    /// The date when a server returned the record, `yyyy-MM-dd`; nil for an imported record.
    public var retrieved: String?
    /// The cross-checks of the code against the rest of the photo.
    public var agreement: CodeAgreement?
    /// The verdicts of each person: the more serious one of record and label. Nil in outcomes of versions without
    /// product verdicts.
    public var verdicts: Verdicts?
    /// Allergens for which the record and the label of the same photo disagree; nil if there are none.
    public var contradictions: [Contradiction]?
    /// Nutrition and dates read from the photo of the packet. They are next to the record and never replace it; nil
    /// if nothing was read.
    public var fromPhoto: PackageReading?
    /// What people said of its allergens, oldest first; nil if nobody did.
    public var statements: [AllergenStatement]?

    /// What the print of a packet says besides its ingredients.
    public struct PackageReading: Sendable, Hashable, Codable {
        public var nutrition: Nutrition?
        public var dates: [PrintedDate]?

        public init?(nutrition: Nutrition?, dates: [PrintedDate]?) {
            guard nutrition != nil || dates != nil else { return nil }
            self.nutrition = nutrition
            self.dates = dates
        }
    }

    /// An allergen with different verdicts by record and label. Both are kept; the more serious one counts.
    public struct Contradiction: Sendable, Hashable, Codable {
        /// The profile's name.
        public var profile: String
        public var allergen: Allergen
        public var record: AllergenVerdict.Kind
        public var label: AllergenVerdict.Kind

        public init(
            profile: String, allergen: Allergen, record: AllergenVerdict.Kind, label: AllergenVerdict.Kind
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
