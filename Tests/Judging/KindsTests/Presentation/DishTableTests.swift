import Core
import Foundation
import Testing

@testable import Kinds

@Suite struct DishTableTests {
    private func outcome(_ items: [Menu.Item]) throws -> Outcome {
        let path = try #require(FilePathBytes("menu.jpg"))
        return Outcome(
            id: nil, source: .init(path: path, bytes: 1), status: .completed,
            menu: Menu(
                currency: "EUR", sections: [.init(title: "Soups", items: items)], legend: [],
                coverage: .init(ocrQuality: 1, sourceKind: "menu")),
            versions: .init(tablesight: "1"))
    }

    @Test func `each dish has a row for each person and allergen, in a fixed order`() throws {
        let milk = AllergenVerdict(verdict: .contains, risk: .high, probability: 0.98)
        let celery = AllergenVerdict(verdict: .cannotTell, risk: .low, probability: 0.25)
        let soup = Menu.Item(
            name: "Leek soup", prices: [.init(amount: "4.50", label: "small"), .init(amount: "6.00")],
            verdicts: ["ben": [.milk: milk], "anna": [.milk: milk, .celery: celery]], confidence: 1)
        let rows = DishTable.rows(of: try outcome([soup])).components(separatedBy: "\r\n")
        let about = "menu.jpg,Soups,Leek soup,,small 4.50; 6.00,EUR"
        let anna = [
            "\(about),anna,milk,CONTAINS,high,0.98,dish,,", "\(about),anna,celery,CANNOT_TELL,low,0.25,dish,,",
        ]
        #expect(Set(rows.prefix(2)) == Set(anna))
        #expect(Array(rows.dropFirst(2)) == ["\(about),ben,milk,CONTAINS,high,0.98,dish,,", ""])
        #expect(DishTable.heading.split(separator: ",").count == 14)
    }

    @Test func `a dish without verdicts keeps its row, and no spreadsheet runs a name`() throws {
        let dish = Menu.Item(name: "=HYPERLINK(\"x\")", verdicts: [:], confidence: 1)
        #expect(
            DishTable.rows(of: try outcome([dish])) == "menu.jpg,Soups,\"'=HYPERLINK(\"\"x\"\")\",,,EUR,,,,,,dish,,\r\n"
        )
    }

    @Test func `products, receipts and price tags have rows of their kind when a table of all is wanted`() throws {
        var outcome = try outcome([Menu.Item(name: "Soup", verdicts: [:], confidence: 1)])
        let milk = AllergenVerdict(verdict: .contains, risk: .high, probability: 0.97)
        var spread = Product(gtin: "09520100001017", name: "Spread", brand: "Nutty")
        spread.verdicts = ["anna": [.milk: milk]]
        outcome.products = [spread]
        func read(_ text: String) -> ReadValue { ReadValue(value: text, confidence: 1) }
        var receipt = Receipt()
        (receipt.merchant, receipt.currency) = (read("Kornfeld"), read("EUR"))
        var oats = Receipt.Item(name: read("Oats"), amount: read("3.98"))
        oats.quantity = read("2")
        receipt.items = [oats]
        var tag = PriceTag()
        (tag.product, tag.price) = (read("Eggs"), read("2.85"))
        (outcome.receipt, outcome.priceTag) = (receipt, tag)
        let rows = DishTable.rows(of: outcome, DishTable.Kind.allCases).components(separatedBy: "\r\n")
        #expect(
            rows == [
                "menu.jpg,Soups,Soup,,,EUR,,,,,,dish,,",
                "menu.jpg,Nutty,Spread,,,,anna,milk,CONTAINS,high,0.97,product,09520100001017,",
                "menu.jpg,Kornfeld,Oats,,3.98,EUR,,,,,,receiptItem,,2", "menu.jpg,,Eggs,,2.85,,,,,,,priceTag,,", "",
            ])
        #expect(DishTable.rows(of: outcome).components(separatedBy: "\r\n").count == 2, "dishes alone")
    }
}
