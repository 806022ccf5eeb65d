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
        let anna = ["\(about),anna,milk,CONTAINS,high,0.98", "\(about),anna,celery,CANNOT_TELL,low,0.25"]
        #expect(Set(rows.prefix(2)) == Set(anna))
        #expect(Array(rows.dropFirst(2)) == ["\(about),ben,milk,CONTAINS,high,0.98", ""])
        #expect(DishTable.heading.split(separator: ",").count == 11)
    }

    @Test func `a dish without verdicts keeps its row, and no spreadsheet runs a name`() throws {
        let dish = Menu.Item(name: "=HYPERLINK(\"x\")", verdicts: [:], confidence: 1)
        #expect(
            DishTable.rows(of: try outcome([dish])) == "menu.jpg,Soups,\"'=HYPERLINK(\"\"x\"\")\",,,EUR,,,,,\r\n")
    }
}
