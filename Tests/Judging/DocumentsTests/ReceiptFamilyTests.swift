import Core
import Documents
import TestSupport
import Testing

/// Generated receipts of a kind that OCR or a shop makes hard: what they print is what is read.
@Suite struct `Kinds of receipts` {
    private let reader: DocumentReader

    init() throws { reader = try Shipped.documents.get() }

    private struct Goods {
        var name: String
        /// Hundredths of the currency; whole units where it has none.
        var cents: Int
    }

    private static func money(_ cents: Int) -> String { "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)" }

    private static func row(_ left: String, _ right: String) -> String {
        left + String(repeating: " ", count: max(2, 40 - left.count - right.count)) + right + "\n"
    }

    private static func goods(_ random: inout SeededGenerator, _ range: Range<Int> = 20..<4_000) -> [Goods] {
        let names = ["COFFEE BEANS", "WHOLE MILK", "RYE BREAD", "GREEN APPLES", "OLIVE OIL", "TOMATOES"]
        return names.shuffled(using: &random).prefix(Int.random(in: 3..<7, using: &random)).map {
            Goods(name: $0, cents: Int.random(in: range, using: &random))
        }
    }

    private static func sum(_ goods: [Goods]) -> Int { goods.reduce(0) { $0 + $1.cents } }

    private func receipt(_ rows: String) -> Receipt {
        reader.receipt(from: reader.page(ofText: "CORNER MARKET\n12/11/2026 14:05\n" + rows))
    }

    private func read(_ receipt: Receipt) -> [String] { receipt.items.map { "\($0.name.value) \($0.amount.value)" } }

    private func expected(_ goods: [Goods]) -> [String] { goods.map { "\($0.name) \(Self.money($0.cents))" } }

    private func holds(_ receipt: Receipt) -> Bool? { receipt.checks.first { $0.check == "itemsMakeTotal" }?.holds }

    @Test func `counts and article numbers in front are no part of a name`() {
        for seed in 0..<40 {
            var random = SeededGenerator(seed: UInt64(seed))
            let goods = Self.goods(&random)
            let text = goods.map { one in
                let code = (0..<10).map { _ in "\(Int.random(in: 0..<10, using: &random))" }.joined()
                let place = Int.random(in: 3..<11, using: &random)
                let split = place == 10 ? code : code.prefix(place) + (place < 6 ? " " : "") + code.dropFirst(place)
                return Self.row(
                    "(\(Int.random(in: 1..<10, using: &random)))\(split) \(one.name)", Self.money(one.cents))
            }.joined()
            #expect(
                read(receipt(text + Self.row("TOTAL", Self.money(Self.sum(goods))))) == expected(goods), "\(text)")
        }
    }

    @Test func `a sign of multiplication may stand before the count`() {
        for seed in 0..<40 {
            var random = SeededGenerator(seed: UInt64(seed))
            let goods = Self.goods(&random)
            let counts = goods.map { _ in "\(Int.random(in: 1..<10, using: &random))" }
            let sign = ["*", "x", "×"][seed % 3]
            let text = zip(goods, counts).map { Self.row("\(sign)\($1) \($0.name)", Self.money($0.cents)) }.joined()
            let receipt = receipt(text + Self.row("TOTAL", Self.money(Self.sum(goods))))
            #expect(read(receipt) == expected(goods), "\(text)")
            #expect(receipt.items.map { $0.quantity?.value } == counts, "\(text)")
        }
    }

    @Test(arguments: ["-", "-A", "-B", "- T"])
    func `a minus behind an amount is one, also before the kind of tax`(sign: String) {
        for seed in 0..<30 {
            var random = SeededGenerator(seed: UInt64(seed))
            let goods = Self.goods(&random, 400..<4_000)
            let less = Int.random(in: 20..<300, using: &random)
            var text = goods.map { Self.row($0.name, Self.money($0.cents) + " A") }.joined()
            text += Self.row("0000370371 1423302", Self.money(less) + sign)
            let receipt = receipt(text + Self.row("TOTAL", Self.money(Self.sum(goods) - less)))
            #expect(receipt.items.map(\.amount.value).contains("-" + Self.money(less)), "\(text)")
            #expect(holds(receipt) == true, "\(text)")
        }
    }
}
