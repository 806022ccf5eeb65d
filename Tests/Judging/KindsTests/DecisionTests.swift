import Core
import Foundation
import TestSupport
import Testing

@testable import Documents
@testable import Kinds

/// What a page is, from its text alone: a column of a text is 10 pixels wide, a row 30 high.
@Suite struct DecisionTests {
    private let interpreter: Interpreter
    private let profile: AllergenProfile

    init() throws {
        interpreter = try Shipped.interpreter.get()
        profile = try .shipped(named: "everyone", in: ModelFolder(Repository.models))
    }

    private func judge(_ text: String, as forced: Outcome.Domain? = nil) throws -> Outcome {
        let reading = TextReading(languages: ["en"], lines: PlainText.lines(of: text))
        return interpreter.judge(
            ReadAnswer(
                image: .init(format: "jpeg", width: 1000, height: 1000, orientation: 1),
                readings: Readings(text: reading)),
            of: PhotoFacts(path: try #require(FilePathBytes("photo.jpg")), id: "sha256:0", bytes: 3), as: forced,
            for: [profile])
    }

    private static let menu = """
        Lunch menu
        Tomato soup   5.50
        Garlic prawns   8.00
        Mushroom risotto   11.90
        Apple pie   6.00
        Lemon sorbet   4.50
        """

    @Test func `dishes with prices are a menu, with the runner-up and a probability each`() throws {
        let outcome = try judge(Self.menu)
        #expect(outcome.domains == [.menu])
        let kind = try #require(outcome.pageKind)
        #expect(kind.value == "menu" && kind.confidence > 0.85)
        let second = try #require(kind.runnerUp)
        #expect(second.value != "menu" && second.confidence <= kind.confidence)
        #expect(kind.confidence + second.confidence <= 1.0001)
    }

    @Test(arguments: ["%d. ", "%d ", "A%d "])
    func `numbers that count up make a page a menu, quantities do not`(form: String) throws {
        let names = [
            "Sweet and Sour Pork", "Chicken Chow Mein", "Beef with Broccoli", "Egg Drop Soup", "Shrimp Fried Rice",
            "Kung Pao Chicken", "Mongolian Beef", "Vegetable Lo Mein", "Crab Rangoon", "Lemon Chicken",
        ]
        func kind(_ number: (Int) -> Int) throws -> PageKindReading {
            let rows = names.enumerated().map { row, name in
                form.replacing("%d", with: "\(number(row))") + name + "   \(row + 6).\(41 + 5 * row)"
            }
            return try #require(try judge(rows.joined(separator: "\n")).pageKind)
        }
        let (counted, quantities) = (try kind { $0 + 21 }, try kind { $0 % 2 + 1 })
        #expect(counted.value == "menu")
        #expect(quantities.value != "menu" || quantities.confidence < counted.confidence)
    }

    @Test(arguments: ["4 euros", "450 DA", "24 ZŁ", "12 €"])
    func `prices with the word of a currency make a page a menu, with the sign or without`(price: String) throws {
        let names = [
            "Nems aux légumes", "Beignets de calamars", "Raviolis aux scampis", "Poulet au curry", "Canard laqué",
            "Riz cantonnais", "Soupe traditionnelle", "Nouilles aux légumes",
        ]
        let outcome = try judge(names.map { "\($0)   \(price)" }.joined(separator: "\n"))
        #expect(outcome.pageKind?.value == "menu")
        #expect(outcome.menu?.sections.flatMap(\.items).count(where: { !$0.prices.isEmpty }) == names.count)
    }

    @Test func `an outcome is no surer than the choice of its kind`() throws {
        let decider = try KindDecider(from: ModelFolder(Repository.models))
        let outcome = try judge(Self.menu)
        func confidence(_ choice: Double) -> Double {
            decider.confidence(of: outcome, KindDecision([.init(kind: .menu, probability: choice)]))
        }
        #expect(confidence(0.1) <= 0.1)
        #expect(confidence(0.9) > 0.1)
    }

    @Test func `dishes of a day with the date of the day are a menu, and the date is no date of use`() throws {
        let page = "Tageskarte 20.10.2026\nSuppe   4,50\nGulasch mit Knödel   12,90\nApfelkuchen   3,80"
        #expect(try judge(page).domains == [.menu])
    }

    @Test func `a list of ingredients is a label`() throws {
        let outcome = try judge("Ingredients: wheat flour, sugar, butter,\nhazelnuts, salt.\nMay contain peanuts.")
        #expect(outcome.domains == [.label])
        #expect(outcome.label?.verdicts["everyone"]?[.milk]?.verdict == .contains)
    }

    @Test func `instructions on a packet with a date of use are a label`() throws {
        let page = "PASTA SAUCE\nUSE BY 15 FEB 2022\nWhat you need:\n250 g penne\n1 tsp salt"
        #expect(try judge(page).domains == [.label])
    }

    @Test(arguments: [
        "BEST IF LSED BY MAR OT 299\n15:45 317", "Nutrition Facts\nAbout 3 servings per container\nORGANIC",
    ])
    func `words about a date or a table make a label although their values were not read`(page: String) throws {
        #expect(try judge(page).domains == [.label])
    }

    @Test func `a sum that is paid is a receipt`() throws {
        let page = """
            GREEN GROCER LTD
            12.03.2026   14:05
            Apples   2.40
            Bread   3.10
            Milk   1.20
            TOTAL   6.70
            CASH   10.00
            CHANGE   3.30
            """
        let outcome = try judge(page)
        #expect(outcome.domains == [.receipt])
        #expect(outcome.receipt?.total?.value == "6.70")
    }

    @Test func `a whole price with raised decimals alone in a row makes a price tag`() throws {
        #expect(try judge("NEPER\n44 90").domains == [.priceTag])
        #expect(try judge("NEPER\nCode 128").domains == [])
    }

    @Test(arguments: ["RULES OF THE HOUSE\nno smoking", "Dear Sir,\nthank you for the soup."])
    func `other print is of no kind, and the outcome is no surer than that`(page: String) throws {
        let outcome = try judge(page)
        #expect(outcome.domains.isEmpty)
        let kind = try #require(outcome.pageKind)
        #expect(kind.value == "none")
        #expect(outcome.confidence.score <= kind.confidence + 0.0001)
    }

    @Test func `ingredients on a receipt still warn`() throws {
        let page = """
            GREEN GROCER LTD
            12.03.2026   14:05
            Apples   2.40
            Bread   3.10
            TOTAL   5.50
            CASH   10.00
            CHANGE   4.50
            Ingredients: wheat flour, sugar, peanuts, salt.
            """
        let outcome = try judge(page)
        #expect(outcome.domains.contains(.label))
        #expect(outcome.label?.verdicts["everyone"]?[.peanuts]?.verdict == .contains)
    }

    @Test func `the kind that a person names is judged alone`() throws {
        let outcome = try judge(Self.menu, as: .receipt)
        #expect(outcome.domains == [.receipt])
        #expect(outcome.menu == nil && outcome.pageKind == nil)
    }

    @Test func `probabilities of all kinds and of none make up one`() throws {
        let text = TextReading(languages: ["en"], lines: PlainText.lines(of: Self.menu))
        let decision = try #require(interpreter.decision(on: Readings(text: text)))
        #expect(abs(decision.choices.reduce(0) { $0 + $1.probability } - 1) < 1e-9)
        #expect(zip(decision.choices, decision.choices.dropFirst()).allSatisfy { $0.probability >= $1.probability })
        #expect(Set(decision.choices.map(\.kind)) == [.menu, .label, .receipt, .priceTag, nil])
    }

    @Test func `an outcome names the version of the decision, so that a new one judges stored photos again`() throws {
        let version = interpreter.decider.version
        #expect(!version.isEmpty)
        #expect(try judge(Self.menu).versions.documents?.contains("kinds@\(version)") == true)
    }

    @Test func `outcomes without a runner-up still decode`() throws {
        let stored = Data(#"{"value":"menu","confidence":0.9}"#.utf8)
        let kind = try JSONDecoder().decode(PageKindReading.self, from: stored)
        #expect(kind == PageKindReading(value: "menu", confidence: 0.9))
    }
}
