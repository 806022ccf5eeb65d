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

    /// Words of discounts in one language that name shops and goods in another.
    private static let names = ["SPAR CARRIER BAG", "BONUS BREAD", "RAB COFFEE", "LESS SALT CRISPS"]

    @Test(arguments: names.indices)
    func `goods named like a discount change no total`(number: Int) {
        for seed in 0..<40 {
            var random = SeededGenerator(seed: UInt64(number * 100 + seed))
            var goods = Self.goods(&random)
            let named = Goods(name: Self.names[number], cents: Int.random(in: 20..<900, using: &random))
            goods.insert(named, at: 1)
            let rows = goods.map { Self.row($0.name, Self.money($0.cents)) }.joined()
            for (difference, isRight) in [(0, true), (named.cents, false), (-named.cents, false)] {
                let text = rows + Self.row("TOTAL", Self.money(Self.sum(goods) + difference))
                let receipt = receipt(text)
                // Items that a wrong total leaves out are another case.
                guard receipt.items.count == goods.count else { continue }
                #expect(holds(receipt) == isRight, "\(difference)\n\(text)")
            }
        }
    }

    @Test func `sales of each rate of tax behind the items are none of them, in any language`() {
        let summaries = [
            ("SPRZEDAZ OPODATK.", "SUMA PLN"), ("VERGI DERECESI", "TOTAL"), ("TURNOVER RATE", "TOTAL"),
            ("KLASSE", "TOTAL"),
        ]
        for (number, summary) in summaries.enumerated() {
            for seed in 0..<40 {
                var random = SeededGenerator(seed: UInt64(number * 100 + seed))
                let goods = Self.goods(&random, 200..<4_000)
                let total = Self.sum(goods)
                let first = goods[0].cents + 1
                var text = goods.map { Self.row($0.name, Self.money($0.cents)) }.joined()
                for (rate, part) in zip(["A", "B"], [first, total - first]) {
                    text += Self.row("\(summary.0) \(rate)", Self.money(part))
                }
                text += Self.row(summary.1, Self.money(total))
                let receipt = receipt(text)
                #expect(read(receipt) == expected(goods), "\(text)")
                #expect(receipt.total?.value == Self.money(total), "\(text)")
                #expect(holds(receipt) == true, "\(text)")
            }
        }
    }

    @Test(arguments: ["1500.28", "0800.12"])
    func `a telephone number with a point gives amounts no decimals`(number: String) {
        for seed in 0..<30 {
            var random = SeededGenerator(seed: UInt64(seed))
            let goods = Self.goods(&random, 10..<990).map { Goods(name: $0.name, cents: $0.cents * 100) }
            func grouped(_ whole: Int) -> String { "\(whole / 1000).\(String("\(1000 + whole % 1000)".dropFirst()))" }
            var text = goods.map { Self.row($0.name, grouped($0.cents)) }.joined()
            text += Self.row("TOTAL BELANJA", grouped(Self.sum(goods)))
            text += "LAYANAN KONSUMEN \(number) TELP\n"
            let receipt = receipt(text)
            #expect(read(receipt) == goods.map { "\($0.name) \($0.cents)" }, "\(text)")
            #expect(receipt.total?.value == "\(Self.sum(goods))", "\(text)")
        }
    }

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

    @Test(arguments: ["NET", "NETTO", "PESO NETO", "Gewicht", ""])
    func `a weight and its price name nothing, whatever stands between them`(word: String) {
        for seed in 0..<30 {
            var random = SeededGenerator(seed: UInt64(seed))
            var goods = Self.goods(&random)
            var text = ""
            for index in goods.indices {
                guard index % 2 == 0 else {
                    text += Self.row(goods[index].name, Self.money(goods[index].cents))
                    continue
                }
                let (grams, price) = (
                    Int.random(in: 150..<2_000, using: &random), Int.random(in: 99..<900, using: &random)
                )
                goods[index].cents = (grams * price + 500) / 1000
                let weight = "\(grams / 1000).\(String("\(1000 + grams % 1000)".dropFirst()))"
                text += goods[index].name + "\n"
                text += Self.row("  \(weight) kg \(word) $\(Self.money(price))/kg", Self.money(goods[index].cents))
            }
            text += Self.row("TOTAL", Self.money(Self.sum(goods)))
            #expect(read(receipt(text)) == expected(goods), "\(text)")
        }
    }

    @Test func `a unit price may have four decimals`() {
        for seed in 0..<40 {
            var random = SeededGenerator(seed: UInt64(seed))
            var goods = Self.goods(&random)
            var counts: [String] = []
            let text = goods.indices.map { index in
                let (count, price) = (
                    Int.random(in: 1..<6, using: &random), Int.random(in: 5_000..<90_000, using: &random)
                )
                goods[index].cents = (count * price + 50) / 100
                counts.append("\(count)")
                let shown = "\(price / 10_000).\(String("\(10_000 + price % 10_000)".dropFirst()))"
                return Self.row("\(goods[index].name) \(count) \(shown)", Self.money(goods[index].cents))
            }.joined()
            let receipt = receipt(text + Self.row("TOTAL", Self.money(Self.sum(goods))))
            #expect(read(receipt) == expected(goods), "\(text)")
            #expect(receipt.items.map { $0.quantity?.value } == counts, "\(text)")
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

    @Test func `a currency's sign read as a digit is taken from the amount that breaks the sum`() {
        for seed in 0..<40 {
            var random = SeededGenerator(seed: UInt64(seed))
            let goods = Self.goods(&random, 100..<3_000)
            let wrong = Int.random(in: 0..<goods.count, using: &random)
            let (sign, digit) = [("$", "5"), ("$", "8"), ("€", "6")][seed % 3]
            let text = goods.enumerated().map { index, one in
                Self.row(one.name, (index == wrong ? digit : sign) + Self.money(one.cents))
            }.joined()
            let total = Self.row("TOTAL", sign + Self.money(Self.sum(goods)))
            #expect(read(receipt(text + total)) == expected(goods), "\(text)")
            // Without a total that proves it, the digit stays.
            let other = Self.row("TOTAL", sign + Self.money(Self.sum(goods) + 1))
            #expect(!read(receipt(text + other)).contains(expected(goods)[wrong]), "\(text)")
        }
    }

    @Test(arguments: ["Konzum", "Havelmarkt", "Stadion", "Longobard"])
    func `the shop is the row that its own site names`(name: String) {
        let sites = ["www.{}.de", "WWW.{}-ONLINE.COM", "{}.com", "info@{}.se"]
        for (number, site) in sites.enumerated() {
            var random = SeededGenerator(seed: UInt64(number))
            let goods = Self.goods(&random)
            var text = "A FRESH TRADITION\n\(name)\nKungsgatan 47\nTel 010 4528520\n"
            text += goods.map { Self.row($0.name, Self.money($0.cents)) }.joined()
            text += Self.row("TOTAL", Self.money(Self.sum(goods)))
            text += site.replacing("{}", with: name.lowercased()) + "\n"
            let receipt = reader.receipt(from: reader.page(ofText: text))
            #expect(receipt.merchant?.value == name, "\(text)")
        }
    }

    @Test(arguments: ["d.o.o.", "D.O.O.", "s.r.o.", "Sp. z o.o."])
    func `a legal form stays one if its letters are read as noughts`(form: String) {
        let misread = form.replacing("o", with: "0").replacing("O", with: "0")
        func merchant(_ form: String) -> String? {
            reader.receipt(
                from: reader.page(
                    ofText:
                        "ALDER NORD \(form)\nLange Str. 5\n12.11.2026 14:05\nMILK   1.20\nBREAD   2.30\nTOTAL   3.50\n")
            ).merchant?.value
        }
        #expect(merchant(form) != nil)
        #expect(merchant(misread)?.prefix(10) == merchant(form)?.prefix(10))
    }
}
