import Core
import Documents
import TestSupport
import Testing

/// Generated receipts: what a shop of a country prints is what is read, wherever it prints quantity and unit price.
@Suite struct `Generated receipts` {
    private let reader: DocumentReader

    init() throws { reader = try Shipped.documents.get() }

    /// How the shops of a country print.
    private struct Country: Sendable {
        var name: String
        /// The decimal sign; nil for amounts without decimals.
        var sign: Character?
        /// Names of goods with sizes, shares and counts; the second is sold by weight.
        var goods: [String]
        /// `{q}` × `{u}` for goods by weight, and by the piece.
        var weight, pieces: [String]
        var total: [String]
        var card: String
        var deposit: String?
        /// `{y}`, `{yy}`, `{m}` and `{d}`.
        var date: String
        /// What stands behind an amount.
        var mark: [String]
    }

    private static let countries = [
        Country(
            name: "Germany", sign: ",",
            goods: ["VOLLMILCH 3,5%", "BANANEN", "ROGGENBROT 500G", "COLA 0,33L", "EIER 10ER"],
            weight: ["{q} kg x {u} EUR/kg"], pieces: ["{q} Stk x {u}", "{q} x {u}"], total: ["SUMME EUR", "ZU ZAHLEN"],
            card: "EC-Karte", deposit: "PFAND", date: "{d}.{m}.{yy}", mark: ["", " A", " €"]),
        Country(
            name: "Italy", sign: ",", goods: ["LATTE 1,5%", "BANANE", "PANE 500G", "ACQUA 1,5L", "MOZZARELLA"],
            weight: ["{q} kg x {u}"], pieces: ["{q} x {u}"], total: ["TOTALE COMPLESSIVO", "TOTALE EURO"],
            card: "PAGAMENTO ELETTRONICO", deposit: nil, date: "{d}/{m}/{yy}", mark: ["", " €"]),
        Country(
            name: "Spain", sign: ",", goods: ["LECHE 1L", "PLATANO", "PAN INTEGRAL", "AGUA 1,5L", "QUESO 250G"],
            weight: ["{q} kg {u} €/kg"], pieces: ["{q} x {u}"], total: ["TOTAL (€)", "TOTAL A PAGAR"],
            card: "TARJETA BANCARIA", deposit: nil, date: "{d}/{m}/{y}", mark: [""]),
        Country(
            name: "Poland", sign: ",", goods: ["MLEKO 3,2% 1L", "BANANY", "CHLEB RAZOWY", "WODA 1,5L", "JAJA 10SZT"],
            weight: ["{q} x {u}", "{q} kg x {u}"], pieces: ["{q} x {u}", "{q} szt. x {u}"], total: ["SUMA PLN"],
            card: "KARTA PŁATNICZA", deposit: "KAUCJA", date: "{y}-{m}-{d}", mark: ["", "A"]),
        Country(
            name: "Hungary", sign: nil, goods: ["TEJ 2,8% 1L", "BANÁN", "KENYÉR 1KG", "VÍZ 1,5L", "TOJÁS 10DB"],
            weight: ["{q} kg x {u} Ft/kg"], pieces: ["{q} x {u} Ft"], total: ["ÖSSZESEN:", "FIZETENDŐ:"],
            card: "BANKKÁRTYA", deposit: "BETÉTDÍJ", date: "{y}.{m}.{d}.", mark: [" Ft"]),
        Country(
            name: "Sweden", sign: ",", goods: ["Mjölk 1,5%", "Banan", "Rågbröd 500g", "Cola 33cl", "Ägg 12p"],
            weight: ["{q}kg*{u}kr/kg"], pieces: ["{q}st*{u}", "{q} st x {u}"], total: ["Totalt SEK"],
            card: "Kontokort", deposit: "Pant", date: "{y}-{m}-{d}", mark: ["", " kr"]),
        Country(
            name: "United Kingdom", sign: ".",
            goods: ["MILK 2L", "BANANAS LOOSE", "BREAD 800G", "7UP FREE 330ML", "YOGURT 0% FAT"],
            weight: ["{q} kg @ £{u}/kg"], pieces: ["{q} x £{u}", "{q} @ {u}"], total: ["TOTAL", "BALANCE DUE"],
            card: "CARD", deposit: nil, date: "{d}/{m}/{y}", mark: [""]),
        Country(
            name: "United States", sign: ".",
            goods: ["WHOLE MILK 1GAL", "BANANAS", "BREAD 20OZ", "COLA 12PK", "CHEDDAR 8OZ"],
            weight: ["{q} lb @ ${u}/lb"], pieces: ["{q} @ {u}", "{q} x ${u}"], total: ["TOTAL", "AMOUNT DUE"],
            card: "VISA", deposit: "CRV", date: "{m}/{d}/{y}", mark: ["", " F"]),
    ]

    private struct Item: Hashable, CustomStringConvertible {
        var name: String
        var amount: Int
        var quantity: String?

        var description: String { "\(name) \(amount) (\(quantity ?? "one"))" }
    }

    private struct Printed {
        var text = ""
        var items: [Item] = []
        var total = 0
        var date = ""
    }

    /// Hundredths of the currency as printed.
    private static func money(_ amount: Int, _ country: Country) -> String {
        guard let sign = country.sign else {
            let whole = amount / 100
            return whole < 1000 ? "\(whole)" : "\(whole / 1000) \(padded(whole % 1000, 3))"
        }
        return "\(amount / 100)\(sign)\(padded(amount % 100, 2))"
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
    }

    private static func row(_ left: String, _ right: String) -> String {
        left + String(repeating: " ", count: max(2, 40 - left.count - right.count)) + right + "\n"
    }

    private static func receipt(_ country: Country, _ random: inout SeededGenerator) -> Printed {
        var printed = Printed()
        let (day, month) = (Int.random(in: 0..<28, using: &random) + 1, Int.random(in: 0..<12, using: &random) + 1)
        printed.date = "2026-\(padded(month, 2))-\(padded(day, 2))"
        let date = country.date.replacing("{yy}", with: "26").replacing("{y}", with: "2026")
            .replacing("{m}", with: padded(month, 2)).replacing("{d}", with: padded(day, 2))
        printed.text = "MARKT\n\(date) 14:05\n"
        let mark = country.mark[Int.random(in: 0..<country.mark.count, using: &random)]
        let place = Int.random(in: 0..<3, using: &random)
        func priced(_ left: String, _ amount: Int) -> String { row(left, money(amount, country) + mark) }
        for (number, name) in country.goods.enumerated() where number == 1 || Int.random(in: 0..<4, using: &random) > 0
        {
            var unit = Int.random(in: 0..<1_400, using: &random) + 29
            if country.sign == nil { unit = (unit + 70) * 100 }
            let isWeighed = number == 1
            guard isWeighed || Int.random(in: 0..<2, using: &random) == 0 else {
                printed.text += priced(name, unit)
                printed.items.append(Item(name: name, amount: unit, quantity: nil))
                continue
            }
            let quantity =
                isWeighed
                ? Int.random(in: 0..<2_800, using: &random) + 101 : (Int.random(in: 0..<8, using: &random) + 2) * 1000
            var amount = (quantity * unit + 500) / 1000
            if country.sign == nil { amount = (amount + 50) / 100 * 100 }
            let forms = isWeighed ? country.weight : country.pieces
            let shown =
                isWeighed
                ? "\(quantity / 1000)\(country.sign ?? ",")\(padded(quantity % 1000, 3))" : "\(quantity / 1000)"
            let product = forms[Int.random(in: 0..<forms.count, using: &random)].replacing("{q}", with: shown)
                .replacing("{u}", with: money(unit, country))
            switch place {
            case 0: printed.text += priced(name, amount) + "  \(product)\n"
            case 1: printed.text += name + "\n" + priced("  " + product, amount)
            default: printed.text += priced("\(name) \(product)", amount)
            }
            printed.items.append(Item(name: name, amount: amount, quantity: shown.replacing(",", with: ".")))
        }
        printed.total = printed.items.reduce(0) { $0 + $1.amount }
        if let deposit = country.deposit, Int.random(in: 0..<2, using: &random) == 0 {
            let amount = country.sign == nil ? 5000 : 25
            printed.text += priced(deposit, amount)
            printed.total += amount
        }
        for name in [country.total[Int.random(in: 0..<country.total.count, using: &random)], country.card] {
            printed.text += row(name, money(printed.total, country))
        }
        return printed
    }

    /// Hundredths of the currency as read: `12.50`, `1299`.
    private static func hundredths(_ value: String) -> Int? {
        let parts = value.split(separator: ".")
        return Int(parts.joined()).map { parts.count == 1 ? $0 * 100 : $0 }
    }

    @Test(arguments: countries.indices)
    func `name, quantity and amount are read in every layout, and the sum holds`(number: Int) {
        let country = Self.countries[number]
        for seed in 0..<60 {
            var random = SeededGenerator(seed: UInt64(number * 1000 + seed))
            let printed = Self.receipt(country, &random)
            let receipt = reader.receipt(from: reader.page(ofText: printed.text))
            let total = receipt.total.flatMap { Self.hundredths($0.value) }
            #expect(receipt.date?.value == printed.date, "\(country.name)\n\(printed.text)")
            #expect(total == printed.total, "\(country.name)\n\(printed.text)")
            let items = receipt.items.filter { $0.name.value != country.deposit }.map { item in
                Item(
                    name: item.name.value, amount: Self.hundredths(item.amount.value) ?? 0,
                    quantity: item.quantity?.value)
            }
            #expect(items == printed.items, "\(country.name)\n\(printed.text)")
            let fails = receipt.checks.filter { !$0.holds }
            #expect(fails == [], "\(country.name)\n\(printed.text)")
        }
    }
}
