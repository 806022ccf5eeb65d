import Foods
import Core
import Foundation
import TestSupport
import Testing

@testable import Groceries

// What is changed after accepting, and what is not accepted at once.
extension ReceiptTests {
    // MARK: Changes afterwards

    @Test func `another currency, shop or day of an accepted receipt changes its prices, and can be undone`() throws {
        var outcome = try receipt([("MILCH 1L", "1.19"), ("BUTTER", "2.29")], total: "3.48")
        outcome.receipt?.currency = value("USD", 0.6)
        let open = try reading(outcome)
        #expect(open.currency == nil && !open.isCurrencyPrinted)
        #expect(throws: GroceryProblem.self, "nobody chose a currency") {
            try groceries.accept(outcome, ReceiptAnswer(shop: shop), by: "Ada")
        }
        _ = try groceries.accept(outcome, ReceiptAnswer(shop: shop, currency: "EUR"), by: "Ada")
        let first = try prices("milch")
        #expect(first.map(\.price.currency.code) == ["EUR"] && first.map(\.proof) == [.receipt])
        #expect(try reading(outcome).currency == "EUR" && !(try reading(outcome).isCurrencyPrinted))
        #expect(try groceries.accept(outcome, ReceiptAnswer(shop: shop, currency: "EUR"), by: "Ada").changed == 0)
        let day = groceries.today.adding(-5)
        let report = try groceries.accept(
            outcome, ReceiptAnswer(shop: NewPlace(name: "Walmart"), date: day, currency: "USD"), by: "Ben")
        #expect((report.changed, report.accepted) == (2, 0))
        for name in ["milch", "butter"] {
            let now = try prices(name)
            #expect(now.map(\.price.currency.code) == ["USD"] && now.map(\.date) == [day], "\(now)")
            #expect(now.map(\.place) == [report.place])
        }
        let page = try reading(outcome)
        #expect(page.currency == "USD" && page.place == report.place && page.date == day)
        let back = try groceries.accept(outcome, try #require(report.before), by: "Ben")
        #expect(back.changed == 2)
        let again = try prices("milch")
        #expect(again.map(\.price) == first.map(\.price) && again.map(\.place) == first.map(\.place))
        #expect(again.map(\.date) == first.map(\.date) && again.map(\.proof) == first.map(\.proof))
    }

    @Test func `a line that was accepted is corrected afterwards, and is no product afterwards`() throws {
        let outcome = try receipt([("BANANEN", "3.32"), ("BUTTER", "7.29"), ("KARTE", "1.00")], total: "11.61")
        _ = try groceries.accept(outcome, ReceiptAnswer(shop: shop), by: "Ada")
        let corrections = [
            ReceiptCorrection(line: 0, price: "1.99", per: .kilogram), .init(line: 1, price: "2.29"),
            .init(line: 2, isProduct: false),
        ]
        let report = try groceries.accept(outcome, ReceiptAnswer(corrections), by: "Ada")
        #expect(report.changed == 3)
        #expect(try prices("bananen").map { "\($0.price.digits) \($0.per)" } == ["1.99 kilogram"])
        #expect(try prices("butter").map(\.price.digits) == ["2.29"])
        #expect(try prices("karte").isEmpty)
        let page = try reading(outcome)
        let lines = Dictionary(uniqueKeysWithValues: page.lines.map { ($0.line, $0) })
        #expect(lines[0]?.count == "1.668" && lines[0]?.price == "1.99" && lines[0]?.amount == "3.32")
        #expect(lines[1]?.amount == "2.29" && lines[2]?.state == .rejected)
        #expect(page.difference == "5.00", "the sum is of what was accepted")
        _ = try groceries.accept(outcome, try #require(report.before), by: "Ada")
        #expect(try prices("bananen").map { "\($0.price.digits) \($0.per)" } == ["3.32 piece"])
        #expect(try prices("karte").map(\.price.digits) == ["1.00"])
        let only = ReceiptAnswer(corrections: [.init(line: 1, price: "2.39")], only: [0])
        #expect(try groceries.accept(outcome, only, by: "Ada").changed == 0, "another line")
    }

    // MARK: Nothing unclear at once

    @Test func `without a total only sure lines are accepted, and an unclear one by its own tap`() throws {
        var outcome = try receipt([("MILCH", "1.19"), ("BUTTER", "2.29")])
        outcome.receipt?.items[1].amount = value("2.29", 0.6)
        let report = try groceries.accept(outcome, ReceiptAnswer(shop: shop), by: "Ada")
        #expect((report.accepted, report.left) == (1, 1))
        let tap = ReceiptAnswer(shop: shop, corrections: [.init(line: 1, isChecked: true)], only: [1])
        #expect(try groceries.accept(outcome, tap, by: "Ada").accepted == 1)
    }

    @Test func `a print without a word becomes no product until somebody names it`() throws {
        let outcome = try receipt([("MILCH", "1.19"), ("33.7 e8 or 2/s6.00 KB", "3.37")], total: "4.56")
        let looked = ReceiptAnswer(shop: shop, corrections: [.init(line: 1, isChecked: true)])
        let report = try groceries.accept(outcome, looked, by: "Ada")
        #expect((report.accepted, report.left) == (1, 1))
        #expect(try groceries.products().map(\.name) == ["MILCH"])
        let named = ReceiptAnswer(shop: shop, corrections: [.init(line: 1, name: "Kefir")])
        #expect(try groceries.accept(outcome, named, by: "Ada").accepted == 1)
        #expect(try prices("kefir").count == 1)
    }
}
