import Testing
import TestSupport
import Core

@testable import Allergens

/// A dish that says nothing of an allergen: how probable the allergen is, and when that is not known.
@Suite("Dishes that do not name an allergen")
struct RankedDishTests {
    private typealias Row = [Allergen: AllergenVerdict]

    private func verdicts(_ reading: TextReading) throws -> [String: Row] {
        let items = try Judge.menu(reading)?.sections.flatMap(\.items) ?? []
        return Dictionary(
            items.map { ($0.name, $0.verdicts["everyone"] ?? [:]) }, uniquingKeysWith: { first, _ in first })
    }

    private func judged(_ text: String, _ language: String = "en") throws -> Row {
        try TextJudge(Judge.interpreter(), language: nil, regime: nil, profile: nil)
            .judgement(of: .init(id: "1", language: language, kind: .dish, text: text)).verdicts
    }

    /// Dishes by two words each, from lists of cuts and preparations: nobody chose their allergens.
    private static let plain = ["lamb", "beef", "chicken", "potato", "rice", "tomato", "apple", "carrot"].flatMap {
        food in
        ["grilled \(food)", "roast \(food)", "\(food) salad", "\(food) soup"]
    }

    @Test(arguments: plain)
    func `a dish of known words has a probability for each allergen`(dish: String) throws {
        let row = try judged(dish)
        #expect(row.count == 14)
        for (allergen, verdict) in row where verdict.verdict == .cannotTell {
            #expect(verdict.risk != .unknown, "\(allergen)")
            #expect(verdict.probability < VerdictRules.minimumLikelihood, "\(allergen)")
            #expect(verdict.isPossible != verdict.isUnlikely, "\(allergen)")
        }
        #expect(row[.lupin]?.isUnlikely == true)
        #expect(!row.values.contains { $0.verdict == .notFoundInText }, "a name declares nothing")
    }

    @Test func `the cuisine ranks the dishes before the ones that it says nothing of`() throws {
        let nuts = try ["pad thai", "apple crumble", "chicken korma", "grilled lamb"].map {
            try #require(try judged($0)[.peanuts]?.probability)
        }
        #expect(nuts[0] > nuts[3])
        let milk = try ["chicken korma", "grilled lamb"].map { try #require(try judged($0)[.milk]?.probability) }
        #expect(milk[0] > milk[1])
    }

    /// How well a line is read depends on the light and on the processor.
    @Test(arguments: 1...6)
    func `dishes that name an allergen stand in the order of the print, however well they were read`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let names = ["Cheese soup", "Cream pie", "Milk rice", "Butter bread", "Yogurt salad"].shuffled(using: &random)
        var page = PageBuilder()
        for name in names { page.line("\(name) £5.50", confidence: .random(in: 0.88...0.99, using: &random)) }
        let menu = try #require(try Judge.menu(page.reading))
        let dishes = try #require(menu.ranked(for: ["everyone"]).first).dishes
        #expect(dishes.map(\.worst) == names.map { _ in .contains })
        #expect(dishes.map(\.name) == names)
        #expect(Set(dishes.map(\.probability)).count > 1, "the lines were read differently")
    }

    @Test(arguments: ["Xqzw Blorpf", "Grmblfx Trallwitz Hnopp", "Oqwux"])
    func `a dish of unknown words is never one that nothing points to`(dish: String) throws {
        let row = try judged(dish)
        #expect(row.values.allSatisfy { !$0.isUnlikely }, "\(row.filter(\.value.isUnlikely).keys)")
    }

    /// Each dish that one lexicon knows for an allergen, on a menu in another language.
    @Test func `a dish that any language knows for an allergen is never one that nothing points to`() throws {
        let dishes = try VocabularySources(models: Judge.models).lexicons.filter {
            ["en", "it", "es"].contains($0.language)
        }
        .flatMap { lexicon in
            lexicon.entries.filter { $0.kind == .dish && Allergen.eu14.contains($0.allergen) }
                .flatMap { entry in entry.words.map { (name: $0, allergen: entry.allergen) } }
        }
        try #require(dishes.count > 100)
        for (number, dish) in dishes.enumerated() where number % 7 == 0 {
            let verdict = try judged(dish.name, "de")[dish.allergen]
            #expect(verdict?.isUnlikely == false, "\(dish)")
        }
    }

    @Test(arguments: [0.3, 0.5, 0.7])
    func `badly read print is never print that nothing points to`(confidence: Double) throws {
        let dishes = ["Grilled lamb £9.50", "Roast potato £4.50", "Apple salad £6.00"]
        func rows(_ confidence: Double) throws -> [String: Row] {
            try verdicts(.page(confidence: confidence, dishes[0], dishes[1], dishes[2]))
        }
        let (bad, good) = (try rows(confidence), try rows(0.97))
        #expect(good.count == 3 && good.values.allSatisfy { $0[.lupin]?.isUnlikely == true })
        for row in bad.values { #expect(row.values.allSatisfy { !$0.isUnlikely }) }
    }

    /// Words for shrimp, squid, octopus, mussels, fish, nuts and sesame in other languages, and sentences around them. A
    /// reviewer's list: 297 of 1,938 such texts were said to have nothing that points to the allergen.
    @Test(
        arguments: [
            "udang", "gung", "goong", "karides", "garides", "hipon", "saeu", "jhinga", "chingri", "kepiting", "cumi",
            "sotong", "pusit", "ika", "tako", "hoi", "ojingeo", "nakji", "ahtapot", "midye", "ikan", "pla", "levrek",
            "hamsi", "badem", "ceviz", "mungphali", "hardal",
        ])
    func `a dish with one foreign word among known ones is never one that nothing points to`(word: String) throws {
        let asked: [Allergen] = [.crustaceans, .molluscs, .fish, .nuts, .peanuts, .sesame, .mustard]
        for text in [
            "\(word) mit Reis und Gemüse", "gebratener Reis mit \(word)", "\(word) curry with rice", "23 \(word) 250 g",
            "grilled \(word) with lemon and butter",
        ] {
            for language in ["en", "de"] {
                let row = try judged(text, language)
                #expect(asked.allSatisfy { row[$0]?.isUnlikely != true }, "\(text), \(language)")
            }
        }
    }

    @Test func `a note about all dishes, a legend and one bad word leave nothing unlikely`() throws {
        let dishes = ["Grilled lamb £9.50", "Roast potato £4.50", "Apple salad £6.00"]
        #expect(
            try verdicts(.page(dishes[0], dishes[1], dishes[2])).values.allSatisfy { $0[.lupin]?.isUnlikely == true })
        let noted = try verdicts(
            .page(dishes[0], dishes[1], dishes[2], "All dishes may contain traces of other allergens"))
        #expect(noted.count == 3)
        for row in noted.values { #expect(row.values.allSatisfy { !$0.isUnlikely }) }
        let coded = try TextJudge(Judge.interpreter(), language: nil, regime: nil, profile: nil)
            .judgement(
                of: .init(id: "1", language: "en", kind: .menuLine, text: "Roast potato\nA gluten, B crustaceans"))
        #expect(coded.verdicts.values.allSatisfy { !$0.isUnlikely }, "its codes may be lost")
        var page = PageBuilder()
        for dish in dishes { page.line(dish) }
        page.line("with carrot", height: 16, confidence: 0.4)
        let row = try #require(try verdicts(page.reading)["Apple salad"])
        #expect(row.values.allSatisfy { !$0.isUnlikely })
    }

    @Test func `codes that nobody explains, and options, stay unknown`() throws {
        for dish in ["Grilled lamb (Q,Z)", "Roast potato (17)"] {
            let row = try TextJudge(Judge.interpreter(), language: nil, regime: nil, profile: nil)
                .judgement(of: .init(id: "1", language: "en", kind: .menuLine, text: dish)).verdicts
            #expect(row.values.allSatisfy { !$0.isUnlikely }, "\(dish)")
        }
    }

    @Test func `what a legend covers is still not mentioned, though such dishes may have it`() throws {
        let row = try TextJudge(Judge.interpreter(), language: nil, regime: nil, profile: nil)
            .judgement(
                of: .init(
                    id: "1", language: "de", kind: .menuLine,
                    text: "Gekochter Reis (L)\nA Gluten, C Ei, G Milch, L Sellerie")
            ).verdicts
        for allergen in [Allergen.gluten, .eggs, .milk] {
            #expect(row[allergen]?.verdict == .notFoundInText, "\(allergen): \(String(describing: row[allergen]))")
        }
    }

    @Test func `what is possible is weighed by how sensitive the person is`() throws {
        let mild = AllergenProfile(name: "mild", allergens: [.milk: .mild])
        let severe = AllergenProfile(name: "severe", allergens: [.milk: .severe])
        let text = try Judge.interpreter().text(
            of: .page("Fruit salad £4.50", "Grilled lamb £9.50", "Tomato salad £5.00"), profiles: [mild, severe])
        let item = try #require(text.menu(for: [mild, severe]).sections.first?.items.first)
        let (low, high) = (item.verdicts["mild"]?[.milk], item.verdicts["severe"]?[.milk])
        #expect(low?.probability == high?.probability && low?.verdict == .cannotTell)
        #expect(low?.risk == .low)
    }
}
