import Baskets
import Foundation
import Testing

@testable import Groceries

/// Quantities as people type them: each number with each unit is right, and anything else is refused.
@Suite struct ListQuantityTests {
    private static let numbers: [(String, Decimal)] = [
        ("1", 1), ("3", 3), ("0.75", 0.75), ("0,75", 0.75), ("1/2", 0.5), ("½", 0.5), ("1 1/2", 1.5), ("1½", 1.5),
        ("2.5", 2.5), ("12", 12),
    ]
    private static let units: [(String, Decimal, PriceUnit)] = [
        ("", 1, .piece), ("x", 1, .piece), ("kg", 1, .kilogram), ("g", 0.001, .kilogram), ("l", 1, .litre),
        ("L", 1, .litre), ("ml", 0.001, .litre), ("cl", 0.01, .litre), ("dl", 0.1, .litre),
    ]

    @Test func `each number is read with each unit`() {
        for (text, number) in Self.numbers {
            for (word, size, unit) in Self.units {
                for blank in ["", " "] {
                    let parts = number * size * 1000
                    let quantity = ListQuantity(text + blank + word)
                    guard parts >= 0.5 else {
                        #expect(quantity == nil, "\(text)\(blank)\(word)")
                        continue
                    }
                    #expect(quantity?.unit == unit, "\(text)\(blank)\(word)")
                    #expect(
                        quantity.map { abs(Decimal($0.thousandths) - parts) <= 0.5 } == true, "\(text)\(blank)\(word)")
                }
            }
        }
        #expect(ListQuantity("500g").map { [$0.thousandths] } == [500])
    }

    @Test(arguments: [
        "", "l", "2-3", "1e3", "0", "-1", "1 kg 2", "1/0", "2 bananas", "1,500 g", "1001", "1001 kg", "1 cup", "٣",
        "1..5",
        "1.5.2 kg", String(repeating: "1", count: 5000),
    ])
    func `other texts are refused`(text: String) { #expect(ListQuantity(text) == nil) }
}
