import Foods
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

    // MARK: With a name

    private static let names = ["Milch", "Crème fraîche", "Öl extra vergine", "牛奶", "L'eau 7up", "Ærter 500 g"]
    /// Units as people of several languages type them.
    private static let words: [(String, PriceUnit)] = [
        ("", .piece), ("x", .piece), ("×", .piece), ("Stück", .piece), ("pièces", .piece), ("uds", .piece),
        ("pz", .piece),
        ("szt", .piece), ("kg", .kilogram), ("Kilo", .kilogram), ("Gramm", .kilogram), ("gr", .kilogram),
        ("l", .litre), ("Liter", .litre), ("litros", .litre), ("ml", .litre),
    ]

    @Test func `a quantity before a name is read as it is read alone`() {
        for (number, _) in Self.numbers {
            for (word, unit) in Self.words {
                for blank in word.isEmpty ? [""] : ["", " "] {
                    let quantity = ListQuantity(number + blank + word)
                    for name in Self.names {
                        let typed = TypedEntry("\(number)\(blank)\(word) \(name)")
                        let text = "\(number)\(blank)\(word) \(name)"
                        // A quantity below a thousandth of the unit is none.
                        guard let quantity else {
                            #expect(typed.quantity == nil && typed.name == text, "\(text)")
                            continue
                        }
                        #expect(typed.name == name && typed.quantity == quantity, "\(text): \(typed)")
                        #expect(typed.quantity?.unit == unit, "\(text)")
                    }
                }
            }
        }
    }

    @Test(arguments: ["Milch x2", "Milch 2x", "Milch ×2", "Milch x 2", "Milch 2 x", " 2  Milch", "2 Milch"])
    func `a number of pieces is read before and after a name`(text: String) {
        let typed = TypedEntry(text)
        #expect(typed.name == "Milch" && typed.quantity == ListQuantity("2"), "\(typed)")
    }

    @Test(arguments: [
        "Milch", "Butter 250 g", "7up", "3.5% milk", "3,5 % Milch", "100 % juice", "2-3 apples", "2 - 3 apples",
        "1/2 l",
        "500 g", "2", "l", "", "1e3 apples", "0 Milch", "007 Drink", "00 Mehl", "405 Mehl", "2024 Riesling",
        "1,500 g Mehl",
        "1001 kg Mehl", "-1 Milch", "4001234567890", "Vitamin B12", "Mehl 405", "X", "x x", "Cola x2x", "1/0 Milch",
        "2 kg 3 Milch", "en:bananas", String(repeating: "1 ", count: 100), String(repeating: "x", count: 5000),
    ])
    func `a text without a clear quantity is a name`(text: String) {
        let typed = TypedEntry(text)
        #expect(typed.quantity == nil && typed.name == text, "\(typed)")
    }

    @Test func `a quantity stands before the number under a barcode too`() {
        let typed = TypedEntry("2 9520100001017")
        #expect(typed.name == "9520100001017" && typed.quantity == ListQuantity("2"))
    }
}
