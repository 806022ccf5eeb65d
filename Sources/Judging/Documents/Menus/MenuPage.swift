import Core

/// The structure of a menu page, before allergens are interpreted.
public struct MenuPage: Sendable {
    /// A dish as printed. Lines run from top to bottom, words from left to right.
    public struct Dish: Sendable {
        /// Lines of the name, without prices.
        public var name: [[Word]]
        /// Lines of description, sizes and extras, without prices.
        public var description: [[Word]]
        /// Codes in a text of their own.
        public var codes: [PrintedCode] = []
        /// False if the codes may be those of another dish.
        public var areCodesSure = true
        public var prices: [Menu.Price]
        /// Boxes of all words, pixels of the upright photo.
        public var boxes: [Quad]
        /// Probability 0…1 that its first line is the name of a dish.
        public var certainty: Double
        /// Probability 0…1 that its section's title is a heading above it in its column; 0 for a heading of another column.
        public var headingCertainty: Double
    }

    /// Dishes under one heading.
    public struct Section: Sendable {
        /// Lines of the heading; empty if the dishes have none.
        public var title: [[Word]]
        public var dishes: [Dish]
    }

    public var sections: [Section]
    /// Number of sections that a day heads.
    public var days = 0
    /// Lines outside dishes and headings, from top to bottom.
    public var loose: [LooseLine]
    /// ISO 4217 of most prices; nil if they have no mark.
    public var currency: String?
    /// The features that the layout confidence is computed from.
    public var features: PageFeatures

    /// Every text with its role, from top to bottom.
    public var roles: [(text: String, role: MenuRole, prices: Int)]

    /// A line that was not assigned.
    public struct LooseLine: Sendable {
        public var words: [Word]
        /// Codes, if it holds nothing else.
        public var codes: [PrintedCode] = []
        public var role: MenuRole
        /// Probability 0…1 that it is a name, a description, a variant or a heading.
        public var doubt: Double
        /// The same without headings: the probability that it is part of a dish.
        public var isDish: Double
        /// Index of the dish above in the column or on the left, counted over all sections; nil if none is near.
        public var nearestDish: Int?
    }
}
