import Core
import Testing

@testable import Allergens

/// Generated menus whose codes are beside the names, each list behind a word: the declared allergens are those of the legend.
@Suite struct `Codes behind a word of their own` {
    private static let dishes = [
        ("Sandwich de la casa", "6,00"), ("Hamburguesa completa", "9,00"), ("Pechuga a la plancha", "8,00"),
        ("Tarta de la abuela", "5,00"), ("Helado artesano", "5,50"), ("Servicio de mesa", "0,60"),
    ]
    private static let codes = [[1, 7], [1, 7, 12], [1, 3], [7], [1, 3, 7], [4]]
    private static let legend = [
        "1. Gluten 2. Crustáceos 3. Huevo 4. Pescado 5. Cacahuetes 6. Soja 7. Lácteos",
        "8. Frutos de cáscara 9. Apio 10. Mostaza 11. Sésamo 12. Sulfitos",
    ]
    private static let allergens: [Int: Allergen] = [1: .gluten, 3: .eggs, 4: .fish, 7: .milk, 12: .sulphites]

    private func menu(_ lead: String, _ separator: String) throws -> Menu? {
        var page = PageBuilder()
        page.line("CARTA", height: 34)
        page.skip()
        for ((name, price), codes) in zip(Self.dishes, Self.codes) {
            page.line(name, advance: false)
            page.line(lead + codes.map(String.init).joined(separator: separator), x: 260, advance: false)
            page.line(price, x: 620)
        }
        page.skip()
        page.line("Alérgenos:")
        for line in Self.legend { page.line(line) }
        return try Judge.menu(page.reading)
    }

    private func declared(_ item: Menu.Item) -> Set<Allergen> {
        Set((item.verdicts["everyone"] ?? [:]).filter { $0.value.verdict == .contains }.keys)
    }

    @Test(arguments: ["A>", "A ", "A> ", "Al. ", "Alérgenos: "], [",", ", "])
    func `each dish declares its codes`(lead: String, separator: String) throws {
        let menu = try #require(try menu(lead, separator))
        let items = menu.sections.flatMap(\.items)
        #expect(items.map(\.name) == Self.dishes.map(\.0))
        for (item, codes) in zip(items, Self.codes) {
            let declared = declared(item)
            #expect(declared.isSuperset(of: codes.compactMap { Self.allergens[$0] }), "\(item.name): \(declared)")
            #expect(item.description == nil, "\(item.description ?? "")")
        }
    }

    @Test func `a word before numbers in fewer lines begins no codes`() throws {
        var legend = Legend()
        for number in 1...14 { legend.bind("\(number)", to: .other) }
        func leads(_ lines: String...) -> Set<Substring> { DishCodes.leads(in: lines.map(Judge.words), legend) }
        #expect(leads("A>1,7", "A 2", "A> 3, 12") == ["A"])
        #expect(leads("Para 2", "Para 4", "con salsa 1", "1,7", "mit 5 Sorten").isEmpty)
        #expect(leads("A>1,7", "B 2", "C 3").isEmpty)
        #expect(leads("A>1,70", "A 25", "A 3").isEmpty)
    }
}
