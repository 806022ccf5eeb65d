import TestSupport
import Testing
import Core

@testable import Documents

/// The tests supply the roles, which the classifier predicts in the program.
@Suite("Dishes from roles")
struct DishAssemblerTests {
    private let words: AmountWords
    private let menuWords: MenuWords

    init() throws {
        words = try AmountWords(from: ModelFolder(Repository.models))
        menuWords = try MenuWords(from: ModelFolder(Repository.models))
    }

    private func assembled(_ page: MenuLines, _ roles: [String: MenuRole]) -> DishAssembler {
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        var assembler = DishAssembler(
            layout, layout.texts.map { roles[$0.segment.string] ?? .description }, words: menuWords)
        assembler.assemble()
        return assembler
    }

    private func text(_ assembler: DishAssembler, _ indices: [Int]) -> String {
        indices.map { assembler.page.texts[$0].segment.string }.joined(separator: " / ")
    }

    @Test func `a description belongs to the next name above in its column`() {
        var page = MenuLines()
        for (x, name) in [(0.0, "Trout"), (500.0, "Duck")] {
            page.line("\(name) 12.50", x: x, y: 0)
            page.line("with butter and \(name) jus", x: x, y: 28)
            page.line("and bread", x: x, y: 56)
        }
        let found = assembled(page, ["Trout": .dish, "Duck": .dish])
        #expect(found.dishes.map { text(found, $0.name) } == ["Trout", "Duck"])
        #expect(text(found, found.dishes[0].description) == "with butter and Trout jus / and bread")
        #expect(text(found, found.dishes[1].description) == "with butter and Duck jus / and bread")
    }

    @Test func `prices in corners are assigned by the most frequent offset`() {
        var page = MenuLines()
        for (column, name) in ["Banana", "Mango", "Cherry"].enumerated() {
            page.line("$\(column + 4)", x: Double(column) * 400 + 180, y: 0)
            page.line(name, x: Double(column) * 400, y: 90)
        }
        let found = assembled(page, ["Banana": .dish, "Mango": .dish, "Cherry": .dish])
        #expect(found.dishes.map { DishAssembler.prices(of: $0).map(\.amount) } == [["4.00"], ["5.00"], ["6.00"]])
        #expect(found.lostPrices == 0)
    }

    /// Names 40 pixels apart, and prices in a column whose rows drift away from theirs.
    private func drifting(_ names: [String], from first: Double, by drift: Double) -> MenuLines {
        var page = MenuLines()
        for (row, name) in names.enumerated() {
            page.line(name, x: 0, y: Double(row) * 40)
            page.line("\(row + 5).50", x: 600, y: Double(row) * (40 + drift) + first)
        }
        return page
    }

    @Test(arguments: [(-18.0, 0.0), (18, 0), (-18, 8), (0, 7), (0, 0)])
    func `a price column whose rows are shifted keeps its order`(first: Double, drift: Double) {
        let names = ["Soup", "Trout", "Duck", "Salad", "Lamb"]
        var page = drifting(names, from: first, by: drift)
        page.line("Starters", x: 0, y: -40)
        let roles = Dictionary(uniqueKeysWithValues: names.map { ($0, MenuRole.dish) })
            .merging(["Starters": .section]) { $1 }
        let found = assembled(page, roles)
        #expect(found.dishes.map { text(found, $0.name) } == names)
        #expect(
            found.dishes.map { DishAssembler.prices(of: $0).map(\.amount) } == [
                ["5.50"], ["6.50"], ["7.50"], ["8.50"], ["9.50"],
            ])
    }

    @Test func `a dish without a price does not take the price of the next row`() {
        var page = MenuLines()
        for (row, line) in ["Soup", "Trout", "Duck", "Salad"].enumerated() {
            page.line(line, x: 0, y: Double(row) * 40)
            if row != 1 { page.line("\(row + 5).50", x: 600, y: Double(row) * 40) }
        }
        let found = assembled(page, ["Soup": .dish, "Trout": .dish, "Duck": .dish, "Salad": .dish])
        #expect(found.dishes.map { DishAssembler.prices(of: $0).map(\.amount) } == [["5.50"], [], ["7.50"], ["8.50"]])
    }

    @Test func `a price on the right below the description belongs to the name above it`() {
        var page = MenuLines()
        for (row, name) in ["Tacos", "Wings", "Ribs"].enumerated() {
            page.line(name, x: 0, y: Double(row) * 160)
            page.line("with slaw and onion", x: 0, y: Double(row) * 160 + 40)
            page.line("$\(row + 13).50", x: 500, y: Double(row) * 160 + 80)
        }
        let found = assembled(page, ["Tacos": .dish, "Wings": .dish, "Ribs": .dish])
        #expect(found.dishes.map { DishAssembler.prices(of: $0).map(\.amount) } == [["13.50"], ["14.50"], ["15.50"]])
    }

    @Test func `containers in a column of their own belong to the drinks beside them`() {
        var page = MenuLines()
        for (row, name) in ["Fanta", "Birra"].enumerated() {
            page.line(name, x: 0, y: Double(row) * 40)
            page.line("Lattina (33 cl)", x: 300, y: Double(row) * 40)
            page.line("\(row + 3).50", x: 600, y: Double(row) * 40)
        }
        let found = assembled(page, ["Fanta": .dish, "Birra": .dish, "Lattina (33 cl)": .dish])
        #expect(found.dishes.map { text(found, $0.name) } == ["Fanta / Lattina (33 cl)", "Birra / Lattina (33 cl)"])
        #expect(found.dishes.map { DishAssembler.prices(of: $0).map(\.amount) } == [["3.50"], ["4.50"]])
    }

    @Test(arguments: [(300.0, 0.0), (0, 30)])
    func `sizes in brackets beside or below their names belong to them`(x: Double, y: Double) {
        var page = MenuLines()
        for (row, name) in ["Fried wings", "Fried shrimp"].enumerated() {
            page.line(name, x: 0, y: Double(row) * 90)
            page.line("(\(row + 6) pcs)", x: x, y: Double(row) * 90 + y)
            page.line("\(row + 3).50", x: 600, y: Double(row) * 90 + y)
        }
        let found = assembled(
            page, ["Fried wings": .dish, "Fried shrimp": .dish, "(6 pcs)": .dish, "(7 pcs)": .dish])
        #expect(found.dishes.map { text(found, $0.name) } == ["Fried wings / (6 pcs)", "Fried shrimp / (7 pcs)"])
        #expect(found.dishes.map { DishAssembler.prices(of: $0).map(\.amount) } == [["3.50"], ["4.50"]])
    }

    @Test func `a name without a price above lines with prices of their own is their heading`() {
        var page = MenuLines()
        page.line("Pasta", x: 0, y: 0)
        for (row, name) in ["Carbonara", "4 cheeses", "Bolognese"].enumerated() {
            page.line("\(name) \(row + 9).50", x: 0, y: Double(row + 1) * 30)
        }
        page.line("with beef", x: 0, y: 120)
        let found = assembled(page, ["Pasta": .dish])
        #expect(found.dishes.map { text(found, $0.name) } == ["Carbonara", "4 cheeses", "Bolognese"])
        #expect(text(found, found.dishes[2].description) == "with beef")
        #expect(found.roles[0] == .section)
    }

    @Test(arguments: [["Small", "Large"], ["with ham", "with tuna"], ["0,3 l", "0,5 l"]])
    func `a name above its sizes and extras stays a dish`(lines: [String]) {
        var page = MenuLines()
        page.line("Margherita", x: 0, y: 0)
        for (row, line) in lines.enumerated() {
            page.line("\(line) \(row + 7).50", x: 0, y: Double(row + 1) * 30)
        }
        let found = assembled(page, ["Margherita": .dish])
        #expect(found.dishes.map { text(found, $0.name) } == ["Margherita"])
    }

    @Test func `a list that goes on in the next line begins with the name`() {
        var page = MenuLines()
        let dishes = ["Carpaccio, parmesan,": "lemon, aioli", "Tacos, chicken, corn,": "onion", "Ribs, slaw,": "plum"]
        for (row, dish) in dishes.sorted(by: { $0.key < $1.key }).enumerated() {
            page.line(dish.key, x: 0, y: Double(row) * 120)
            page.line(dish.value, x: 0, y: Double(row) * 120 + 28)
        }
        let roles = Dictionary(uniqueKeysWithValues: dishes.values.map { ($0, MenuRole.description) })
        let found = menu(page, roles).sections.flatMap(\.dishes)
        #expect(found.map { $0.name.joined().map(\.text) } == [["Carpaccio"], ["Ribs"], ["Tacos"]])
        #expect(
            found.map { $0.description.joined().map(\.text).joined(separator: " ") } == [
                "parmesan, lemon, aioli", "slaw, plum", "chicken, corn, onion",
            ])
    }

    private func menu(_ page: MenuLines, _ roles: [String: MenuRole], certainty: Float = 0.9) -> MenuPage {
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        let all = layout.texts.map { roles[$0.segment.string] ?? .dish }
        var assembler = DishAssembler(layout, all, words: menuWords)
        assembler.assemble()
        let probabilities = all.map { role in
            MenuRole.allCases.map { $0 == role ? certainty : (1 - certainty) / Float(MenuRole.allCases.count - 1) }
        }
        return MenuPageBuilder(layout, probabilities).page(assembler)
    }

    private func sections(_ menu: MenuPage) -> [String: [String]] {
        let text = { (lines: [[Word]]) in lines.joined().map(\.text).joined(separator: " ") }
        return Dictionary(
            menu.sections.map { (text($0.title), $0.dishes.map { text($0.name) }) }, uniquingKeysWith: { $0 + $1 })
    }

    @Test(arguments: ["Montag", "QUINTA FEIRA", "Sobota 15.10.", "Dienstag, 12. Mai", "SÁBADO:", "Lundi 4 avril"])
    func `a day is a heading whatever the classifier says`(day: String) {
        var page = MenuLines()
        page.line(day, x: 0, y: 0)
        page.line("Gulasch mit Nudeln", x: 0, y: 40)
        #expect(sections(menu(page, [:])) == [day: ["Gulasch mit Nudeln"]])
    }

    @Test(arguments: ["Sunday Roast", "Mo-Fr 11:30", "Montag bis Freitag", "Quarter Pounder", "Freitag 12.50 €"])
    func `a dish with a day and opening hours are no headings`(line: String) {
        var page = MenuLines()
        page.line(line, x: 0, y: 0)
        page.line("Gulasch mit Nudeln", x: 0, y: 40)
        #expect(menu(page, [:]).sections.flatMap(\.dishes).count == 2)
    }

    @Test func `a day with its date before a dish is cut off as its heading`() {
        var page = MenuLines()
        for (row, day) in ["Pondělí 10.10.", "Úterý 11.10."].enumerated() {
            page.line("\(day) polévka Kulajda", x: 0, y: Double(row) * 120)
            page.line("1. Svíčková na smetaně", x: 0, y: Double(row) * 120 + 40)
        }
        let dishes = ["polévka Kulajda", "1. Svíčková na smetaně"]
        #expect(sections(menu(page, [:])) == ["Pondělí 10.10.": dishes, "Úterý 11.10.": dishes])
    }

    @Test func `a heading is sure only for the dishes below it in its column`() {
        var page = MenuLines()
        page.line("Seafood", x: 600, y: 0)
        page.line("Prawns 12.50", x: 600, y: 40)
        page.line("Goulash 9.50", x: 0, y: 40)
        let found = menu(page, ["Seafood": .section])
        #expect(sections(found) == ["Seafood": ["Prawns"], "": ["Goulash"]])
        #expect(
            found.sections.flatMap(\.dishes).map { $0.headingCertainty > 0.8 }.sorted { !$0 && $1 } == [false, true])
        let unsure = menu(page, ["Seafood": .section], certainty: 0.4)
        #expect(unsure.sections.flatMap(\.dishes).allSatisfy { $0.headingCertainty < 0.5 })
    }

    @Test func `a heading that starts the next column is not the heading of this one`() {
        var page = MenuLines()
        page.line("Seafood", x: 120, y: 0)
        page.line("Prawns", x: 120, y: 40)
        page.line("Goulash", x: 0, y: 40)
        page.line("Open daily", x: 1200, y: 40)
        #expect(
            sections(menu(page, ["Seafood": .section, "Open daily": .note])) == [
                "Seafood": ["Prawns"], "": ["Goulash"],
            ])
    }

    @Test func `a heading between two columns belongs to both`() {
        var page = MenuLines()
        page.line("Pizza", x: 170, y: 0)
        page.line("Margherita", x: 0, y: 40)
        page.line("Diavola", x: 180, y: 40)
        #expect(sections(menu(page, ["Pizza": .section])) == ["Pizza": ["Margherita", "Diavola"]])
    }

    @Test func `a name without a word and its description are lines of the dish above`() {
        var page = MenuLines()
        page.line("Gulasch", x: 0, y: 0)
        page.line("1 0 4", x: 0, y: 40)
        page.line("mit Garnelen", x: 0, y: 70)
        let found = menu(page, ["mit Garnelen": .description])
        #expect(sections(found) == ["": ["Gulasch"]])
        #expect(found.loose.map { $0.words.map(\.text).joined(separator: " ") } == ["1 0 4", "mit Garnelen"])
        #expect(found.loose.map(\.nearestDish) == [0, 0])
    }

    @Test func `sizes on separate lines become labelled prices of the dish above`() {
        var page = MenuLines()
        page.line("Chicken", x: 0, y: 0)
        page.line("half 9.00", x: 0, y: 28)
        page.line("whole 16.00", x: 0, y: 56)
        let found = assembled(page, ["Chicken": .dish, "half": .variant, "whole": .variant])
        #expect(
            found.dishes.map(DishAssembler.prices) == [
                [.init(amount: "9.00", label: "half"), .init(amount: "16.00", label: "whole")]
            ])
    }

    @Test func `an open bracket keeps the next line even if it looks like a dish`() {
        var page = MenuLines()
        page.line("Salad Tonno (lettuce, tuna,", x: 0, y: 0)
        page.line("olives, egg) 7.50", x: 0, y: 28)
        page.line("Margherita 6.50", x: 0, y: 80)
        let found = assembled(
            page, ["Salad Tonno (lettuce, tuna,": .dish, "olives, egg)": .dish, "Margherita": .dish])
        #expect(found.dishes.count == 2)
        #expect(DishAssembler.prices(of: found.dishes[0]).map(\.amount) == ["7.50"])
    }

    @Test func `a line of codes belongs to the dish above it`() {
        var page = MenuLines()
        page.line("Kebab 9.50", x: 0, y: 0)
        page.line("(H,M,E)", x: 0, y: 26)
        let found = assembled(page, ["Kebab": .dish, "(H,M,E)": .other])
        #expect(found.dishes.map { text(found, $0.description) } == ["(H,M,E)"])
    }

    /// Numbers or headings with prices, above pictures of this height, and their dishes.
    private func priced(above gap: Double, _ heads: [String], dishesEach count: Int) -> DishAssembler {
        var page = MenuLines()
        var roles: [String: MenuRole] = [:]
        for (row, head) in heads.enumerated() {
            let top = Double(row) * (gap + Double(count) * 60 + 100)
            page.line(head, x: 0, y: top)
            for number in 0..<count {
                let name = "Dish \(["A", "B", "C", "D", "E", "F"][row * count + number])x"
                page.line(name, x: 0, y: top + gap + Double(number) * 60)
                page.line("with rice and \(name)", x: 0, y: top + gap + Double(number) * 60 + 26)
                roles[name] = .dish
            }
            roles[String(head.prefix { $0 != " " })] = head.hasPrefix("M") ? .other : .section
        }
        return assembled(page, roles)
    }

    @Test(arguments: [30.0, 120, 260], 1...3)
    func `a price above dishes without one is the price of each`(gap: Double, count: Int) {
        for heads in [["M1 12,90 €", "M2 9,90 €"], ["Pizza 12,90", "Pasta 9,90"]] {
            let found = priced(above: gap, heads, dishesEach: count)
            #expect(
                found.dishes.map { DishAssembler.prices(of: $0).map(\.amount) }
                    == Array(repeating: ["12.90"], count: count) + Array(repeating: ["9.90"], count: count))
        }
    }

    @Test func `one price above dishes, or the number of a day, is no price of theirs`() {
        #expect(priced(above: 60, ["Pizza 12,90"], dishesEach: 2).dishes.allSatisfy { !$0.hasPrice })
        #expect(priced(above: 60, ["Montag 12", "Dienstag 13"], dishesEach: 2).dishes.allSatisfy { !$0.hasPrice })
    }
}
