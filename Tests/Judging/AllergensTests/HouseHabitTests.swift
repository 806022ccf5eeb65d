import Testing
import Core

@testable import Allergens

@Suite("The habit of a kitchen")
struct HouseHabitTests {
    private static let parameters = HouseParameters(
        variances: Dictionary(uniqueKeysWithValues: Allergen.eu14.map { ($0, 0.6) }), wordVariance: 3)

    private func features(_ text: String) -> DishFeatures {
        let scalars = Array(text.unicodeScalars)
        return DishFeatures(Folding.tokens(of: scalars, in: 0..<scalars.count))
    }

    private func observation(
        _ text: String, _ declared: Set<Allergen>, probability: Double = 0.3,
        covered: Set<Allergen> = Set(Allergen.eu14)
    ) -> HouseHabit.Observation {
        HouseHabit.Observation(
            name: text, features: features(text), probabilities: Array(repeating: probability, count: 14),
            declared: declared, covered: covered)
    }

    private static let names = [
        "pumpkin soup", "beef goulash", "potato salad", "roast pork", "grilled trout", "apple strudel", "lentil stew",
        "chicken curry", "cheese noodles", "tomato pasta", "mushroom risotto", "fish fingers",
    ]

    private func shift(_ allergen: Allergen, _ shifts: [HouseHabit.Shift]) -> HouseHabit.Shift {
        shifts[Allergen.eu14.firstIndex(of: allergen) ?? 0]
    }

    @Test func `too few dishes make no habit`() {
        let two = Self.names.prefix(2).map { observation($0, [.celery]) }
        #expect(HouseHabit(Array(two), parameters: Self.parameters) == nil)
        #expect(HouseHabit([], parameters: Self.parameters) == nil)
    }

    @Test func `a kitchen that declares more raises every dish, and more dishes raise it further`() throws {
        let dish = features("vegetable lasagne")
        var last = 0.0
        for count in [3, 6, 12] {
            let seen = Self.names.prefix(count).map { observation($0, [.celery]) }
            let habit = try #require(HouseHabit(Array(seen), parameters: Self.parameters))
            let celery = shift(.celery, habit.shifts(for: dish)).logit
            #expect(celery > last)
            last = celery
        }
        #expect(last <= HouseHabit.range.upperBound)
    }

    @Test func `a kitchen that declares less lowers, within bounds`() throws {
        let seen = Self.names.map { observation($0, [], probability: 0.9) }
        let habit = try #require(HouseHabit(seen, parameters: Self.parameters))
        let celery = shift(.celery, habit.shifts(for: features("vegetable lasagne"))).logit
        #expect(celery < -0.5 && celery >= HouseHabit.range.lowerBound)
    }

    @Test func `a kitchen as expected hardly shifts`() throws {
        let seen = Self.names.enumerated().map { observation($1, $0 % 2 == 0 ? [.milk] : [], probability: 0.5) }
        let habit = try #require(HouseHabit(seen, parameters: Self.parameters))
        #expect(abs(shift(.milk, habit.shifts(for: features("plum cake"))).logit) < 0.5)
    }

    @Test func `allergens that the declaration does not cover are not shifted`() throws {
        let seen = Self.names.map { observation($0, [.celery], covered: [.celery, .milk]) }
        let habit = try #require(HouseHabit(seen, parameters: Self.parameters))
        let shifts = habit.shifts(for: features("beef goulash"))
        #expect(shift(.mustard, shifts).logit == 0)
        #expect(shift(.celery, shifts).logit > 0)
    }

    @Test func `a dish with the same words is shifted more, and named as the example`() throws {
        let seen = Self.names.map { observation($0, $0.contains("goulash") ? [.celery] : []) }
        let habit = try #require(HouseHabit(seen, parameters: Self.parameters))
        let similar = shift(.celery, habit.shifts(for: features("beef goulash with dumplings")))
        let other = shift(.celery, habit.shifts(for: features("vanilla ice cream")))
        #expect(similar.logit > other.logit + 0.3)
        #expect(similar.example == "beef goulash")
    }

    @Test func `without variances nothing is learned`() throws {
        let seen = Self.names.map { observation($0, [.celery]) }
        let habit = try #require(HouseHabit(seen, parameters: HouseParameters()))
        #expect(habit.shifts(for: features("beef goulash")).allSatisfy { $0.logit == 0 })
    }

    // MARK: on a page

    private static let legend = "A Gluten, C Ei, G Milch, L Sellerie, M Senf"

    private func menu(coded: Bool) throws -> [String: Menu.Item] {
        let codes = coded ? ["(A,L,M)", "(L,M)", "(A,G,L,M)", "(G,L,M)", "(A,L,M)"] : ["", "", "", "", ""]
        let dishes = [
            "Rindsgulasch mit Nockerl", "Kartoffelsuppe", "Schinkenfleckerl", "Gemüsecurry mit Reis", "Fleischlaibchen",
        ]
        var page = PageBuilder()
        page.line("HAUPTSPEISEN", height: 26)
        for (dish, code) in zip(dishes, codes) { page.line(code.isEmpty ? "\(dish) 9,80 €" : "\(dish) \(code) 9,80 €") }
        page.line("Linseneintopf mit Gemüse 8,90 €")
        page.line("Käsespätzle 8,90 €")
        page.line("Allergene:")
        page.line(Self.legend, height: 16)
        let menu = try #require(try Judge.menu(page.reading))
        return Dictionary(menu.sections.flatMap(\.items).map { ($0.name, $0) }) { first, _ in first }
    }

    @Test func `a page's codes shift its other dishes, and the evidence says so`() throws {
        let item = try #require(menu(coded: true)["Linseneintopf mit Gemüse"])
        let plain = try #require(menu(coded: false)["Linseneintopf mit Gemüse"])
        func likely(_ item: Menu.Item, _ allergen: Allergen) -> AllergenFinding? {
            item.findings.first { $0.allergen == allergen && $0.polarity == .likely }
        }
        let celery = try #require(likely(item, .celery))
        #expect(celery.evidence.contains { $0.ruleId == "houseHabit" && $0.lexeme == "celery" && !$0.text.isEmpty })
        #expect(celery.probability > likely(plain, .celery)?.probability ?? 0)
        #expect(celery.probability <= DishModel.maximumProbability)
        #expect(!plain.findings.flatMap(\.evidence).contains { $0.ruleId == "houseHabit" })
    }

    @Test func `a habit touches neither what a dish declares nor what its words name`() throws {
        let (with, without) = (try menu(coded: true), try menu(coded: false))
        for (name, item) in with {
            let verdicts = item.verdicts["everyone"] ?? [:]
            for (allergen, own) in without[name]?.verdicts["everyone"] ?? [:] where own.verdict == .contains {
                #expect(verdicts[allergen]?.verdict == .contains, "\(name): \(allergen)")
            }
            let declares = item.findings.contains { $0.strength == .legendCode }
            if declares {
                #expect(!item.findings.flatMap(\.evidence).contains { $0.ruleId == "houseHabit" })
            } else {
                #expect(!verdicts.values.contains { $0.verdict == .notFoundInText }, "\(name)")
            }
        }
        #expect(with["Käsespätzle"]?.verdicts["everyone"]?[.milk]?.verdict == .contains)
    }

    @Test func `judge takes declared dishes of the same kitchen`() throws {
        let judge = try TextJudge(Judge.interpreter(), language: "en", regime: nil, profile: nil)
        let house = Self.names.map { DeclaredDish(text: $0, contains: [.celery], covered: [.celery, .gluten]) }
        let one = TextJudge.Case(id: "1", language: "en", kind: .dish, text: "Vegetable casserole")
        var other = one
        other.house = house
        let (before, after) = (try judge.judgement(of: one), try judge.judgement(of: other))
        func chance(_ judgement: TextJudgement, _ allergen: Allergen) -> Double {
            let verdict = judgement.verdicts[allergen]
            return verdict?.verdict == .likely ? verdict?.probability ?? 0 : 0
        }
        #expect(chance(after, .celery) > chance(before, .celery) + 0.1)
        #expect(chance(after, .gluten) < chance(before, .gluten))
        #expect(chance(after, .milk) == chance(before, .milk), "the house says nothing of milk")
        #expect(!after.verdicts.values.contains { $0.verdict == .notFoundInText })
    }
}
