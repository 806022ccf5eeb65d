import Layout
import Core

/// A menu as its layout was understood, before anything is said of allergens.
public struct MenuPage: Sendable {
    /// One dish as printed; lines from the top down, words from left to right.
    public struct Dish: Sendable {
        /// Lines of the name, without prices.
        public var name: [[Word]]
        /// Lines of description, sizes and extras, without prices.
        public var description: [[Word]]
        public var prices: [Menu.Price]
        /// Boxes of all its words, pixels of the upright photo.
        public var boxes: [Quad]
        /// Probability 0…1 that its first line is the name of a dish.
        public var certainty: Double
    }

    /// Dishes under one heading.
    public struct Section: Sendable {
        /// Lines of the heading; empty where none governs these dishes.
        public var title: [[Word]]
        public var dishes: [Dish]
    }

    public var sections: [Section]
    /// Lines that are no part of a dish or a heading, from the top down, with their probability of being part of one.
    public var loose: [LooseLine]
    /// ISO 4217 of most prices; nil where no mark stands beside them.
    public var currency: String?
    /// What the page's own signs say of how well it was understood.
    public var signs: PageSigns

    /// Every text with its role, from the top down.
    public var roles: [(text: String, role: MenuRole, prices: Int)]

    /// A line that was not assigned.
    public struct LooseLine: Sendable {
        public var words: [Word]
        public var role: MenuRole
        /// Probability 0…1 that it is a name, a description, a variant or a heading after all.
        public var doubt: Double
        /// The dish above it in its column or on its left, counted through all sections; nil where none is near.
        public var nearestDish: Int?
    }
}
