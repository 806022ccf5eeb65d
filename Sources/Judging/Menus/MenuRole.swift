/// What a text on a menu is.
public enum MenuRole: UInt8, Sendable, Hashable, CaseIterable, Codable {
    /// The first line of a dish's name.
    case dish
    /// A further line of a dish's name.
    case nameContinuation
    /// What a dish is made of, or its name in a second language.
    case description
    /// A heading above dishes.
    case section
    /// A size, an extra or a variant of the dish above.
    case variant
    /// The head of a column of prices.
    case priceHead
    /// Codes and what they stand for.
    case legend
    /// A sentence about the page or the house.
    case note
    /// The name of the house, decoration, stray print.
    case other

    /// One letter a role, in the order of the cases; generated pages and typed truth are labelled with it.
    public static let letters: [Character] = ["N", "C", "D", "H", "V", "S", "L", "T", "O"]

    public var letter: Character { Self.letters[Int(rawValue)] }
}
