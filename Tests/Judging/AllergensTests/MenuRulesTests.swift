import Testing
import Core

@testable import Allergens

@Suite("Menus")
struct MenuRulesTests {
    private func dish(_ menu: Menu?, _ name: String) -> Menu.Item? {
        menu?.sections.flatMap(\.items).first { $0.name == name }
    }

    private func verdict(_ item: Menu.Item?, _ allergen: Allergen) -> AllergenVerdict? {
        item?.verdicts["everyone"]?[allergen]
    }

    @Test func `sections, dishes, prices and descriptions are distinguished`() throws {
        var page = PageBuilder()
        page.line("STARTERS", height: 26)
        page.line("Tomato Soup ........ £5.50")
        page.line("with basil and cream", height: 16)
        page.line("Garlic Prawns £8.00")
        page.line("MAINS", height: 26)
        page.line("House Salad small £4 large £6.50")
        let menu = try #require(try Judge.menu(page.reading))
        #expect(menu.currency == "GBP")
        #expect(menu.sections.map(\.title) == ["STARTERS", "MAINS"])
        #expect(menu.sections[0].items.map(\.name) == ["Tomato Soup", "Garlic Prawns"])
        #expect(dish(menu, "Tomato Soup")?.description == "with basil and cream")
        #expect(dish(menu, "Tomato Soup")?.prices == [Menu.Price(amount: "5.50")])
        #expect(
            dish(menu, "House Salad")?.prices == [
                .init(amount: "4.00", label: "small"), .init(amount: "6.50", label: "large"),
            ])
        #expect(verdict(dish(menu, "Tomato Soup"), .milk)?.verdict == .contains)
    }

    @Test func `a lone price keeps the dish's last word, and a row of its own keeps its size`() throws {
        let menu = try #require(
            try Judge.menu(.page("Granola bowl £5.90", "Lemonade 0,3l £3.10", "Soup cup £3 bowl £5")))
        #expect(menu.sections.flatMap(\.items).map(\.name) == ["Granola bowl", "Lemonade", "Soup"])
        #expect(dish(menu, "Granola bowl")?.prices == [.init(amount: "5.90")])
        #expect(dish(menu, "Lemonade")?.prices == [.init(amount: "3.10", label: "0,3l")])
        #expect(
            dish(menu, "Soup")?.prices == [.init(amount: "3.00", label: "cup"), .init(amount: "5.00", label: "bowl")])
    }

    @Test func `a dish without a declaration is never NOT_FOUND`() throws {
        let menu = try Judge.menu(.page("Tomato Soup £5.50", "Garlic Prawns £8.00"))
        let words =
            menu?.sections.flatMap(\.items).flatMap { $0.verdicts["everyone"]?.values.map(\.verdict) ?? [] } ?? []
        #expect(words.count == 28 && !words.contains(.notFoundInText))
        #expect(verdict(dish(menu, "Tomato Soup"), .fish)?.reason == "noDeclaration")
    }

    @Test func `a name on the left and a price on the right form one row`() throws {
        var page = PageBuilder()
        for (name, price) in [("Wiener Schnitzel", "14,50 €"), ("Forelle blau", "17,90 €")] {
            page.line(name, advance: false)
            page.line(price, x: 600)
        }
        let menu = try #require(try Judge.menu(page.reading))
        #expect(menu.sections.flatMap(\.items).map(\.name) == ["Wiener Schnitzel", "Forelle blau"])
        #expect(dish(menu, "Forelle blau")?.prices.first?.amount == "17.90")
        #expect(menu.currency == "EUR")
        #expect(verdict(dish(menu, "Forelle blau"), .fish)?.verdict == .contains)
        #expect(verdict(dish(menu, "Wiener Schnitzel"), .gluten)?.verdict == .likely)
    }

    @Test func `two columns of dishes stay apart`() throws {
        var page = PageBuilder()
        for (left, right) in [
            ("Tomato Soup 5.50", "Apple Pie 6.50"), ("Fish Cakes 7.50", "Ice Cream 4.50"),
            ("Green Salad 4.00", "Cheese Plate 8.00"),
        ] {
            page.line(left, advance: false)
            page.line(right, x: 400)
        }
        let menu = try #require(try Judge.menu(page.reading))
        #expect(
            menu.sections.flatMap(\.items).map(\.name)
                == ["Tomato Soup", "Fish Cakes", "Green Salad", "Apple Pie", "Ice Cream", "Cheese Plate"])
        #expect(menu.sections.flatMap(\.items).allSatisfy { $0.prices.count == 1 })
    }

    @Test func `codes have the meanings of the page's legend`() throws {
        let menu = try #require(
            try Judge.menu(
                .page(
                    "Tagessuppe (A,L) 4,90", "Apfelkuchen A,C,G 3,80",
                    "Allergene: A Gluten, C Eier, G Milch, L Sellerie, D Fisch")))
        #expect(
            Set(menu.legend) == [
                .init(code: "A", allergen: .gluten), .init(code: "C", allergen: .eggs),
                .init(code: "G", allergen: .milk),
                .init(code: "L", allergen: .celery), .init(code: "D", allergen: .fish),
            ])
        let cake = dish(menu, "Apfelkuchen")
        #expect(verdict(cake, .milk)?.verdict == .contains)
        #expect(cake?.findings.contains { $0.allergen == .milk && $0.strength == .legendCode } == true)
        #expect(verdict(cake, .fish)?.verdict == .notFoundInText)
        // The legend has no code for lupin, so it supports no absence claim about lupin.
        #expect(verdict(cake, .lupin)?.verdict == .cannotTell)
        #expect(menu.coverage.legendPresent && menu.coverage.unresolvedCodes.isEmpty)
    }

    @Test(
        "Legends are parsed in all notations",
        arguments: [
            ("A = gluten", ["A"]), ("(1) milk", ["1"]), ("A: Glutenhaltiges Getreide", ["A"]),
            ("G Milch, L Sellerie", ["G", "L"]),
            ("A Gluten B Krebstiere C Eier", ["A", "B", "C"]), ("2 Eier, 3 Brote", []),
        ])
    func legendSpellings(text: String, codes: [String]) throws {
        let lexiconIndex = LexiconIndex(try VocabularyFile.load(from: Judge.models).vocabulary)
        let parser = LegendParser(detector: FindingDetector(lexiconIndex: lexiconIndex))
        #expect(parser.entries(in: text, isInLegend: false).map(\.code) == codes)
    }

    @Test(
        "Entries that lost their sign count beside two that kept it", arguments: [":", " =", " -"],
        ["ABCDEF", "12345"])
    func legendWithoutSigns(sign: String, codes: String) throws {
        let lexiconIndex = LexiconIndex(try VocabularyFile.load(from: Judge.models).vocabulary)
        let parser = LegendParser(detector: FindingDetector(lexiconIndex: lexiconIndex))
        let entries = Array(zip(codes, ["Fisch", "Milch", "Erdnüsse", "Senf", "Sellerie", "Eier"]))
        for lost in 0..<(1 << entries.count) where entries.count - lost.nonzeroBitCount >= 2 {
            let row = entries.enumerated().map { number, entry in
                "\(entry.0)\(lost >> number & 1 == 1 ? "" : sign) \(entry.1)"
            }.joined(separator: ", ")
            let found = parser.entries(in: row, isInLegend: false).map(\.code)
            #expect(found == entries.map { String($0.0) }, "\(row)")
        }
    }

    @Test(
        "The signs between entries decide whether codes or words come first",
        arguments: [
            ("Gluten, C Eier, D Fisch, F", ["C eggs", "D fish"]),
            ("Gluten = A, Milch = G", ["A gluten", "G milk"]),
            ("Gluten (A) Eier (C)", ["A gluten", "C eggs"]), ("Gluten – A Eier – C", []),
        ])
    func legendOrder(text: String, entries: [String]) throws {
        let lexiconIndex = LexiconIndex(try VocabularyFile.load(from: Judge.models).vocabulary)
        let parser = LegendParser(detector: FindingDetector(lexiconIndex: lexiconIndex))
        let bound = parser.entries(in: text, isInLegend: true).map { code, meaning in
            guard case .allergens(let bindings) = meaning else { return code }
            return ([code] + bindings.map(\.allergen.rawValue)).joined(separator: " ")
        }
        #expect(bound == entries)
    }

    @Test(
        "Counts, articles and choices are no legend",
        arguments: [
            "2 eggs, 2 sausages, 2 rashers, 2 slices of toast", "A Bowl of Milk, A Slice of Cheese",
            "Fried Eggs (2) with toast and butter", "Omelette (3) eggs, milk", "1/2 cheese 1/2 ham, 2 eggs, 3 toast",
        ])
    func noLegend(text: String) throws {
        let lexiconIndex = LexiconIndex(try VocabularyFile.load(from: Judge.models).vocabulary)
        let parser = LegendParser(detector: FindingDetector(lexiconIndex: lexiconIndex))
        #expect(parser.entries(in: text, isInLegend: false).map(\.code) == [])
        #expect(!parser.looksLikeEntries(text))
    }

    @Test func `a description that repeats a number is judged as a description`() throws {
        let judged = try Judge.interpreter().judgement(
            ofText: "Full English\n2 eggs, 2 sausages, 2 rashers, 2 slices of toast", language: "en", kind: .dish,
            profile: try Judge.everyone())
        #expect(judged.verdicts[.eggs]?.verdict == .contains)
        #expect(judged.verdicts[.gluten]?.verdict == .contains || judged.verdicts[.gluten]?.verdict == .likely)
    }

    @Test func `one lettered choice of a set menu is no legend`() throws {
        let menu = try #require(
            try Judge.menu(.page("Set lunch £12.00", "A: Fish and chips", "Tomato Soup £5.50", "Prawns £8.00")))
        #expect(menu.legend.isEmpty && !menu.coverage.legendPresent)
    }

    @Test func `a heading makes its allergen likely in the dishes below it, and declares nothing`() throws {
        var page = PageBuilder()
        page.line("FISH", height: 28)
        page.line("Catch of the day £15.50")
        page.line("House special £18.00")
        page.line("DESSERTS", height: 28)
        page.line("Fruit bowl £5.50")
        page.line("Sorbet £4.50")
        let menu = try Judge.menu(page.reading)
        #expect(verdict(dish(menu, "House special"), .fish)?.verdict == .likely)
        #expect(verdict(dish(menu, "Fruit bowl"), .fish)?.verdict == .cannotTell)
    }

    @Test func `one letter has different meanings on different pages`() throws {
        let menu = try Judge.menu(.page("Tofu Bowl (G) 9,90", "Reis (G) 3,50", "G = Soja"))
        #expect(verdict(dish(menu, "Reis"), .soybeans)?.verdict == .contains)
        #expect(verdict(dish(menu, "Reis"), .milk)?.verdict != .contains)
    }

    @Test func `codes without a legend stay unresolved and support no absence claim`() throws {
        let menu = try #require(try Judge.menu(.page("Reis (A,G) 4,90", "Linsen (G) 3,80")))
        #expect(menu.coverage.unresolvedCodes == ["A", "G"])
        #expect(menu.sections.flatMap(\.items).flatMap(\.findings).allSatisfy { $0.strength == .dishKnowledge })
        #expect(verdict(dish(menu, "Reis"), .milk)?.reason == "unresolvedCodes")
        #expect(verdict(dish(menu, "Reis"), .milk)?.verdict == .cannotTell)
    }

    @Test func `an unresolved code retracts the legend's absence claim`() throws {
        let menu = try Judge.menu(
            .page(
                "Reis (A,X) 4,90", "Linsen (A) 3,80", "Kartoffeln (C) 4,20", "Nudeln (A,C) 6,50", "A = Gluten, C = Eier"
            ))
        #expect(verdict(dish(menu, "Reis"), .eggs)?.verdict == .cannotTell)
        #expect(verdict(dish(menu, "Linsen"), .eggs)?.verdict == .notFoundInText)
    }

    @Test func `additive numbers are explained but are no allergens`() throws {
        let menu = try #require(
            try Judge.menu(
                .page("Cola (1) 2,90", "Bratwurst (2,A) 5,80", "1 = mit Farbstoff, 2 = mit Phosphat, A = Gluten")))
        #expect(menu.legend == [.init(code: "A", allergen: .gluten)])
        #expect(menu.coverage.unresolvedCodes.isEmpty)
        #expect(verdict(dish(menu, "Cola"), .gluten)?.verdict == .cannotTell)
    }

    @Test func `GF explained as gluten free is a claim and no declaration`() throws {
        let menu = try #require(try Judge.menu(.page("Rice Bowl (GF) £9.90", "Lentils £3.80", "GF = gluten free")))
        #expect(menu.legend.isEmpty)
        #expect(dish(menu, "Rice Bowl")?.findings.map(\.polarity) == [.freeClaim])
        #expect(verdict(dish(menu, "Rice Bowl"), .gluten)?.verdict == .cannotTell)
    }

    @Test(arguments: ["BURGER VEGAN", "LASAGNE VEGETARISCH", "MÜSLI TOP"])
    func `a diet word at the end of a name is part of the name`(name: String) throws {
        let codes = try DishCodes(legend: Legend(), Judge.interpreter().detector.lexiconIndex)
        let (words, found) = codes.split(Judge.words(name))
        #expect(words.map(\.text).joined(separator: " ") == name)
        #expect(found.isEmpty)
        #expect(codes.split(Judge.words("BURGER V")).codes.map(\.code) == ["V"])
    }

    @Test(arguments: [
        ("(1.10,11)", ["1", "10", "11"]), ("(10.11)", ["10", "11"]), ("(1.5)", []), ("(10.11.2026)", []),
    ])
    func `codes with points between them are those that the page explains`(text: String, expected: [String]) throws {
        var legend = Legend()
        for code in ["1", "10", "11"] { legend.bind(code, to: .other) }
        let codes = try DishCodes(legend: legend, Judge.interpreter().detector.lexiconIndex)
        let found = codes.split(Judge.words("Toast Klassik \(text)")).codes
        #expect(found.map(\.code) == expected)
    }

    /// Lists of codes without brackets, on the name's line, raised behind it, or below it.
    @Test(arguments: [0.0, -6.0, 28.0], ["1, 6, 7", "1,7", "6, 7, 12", "2,7", "7,12", "1, 3, 6, 7", "1,2, 7,10, 12"])
    func `numbers that the legend explains are codes and no prices`(rise: Double, list: String) throws {
        var page = PageBuilder()
        for (row, name) in ["Salade", "Steak frites", "Gratin", "Tarte du jour", "Potage"].enumerated() {
            page.line(name, x: 0, advance: false)
            if row == 1 { page.line(list, x: rise > 0 ? 10 : 130, height: 14, at: rise) }
            page.line("\(row + 14),50", x: 600)
            page.skip()
        }
        page.line("Allergènes: 1) Gluten 2) Crustacés 3) Oeuf 4) Poisson 6) Arachides 7) Lait 10) Moutarde 12) Sulfite")
        let steak = try #require(dish(try Judge.menu(page.reading), "Steak frites"))
        #expect(steak.prices.map(\.amount) == ["15.50"])
        let meanings: [Int: Allergen] = [
            1: .gluten, 2: .crustaceans, 3: .eggs, 6: .peanuts, 7: .milk, 10: .mustard, 12: .sulphites,
        ]
        for code in list.split(whereSeparator: { ", ".contains($0) }).compactMap({ Int($0) }) {
            let allergen = try #require(meanings[code])
            #expect(verdict(steak, allergen)?.verdict == .contains, "\(code)")
        }
    }

    @Test(arguments: ["(1,3,7)", "(7)", "[1, 3]"], ["16,00 €", "16.00€", "€ 16.00", "16,00"])
    func `a price between a name and its codes is the dish's price`(codes: String, price: String) throws {
        var page = PageBuilder()
        for name in ["Ravioli Caprese", "Lasagna al forno", "Gnocchi verdi", "Penne al ragù", "Risotto ai funghi"] {
            page.line("\(name) \(price) \(codes)")
            page.skip()
        }
        let menu = try #require(try Judge.menu(page.reading))
        let items = menu.sections.flatMap(\.items)
        #expect(
            items.map(\.name) == [
                "Ravioli Caprese", "Lasagna al forno", "Gnocchi verdi", "Penne al ragù", "Risotto ai funghi",
            ])
        #expect(items.allSatisfy { $0.prices.map(\.amount) == ["16.00"] })
    }

    @Test func `codes behind a price stay with their dish`() throws {
        var page = PageBuilder()
        let dishes = [
            ("Ravioli Caprese", 1), ("Lasagna verde", 2), ("Gnocchi bianchi", 3), ("Penne rigate", 7),
            ("Risotto nero", 4),
        ]
        for (name, code) in dishes {
            page.line("\(name) 16,00 € (\(code),12)")
            page.skip()
        }
        for (name, code) in ["Gluten", "Krebstiere", "Eier", "Fisch", "Erdnüsse", "Soja", "Milch", "Nüsse"].enumerated()
            .map({ ($1, $0 + 1) })
        {
            page.line("\(code) = \(name)")
        }
        page.line("12 = Sulfite")
        let menu = try #require(try Judge.menu(page.reading))
        let wanted: [Allergen] = [.gluten, .crustaceans, .eggs, .milk, .fish]
        let items = menu.sections.flatMap(\.items)
        #expect(items.map(\.name) == dishes.map(\.0))
        for (item, allergen) in zip(items, wanted) {
            let declared = Set(
                item.findings.filter { $0.polarity == .contains && $0.strength == .legendCode }.map(\.allergen))
            #expect(
                declared.contains(allergen) && declared.isDisjoint(with: Set(wanted).subtracting([allergen])),
                "\(item.name)")
        }
    }

    /// Dishes at equal distances, some with a second line at a smaller one.
    private func page(_ names: [[String]], rise: Double, priceAtEnd: Bool) -> PageBuilder {
        var page = PageBuilder()
        for (number, lines) in names.enumerated() {
            let price = "\(number + 4).50"
            if lines.count == 1 || !priceAtEnd { page.line(price, x: 500, advance: false) }
            page.line(lines[0])
            if lines.count == 2 {
                page.line(lines[1], at: rise - 30)
                if priceAtEnd { page.line(price, x: 500, at: rise - 30) }
            }
            page.skip()
        }
        return page
    }

    @Test(arguments: [true, false], [24.0, 26.0])
    func `the second line of a name is no dish where all dishes have prices`(priceAtEnd: Bool, rise: Double) throws {
        let names = [
            ["ESPRESSO"], ["ICED BROWN SUGAR", "SHAKEN ESPRESSO"], ["FLAT WHITE"], ["CAPPUCCINO"],
            ["COCO WATER", "MATCHA CLOUD"],
            ["FILTER COFFEE"], ["LATTE MACCHIATO"],
        ]
        let menu = try #require(try Judge.menu(page(names, rise: rise, priceAtEnd: priceAtEnd).reading))
        let items = menu.sections.flatMap(\.items)
        #expect(items.map(\.name) == names.map { $0.joined(separator: " ") })
        #expect(items.map { $0.prices.map(\.amount) } == names.indices.map { ["\($0 + 4).50"] })
    }

    @Test func `a word that the end of a line divides is whole in the description`() throws {
        var page = PageBuilder()
        for name in ["Hawaiischnitzel", "Jägerschnitzel", "Rahmschnitzel", "Wiener Schnitzel"] {
            page.line("\(name) 12,50")
            page.line("mit Ananas, Käse und Hollan-", height: 16)
            page.line("daise, Jäger- oder Rahmsauce", height: 16)
            page.skip()
        }
        let menu = try #require(try Judge.menu(page.reading))
        let texts = menu.sections.flatMap(\.items).compactMap(\.description)
        #expect(texts.count == 4)
        #expect(texts.allSatisfy { $0 == "mit Ananas, Käse und Hollandaise, Jäger- oder Rahmsauce" }, "\(texts)")
    }

    @Test func `GFO is an option`() throws {
        let menu = try Judge.menu(.page("Beef Burger (GFO) £9.90", "Lentils £3.80"))
        #expect(dish(menu, "Beef Burger")?.findings.contains { $0.polarity == .option } == true)
        #expect(verdict(dish(menu, "Beef Burger"), .gluten)?.verdict == .likely)
    }

    @Test func `a precaution on the page holds for every dish`() throws {
        let menu = try Judge.menu(.page("Green Salad £4.90", "Lentils £3.80", "All our dishes may contain nuts"))
        #expect(verdict(dish(menu, "Green Salad"), .nuts)?.verdict == .mayContain)
        #expect(verdict(dish(menu, "Lentils"), .nuts)?.verdict == .mayContain)
    }

    @Test func `a code with low confidence retracts the absence claim`() throws {
        var page = PageBuilder()
        page.line("Linsen (A) 3,80", confidence: 0.5)
        page.line("Reis (A) 3,80")
        page.line("A = Gluten, C = Eier")
        let menu = try Judge.menu(page.reading)
        #expect(verdict(dish(menu, "Linsen"), .eggs)?.reason == "lowReadingQuality")
        #expect(verdict(dish(menu, "Reis"), .eggs)?.verdict == .notFoundInText)
    }

    @Test func `a letter that a person names a menu claims no absence`() throws {
        let reading = TextReading.page("Dear Sir,", "thank you for the soup.")
        let forced = try #require(try Judge.menu(reading))
        #expect(
            forced.sections.flatMap(\.items).flatMap { $0.verdicts["everyone"]?.values.map(\.verdict) ?? [] }.allSatisfy
            { $0 != .notFoundInText })
    }

    @Test func `a menu line carries its legend on the lines below`() throws {
        let profile = try Judge.everyone()
        let judged = try Judge.interpreter().judgement(
            ofText: "Linsensuppe (L)\nL = Sellerie, G = Milch", language: "de", kind: .menuLine, profile: profile)
        #expect(judged.verdicts[.celery]?.verdict == .contains)
        #expect(judged.verdicts[.milk]?.verdict == .notFoundInText)
    }
}
