import Core
import Documents
import TestSupport
import Testing

@Suite struct `Receipts of many countries` {
    private let reader: DocumentReader

    init() throws { reader = try Shipped.documents.get() }

    /// A receipt of one country, and what it says.
    private struct Country: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var total: String?
        var date: String
        var items: [String]

        var testDescription: String { name }
    }

    private static let countries = [
        Country(
            name: "Indonesia, commas between thousands",
            text: """
                TOKO SEJAHTERA
                JL. RAYA NO. 44
                21.01.22-18:27
                MIE AYAM 75G        1    4900     4,900
                AIR MINERAL 600ML   2    3600     7,200
                GULA PASIR          1   13200    13,200
                HARGA JUAL                       25,300
                VOUCHER                          (2,000)
                TOTAL                            23,300
                TUNAI                            50,000
                KEMBALI                          26,700
                """, total: "23300", date: "2022-01-21",
            items: ["MIE AYAM 75G 4900", "AIR MINERAL 600ML 7200", "GULA PASIR 13200"]),
        Country(
            name: "Sweden, names above their articles",
            text: """
                KLÄDHUSET AB
                2026-11-12 13:23
                Handskar
                98668 ONESIZE Röd            59,50
                Barn accessoarer
                54222 ONESIZE Svart          49,50
                TOTALT SEK                  109,00
                """, total: "109.00", date: "2026-11-12", items: ["Handskar 59.50", "Barn accessoarer 49.50"]),
        Country(
            name: "Canada, codes around names",
            text: """
                LOBLAWS VILLAGE
                2026/11/12 14:05
                4011 BANANA MRJ               1.18
                4065 PEPPER GREEN NRJ         9.55
                4132 APPLE GALA MRJ           5.20
                CHERRIES 000000004045K MRJ    3.66
                2187851 BAGELS MRJ            3.29
                SUBTOTAL                     22.88
                TOTAL                        22.88
                """, total: "22.88", date: "2026-11-12",
            items: ["BANANA 1.18", "PEPPER GREEN 9.55", "APPLE GALA 5.20", "CHERRIES 3.66", "BAGELS 3.29"]),
        Country(
            name: "United States, article numbers and kinds of tax behind names",
            text: """
                CORNER MARKET
                11/25/2026 14:05
                BREAD        007225003712 F   2.88
                GV PNT BUTTR 007874237003 F   3.84
                BANANAS      000000004011KI   0.95
                SH NYLON COL 068113113619 X   1.00
                SUBTOTAL                      8.67
                TOTAL                        $8.67
                """, total: "8.67", date: "2026-11-25",
            items: ["BREAD 2.88", "GV PNT BUTTR 3.84", "BANANAS 0.95", "SH NYLON COL 1.00"]),
        Country(
            name: "New Zealand, another price between name and amount",
            text: """
                JAPAN MART
                23/05/2026 14:05
                COCA COLA JAPAN COFFEE
                Normally $3.00
                1 @ 2.70                      2.70
                COMO DANISH BUTTER
                Normally $3.80
                1 @ 3.50                      3.50
                TOTAL                         6.20
                """, total: "6.20", date: "2026-05-23",
            items: ["COCA COLA JAPAN COFFEE 2.70", "COMO DANISH BUTTER 3.50"]),
        Country(
            name: "Sweden, notes on reduced prices",
            text: """
                MATAFFÄREN AB
                2026-11-12 13:23
                Kaffe 450g                   39,90
                Rabatt: SEK 10.00 (20.0% av 49.90)
                Mjölk 1,5l                   15,90
                ATT BETALA                   55,80
                """, total: "55.80", date: "2026-11-12", items: ["Kaffe 450g 39.90", "Mjölk 1,5l 15.90"]),
        Country(
            name: "Hungary, blanks between thousands",
            text: """
                SPAR MAGYARORSZÁG KFT
                1117 Budapest, Szerémi út 4.
                2026.11.12. 14:05
                VAJ                      1 299 Ft
                KENYÉR                     649 Ft
                TEJ 1,5%                   389 Ft
                ÖSSZESEN                 2 337 Ft
                BANKKÁRTYA               2 337 Ft
                """, total: "2337", date: "2026-11-12", items: ["VAJ 1299", "KENYÉR 649", "TEJ 1,5% 389"]),
        Country(
            name: "Hungary, points between thousands",
            text: """
                ALDI MAGYARORSZÁG BT
                2026.11.12 14:05
                VAJ 82%                     1.299
                KENYÉR                        649
                TEJ                           778
                ÖSSZESEN:                2.726 Ft
                KÉSZPÉNZ                    5.000
                VISSZAJÁRÓ                  2.274
                """, total: "2726", date: "2026-11-12", items: ["VAJ 82% 1299", "KENYÉR 649", "TEJ 778"]),
        Country(
            name: "Japan",
            text: """
                FAMILY MART
                2026/11/12 14:05
                ONIGIRI                    ¥130
                GREEN TEA                  ¥160
                TOTAL                      ¥290
                CASH                     ¥1,000
                CHANGE                     ¥710
                """, total: "290", date: "2026-11-12", items: ["ONIGIRI 130", "GREEN TEA 160"]),
        Country(
            name: "Czechia, whole crowns",
            text: """
                ALBERT
                12.11.2026 14:05
                MÁSLO                     55 Kč
                CHLÉB                     43 Kč
                K platbě                  98 Kč
                Platba kartou             98 Kč
                """, total: "98", date: "2026-11-12", items: ["MÁSLO 55", "CHLÉB 43"]),
        Country(
            name: "Czechia",
            text: """
                ALBERT
                12.11.26 14:05
                MÁSLO                     54,90
                CHLÉB                     42,90
                K platbě               97,80 Kč
                Platba kartou          97,80 Kč
                """, total: "97.80", date: "2026-11-12", items: ["MÁSLO 54.90", "CHLÉB 42.90"]),
        Country(
            name: "Spain",
            text: """
                MERCADONA S.A.
                12/11/26 14:05
                LECHE ENTERA               0,98
                PAN DE MOLDE               1,45
                A PAGAR                    2,43
                TARJ. BANCARIA             2,43
                """, total: "2.43", date: "2026-11-12", items: ["LECHE ENTERA 0.98", "PAN DE MOLDE 1.45"]),
        Country(
            name: "Italy",
            text: """
                CONAD CITY
                12/11/26 14:05
                LATTE INTERO               1,39
                PANE                       2,10
                IMPORTO DA PAGARE          3,49
                CARTA DI DEBITO            3,49
                """, total: "3.49", date: "2026-11-12", items: ["LATTE INTERO 1.39", "PANE 2.10"]),
        Country(
            name: "Germany, two digits of the year, a short name and a discount without one",
            text: """
                REWE MARKT GMBH
                24.12.25 14:05
                EI                         0,35
                COLA                       0,99
                                          -0,10
                SUMME EUR                  1,24
                """, total: "1.24", date: "2025-12-24", items: ["EI 0.35", "COLA 0.99", "-0,10 -0.10"]),
        Country(
            name: "Germany, more is given back than bought",
            text: """
                LIDL
                12.11.2026 14:05
                LEERGUT                   -3,25
                BROT                       1,29
                SUMME EUR                 -1,96
                """, total: "-1.96", date: "2026-11-12", items: ["LEERGUT -3.25", "BROT 1.29"]),
        Country(
            name: "France",
            text: """
                CARREFOUR MARKET
                12/11/26 14:05
                LAIT DEMI ECREME           1,05
                BEURRE DOUX                2,35
                TOTAL A PAYER              3,40
                CARTE BLEUE                3,40
                """, total: "3.40", date: "2026-11-12", items: ["LAIT DEMI ECREME 1.05", "BEURRE DOUX 2.35"]),
        Country(
            name: "The Netherlands",
            text: """
                ALBERT HEIJN
                12-11-26 14:05
                MELK                       1,19
                BROOD                      2,29
                TE BETALEN                 3,48
                BETAALPAS                  3,48
                """, total: "3.48", date: "2026-11-12", items: ["MELK 1.19", "BROOD 2.29"]),
        Country(
            name: "Iceland",
            text: """
                BONUS
                12.11.2026 14:05
                MJOLK                    229 kr
                SMJOR                  1.148 kr
                SAMTALS                1.377 kr
                KORT                   1.377 kr
                """, total: "1377", date: "2026-11-12", items: ["MJOLK 229", "SMJOR 1148"]),
    ]

    @Test(arguments: countries)
    private func `receipts of many countries give day, items and total`(country: Country) throws {
        let receipt = reader.receipt(from: reader.page(ofText: country.text))
        #expect(receipt.total?.value == country.total)
        #expect(receipt.date?.value == country.date)
        #expect(receipt.items.map { $0.name.value + " " + $0.amount.value } == country.items)
        if country.name != "Iceland" { #expect(receipt.date?.alternatives == nil) }
    }

    @Test func `the year may come first where the shop's country is not known`() throws {
        let receipt = reader.receipt(
            from: reader.page(ofText: "CORNER SHOP\n12/11/26 14:05\nTEA   3.50\nSUGAR   6.48\nTOTAL   9.98"))
        #expect(receipt.date?.alternatives?.isEmpty == false)
    }

    /// Sweden prints "12-11-17" for 2012 and "17.11.12" for the day of a Norwegian shop, whose crowns look the same.
    @Test(arguments: [("17.11.12", "2012-11-17"), ("09.03.11", "2011-03-09")])
    func `a date with points begins with the day where crowns are paid`(printed: String, day: String) {
        let receipt = reader.receipt(
            from: reader.page(ofText: "KOLONIAL AS\n\(printed) 18:08\nTACO 31,90\nBROD 25,00\nTOTALT SEK 56,90"))
        #expect(receipt.date?.value == day)
    }

    @Test(arguments: [
        "BANANEN                    0,19\n0,162 kg x 1,15 EUR/kg",
        "0,162 kg x 1,15 EUR/kg\nBANANEN                    0,19",
        "BANANEN                    0,19\n     0,162 kg x    1,15 EUR/kg",
        "BANANEN\n0,162 kg x 1,15 EUR/kg     0,19",
    ])
    func `kilograms times the price of one are a quantity`(rows: String) throws {
        let receipt = reader.receipt(
            from: reader.page(
                ofText:
                    "MARKT GMBH\n12.11.2026\n\(rows)\nCOLA                       0,99\nSUMME EUR                  1,18")
        )
        let bananas = try #require(receipt.items.first)
        #expect(bananas.name.value == "BANANEN" && bananas.amount.value == "0.19")
        #expect(bananas.quantity?.value == "0.162" && bananas.unitPrice?.value == "1.15")
    }

    @Test func `a row or the titles of a table of taxes are no subtotal`() throws {
        let receipt = reader.receipt(
            from: reader.page(
                ofText: """
                    LIDL
                    12.11.2026 14:05
                    KÄSE                       2,99
                    BROT                       1,29
                    SUMME EUR                  4,28
                    MWST % NETTO BRUTTO
                    A 7,0% 0,28 4,00 4,28
                    """))
        #expect(receipt.subtotal == nil)
        #expect(receipt.items.count == 2)
    }

    private static let goods: [(count: Int, name: String, cents: Int)] = [
        (2, "Latte Macchiato", 450), (1, "Schnitzel", 2200), (3, "Spezi 0,5l", 390), (12, "Oliven", 25),
    ]

    /// The amounts end below each other.
    private func row(_ words: String, _ amount: String) -> String {
        words + String(repeating: " ", count: max(1, 44 - words.count - amount.count)) + amount
    }

    private func money(_ cents: Int) -> String { "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)" }

    /// Restaurants print the quantity before the name, shops behind it.
    @Test(arguments: [
        "{n}x{g} à {u} CHF", "{n} x {g}   {u}", "{n} {g}   {u}", "{n}x {g}",
        "{n} {g}",
        "{g}   {n} x {u}", "{g}   {n}   {u}", "{g} {n} BUC. X {u}", "{g}   £{u}   {n}   £", "{g}   £{u}   {n}",
    ])
    func `the quantity stands before the name or behind it, and is no part of it`(form: String) throws {
        for first in Self.goods.indices {
            let goods = Array(Self.goods[first...] + Self.goods[..<first])
            let rows = goods.map { one -> String in
                let left = form.replacing("{n}", with: "\(one.count)").replacing("{g}", with: one.name)
                    .replacing("{u}", with: money(one.cents))
                return row(left, money(one.count * one.cents))
            }
            let total = goods.reduce(0) { $0 + $1.count * $1.cents }
            let text = (["GASTHAUS ADLER", "12.11.2026 14:05"] + rows + ["TOTAL CHF      \(money(total))"])
                .joined(separator: "\n")
            let items = reader.receipt(from: reader.page(ofText: text)).items
            #expect(items.map(\.name.value) == goods.map(\.name), "\(text)")
            #expect(items.map(\.amount.value) == goods.map { money($0.count * $0.cents) }, "\(text)")
            #expect(items.map { $0.quantity?.value } == goods.map { "\($0.count)" }, "\(text)")
        }
    }

    @Test(arguments: ["Food and drink", "Speisen", "Tischsumme"], [1, 2, 4])
    func `a summary that repeats what the items make is no item`(words: String, count: Int) throws {
        let goods = Self.goods.prefix(count)
        let total = money(goods.reduce(0) { $0 + $1.cents })
        let rows = goods.map { ($0.name, money($0.cents)) }
        let summary = [(words, total), ("20% VAT Net", "1.00"), ("Total", total), ("Card", total)]
        let text = ["THE CLACHAN", "12.11.2026 14:05"] + (rows + summary).map(row)
        let receipt = reader.receipt(from: reader.page(ofText: text.joined(separator: "\n")))
        #expect(receipt.items.map(\.name.value) == goods.map(\.name))
        #expect(receipt.total?.value == total)
    }

    @Test(arguments: ["{n} bag", "{n}*BAG", "{n} BOTOL x"], [1, 2, 4])
    func `a unit between quantity and price is no name where the name stands above`(form: String, count: Int) throws {
        let goods = Self.goods.prefix(count)
        let rows = goods.flatMap { one in
            [
                "\(one.name)",
                row(
                    form.replacing("{n}", with: "\(one.count)") + "   " + money(one.cents),
                    money(one.count * one.cents)),
            ]
        }
        let total = money(goods.reduce(0) { $0 + $1.count * $1.cents })
        let text = ["KEDAI MAJU", "12.11.2026 14:05"] + rows + [row("TOTAL RM", total)]
        let items = reader.receipt(from: reader.page(ofText: text.joined(separator: "\n"))).items
        #expect(items.map(\.name.value) == goods.map(\.name), "\(text)")
        #expect(items.map { $0.quantity?.value } == goods.map { "\($0.count)" }, "\(text)")
    }

    @Test func `a currency that only the words of a country tell is computed and not read`() {
        func currency(_ mark: String) -> ReadValue? {
            let text =
                "TOKO SEJAHTERA\n21.01.22 18:27\nMIE AYAM\(mark)4,900\nGULA\(mark)13,200\nTOTAL\(mark)18,100\nTUNAI\(mark)20,000"
            return reader.receipt(from: reader.page(ofText: text)).currency
        }
        let told = currency("      ")
        #expect(told?.value == "IDR" && told?.derived == true)
        let read = currency("      Rp ")
        #expect(read?.value == "IDR" && read?.derived == nil)
    }
}
