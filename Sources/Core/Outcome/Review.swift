/// A person's statement about what the program says of a photo. Statements lie apart from the readings: they are applied
/// whenever the photo is judged, in the order of ``number``, and each can be withdrawn.
public struct Review: Sendable, Hashable, Codable {
    public enum Action: String, Sendable, Hashable, Codable, CaseIterable {
        /// The verdict was checked and is right.
        case verify
        /// What is known of an allergen; `value` is a ``Said``.
        case edit
        /// All verdicts of the photo were checked and accepted.
        case accept
        /// The photo shows another kind of thing; `value` names it.
        case readAs
        /// The dish, or the packet of a label, has another name: `value`.
        case rename
        /// The dish has other prices: `value`, separated by ` / `; empty for none.
        case price
        /// The dish has another description: `value`; empty for none.
        case describe
        /// The dish belongs under the heading `value`; empty for none.
        case section
        /// What was taken for a dish is something else.
        case notADish
        /// A dish is missing: `item` is its name, `value` its prices, `place` where it is printed.
        case addDish
        /// The label is of the packet with the number `item`, which is called `value`.
        case product

        /// True for what a person says of a dish's print rather than of its allergens.
        public var concernsPrint: Bool { Self.ofPrint.contains(self) }
        private static let ofPrint: [Self] = [.rename, .price, .describe, .section, .notADish, .addDish]
    }

    /// What a person says of an allergen.
    public enum Said: String, Sendable, Hashable, Codable, CaseIterable {
        case contains = "CONTAINS"
        case mayContain = "MAY_CONTAIN"
        /// Staff said no. It removes no print.
        case absent = "ABSENT"
        /// The dish has it, and staff said that it can be made without.
        case canOmit = "CAN_OMIT"
        /// Asked, and still not known.
        case unknown = "UNKNOWN"
    }

    /// `sha256:…` of the photo.
    public var content: String
    /// The dish's name as the program read it, `label`, a product number, or `*` for the whole photo.
    public var item: String
    public var allergen: Allergen?
    public var action: Action
    public var value: String?
    /// Where the dish is printed, pixels of the upright image: it is found there even if it is read differently later.
    /// Nil for all dishes of the name.
    public var place: Quad?
    public var reviewer: String
    /// Who of the staff said so, in the reviewer's words; nil if nobody was named.
    public var staff: String?
    /// Seconds since 1970.
    public var made: Double
    /// The number by which the review can be withdrawn; nil before it is stored. Numbers are never used again.
    public var number: Int64?

    public init(
        content: String, item: String, allergen: Allergen? = nil, action: Action, value: String? = nil,
        place: Quad? = nil, reviewer: String, made: Double
    ) {
        self.content = content
        self.item = item
        self.allergen = allergen
        self.action = action
        self.value = value
        self.place = place
        self.reviewer = reviewer
        self.made = made
    }
}

extension Review {
    /// The item name of a photo's label in reviews.
    public static let label = "label"
    /// The item name of the whole photo in reviews.
    public static let everything = "*"

    /// The kinds that a person may name: those of printed pages, and boards.
    public static let kinds: [Outcome.Domain] = [.menu, .label, .receipt, .priceTag, .board]

    /// The kind that the review names; nil for other reviews.
    public var kind: Outcome.Domain? {
        guard action == .readAs else { return nil }
        return value.flatMap(Outcome.Domain.init(rawValue:)).flatMap { Self.kinds.contains($0) ? $0 : nil }
    }

    /// What the review says of its allergen; nil if it only confirms.
    public var said: Said? { action == .edit ? value.flatMap(Said.init(rawValue:)) : nil }

    /// True if it confirms or answers verdicts.
    public var concernsVerdicts: Bool { [.verify, .edit, .accept].contains(action) }

    /// The prices that it names, as in ``Menu/Price/amount``; nil for one that is no price.
    public var prices: [Menu.Price]? { Self.prices(of: value ?? "") }

    /// Reads `12`, `12.5`, `12,50 €` or `3.50 / 5.00`; an empty text has no prices.
    public static func prices(of text: String) -> [Menu.Price]? {
        // A mark such as € or EUR before or behind the number.
        let form = /[\p{L}\p{Sc}]{0,4}([0-9]{1,6})(?:[.,]([0-9]{1,2}))?[\p{L}\p{Sc}]{0,4}/
        let parts = text.split(separator: "/").map { $0.filter { !$0.isWhitespace } }
        guard parts.count <= mostPrices else { return nil }
        var prices: [Menu.Price] = []
        for part in parts {
            guard let match = part.wholeMatch(of: form) else { return nil }
            // As in readings: large amounts of currencies without cents stay whole.
            let cents = match.2.map { "." + ($0 + "00").prefix(2) } ?? (match.1.count > 3 ? "" : ".00")
            prices.append(Menu.Price(amount: match.1 + cents))
        }
        return prices
    }

    private static let mostPrices = 8
}

extension [Review] {
    /// The kind that a person named last; nil if nobody did.
    public var namedKind: Outcome.Domain? { last { $0.kind != nil }?.kind }

    /// The number and the name that a person gave the packet of the label last; nil if nobody did.
    public var namedProduct: (gtin: GTIN, name: String)? {
        last { $0.action == .product }.flatMap { review in GTIN(review.item).map { ($0, review.value ?? "") } }
    }
}

/// What a person said of one allergen of a dish, label or product.
public struct AllergenStatement: Sendable, Hashable, Codable {
    public var allergen: Allergen
    public var said: Review.Said
    /// Who said it, and when (ISO 8601).
    public var by, at: String
    /// Who of the staff was asked; nil if nobody was named.
    public var staff: String?
    /// The number of the review, by which it can be withdrawn.
    public var review: Int64?

    public init(
        allergen: Allergen, said: Review.Said, by: String, at: String, staff: String? = nil, review: Int64?
    ) {
        self.allergen = allergen
        self.said = said
        self.by = by
        self.at = at
        self.staff = staff
        self.review = review
    }
}
