/// The role of a text on a menu.
public enum MenuRole: UInt8, Sendable, Hashable, CaseIterable, Codable {
    /// The first line of a dish's name.
    case dish
    /// A further line of a dish's name.
    case nameContinuation
    /// The ingredients of a dish, or its name in a second language.
    case description
    /// A heading above dishes.
    case section
    /// A size, an extra or a variant of the dish above.
    case variant
    /// The heading of a price column.
    case priceHead
    /// Allergen codes and their meanings.
    case legend
    /// A sentence about the page or the restaurant.
    case note
    /// The name of the restaurant, decoration, or stray print.
    case other

    /// The label of each role in generated pages and ground truth, in the order of the cases.
    public static let letters: [Character] = ["N", "C", "D", "H", "V", "S", "L", "T", "O"]

    public var letter: Character { Self.letters[Int(rawValue)] }
}
