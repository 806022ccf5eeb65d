import Foods
import Core
import Foundation
import TestSupport
import Testing

@Suite struct PriceTrustTests {
    private let rules: GroceryRules

    init() throws { rules = try ModelFolder(Repository.models).load(GroceryRules.self, from: "groceries/rules.json") }

    private func price(
        _ parts: Int64, day: Int = 100, _ proof: PriceProof = .receipt, by person: String? = "Ada", accepted: Int = 0,
        rejected: Int = 0
    ) -> TrustedPrice {
        TrustedPrice(parts: parts, day: day, proof: proof, contributor: person, accepted: accepted, rejected: rejected)
    }

    @Test func `a price loses half its trust in a half-life, and its range widens`() {
        let trust = PriceTrust(rules, halfLife: 40)
        #expect(abs(trust.trust(base: 0.8, observed: 10, on: 50) - 0.4) < 1e-12)
        #expect(trust.trust(base: 0.8, observed: 50, on: 10) == 0.8, "a price of tomorrow is not trusted more")
        #expect(trust.spread(trust: 1, days: 0) == 0)
        #expect(trust.spread(trust: 0, days: 0) == 250)
        #expect(trust.spread(trust: 0.4, days: 0) > trust.spread(trust: 0.8, days: 0))
        #expect(trust.spread(trust: 0, days: 7 * 365) == 250 + 7 * 60)
        #expect(trust.spread(trust: 0, days: 100 * 365) == 900, "never below nothing")
    }

    @Test func `proof, record and agreement raise the trust`() {
        let trust = PriceTrust(rules)
        let plain = trust.base(of: price(100, .typed), among: [])
        #expect(trust.base(of: price(100, .receipt), among: []) > plain)
        #expect(trust.base(of: price(100, .typed, accepted: 50), among: []) > plain)
        #expect(trust.base(of: price(100, .typed, rejected: 5), among: []) < plain)
        let agreeing = trust.base(of: price(100, .typed), among: [price(101, by: "Ben")])
        #expect(agreeing > plain)
        #expect(trust.base(of: price(100, .typed), among: [price(101, by: "Ada")]) == plain, "oneself is nobody else")
        #expect(trust.base(of: price(100, .typed), among: [price(120, by: "Ben")]) == plain)
    }

    @Test func `the newest price wins unless an older one is much surer`() {
        let trust = PriceTrust(rules, halfLife: 90)
        #expect(trust.best([price(100, day: 100), price(120, day: 110)])?.index == 1)
        #expect(trust.best([price(100, day: 100), price(120, day: 101, .typed, rejected: 20)])?.index == 0)
        #expect(trust.best([]) == nil)
    }

    @Test func `the half-life of simulated prices is measured`() throws {
        var generator = SeededGenerator(seed: 7)
        let truth = 60.0
        let pairs = (0..<4000).map { _ in
            let days = Int.random(in: 1...120, using: &generator)
            let isChanged = Double.random(in: 0..<1, using: &generator) > exp2(-Double(days) / truth)
            return PriceHalfLife.Pair(days: days, isChanged: isChanged)
        }
        let measured = try #require(PriceHalfLife.days(pairs, rules: rules))
        #expect(abs(measured - truth) < 6, "\(measured)")
        #expect(PriceHalfLife.days(Array(pairs.prefix(50)), rules: rules) == nil)
        #expect(PriceHalfLife.days(pairs.map { .init(days: $0.days, isChanged: false) }, rules: rules) == nil)
    }

    @Test func `a price far from the others is an outlier, and a sale is not`() {
        let usual: [Int64] = [10_000, 10_200, 9_900, 10_500, 9_800]
        #expect(PriceOutlier.median(contradicting: 100_000, usual, rules: rules) == 10_000)
        #expect(PriceOutlier.median(contradicting: 1_000, usual, rules: rules) == 10_000)
        #expect(PriceOutlier.median(contradicting: 7_500, usual, rules: rules) == nil)
        #expect(PriceOutlier.median(contradicting: 100_000, [10_000, 10_000], rules: rules) == nil, "too few to judge")
        let wide: [Int64] = [5_000, 10_000, 20_000, 8_000, 15_000]
        #expect(PriceOutlier.median(contradicting: 25_000, wide, rules: rules) == nil)
    }

    @Test(arguments: [
        (0, 0, "New Shopper"), (9, 0, "New Shopper"), (10, 0, "Regular"), (25, 0, "Smart"), (50, 0, "Expert"),
        (100, 0, "Master"), (200, 0, "Legendary"), (12, 3, "New Shopper"), (2, 9, "New Shopper"),
    ])
    func `accepted prices count and rejected ones take away`(accepted: Int, rejected: Int, level: String) {
        #expect(Reputation(accepted: accepted, rejected: rejected, rules: rules).level == level)
    }

    @Test func `the same product is found by number, name and near name`() {
        func duplicate(_ one: String, _ other: String, _ a: String? = nil, _ b: String? = nil) -> ProductNames
            .Duplicate?
        {
            ProductNames.duplicate(one, a.flatMap { GTIN($0) }, of: other, b.flatMap { GTIN($0) }, rules: rules)
        }
        #expect(duplicate("Milk", "Vollmilch", "3017620422003", "3017620422003") == .gtin)
        #expect(duplicate("Milk", "Milk", "3017620422003", "4006381333931") == nil, "two numbers are two products")
        #expect(duplicate("Crème fraîche", "creme  FRAICHE!") == .name)
        #expect(duplicate("Tomatoes chopped", "chopped tomatoes") == .near)
        #expect(duplicate("Spaghetti", "Spagetti") == .near)
        #expect(duplicate("Cola 0,5 l", "Cola 1,5 l") == nil)
        #expect(duplicate("Milk", "Silk") == nil)
        #expect(duplicate("", "") == nil)
    }

    @Test func `a chain is named by its first word that is not a kind of shop`() {
        func chain(_ name: String) -> String { ProductNames.chain(name, rules: rules) }
        #expect(chain("REWE Markt GmbH") == chain("Rewe Bahnhofstraße"))
        #expect(chain("Bäckerei Kornfeld GmbH") != chain("Bäckerei Schmidt"))
        #expect(chain("Bäckerei Kornfeld GmbH") == chain("BÄCKEREI KORNFELD"))
        #expect(chain("") == "" && chain("Markt") == "markt")
    }

    @Test func `a receipt's abbreviation fits its product better than another`() {
        let names = ["Gutfried Geflügel Hähnchen Fleischwurst", "Gut Bio Joghurt pur", "Moser Roth Premium 85 %"]
        func best(_ printed: String) -> String? {
            names.max {
                ProductNames.score(printed: printed, name: $0) < ProductNames.score(printed: printed, name: $1)
            }
        }
        #expect(best("GUTFRIED GEFL./HÄHN. FL.") == names[0])
        #expect(best("GUT BIO JOGH PUR") == names[1])
        #expect(ProductNames.score(printed: "GUT BIO JOGHURT PUR", name: names[1]) == 1)
        #expect(ProductNames.score(printed: "PFAND 0,25", name: names[1]) == 0)
    }

    @Test func `a price that its unit price refutes waits for a person`() throws {
        var tag = PriceTag()
        tag.product = ReadValue(value: "LENTILLES VERTES", confidence: 0.97)
        tag.price = ReadValue(value: "2.00", confidence: 0.95)
        tag.checks = [ArithmeticCheck(check: "unitPrice", holds: true)]
        #expect(ReadPrices(tag, rules: rules).prices.map(\.confidence) == [0.95])
        tag.checks = [ArithmeticCheck(check: "unitPrice", holds: false)]
        #expect(ReadPrices(tag, rules: rules).prices.allSatisfy { $0.confidence < rules.names.confidence })
    }

    @Test func `a receipt gives prices, and deposits and unproved quantities are not used unseen`() throws {
        func value(_ text: String, _ confidence: Double = 0.95) -> ReadValue {
            ReadValue(value: text, confidence: confidence)
        }
        var receipt = Receipt(items: [
            .init(name: value("BUTTER"), amount: value("1.99")),
            .init(name: value("WASSER"), quantity: value("6"), unitPrice: value("0.49"), amount: value("2.94")),
            .init(name: value("JOGHURT"), quantity: value("4"), amount: value("2.00")),
            .init(name: value("TOMATEN"), quantity: value("0.842"), unitPrice: value("2.99"), amount: value("2.52")),
            .init(name: value("PFAND"), amount: value("-0.25")),
        ])
        receipt.date = ReadValue(value: "2026-05-06", confidence: 0.99, alternatives: ["2026-06-05"])
        let prices = ReadPrices(receipt, rules: rules)
        #expect(prices.prices.map(\.amount) == ["1.99", "0.49", "2.00", "2.99"])
        #expect(prices.prices.map(\.per) == [.piece, .piece, .piece, .kilogram])
        #expect(prices.prices.map { $0.confidence >= rules.names.confidence } == [true, true, false, false])
        #expect(prices.skipped == 1)
        #expect(prices.date == nil, "day and month may be exchanged")
        receipt.checks = [.init(check: "itemsMakeTotal", holds: false)]
        #expect(ReadPrices(receipt, rules: rules).prices.allSatisfy { $0.confidence < rules.names.confidence })
    }

    @Test(
        arguments: [
            ("0.165", "kg", nil, "0.19", "1.15", false), ("0.165", "kg", "1.15", "0.19", "1.15", true),
            ("0.165", nil, nil, "0.19", "1.15", false), ("0.165", "kg", "1.75", "0.19", "1.75", false),
            ("0.5", "l", "1.98", "0.99", "1.98", true), ("6", nil, "0.49", "2.49", "0.49", false),
        ] as [(String, String?, String?, String, String, Bool)])
    func `what a weight costs is no price of a kilogram, and quantity times price must be the amount`(
        quantity: String, unit: String?, unitPrice: String?, amount: String, price: String, isSure: Bool
    ) throws {
        let item = Receipt.Item(
            name: ReadValue(value: "BANANEN", confidence: 0.95),
            quantity: ReadValue(value: quantity, unit: unit, confidence: 0.95),
            unitPrice: unitPrice.map { ReadValue(value: $0, confidence: 0.95) },
            amount: ReadValue(value: amount, confidence: 0.95))
        let read = try #require(ReadPrices(Receipt(items: [item]), rules: rules).prices.first)
        #expect(read.amount == price)
        #expect((read.confidence >= rules.names.confidence) == isSure)
    }

    @Test(arguments: [
        ("PFAND", false), ("PF AND 0,25", false), ("Leergut", false), ("ZÁLOHA LÁHEV", false), ("Consigne", false),
        ("PFANDKUCHEN", true), ("DEPOT MILCH", true),
    ])
    func `a deposit is no product`(name: String, isProduct: Bool) {
        let value = ReadValue(value: "0.25", confidence: 0.95)
        let receipt = Receipt(items: [.init(name: ReadValue(value: name, confidence: 0.95), amount: value)])
        let prices = ReadPrices(receipt, rules: rules)
        #expect((prices.prices.count, prices.skipped) == (isProduct ? 1 : 0, isProduct ? 0 : 1), "\(name)")
    }
}
