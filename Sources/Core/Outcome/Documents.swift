/// A value read from a document, with its evidence.
public struct ReadValue: Sendable, Hashable, Codable {
    /// A number with a point, an ISO 8601 date, a code, or words as printed.
    public var value: String
    /// The unit of a number: `g`, `mg`, `kJ`, `kcal`; nil where the field implies it.
    public var unit: String?
    /// Calibrated probability 0…1 that the value is what is printed.
    public var confidence: Double
    /// Bounding box of the print, pixels of the upright image; nil for text without a photo.
    public var box: Quad?
    /// True if the value was computed from other values and is not printed; nil otherwise.
    public var derived: Bool?
    /// Other values that the same print allows, such as a date with day and month exchanged; nil if there are none.
    public var alternatives: [String]?

    public init(
        value: String, unit: String? = nil, confidence: Double, box: Quad? = nil, derived: Bool? = nil,
        alternatives: [String]? = nil
    ) {
        self.value = value
        self.unit = unit
        self.confidence = confidence.rounded(toPlaces: 4)
        self.box = box
        self.derived = derived
        self.alternatives = alternatives
    }
}

extension ReadValue {
    /// Probability from which a currency is shown beside its amounts.
    private static let sureCurrency = 0.85

    /// The currency, if it was read surely; nil for a guess, such as a dollar sign that names no country.
    package var sureCurrency: String? {
        confidence >= Self.sureCurrency && alternatives?.isEmpty ?? true ? value : nil
    }
}

/// An arithmetic check between values of a document.
public struct ArithmeticCheck: Sendable, Hashable, Codable {
    /// What was compared: `itemsMakeTotal`, `cashLessChange`, `subtotalAndTax`, `kilojoules`, `macros`, `parts`,
    /// `servings`, `unitPrice`.
    public var check: String
    public var holds: Bool

    public init(check: String, holds: Bool) {
        self.check = check
        self.holds = holds
    }
}

/// A shop's receipt. A missing value was not found or is too uncertain.
public struct Receipt: Sendable, Hashable, Codable {
    public struct Item: Sendable, Hashable, Codable {
        public var name: ReadValue
        public var quantity: ReadValue?
        public var unitPrice: ReadValue?
        public var amount: ReadValue
        /// What its name warns people of, by profile name; nil if it warns nobody.
        public var verdicts: Verdicts?

        public init(name: ReadValue, quantity: ReadValue? = nil, unitPrice: ReadValue? = nil, amount: ReadValue) {
            self.name = name
            self.quantity = quantity
            self.unitPrice = unitPrice
            self.amount = amount
        }
    }

    public var merchant: ReadValue?
    public var address: ReadValue?
    /// ISO 8601, `2026-02-18`.
    public var date: ReadValue?
    /// `13:56`, 24 hours.
    public var time: ReadValue?
    /// ISO 4217.
    public var currency: ReadValue?
    public var items: [Item]
    public var subtotal: ReadValue?
    /// Amounts of tax, in the order of the print.
    public var tax: [ReadValue]
    public var total: ReadValue?
    /// `cash` or `card`.
    public var payment: ReadValue?
    public var checks: [ArithmeticCheck]

    public init(items: [Item] = [], tax: [ReadValue] = [], checks: [ArithmeticCheck] = []) {
        self.items = items
        self.tax = tax
        self.checks = checks
    }
}

/// A price tag on a shelf. A missing value was not found or is too uncertain.
public struct PriceTag: Sendable, Hashable, Codable {
    public var product: ReadValue?
    public var brand: ReadValue?
    /// A decimal number, `29.90`.
    public var price: ReadValue?
    public var wasPrice: ReadValue?
    /// ISO 4217.
    public var currency: ReadValue?
    public var unitPrice: ReadValue?
    /// The unit of `unitPrice`: `kg`, `l`, `piece`, `100g`, `100ml`.
    public var unit: ReadValue?
    /// As printed, 8 to 14 digits.
    public var gtin: ReadValue?
    /// The words of an offer, as printed.
    public var promotion: ReadValue?
    public var checks: [ArithmeticCheck]
    /// What the product's name warns people of, by profile name; nil if it warns nobody.
    public var verdicts: Verdicts?

    public init(checks: [ArithmeticCheck] = []) { self.checks = checks }
}

/// A nutrition table.
public struct Nutrition: Sendable, Hashable, Codable {
    /// The values of one column.
    public struct Basis: Sendable, Hashable, Codable {
        /// `100g`, `100ml`, `serving` or `package`.
        public var per: String
        /// With its unit, `30 g`.
        public var servingSize: ReadValue?
        public var energyKJ, energyKcal, fat, saturatedFat, carbohydrate, sugars, fibre, protein, salt,
            sodium: ReadValue?
        public var polyols: ReadValue?

        public init(per: String) { self.per = per }
    }

    public var basis: [Basis]
    public var checks: [ArithmeticCheck]

    public init(basis: [Basis] = [], checks: [ArithmeticCheck] = []) {
        self.basis = basis
        self.checks = checks
    }
}

/// A date on a package. Its keys are those of ``ReadValue`` with `kind`.
public struct PrintedDate: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable { case bestBefore, useBy, sellBy, packed }

    public var kind: Kind
    /// ISO 8601: `2027-03-31`, `2027-03` for a month, `--02-18` without a year.
    public var value: String
    /// Calibrated probability 0…1.
    public var confidence: Double
    public var box: Quad?
    /// The date with day and month exchanged, if the print allows both; nil otherwise.
    public var alternatives: [String]?

    public init(kind: Kind, value: String, confidence: Double, box: Quad? = nil, alternatives: [String]? = nil) {
        self.kind = kind
        self.value = value
        self.confidence = confidence.rounded(toPlaces: 4)
        self.box = box
        self.alternatives = alternatives
    }
}

/// What a printed page was taken for, and what it was most likely besides.
public struct PageKindReading: Sendable, Hashable, Codable {
    /// The value of a page that is of no known kind.
    public static let none = "none"

    /// A kind with its probability.
    public struct Choice: Sendable, Hashable, Codable {
        /// `receipt`, `priceTag`, `label`, `menu` or `none`.
        public var value: String
        /// Calibrated probability 0…1.
        public var confidence: Double

        public init(value: String, confidence: Double) {
            self.value = value
            self.confidence = confidence.rounded(toPlaces: 4)
        }
    }

    /// `receipt`, `priceTag`, `label`, `menu` or `none`.
    public var value: String
    /// Calibrated probability 0…1.
    public var confidence: Double
    /// The second most likely kind; nil in outcomes of earlier versions.
    public var runnerUp: Choice?
    /// Who named the kind, and when (ISO 8601); nil for the program's own decision.
    public var by: String?
    public var at: String?

    public init(value: String, confidence: Double, runnerUp: Choice? = nil) {
        self.value = value
        self.confidence = confidence.rounded(toPlaces: 4)
        self.runnerUp = runnerUp
    }
}
