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
            ("M3. Forelle (Salzkartoffeln, Mandeln)", "M3. Forelle", "Salzkartoffeln, Mandeln"),
            ("Ofenkartoffel (Quark und Lachs)", "Ofenkartoffel", "Quark und Lachs"),
            ("Portion Salami (3 Scheiben extra)", "Portion Salami (3 Scheiben extra)", ""),
            ("3. Brezn (Salz, Kümmel, Butter, Mehl)", "3. Brezn", "Salz, Kümmel, Butter, Mehl"),
            ("Feijoada light -feijoada, arroz", "Feijoada light", "feijoada, arroz"),
            ("Feijoada completa Arroz, farofa, couve", "Feijoada completa", "Arroz, farofa, couve"),
            ("Roasted Beets, goat cheese, walnuts", "Roasted Beets, goat cheese, walnuts", ""),
            ("Paccheri (kurze Nudeln) mit Auberginen und Käse", "Paccheri (kurze Nudeln) mit Auberginen und Käse", ""),
            ("Chicken Curry (120 g) jasmine rice, nuts", "Chicken Curry", "120 g) jasmine rice, nuts"),
            ("Salt, pepper and garlic squid", "Salt, pepper and garlic squid", ""), ("Soup", "Soup", ""),
        ])
    func splits(line: String, name: String, description: String) {
        let parts = NameSplitter.split(MenuLines.words(line))
        #expect(parts.name.map(\.text).joined(separator: " ") == name)
        #expect(parts.description.map(\.text).joined(separator: " ") == description)
    }

    @Test(arguments: [
        ("Campagnarde", ["champignons", "jambon", "lardons", "oignons"]), ("Pizza Regina", ["jambon blanc", "olives"]),
        ("12. Thon", ["thon", "câpres", "olives"]), ("Quatre Saisons", ["artichauts", "poivrons", "tomates fraîches"]),
    ])
    func `blanks that the reading lost change neither name nor list`(name: String, parts: [String]) {
        for (bracket, comma) in [(" (", ", "), (" (", ","), ("(", ", "), ("(", ","), (" ( ", " ,")] {
            let line = "\(name)\(bracket)\(parts.joined(separator: comma)))"
            let split = NameSplitter.split(MenuLines.words(line))
            #expect(split.name.map(\.text).joined(separator: " ") == name, "\(line)")
            let found = split.description.flatMap { $0.text.split(separator: ",") }.joined(separator: " ")
            #expect(found == parts.joined(separator: " "), "\(line)")
        }
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

    @Test func `an open bracket begins the description that goes on below`() {
        let words = MenuLines.words("Quesadilla Gourmet (Pollo deshilachado")
        #expect(NameSplitter.split(words).description.isEmpty)
        let parts = NameSplitter.split(words, isDescribed: true)
        #expect(parts.name.map(\.text) == ["Quesadilla", "Gourmet"])
        #expect(parts.description.map(\.text) == ["Pollo", "deshilachado"])
    }

    /// Lines of a name and a list, printed in two inks with a little noise.
    private func lines(_ count: Int, name: Ink, list: Ink) -> [[Word]] {
        let names = ["Virado à Paulista", "Feijoada", "Rabada com Agrião", "Dobradinha"]
        return names.prefix(count).enumerated().map { number, name_ in
            MenuLines.words("\(name_) Arroz, Farofa, Couve").enumerated().map { place, word in
                var word = word
                var ink = place < name_.split(separator: " ").count ? name : list
                ink.stroke *= 1 + 0.01 * Double((number + place) % 3 - 1)
                word.ink = ink
                return word
            }
        }
    }

    private static let dark = Ink(color: 0x30_2820, ground: 0xE8_E0D0, stroke: 0.2)

    @Test(arguments: [
        Ink(color: 0x80_4010, ground: 0xE8_E0D0, stroke: 0.2), Ink(color: 0x30_2820, ground: 0xE8_E0D0, stroke: 0.15),
    ])
    func `another colour or thinner strokes on several lines begin the description`(list: Ink) {
        #expect(PrintSteps(lines(4, name: Self.dark, list: list)).places == [3, 1, 3, 1])
        #expect(PrintSteps(lines(2, name: Self.dark, list: list)).places == [nil, nil])
        #expect(PrintSteps(lines(4, name: Self.dark, list: Self.dark)).places == [nil, nil, nil, nil])
    }
}
