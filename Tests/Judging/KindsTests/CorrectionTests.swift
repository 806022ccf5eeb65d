import Allergens
import Core
import Foundation
import Kinds
import TestSupport
import Testing

/// What people say of a photo, applied whenever it is judged.
@Suite("Corrections by people")
struct CorrectionTests {
    let interpreter: Interpreter
    let people: [AllergenProfile]

    init() throws {
        let models = ModelFolder(Repository.models)
        interpreter = try Shipped.interpreter.get()
        var maria = AllergenProfile(name: "Maria", regime: "eu14", allergens: [.milk: .severe, .nuts: .high])
        maria.words = ["Dill"]
        people = [
            try .shipped(named: "everyone", in: models), maria,
            AllergenProfile(name: "Leo", regime: "eu14", allergens: [.peanuts: .mild, .celery: .moderate]),
        ]
    }

    func page(_ lines: [String]) -> ReadAnswer {
        ReadAnswer(
            image: .init(format: "jpeg", width: 800, height: 900, orientation: 1),
            readings: Readings(text: .printed(lines, language: "en")))
    }

    private static let menu = [
        "STARTERS", "Tomato soup 5.80", "with cream and celery", "Prawn cocktail 7.50", "MAINS",
        "Beer battered cod 14.90", "chips, peas, may contain traces of milk", "Grilled chicken 13.60",
        "Pad Thai with peanuts 12.00", "PUDDINGS", "Walnut brownie 6.20", "Fruit salad 5.10",
    ]

    func facts() throws -> PhotoFacts {
        PhotoFacts(path: try #require(FilePathBytes("menu.jpg")), id: "sha256:0", bytes: 3)
    }

    func judge(_ reviews: [Review], _ lines: [String] = menu, as kind: Outcome.Domain? = .menu) throws
        -> Outcome
    {
        interpreter.judge(
            page(lines), of: try facts(),
            as: kind, for: people, reviews: reviews)
    }

    private func review(
        _ item: String, _ action: Review.Action, _ value: String? = nil, _ allergen: Allergen? = nil,
        at place: Quad? = nil, by name: String = "Maria"
    ) -> Review {
        Review(
            content: "sha256:0", item: item, allergen: allergen, action: action, value: value, place: place,
            reviewer: name, made: 1_700_000_000)
    }

    private func dish(_ name: String, in outcome: Outcome) throws -> Menu.Item {
        try #require(outcome.menu?.sections.flatMap(\.items).first { $0.name == name }, "\(name)")
    }

    // MARK: Allergens

    @Test func `staff cannot remove print: contains stays, with what they said`() throws {
        let outcome = try judge([review("Tomato soup", .edit, "ABSENT", .milk)])
        let verdict = try #require(dish("Tomato soup", in: outcome).verdicts["Maria"]?[.milk])
        #expect(verdict.verdict == .contains)
        #expect(verdict.said == .absent && verdict.by == "Maria")
        #expect(outcome.household?["Maria"]?.avoid.contains("Tomato soup") == true)
        let printed = try judge([review("Beer battered cod", .edit, "ABSENT", .milk)])
        #expect(try dish("Beer battered cod", in: printed).verdicts["Maria"]?[.milk]?.verdict == .mayContain)
    }

    @Test func `a typical allergen that staff deny leaves avoid, and stays visible as said`() throws {
        let own = try judge([])
        let typical = try #require(
            own.menu?.sections.flatMap(\.items).first { item in
                item.verdicts["everyone"]?.values.contains { $0.verdict == .likely } == true
            })
        let allergen = try #require(typical.verdicts["everyone"]?.first { $0.value.verdict == .likely }?.key)
        let outcome = try judge([review(typical.name, .edit, "ABSENT", allergen)])
        let verdict = try #require(dish(typical.name, in: outcome).verdicts["everyone"]?[allergen])
        #expect(verdict.verdict == .notFoundInText && verdict.said == .absent)
        #expect(verdict.system?.verdict == .likely)
    }

    @Test func `not knowing keeps the program's verdict, and the question counts as asked`() throws {
        let own = try dish("Walnut brownie", in: judge([])).verdicts["Maria"]?[.milk]
        let outcome = try judge([review("Walnut brownie", .edit, "UNKNOWN", .milk)])
        let verdict = try #require(dish("Walnut brownie", in: outcome).verdicts["Maria"]?[.milk])
        #expect(verdict.verdict == own?.verdict && verdict.probability == own?.probability)
        #expect(verdict.by == "Maria" && verdict.said == .unknown)
    }

    @Test func `any of the fourteen groups can be answered, whether anybody watches it or not`() throws {
        let leo = try #require(people.last)
        let outcome = interpreter.judge(
            page(Self.menu), of: try facts(),
            as: .menu, for: [leo], reviews: [review("Fruit salad", .edit, "CONTAINS", .sulphites)])
        let salad = try dish("Fruit salad", in: outcome)
        #expect(salad.statements?.map(\.allergen) == [.sulphites])
        #expect(salad.verdicts["Leo"]?[.sulphites] == nil)
    }

    @Test func `a packet has the name that a person gave it last`() throws {
        let lines = ["Ingredients: wheat flour, sugar, milk powder, salt."]
        let said = [review(Review.label, .rename, "Biskuits"), review(Review.label, .rename, "Biscuits")]
        #expect(try judge(said, lines, as: .label).label?.name == "Biscuits")
        #expect(try judge([], lines, as: .label).label?.name == nil)
    }

    @Test func `the latest answer counts, and a label is answered as a dish is`() throws {
        let lines = ["Ingredients: wheat flour, sugar, milk powder, salt.", "May contain traces of nuts."]
        let said = [
            review(Review.label, .edit, "CONTAINS", .celery),
            review(Review.label, .edit, "ABSENT", .celery, by: "Jonas"),
            review(Review.label, .edit, "ABSENT", .milk), review(Review.label, .edit, "ABSENT", .nuts),
        ]
        let label = try #require(judge(said, lines, as: .label).label)
        #expect(label.verdicts["Maria"]?[.milk]?.verdict == .contains)
        #expect(label.verdicts["Maria"]?[.nuts]?.verdict == .mayContain)
        #expect(label.verdicts["Leo"]?[.celery]?.verdict == .notFoundInText)
        #expect(label.statements?.count == 3)
        #expect(label.statements?.first { $0.allergen == .celery }?.by == "Jonas")
    }

    // MARK: Dishes

    @Test func `a corrected name is judged, and the print that was read keeps its warnings`() throws {
        let outcome = try judge([
            review("Grilled chicken", .rename, "Grilled chicken satay with peanut sauce"),
            review("Tomato soup", .rename, "Clear soup"), review("Tomato soup", .describe, ""),
        ])
        let chicken = try dish("Grilled chicken satay with peanut sauce", in: outcome)
        #expect(chicken.verdicts["Leo"]?[.peanuts]?.verdict == .contains)
        #expect(chicken.corrected?.system?.name == "Grilled chicken")
        let soup = try dish("Clear soup", in: outcome)
        #expect(soup.description == nil)
        #expect(soup.verdicts["Maria"]?[.milk]?.verdict == .contains)
        #expect(soup.verdicts["Leo"]?[.celery]?.verdict == .contains)
    }

    @Test func `prices and headings follow a person, and others keep theirs`() throws {
        let own = try judge([])
        let outcome = try judge([
            review("Fruit salad", .price, "4,5 / 6"), review("Fruit salad", .section, "Starters"),
            review("Prawn cocktail", .section, "Fish"),
        ])
        let sections = try #require(outcome.menu?.sections)
        #expect(try dish("Fruit salad", in: outcome).prices.map(\.amount) == ["4.50", "6.00"])
        #expect(sections.first { $0.title == "STARTERS" }?.items.map(\.name) == ["Tomato soup", "Fruit salad"])
        #expect(sections.last?.title == "Fish")
        #expect(try dish("Walnut brownie", in: outcome) == dish("Walnut brownie", in: own))
    }

    @Test func `what is no dish leaves the dishes, and its print still warns`() throws {
        let outcome = try judge([
            review("Tomato soup", .notADish), review("Fruit salad", .notADish), review("Fruit salad", .rename, "Fruit"),
        ])
        let menu = try #require(outcome.menu)
        #expect(!menu.sections.flatMap(\.items).contains { $0.name == "Tomato soup" })
        #expect(menu.notDishes?.map(\.name) == ["Tomato soup"])
        #expect(outcome.household?["Maria"]?.avoid.contains("Tomato soup") == true)
        #expect(try dish("Fruit", in: outcome).corrected?.by == "Maria", "whoever names it says that it is a dish")
    }

    @Test func `a missing dish is judged with its name and with the print at its place`() throws {
        let lines = Self.menu + ["xq hazelnut cream", "zz"]
        let place = Quad(x: 0, y: 355, width: 400, height: 32)
        let own = try judge([], lines)
        let outcome = try judge([review("Crêpe with celery", .addDish, "7.20", at: place)], lines)
        let dish = try dish("Crêpe with celery", in: outcome)
        #expect(dish.prices.map(\.amount) == ["7.20"])
        #expect(dish.verdicts["Leo"]?[.celery]?.verdict == .contains)
        #expect(dish.verdicts["Maria"]?[.nuts]?.verdict == .contains, "hazelnut is printed there")
        #expect(dish.corrected?.system == nil && dish.corrected?.by == "Maria")
        #expect(outcome.menu?.sections.last?.items.last?.name == "Crêpe with celery")
        #expect(outcome.menu?.sections.flatMap(\.items).count == (own.menu?.sections.flatMap(\.items).count ?? 0) + 1)
    }

    @Test func `a correction finds its dish at its place when the name is read differently`() throws {
        let place = try #require(dish("Grilled chicken", in: judge([])).box)
        let others = Self.menu.map { $0 == "Grilled chicken 13.60" ? "Grillod chickcn 13.60" : $0 }
        let said = [
            review("Grilled chicken", .edit, "CONTAINS", .sesame, at: place),
            review("Grilled chicken", .rename, "Chicken, grilled", at: place),
        ]
        let moved = try dish("Chicken, grilled", in: judge(said, others))
        #expect(moved.verdicts["everyone"]?[.sesame]?.verdict == .contains)
        // A model that does not find the dish any more loses no warning.
        let without = Self.menu.map { $0 == "Grilled chicken 13.60" ? "" : $0 }
        let kept = try dish("Grilled chicken", in: judge([said[0]], without))
        #expect(kept.verdicts["everyone"]?[.sesame]?.verdict == .contains)
    }

    @Test func `lines that were not understood are named with their dish`() throws {
        var answer = page(Self.menu)
        answer.readings.text?.lines[11].confidence = 0.1
        let menu = try #require(
            interpreter.judge(
                answer, of: facts(),
                as: .menu, for: people
            ).menu)
        let line = try #require(menu.unread?.first { $0.text == "Fruit salad 5.10" })
        #expect(line.dish == "Fruit salad")
        #expect(line.findings == nil)
    }

    @Test(arguments: [("cuataia peanuts", Allergen.peanuts), ("trnces of milk", .milk), ("xq sesame vw", .sesame)])
    func `a line that was not understood says which allergens it names`(text: String, allergen: Allergen) throws {
        var answer = page(Self.menu)
        answer.readings.text?.lines[11].words = text.split(separator: " ").map {
            Word(text: String($0), confidence: 0.1, box: Quad(x: 0, y: 0, width: 9, height: 9))
        }
        answer.readings.text?.lines[11].text = text
        answer.readings.text?.lines[11].confidence = 0.1
        let menu = try #require(interpreter.judge(answer, of: facts(), as: .menu, for: people).menu)
        let line = try #require(menu.unread?.first { $0.text == text })
        #expect(line.findings?.map(\.allergen) == [allergen])
    }

    // MARK: Any sequence

    /// Any sequence of corrections: no printed allergen is lowered or hidden, and when all are withdrawn, in any order,
    /// the outcome has the same bytes as before.
    @Test(arguments: 0..<24) func `no corrections lower or hide print, and each can be taken back`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let own = try judge([])
        let items = try #require(own.menu).sections.flatMap(\.items)
        var said: [Review] = []
        for number in 1...Int.random(in: 1...12, using: &random) {
            var one = Self.random(of: items + Self.added(said), &random)
            one.number = Int64(number)
            said.append(one)
            try check(judge(said), against: own, said)
        }
        said.shuffle(using: &random)
        while let last = said.popLast() {
            let left = said.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
            let outcome = try judge(left)
            try check(outcome, against: own, left, "without \(last)")
        }
        #expect(try JSONCoding.encode(judge(said)) == JSONCoding.encode(own))
    }

    private func check(_ outcome: Outcome, against own: Outcome, _ said: [Review], _ note: String = "") throws {
        let menu = try #require(outcome.menu)
        let shown = menu.sections.flatMap(\.items) + (menu.notDishes ?? [])
        for item in own.menu?.sections.flatMap(\.items) ?? [] {
            let same = shown.filter { ($0.corrected?.system?.name ?? $0.name) == item.name && $0.box == item.box }
            let now = try #require(same.first, "\(item.name) is gone after \(said) \(note)")
            for (person, verdicts) in item.verdicts {
                for (allergen, verdict) in verdicts where verdict.isPrinted {
                    let after = now.verdicts[person]?[allergen]?.verdict.severity ?? -1
                    #expect(after >= verdict.verdict.severity, "\(item.name) \(allergen) \(said) \(note)")
                    let summary = outcome.household?[person]
                    let named =
                        verdict.verdict == .contains ? summary?.avoid : (summary?.avoid ?? []) + (summary?.ask ?? [])
                    #expect(named?.contains(now.name) == true, "\(now.name) \(allergen) is not in the summary: \(said)")
                }
            }
        }
    }

    private static func added(_ said: [Review]) -> [Menu.Item] {
        said.filter { $0.action == .addDish }.map { Menu.Item(name: $0.item, box: $0.place, confidence: 1) }
    }

    private static func random(of items: [Menu.Item], _ random: inout SeededGenerator) -> Review {
        let item = items.randomElement(using: &random)
        let words = ["Soup", "Nut cake", "Milk", "", "Peanut curry", "Salat", "Brownie", "Tomato soup"]
        let value: String?
        let action = Review.Action.allCases.filter { $0 != .readAs }.randomElement(using: &random) ?? .verify
        switch action {
        case .edit: value = Review.Said.allCases.randomElement(using: &random)?.rawValue
        case .price, .addDish: value = ["", "3.50", "4 / 5"].randomElement(using: &random)
        default: value = words.randomElement(using: &random)
        }
        let place = Quad(
            x: .random(in: 0...300, using: &random), y: .random(in: 0...400, using: &random), width: 200, height: 40)
        let name = action == .addDish ? words.randomElement(using: &random) ?? "" : item?.name ?? ""
        return Review(
            content: "sha256:0", item: action == .accept || Int.random(in: 0..<10, using: &random) == 0 ? "*" : name,
            allergen: Allergen.eu14.randomElement(using: &random), action: action, value: value,
            place: action == .addDish ? place : Bool.random(using: &random) ? item?.box : nil,
            reviewer: ["Maria", "Jonas"].randomElement(using: &random) ?? "Maria", made: 1_700_000_000)
    }
}
