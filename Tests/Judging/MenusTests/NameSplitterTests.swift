import Testing
import Core

@testable import Menus

@Suite("Names with a description on the same line")
struct NameSplitterTests {
    @Test(
        arguments: [
            ("Margherita (Tomate, Mozzarella)", "Margherita", "Tomate, Mozzarella"),
            ("MARGHERITA tomato sauce, mozzarella", "MARGHERITA", "tomato sauce, mozzarella"),
            ("Margherita - tomato, mozzarella", "Margherita", "tomato, mozzarella"),
            ("Salad (mixed leaves with tuna)", "Salad", "mixed leaves with tuna"),
            ("Kebab (A, C, G)", "Kebab (A, C, G)", ""), ("Chicken Wings (6 pcs)", "Chicken Wings (6 pcs)", ""),
            ("Salt, pepper and garlic squid", "Salt, pepper and garlic squid", ""), ("Soup", "Soup", ""),
        ])
    func splits(line: String, name: String, description: String) {
        let parts = NameSplitter.split(MenuLines.words(line))
        #expect(parts.name.map(\.text).joined(separator: " ") == name)
        #expect(parts.description.map(\.text).joined(separator: " ") == description)
    }
}
