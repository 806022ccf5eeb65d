import Testing
import Core

@testable import Documents

@Suite("Names with a description on the same line")
struct NameSplitterTests {
    @Test(
        arguments: [
            ("Margherita (Tomate, Mozzarella)", "Margherita", "Tomate, Mozzarella"),
            ("MARGHERITA tomato sauce, mozzarella", "MARGHERITA", "tomato sauce, mozzarella"),
            ("Margherita - tomato, mozzarella", "Margherita", "tomato, mozzarella"),
            ("Salad (mixed leaves with tuna)", "Salad", "mixed leaves with tuna"),
            ("Kebab (A, C, G)", "Kebab (A, C, G)", ""), ("Chicken Wings (6 pcs)", "Chicken Wings (6 pcs)", ""),
            ("12 - Pad Thai, noodles", "12 - Pad Thai, noodles", ""),
            ("12. MARGHERITA tomato, mozzarella", "12. MARGHERITA", "tomato, mozzarella"),
            ("3. Brezn (Salz, Kümmel, Butter, Mehl)", "3. Brezn", "Salz, Kümmel, Butter, Mehl"),
            ("Feijoada light -feijoada, arroz", "Feijoada light", "feijoada, arroz"),
            ("Feijoada completa Arroz, farofa, couve", "Feijoada completa", "Arroz, farofa, couve"),
            ("Roasted Beets, goat cheese, walnuts", "Roasted Beets, goat cheese, walnuts", ""),
            ("Salt, pepper and garlic squid", "Salt, pepper and garlic squid", ""), ("Soup", "Soup", ""),
        ])
    func splits(line: String, name: String, description: String) {
        let parts = NameSplitter.split(MenuLines.words(line))
        #expect(parts.name.map(\.text).joined(separator: " ") == name)
        #expect(parts.description.map(\.text).joined(separator: " ") == description)
    }

    /// A name in large print with a list behind it.
    private func words(_ text: String, large: Int, width: Double) -> [Word] {
        var left = 0.0
        return text.split(separator: " ").enumerated().map { number, part in
            let letters = Double(part.count) * (number < large ? width : 10)
            let box = Quad(x: left, y: 0, width: letters, height: 30)
            left += letters + 8
            return Word(text: String(part), confidence: 0.9, box: box)
        }
    }

    @Test func `narrower letters behind a name are its description`() {
        let line = "Cuatro Quesos Mozzarella, Parmesano, Cheddar"
        let parts = NameSplitter.split(words(line, large: 2, width: 16))
        #expect(parts.name.map(\.text) == ["Cuatro", "Quesos"])
        #expect(NameSplitter.split(words(line, large: 2, width: 11)).description.isEmpty)
    }
}
