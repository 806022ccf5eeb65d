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

    /// The names, prices in a column, and codes behind them, which stand below the names' lines.
    private func column(drift: Double, without missing: Int?, codesAt x: Double = 720) throws -> Menu? {
        var page = PageBuilder()
        page.line("CARTA", height: 34)
        page.skip()
        for (place, ((name, price), codes)) in zip(Self.dishes, Self.codes).enumerated() {
            page.line("A>" + codes.map(String.init).joined(separator: ","), x: x, at: drift)
            if place != missing { page.line(price, x: 620, at: drift) }
            page.line(name)
        }
        page.skip()
        page.skip()
        page.line("Alérgenos:")
        for line in Self.legend { page.line(line) }
        return try Judge.menu(page.reading)
    }

    @Test(arguments: [0, 4, 8, 12, 16])
    func `codes behind prices belong to the dish of the price, not to the name of their row`(drift: Double) throws {
        let items = try #require(try column(drift: drift, without: nil)).sections.flatMap(\.items)
        #expect(items.count >= Self.dishes.count - 1)
        for item in items {
            let place = try #require(Self.dishes.firstIndex { $0.0 == item.name })
            #expect(declared(item) == Set(Self.codes[place].compactMap { Self.allergens[$0] }), "\(item.name)")
        }
    }

    /// From a drift of most of a row on, a price may be that of the name above or beside it.
    @Test(arguments: [0, 6, 12, 18, 24, 30], [nil] + (0..<6).map(Optional.init))
    func `no dish is free of what its own codes declare, though a price was not read`(
        drift: Double, missing: Int?
    ) throws {
        let items = try #require(try column(drift: drift, without: missing)).sections.flatMap(\.items)
        #expect(items.count >= Self.dishes.count - 2)
        for item in items {
            let place = try #require(Self.dishes.firstIndex { $0.0 == item.name })
            let verdicts = item.verdicts["everyone"] ?? [:]
            for allergen in Self.codes[place].compactMap({ Self.allergens[$0] }) {
                #expect(verdicts[allergen]?.verdict != .notFoundInText, "\(item.name): \(allergen)")
            }
        }
    }

    @Test func `codes that belong to no dish are shown with their allergens`() throws {
        let lines = try #require(try column(drift: 0, without: nil, codesAt: 1800)?.unread)
        let named = Set(lines.flatMap { $0.findings ?? [] }.map(\.allergen))
        #expect(named.isSuperset(of: [.gluten, .milk, .fish]), "\(lines.map(\.text))")
    }

    @Test(arguments: [
        ["Para 2", "Para 4", "Para 3", "Para 1", "Para 2", "Para 4"],
        ["Para 2-3", "Para 2-4", "Para 1-2", "Para 3-4", "Para 2-3", "Para 1-4"],
    ])
    func `other numbers behind words are no codes`(texts: [String]) throws {
        var page = PageBuilder()
        page.line("CARTA", height: 34)
        page.skip()
        for ((name, price), text) in zip(Self.dishes, texts) {
            page.line(name, advance: false)
            page.line(text, x: 260, advance: false)
            page.line(price, x: 620)
        }
        page.skip()
        page.line("Alérgenos:")
        for line in Self.legend { page.line(line) }
        let items = try #require(try Judge.menu(page.reading)).sections.flatMap(\.items)
        #expect(!items.isEmpty)
        #expect(items.allSatisfy { $0.findings.allSatisfy { $0.strength != .legendCode } })
    }
}

/// Menus that print below each dish what it declares, behind a word that is a heading of legends too.
@Suite struct `Codes in a line below each dish` {
    private static let dishes = [
        ("Wrap Schinken", "3,00 €"), ("Focaccia Mozzarella", "4,00 €"), ("Joghurt mit Honig", "4,50 €"),
        ("Croissant", "3,00 €"), ("Heiße Schokolade", "3,50 €"), ("Porridge mit Früchten", "5,00 €"),
    ]
    private static let codes = [
        ["A", "G", "L", "M"], ["A", "G", "H"], ["G"], ["A", "C", "G", "H"], ["G"], ["A", "G"],
    ]
    private static let additives = [[1, 2, 3, 5], [3, 4, 8], [5, 8], [], [5], [8]]
    private static let allergens: [String: Allergen] = [
        "A": .gluten, "C": .eggs, "G": .milk, "H": .nuts, "L": .celery, "M": .mustard,
    ]
    private static let legend = "A Gluten, C Ei, F Soja, G Milch, H Schalenfrüchte, L Sellerie, M Senf, N Sesam"

    private func price(_ dish: (String, String)) -> String {
        String(dish.1.prefix(4)).replacing(",", with: ".")
    }

    @Test(
        arguments: [
            "Allergene: ", "Allergens: ", "Allergènes: ", "Allergeni: ", "Alérgenos: ", "Alergeny: ", "ALLERGENE:",
        ],
        ["", " Zusatzstoffe: "])
    func `each dish declares its line`(lead: String, further: String) throws {
        for separator in [", ", ",", " "] where separator != " " || further.isEmpty {
            var page = PageBuilder()
            page.line("SPEISEKARTE", height: 34)
            page.skip()
            for (((name, price), codes), additives) in zip(zip(Self.dishes, Self.codes), Self.additives) {
                page.line(name, advance: false)
                page.line(price, x: 620)
                let numbers = further.isEmpty ? "" : further + additives.map(String.init).joined(separator: separator)
                page.line(lead + codes.joined(separator: separator) + numbers, height: 16)
                page.skip()
            }
            page.line("Allergen-Legende: " + Self.legend)
            if !further.isEmpty { page.line("Zusatzstoff-Legende: 1 mit Farbstoff, 2 mit Konservierungsstoff") }
            let items = try #require(try Judge.menu(page.reading)).sections.flatMap(\.items)
            #expect(items.map(\.name) == Self.dishes.map(\.0))
            for (item, (dish, codes)) in zip(items, zip(Self.dishes, Self.codes)) {
                let coded = Set(item.findings.filter { $0.strength == .legendCode }.map(\.allergen))
                #expect(coded == Set(codes.compactMap { Self.allergens[$0] }), "\(item.name): \(coded)")
                #expect(item.description == nil, "\(item.description ?? "")")
                #expect(item.prices.map(\.amount) == [price(dish)], "\(item.name)")
            }
        }
    }

    @Test(arguments: ["Allergene: ", "Allergens: ", "Alérgenos: "], [["A, G", "C"], ["1, 7", "3"], ["a, g", "c"]])
    func `codes that nothing explains are told with their dish`(lead: String, codes: [String]) throws {
        var page = PageBuilder()
        page.line("SPEISEKARTE", height: 34)
        page.skip()
        for (place, dish) in Self.dishes.enumerated() {
            page.line(dish.0, advance: false)
            page.line(dish.1, x: 620)
            page.line(lead + codes[place % codes.count], height: 16)
            page.skip()
        }
        let menu = try #require(try Judge.menu(page.reading))
        let items = menu.sections.flatMap(\.items)
        #expect(items.map(\.name) == Self.dishes.map(\.0))
        #expect(items.map { $0.prices.map(\.amount) } == Self.dishes.map { [price($0)] })
        let printed = codes.flatMap { $0.split(separator: ", ").map(String.init) }
        #expect(menu.coverage.unresolvedCodes == printed.sorted())
    }
}

/// Menus whose codes are in brackets in a column between names and prices, with a description below each name.
@Suite struct `Codes in brackets in a column` {
    private static let dishes = [
        ("1 Margarita", "Tomatsaus, ost", "150"), ("2 Capricciosa spesial", "Tomatsaus, skinke", "170"),
        ("3 Hawaii", "Tomatsaus, ananas", "160"), ("4 Pollo", "Tomatsaus, kylling, mais", "165"),
        ("5 Husets", "Tomatsaus, biff, løk", "190"), ("6 Vegetar", "Tomatsaus, paprika", "155"),
    ]
    private static let codes = [
        ["H", "M"], ["H", "M", "E"], ["H", "S"], ["M", "E", "S"], ["Se", "Ses"], ["H", "M", "Ses"],
    ]
    private static let allergens: [String: Allergen] = [
        "H": .gluten, "M": .milk, "E": .eggs, "S": .soybeans, "Se": .mustard, "Ses": .sesame,
    ]

    @Test(arguments: [230.0, 260, 300], [(separator: ",", gap: 60.0), (", ", 150), (",", 300)])
    func `belong with their price to the name of their row`(
        column: Double, print: (separator: String, gap: Double)
    ) throws {
        var page = PageBuilder()
        page.line("PIZZA", height: 34)
        page.skip()
        for ((name, description, price), codes) in zip(Self.dishes, Self.codes) {
            page.line(name, advance: false)
            page.line("(" + codes.joined(separator: print.separator) + ")", x: column, advance: false)
            page.line(price, x: column + 120 + print.gap)
            page.line(description, x: 15, height: 16)
            page.skip()
        }
        page.line("Allergener: H = hvetemel, M = melk, E = egg, S = soya, Se = sennep, Ses = sesamfrø")
        let items = try #require(try Judge.menu(page.reading)).sections.flatMap(\.items)
        #expect(items.map(\.name) == Self.dishes.map(\.0))
        for (item, (dish, codes)) in zip(items, zip(Self.dishes, Self.codes)) {
            let coded = Set(item.findings.filter { $0.strength == .legendCode }.map(\.allergen))
            #expect(coded == Set(codes.compactMap { Self.allergens[$0] }), "\(item.name): \(coded)")
            #expect(item.prices.map(\.amount) == [dish.2 + ".00"], "\(item.name)")
        }
    }
}
