import Foundation
import TestSupport
import Testing
import Core

@testable import Documents

@Suite("Page layout")
struct PageLayoutTests {
    private let words: AmountWords

    init() throws { words = try AmountWords(from: ModelFolder(Repository.models)) }

    private func texts(_ layout: PageLayout) -> [String] { layout.texts.map(\.segment.string) }

    @Test(arguments: [0.0, 4.0, -6.0, 90.0, 180.0, 272.0])
    func `rows merged across columns are split at any rotation of the page`(degrees: Double) {
        let layout = PageLayout(PrintedPage(LayoutPage.twoColumns.rotated(degrees), amounts: words))
        #expect(
            Set(texts(layout)) == [
                "Tomato soup", "Apple pie", "Fish cakes", "Ice cream", "Green salad", "Cheese plate",
            ])
        #expect(!layout.texts.contains { $0.rowPrices.count != 1 })
        // The left column's second row lies below its first, not below the right column's.
        let soup = layout.texts.firstIndex { $0.segment.string == "Tomato soup" }
        let below = soup.flatMap { layout.texts[$0].down }.map { layout.texts[$0].segment.string }
        #expect(below == "Fish cakes")
    }

    @Test func `perspective does not move a price to the next row`() {
        var page = LayoutPage()
        let names = [
            "Minestrone vegetables", "Mediterranean aubergine", "Caramelised shallots", "Charcoal chicken",
            "Marinated mackerel",
            "Butterflied prawns",
        ]
        for (row, name) in names.enumerated() {
            page.line(name, x: 0, y: Double(row) * 30)
            page.line("\(row + 5).50", x: 900, y: Double(row) * 30)
        }
        // The right side is nearer to the camera, so rows diverge by up to three row heights.
        let lines = page.mapped { Point($0.x, $0.y * (1 + 0.0006 * $0.x)) }
        let layout = PageLayout(PrintedPage(lines, amounts: words))
        let prices = Dictionary(
            uniqueKeysWithValues: layout.texts.map { ($0.segment.string, $0.rowPrices.first?.amount.value) })
        for (row, name) in names.enumerated() { #expect(prices[name] == "\(row + 5).50", "\(name)") }
    }

    /// Numbers, prices, and second names in brackets around first names in a script that is not read.
    @Test(arguments: [[1, 2, 3, 4, 5, 6], [27, 28, 29, 31, 32, 33]])
    func `names in brackets without a name before them lose the brackets, and their numbers are no prices`(
        numbers: [Int]
    ) {
        var page = LayoutPage()
        let names = ["Fried squid", "Corn cheese", "Kimchi pancake", "Pork belly", "Tofu with kimchi", "Grilled eel"]
        for (row, name) in names.enumerated() {
            page.line("\(numbers[row])", x: 0, y: Double(row) * 80)
            page.line("$\(row + 12).99", x: 700, y: Double(row) * 80)
            page.line("(\(name))", x: 60, y: Double(row) * 80 + 28)
        }
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        #expect(texts(layout) == names)
        #expect(layout.prices.map { $0.segment.prices.map(\.amount.value) } == (12...17).map { ["\($0).99"] })
    }

    /// Every pair of the fourteen numbers that has the form of a price.
    private static let pairs = (1...14).flatMap { one in (max(10, one + 1)...15).map { (one: one, other: $0) } }

    @Test(arguments: [".", ","])
    func `pairs of codes in brackets are no prices beside codes and prices`(separator: String) {
        for start in stride(from: 0, to: Self.pairs.count - 3, by: 3) {
            var page = LayoutPage()
            let codes =
                Self.pairs[start..<(start + 3)].map { "(\($0.one)\(separator)\($0.other))" } + ["(1,7)", "(10)"]
            for (row, code) in codes.enumerated() {
                page.line("Dish of row\(row) \(code)", x: 0, y: Double(row) * 40)
                page.line("\(row + 8),50", x: 600, y: Double(row) * 40)
            }
            let layout = PageLayout(PrintedPage(page.lines, amounts: words))
            #expect(
                layout.texts.map { $0.rowPrices.map(\.amount.value) } == (8...12).map { ["\($0).50"] }, "\(codes)")
            #expect(texts(layout) == codes.enumerated().map { "Dish of row\($0.offset) \($0.element)" })
        }
    }

    @Test func `prices in brackets stay prices beside sizes in brackets`() {
        var page = LayoutPage()
        for (row, name) in ["Wings (6)", "Rolls", "Soup", "Salad"].enumerated() {
            page.line("\(name) (\(row + 8),50)", x: 0, y: Double(row) * 40)
        }
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        #expect(layout.texts.map { $0.rowPrices.map(\.amount.value) } == (8...11).map { ["\($0).50"] })
    }

    @Test func `numbers that count the dishes of two columns are no prices`() {
        var page = LayoutPage()
        for (column, x) in [0.0, 700.0].enumerated() {
            for (row, name) in ["Pad Thai 12", "Tom Yum 9", "Massaman 14", "Som Tam 8"].enumerated() {
                page.line("\(column * 4 + row + 11)", x: x, y: Double(row) * 40)
                page.line(name, x: x + 60, y: Double(row) * 40)
            }
        }
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        #expect(layout.prices.isEmpty)
        #expect(layout.texts.count { $0.segment.hasWord && $0.rowPrices.count == 1 } == 8)
    }

    @Test(arguments: [
        ("%d. ", 1, 9), ("%d ", 101, 9), ("A%d ", 1, 9), ("%d) ", 3, 9), ("", 1, 0),
    ])
    func `texts that count up are counted`(form: String, first: Int, count: Int) {
        var page = LayoutPage()
        for row in 0..<9 {
            let number = form.replacing("%d", with: "\(first + row)")
            page.line("\(number)Chow mein \(row + 5).80", x: 0, y: Double(row) * 40)
        }
        #expect(RisingNumbers.countedTexts(PrintedPage(page.lines, amounts: words).segments) == count)
    }

    @Test func `quantities of a receipt do not count up`() {
        var page = LayoutPage()
        for (row, quantity) in [1, 2, 1, 1, 3, 1, 2, 1].enumerated() {
            page.line("\(quantity) Chow mein \(row + 5).80", x: 0, y: Double(row) * 40)
        }
        #expect(RisingNumbers.countedTexts(PrintedPage(page.lines, amounts: words).segments) == 0)
    }

    @Test func `the days of a month are no prices`() {
        var page = LayoutPage()
        for (column, day) in ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"].enumerated() {
            let x = Double(column) * 400
            page.line(day, x: x, y: 0)
            for week in 0..<3 {
                page.line("\(1 + column + 7 * week)", x: x, y: Double(week) * 120 + 40)
                page.line("Macaroni and cheese", x: x, y: Double(week) * 120 + 70)
            }
        }
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        #expect(layout.prices.isEmpty)
        #expect(layout.texts.allSatisfy { $0.rowPrices.isEmpty && $0.nearPrices.isEmpty })
    }

    @Test func `brackets below names stay`() {
        var page = LayoutPage()
        for (row, name) in ["Squid", "Cheese", "Pancake", "Eel", "Pork"].enumerated() {
            page.line("\(name) 8.50", x: 0, y: Double(row) * 80)
            page.line("(with rice and greens)", x: 0, y: Double(row) * 80 + 28)
        }
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        #expect(texts(layout).count { $0 == "(with rice and greens)" } == 5)
    }

    @Test func `a wide gap that a line below spans is no column gap`() {
        var page = LayoutPage()
        page.line("Slow roasted shoulder of", x: 0, y: 0, gapBefore: [2: 25])
        page.line("lamb with garlic and thyme jus", x: 0, y: 28)
        #expect(texts(PageLayout(PrintedPage(page.lines, amounts: words))).contains("Slow roasted shoulder of"))
        let cut = PrintedPage(page.lines, amounts: words).segments.map(\.string)
        #expect(!cut.contains("Slow roasted shoulder of"), "the gap is wide")
    }

    @Test func `whole numbers are prices if the page uses that form`() {
        var page = LayoutPage()
        for (row, name) in ["Oysters 18", "Turbot 32", "Lamb 28"].enumerated() {
            page.line(name, x: 0, y: Double(row) * 30)
        }
        #expect(!PageLayout(PrintedPage(page.lines, amounts: words)).texts.contains { $0.rowPrices.count != 1 })
        var other = LayoutPage()
        for (row, name) in ["Oysters 18.50", "Turbot 32.00", "Founded in 1998", "Room 4711"].enumerated() {
            other.line(name, x: 0, y: Double(row) * 30)
        }
        let found = PageLayout(PrintedPage(other.lines, amounts: words)).texts.filter { !$0.rowPrices.isEmpty }.map(
            \.segment.string)
        #expect(found == ["Oysters", "Turbot"])
    }

    @Test func `a price in the middle of a line ends a dish`() {
        var page = LayoutPage()
        page.line("Burger 8.75 Adult Basket 11.00", x: 0, y: 0)
        page.line("Wrap 7.50", x: 0, y: 40)
        #expect(texts(PageLayout(PrintedPage(page.lines, amounts: words))) == ["Burger", "Adult Basket", "Wrap"])
    }

    @Test(arguments: ["(9,50 €)", "(9,50 c)", "(l9,50 €)", "(9 €)", "(9.50)"])
    func `a price in brackets is no part of the name`(price: String) throws {
        var page = LayoutPage()
        page.line("Calzone \(price)", x: 0, y: 0)
        let text = try #require(PageLayout(PrintedPage(page.lines, amounts: words)).texts.first)
        #expect(text.segment.string == "Calzone")
        #expect(text.rowPrices.count == 1)
    }

    @Test(arguments: ["Pizza (A, 7)", "Wings (6)", "Rolls (4 e)x", "Sushi (12 pcs)"])
    func `other numbers in brackets are no prices`(line: String) {
        var page = LayoutPage()
        page.line(line, x: 0, y: 0)
        page.line("Soup 7,50", x: 0, y: 40)
        #expect(PageLayout(PrintedPage(page.lines, amounts: words)).texts.first?.rowPrices.isEmpty == true)
    }

    @Test func `a volume without a unit before a price is part of the name`() {
        var page = LayoutPage()
        page.line("Silvaner 0,25 3,5", x: 0, y: 0)
        page.line("Bacchus 0,25 3,5", x: 0, y: 40)
        page.line("Rotling 0,25", x: 0, y: 80)
        page.line("3,5", x: 400, y: 80)
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        #expect(texts(layout) == ["Silvaner 0,25", "Bacchus 0,25", "Rotling 0,25"])
        #expect(layout.texts.map { $0.rowPrices.map(\.amount.value) } == [["3.5"], ["3.5"], ["3.5"]])
        var other = LayoutPage()
        other.line("Syrup 0,50", x: 0, y: 0)
        other.line("Cream 0,50", x: 0, y: 40)
        #expect(PageLayout(PrintedPage(other.lines, amounts: words)).texts.map(\.rowPrices.count) == [1, 1])
    }

    @Test func `small raised cents belong to the number before them`() {
        var page = LayoutPage()
        for (row, name) in ["Espresso", "Gulasch"].enumerated() {
            page.line(name, x: 0, y: Double(row) * 60, height: 20)
            page.line("12", x: 300, y: Double(row) * 60, height: 24)
            page.line("50", x: 327, y: Double(row) * 60, height: 14)
        }
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        #expect(layout.texts.map { $0.rowPrices.map(\.amount.value) } == [["12.50"], ["12.50"]])
    }

    @Test func `numbers of one size beside each other are two prices`() {
        var page = LayoutPage()
        for (row, name) in ["Espresso", "Gulasch"].enumerated() {
            page.line("\(name) 12 50", x: 0, y: Double(row) * 60)
        }
        #expect(PageLayout(PrintedPage(page.lines, amounts: words)).texts.allSatisfy { $0.rowPrices.count == 2 })
    }

    @Test func `a lost separator is restored only where the page's prices have one`() {
        let names = ["Tacos S/14.00", "Wings 22.00", "Rolls 15.50", "Fries 10.00"]
        func prices(_ lines: [String]) -> [String] {
            var page = LayoutPage()
            for (row, line) in lines.enumerated() { page.line(line, x: 0, y: Double(row) * 40) }
            return PageLayout(PrintedPage(page.lines, amounts: words)).texts.flatMap {
                $0.rowPrices.map(\.amount.value)
            }
        }
        #expect(prices(names + ["Choripapa S/1650"]).last == "16.50")
        #expect(prices(names + ["Choripapa S/120"]).last == "120")
        #expect(prices(names + ["Gulyás 3990 HUF"]).last == "3990")
        #expect(prices(["Tacos $800", "Wings $950", "Lomito $1650"]).last == "1650")
    }

    @Test func `prices before names are prices if the page prints them there`() {
        var page = LayoutPage()
        for (row, name) in ["Pad Thai", "Tom Yum", "Massaman"].enumerated() {
            page.line("\(row + 9),50 \(name)", x: 0, y: Double(row) * 40)
        }
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        #expect(texts(layout) == ["Pad Thai", "Tom Yum", "Massaman"])
        #expect(layout.texts.map(\.nearPrices.count) == [1, 1, 1])
        #expect(layout.prices.flatMap { $0.segment.prices.map(\.amount.value) }.sorted() == ["10.50", "11.50", "9.50"])
    }

    @Test func `numbers that count the dishes are no prices`() {
        var page = LayoutPage()
        for (row, name) in ["Pad Thai 12", "Tom Yum 9", "Massaman 14", "Som Tam 8"].enumerated() {
            page.line("\(row + 11)", x: 0, y: Double(row) * 40)
            page.line(name, x: 60, y: Double(row) * 40)
        }
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        #expect(layout.prices.isEmpty)
        #expect(
            layout.texts.filter { $0.segment.hasWord }.map { $0.rowPrices.map(\.amount.value) } == [
                ["12"], ["9"], ["14"], ["8"],
            ])
    }

    @Test(arguments: [
        "Maui Angus M.P.", "Maui Angus. M.P.", "Maui Angus MP", "Maui Angus·M.P", "Maui Angus market price",
    ])
    func `words in place of a price are no part of the name`(line: String) {
        var page = LayoutPage()
        page.line(line, x: 0, y: 0)
        #expect(texts(PageLayout(PrintedPage(page.lines, amounts: words))) == ["Maui Angus"])
    }

    @Test func `a bullet behind a price starts the next dish`() {
        var page = LayoutPage()
        page.line("Cheese·8.50 ·Cheeseburger.8.00", x: 0, y: 0)
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        #expect(texts(layout).map { $0.filter(\.isLetter) } == ["Cheese", "Cheeseburger"])
        #expect(layout.texts.map { $0.rowPrices.map(\.amount.value) } == [["8.50"], ["8.00"]])
    }

    @Test func `a small number before a name stays with it`() {
        var page = LayoutPage()
        page.line("7 Hawaii", x: 0, y: 0, height: 40, gapBefore: [1: 28])
        page.line("15K Sausage", x: 0, y: 80, height: 40, gapBefore: [1: 40])
        #expect(texts(PageLayout(PrintedPage(page.lines, amounts: words))) == ["7 Hawaii", "Sausage"])
    }

    @Test func `sizes before prices become their labels`() throws {
        var page = LayoutPage()
        page.line("House salad small £4 large £6.50", x: 0, y: 0)
        let isSize = { (text: ArraySlice<Unicode.Scalar>) in ["small", "large"].contains(String(scalars: text)) }
        let text = try #require(PageLayout(PrintedPage(page.lines, amounts: words), isSize: isSize).texts.first)
        #expect(text.segment.string == "House salad")
        #expect(text.rowPrices.map(\.label) == ["small", "large"])
    }

    @Test func `a price below its dish finds it`() {
        var page = LayoutPage()
        for (row, name) in ["Margherita", "Diavola"].enumerated() {
            page.line(name, x: 0, y: Double(row) * 120)
            page.line("€ \(row + 7).50", x: 20, y: Double(row) * 120 + 30)
        }
        let layout = PageLayout(PrintedPage(page.lines, amounts: words))
        #expect(!layout.prices.contains { !$0.isLoose })
        #expect(layout.texts.map { $0.nearPrices.count } == [1, 1])
    }

    @Test(arguments: [Double.nan, .infinity, -1e300])
    func `invalid coordinates drop only their word`(value: Double) {
        var lines = LayoutPage.twoColumns.lines
        lines[0].words[0].box.topLeft = Point(value, value)
        #expect(texts(PageLayout(PrintedPage(lines, amounts: words))).contains("Fish cakes"))
        #expect(PageLayout(PrintedPage([], amounts: words)).texts.isEmpty)
    }

    @Test func `the same lines give the same layout`() {
        let lines = LayoutPage.twoColumns.rotated(3)
        #expect(
            texts(PageLayout(PrintedPage(lines, amounts: words)))
                == texts(PageLayout(PrintedPage(lines, amounts: words))))
    }
}
