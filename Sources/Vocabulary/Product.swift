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
    /// How old the record is, ISO 8601 duration in whole days, `P30D`.
    public var age: String?
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

    public init(
        gtin: String, name: String? = nil, brand: String? = nil, trust: Trust? = nil, age: String? = nil,
        ingredients: String? = nil, findings: [AllergenFinding] = [], pack: PackFacts? = nil,
        reason: String? = nil, retrieved: String? = nil, agreement: CodeAgreement? = nil
    ) {
        self.gtin = gtin
        self.name = name
        self.brand = brand
        self.trust = trust
        self.age = age
        self.ingredients = ingredients
        self.findings = findings
        self.pack = pack
        self.reason = reason
        self.retrieved = retrieved
        self.agreement = agreement
    }
}
