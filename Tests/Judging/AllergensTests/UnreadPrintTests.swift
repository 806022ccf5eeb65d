import Testing
import Core

@testable import Allergens

@Suite("Print that was not read on a menu")
struct UnreadPrintTests {
    private static let names = [
        "Tomato Soup", "Garlic Prawns", "House Salad", "Lemon Chicken", "Rice Pudding", "Apple Pie",
    ]

    /// Six dishes with prices and codes; each stands 90 pixels below the one before.
    private static func page(confidence: [Double] = []) -> PageBuilder {
        var page = PageBuilder()
        for (number, name) in names.enumerated() {
            page.line("\(name) (A) £\(number + 4).50", confidence: confidence.isEmpty ? nil : confidence[number])
            page.skip()
            page.skip()
        }
        page.line("Allergens: A gluten, B milk, C eggs, D lupin")
        return page
    }

    private static func menu(_ page: PageBuilder, unread: [Quad]) throws -> Menu {
        var reading = page.reading
        reading.unreadBoxes = unread.isEmpty ? nil : unread
        reading.unreadLines = unread.isEmpty ? nil : unread.count
        return try #require(try Judge.menu(reading))
    }

    private static func isDoubted(_ item: Menu.Item) -> Bool {
        item.verdicts["everyone"]?[.lupin]?.risk == .unknown
    }

    @Test(arguments: names.indices)
    func `a line without words is named with its place, and its dish is no longer told to have no lupin`(
        number: Int
    ) throws {
        let clear = try Self.menu(Self.page(), unread: [])
        #expect(clear.unread == nil)
        #expect(clear.sections.flatMap(\.items).map(\.name) == Self.names)
        #expect(clear.sections.flatMap(\.items).allSatisfy { !Self.isDoubted($0) })
        let line = Quad(x: 10, y: Double(number) * 90 + 30, width: 120, height: 20)
        let menu = try Self.menu(Self.page(), unread: [line])
        #expect(menu.unread == [.init(text: "", box: line, dish: Self.names[number])])
        #expect(menu.sections.flatMap(\.items).filter(Self.isDoubted).map(\.name) == [Self.names[number]])
    }

    @Test func `a line without words beside all dishes is named without a dish`() throws {
        let line = Quad(x: 900, y: 300, width: 120, height: 20)
        #expect(try Self.menu(Self.page(), unread: [line]).unread == [.init(text: "", box: line, dish: nil)])
    }

    @Test(arguments: 0...6)
    func `a page of which a third is misread is never above low`(misread: Int) throws {
        let confidence = Self.names.indices.map { $0 < misread ? 0.45 : 0.96 }
        let reading = Self.page(confidence: confidence).reading
        let share = MenuJudge.unreadShare(of: reading)
        #expect(misread == 0 ? share == 0 : (0.08 * Double(misread)...0.17 * Double(misread)).contains(share))
        let level = try #require(try Judge.menu(reading)?.confidence)
        if share >= 1.0 / 3 { #expect(level.score <= 0.6) }
    }

    @Test func `silent lines count by their length`() {
        var reading = Self.page().reading
        #expect(MenuJudge.unreadShare(of: reading) == 0)
        let whole = reading.lines.reduce(0) { $0 + $1.box.width / $1.box.height }
        reading.unreadBoxes = [Quad(x: 0, y: 900, width: whole * 10, height: 20)]
        #expect(abs(MenuJudge.unreadShare(of: reading) - 1.0 / 3) < 0.001)
    }
}
