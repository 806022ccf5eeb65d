import Core
import TestSupport
import Testing

@testable import Documents

/// Generated pages whose amounts have two readings each; the rest of the page decides.
@Suite("How a page prints its prices")
struct PriceHabitsTests {
    private let amounts: AmountWords

    init() throws { amounts = try AmountWords(from: ModelFolder(Repository.models)) }

    private static let names = ["Refrescos", "Chistorra", "Nutella", "Vermut", "Corona", "Queso Manchego"]
    private static let prices = ["2.50", "7.50", "4.20", "3.00", "3.50", "9.00"]

    /// The texts and values of a page with a name and a price on each line.
    private func read(_ ends: [String]) -> (texts: [String], values: [[String]]) {
        var page = MenuLines()
        for (row, (name, end)) in zip(Self.names, ends).enumerated() {
            page.line("\(name) \(end)", x: 0, y: Double(row) * 40)
        }
        let layout = PageLayout(PrintedPage(page.lines, amounts: amounts))
        return (layout.texts.map(\.segment.string), layout.texts.map { $0.segment.prices.map(\.amount.value) })
    }

    @Test(arguments: ["€", "$", "£"], ["1", "I", "l", "|"])
    func `the line of a table before a mark is no amount and no part of a name`(mark: String, line: String) {
        for misread in 0..<3 {
            let found = read(Self.prices.enumerated().map { ($0 > misread ? "" : "\(line) ") + "\(mark) \($1)" })
            #expect(found.texts == Self.names)
            #expect(found.values == Self.prices.map { [$0] }, "\(misread)")
        }
    }

    @Test func `a number before its mark stays an amount where marks stand behind`() {
        let found = read(Self.prices.map { "1 € \($0) €" })
        #expect(found.values == Self.prices.map { ["1", $0] })
    }

    @Test(arguments: ["€", "$"])
    func `an I behind a spaced mark is a 1`(mark: String) {
        let found = read(["I.40", "I3.00", "I.00", "2.50", "3.00", "4.00"].map { "\(mark) \($0)" })
        #expect(found.values.flatMap(\.self) == ["1.40", "13.00", "1.00", "2.50", "3.00", "4.00"])
    }

    @Test(arguments: ["1", "I", "l"])
    func `a slash before a dash that was read as a digit is a slash`(slash: String) {
        let found = read(["100/-", "150/-", "250/-", "50\(slash)-", "70\(slash)-", "30 \(slash)-"])
        #expect(found.texts == Self.names)
        #expect(found.values.flatMap(\.self) == ["100", "150", "250", "50", "70", "30"])
        // Without the habit the digit stays.
        let other = read(["100,-", "150,-", "250,-", "501-", "701-", "301-"])
        #expect(other.values.flatMap(\.self) == ["100", "150", "250", "501", "701", "301"])
    }

    @Test(arguments: ["kcal 528 kJ 2212", "kJ 2212"])
    func `the mark of a price is not that of a number before it`(number: String) {
        let found = read(Self.prices.map { "\(number) € \($0)" })
        #expect(found.values == Self.prices.map { [$0] })
    }

    @Test(arguments: ["20(W),23", "²6", "³1", "20(W),23,26"])
    func `codes glued behind a bracket or a raised digit are no price`(codes: String) {
        var page = MenuLines()
        for (row, (name, price)) in zip(Self.names, Self.prices).enumerated() {
            page.line("\(name)\(codes)", x: 0, y: Double(row) * 80)
            page.line("\(price) €", x: 0, y: Double(row) * 80 + 30)
        }
        let layout = PageLayout(PrintedPage(page.lines, amounts: amounts))
        #expect(layout.prices.map(\.segment.prices.first?.amount.value) == Self.prices)
        #expect(layout.texts.allSatisfy { $0.segment.prices.isEmpty })
    }

    @Test(arguments: ["1,7", "3,7", "2,8"])
    func `explained codes are no prices beside prices with cents and whole ones`(codes: String) throws {
        var page = MenuLines()
        for (row, (name, price)) in zip(
            Self.names + Self.names, ["16,50", "19,50", "15", "18", "13,50", "9,50", "21", "17"]
        )
        .enumerated() {
            page.line(name, x: 0, y: Double(row) * 60)
            page.line(codes, x: 200, y: Double(row) * 60 - 12)
            page.line(price, x: 600, y: Double(row) * 60)
        }
        let printed = PrintedPage(page.lines, amounts: amounts)
        let explained = try #require(printed.explaining(Set((1...14).map(String.init))))
        let values = { (page: PrintedPage) in
            let layout = PageLayout(page)
            return (layout.texts.map(\.segment.prices) + layout.prices.map(\.segment.prices))
                .flatMap { $0.map(\.amount.value) }
        }
        let code = codes.replacing(",", with: ".")
        #expect(values(printed).contains(code))
        #expect(!values(explained).contains(code) && values(explained).count == 8)
    }
}
