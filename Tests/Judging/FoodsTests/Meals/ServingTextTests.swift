import Core
import Foundation
import Testing

@testable import Foods

@Suite struct ServingTextTests {
    @Test(arguments: [
        ("1", "1"), ("2,2", "2.2"), ("2,20", "2.2"), ("100 000", "100000"), ("33,000,000", "33000000"), ("½", "0.5"),
        ("1 ½", "1.5"), ("1½", "1.5"), ("1/4", "0.25"), ("2 1/2", "2.5"), ("1.234,5", "1234.5"), ("0,125", "0.125"),
        ("1’500", "1500"),
    ])
    func `numbers are read as people write them`(text: String, value: String) throws {
        #expect(WrittenNumber(text)?.value == Decimal(string: value))
    }

    @Test(arguments: ["", "abc", "1/0", "12345678901234567", "1,2,3,4.5x", "--", "1 2"])
    func `other texts are no numbers`(text: String) { #expect(WrittenNumber(text) == nil) }

    @Test(arguments: [
        ("250 g", 250), ("1 tin (210 g)", 210), ("3 biscuits = 36g", 36), ("2 l", 2000), ("0,5 L", 500), ("25 cl", 250),
        ("300毫升", 300), ("2 дл", 200), ("1/4 cup (55g)", 55), ("1 cup", 240), ("2 tbsp", 30), ("12 fl. oz", 360),
        ("1,500 g", 1500), ("1,500 kg", 1500), ("1 sachet (3 g)", 3), ("31 g / 1/6 de la tarte", 31),
    ])
    func `a serving has the first amount of its text`(text: String, amount: Int) {
        #expect(ServingText.serving(text)?.value == Decimal(amount))
    }

    @Test(arguments: [
        ("6 x 30g", 180), ("6 ×30 g", 180), ("3 sachets de 12 g", 36), ("1 kg", 1000), ("500 ml e", 500),
        ("25 dkg", 250), ("10 dag", 100),
    ])
    func `a count multiplies the amount of a package`(text: String, amount: Int) {
        #expect(ServingText.quantity(text)?.value == Decimal(amount))
    }

    @Test(arguments: [("1 lb 4 oz", "566.99046"), ("2 lbs. 8 oz", "1133.98093"), ("1 lb (16 oz)", "453.59237")])
    func `pounds and ounces are one amount`(text: String, amount: String) {
        #expect(ServingText.quantity(text)?.value.rounded(places: 5) == Decimal(string: amount))
    }

    @Test(arguments: ["serving", "", "-", "1 bowl", "12", "g", "0 g", "½"])
    func `a text without an amount has no amount`(text: String) { #expect(ServingText.serving(text) == nil) }

    @Test func `mass and volume are distinguished`() {
        #expect(ServingText.serving("200 ml")?.dimension == .volume)
        #expect(ServingText.serving("2 lbs")?.dimension == .mass)
    }

    @Test func `any text is read without a crash`() {
        var generator = SystemRandomNumberGenerator()
        let letters = Array("0129 ,.'/½⅔gmlkoz()x×de|=毫升-")
        for _ in 0..<5000 {
            let text = String(
                (0..<Int.random(in: 0...30, using: &generator)).map { _ in letters.randomElement() ?? " " })
            for found in ServingText.amounts(text) { #expect(found.amount.value > 0, "\(text)") }
            _ = ServingText.quantity(text)
        }
    }

    @Test func `small servings are not extrapolated`() {
        #expect(PerHundred.value(1, serving: 5) == nil)
        #expect(PerHundred.value(58, serving: 25) == 232)
    }

    /// `TABLESIGHT_FACTS` names a folder with serving-cases.jsonl, which is not part of the repository.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["TABLESIGHT_FACTS"] != nil))
    func `the serving cases have their amounts`() throws {
        struct Case: Decodable {
            var id, task: String
            var text: String?
            var quantity_g_or_ml, value: Double?
        }
        let folder = try #require(ProcessInfo.processInfo.environment["TABLESIGHT_FACTS"])
        let lines = try String(contentsOfFile: folder + "/serving-cases.jsonl", encoding: .utf8).split(separator: "\n")
        var (right, all) = (0, 0)
        for line in lines {
            let one = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
            guard let text = one.text, ["serving", "quantity", "number"].contains(one.task) else { continue }
            let amount =
                switch one.task {
                case "serving": ServingText.serving(text)?.value
                case "quantity": ServingText.quantity(text)?.value
                default: WrittenNumber(text)?.value
                }
            let found = amount.map { NSDecimalNumber(decimal: $0).doubleValue }
            let wanted = one.task == "number" ? one.value : one.quantity_g_or_ml
            let isRight =
                if let found, let wanted { abs(found - wanted) <= 0.01 * wanted } else { found == nil && wanted == nil }
            all += 1
            right += isRight ? 1 : 0
            if !isRight { print("wrong: \(one.id): \(String(describing: found)), not \(String(describing: wanted))") }
        }
        print("serving cases: \(right) of \(all)")
        // One text, "serving", has no amount.
        #expect(all - right <= 1)
    }
}
