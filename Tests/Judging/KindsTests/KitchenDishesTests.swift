import Allergens
import Kinds
import TestSupport
import Testing
import Core

/// What a kitchen's other menus and people's reviews tell about a menu without codes.
@Suite("The dishes of a kitchen")
struct KitchenDishesTests {
    private let interpreter: Interpreter
    private let profile: AllergenProfile

    init() throws {
        interpreter = try Shipped.interpreter.get()
        profile = try .shipped(named: "everyone", in: ModelFolder(Repository.models))
    }

    private func page(_ lines: [String]) -> ReadAnswer {
        ReadAnswer(
            image: .init(format: "jpeg", width: 800, height: 600, orientation: 1),
            readings: Readings(text: .printed(lines, language: "de")))
    }

    private func judge(_ answer: ReadAnswer, house: [DeclaredDish] = []) throws -> Outcome {
        let path = try #require(FilePathBytes("menu.jpg"))
        return interpreter.judge(
            answer, of: PhotoFacts(path: path, id: "sha256:0", bytes: 3), as: .menu, for: [profile]
        ) { house }
    }

    private let coded = [
        "HAUPTSPEISEN", "Rindsgulasch mit Nockerl (A,L,M) 9,80 €", "Kartoffelsuppe (L,M) 6,80 €",
        "Schinkenfleckerl (A,G,L,M) 9,80 €", "Gemüsecurry mit Reis (G,L,M) 9,80 €", "Fleischlaibchen (A,L,M) 9,80 €",
        "Allergene:", "A Gluten, C Ei, G Milch, L Sellerie, M Senf",
    ]
    private let plain = [
        "HAUPTSPEISEN", "Linseneintopf mit Gemüse 8,90 €", "Käsespätzle 8,90 €", "Apfelstrudel 5,20 €",
    ]

    @Test func `a menu's codes give its dishes, and the legend says what they cover`() throws {
        let dishes = try judge(page(coded)).declaredDishes
        #expect(dishes.count == 5)
        let soup = try #require(dishes.first { $0.text == "Kartoffelsuppe" })
        #expect(soup.contains == [.celery, .mustard])
        #expect(Set(soup.covered ?? []) == [.gluten, .eggs, .milk, .celery, .mustard])
        #expect(try judge(page(plain)).declaredDishes.isEmpty)
    }

    @Test func `another menu of the kitchen shifts a menu without codes, says so, and is part of the versions`() throws
    {
        let house = try judge(page(coded)).declaredDishes
        let alone = try judge(page(plain))
        let shifted = try judge(page(plain), house: house)
        func celery(_ outcome: Outcome) -> AllergenFinding? {
            outcome.menu?.sections.flatMap(\.items).first { $0.name.hasPrefix("Linseneintopf") }?.findings
                .first { $0.allergen == .celery && $0.polarity == .likely }
        }
        let finding = try #require(celery(shifted))
        #expect(finding.evidence.contains { $0.ruleId == "houseHabit" && !$0.text.isEmpty })
        #expect(finding.probability > celery(alone)?.probability ?? 0)
        #expect(alone.versions.models["kitchen"] == nil)
        #expect(shifted.versions.models["kitchen"]?.hasPrefix("5@") == true)
        #expect(try judge(page(plain), house: house) == shifted)
    }

    @Test func `without enough dishes nothing shifts, and no dish is cleared by a habit`() throws {
        let two = Array(try judge(page(coded)).declaredDishes.prefix(2))
        #expect(try judge(page(plain), house: two).menu == judge(page(plain)).menu)
        let none = (1...50).map { DeclaredDish(text: "Gemüsecurry Nummer \($0)", contains: []) }
        let items = try #require(try judge(page(plain), house: none).menu).sections.flatMap(\.items)
        #expect(!items.flatMap { $0.verdicts.values.flatMap(\.values) }.contains { $0.verdict == .notFoundInText })
        // Cheese is in the name.
        let cheese = try #require(items.first { $0.name == "Käsespätzle" })
        #expect(cheese.verdicts["everyone"]?[.milk]?.verdict == .contains)
    }

    @Test func `verified verdicts count, each for its allergen`() throws {
        var outcome = try judge(page(plain))
        func verify(_ name: String, _ allergen: Allergen, _ kind: AllergenVerdict.Kind) {
            for section in outcome.menu?.sections.indices ?? 0..<0 {
                for item in outcome.menu?.sections[section].items.indices ?? 0..<0
                where outcome.menu?.sections[section].items[item].name.hasPrefix(name) == true {
                    outcome.menu?.sections[section].items[item].verdicts["everyone"]?[allergen]?.verdict = kind
                    outcome.menu?.sections[section].items[item].verdicts["everyone"]?[allergen]?.by = "Ada"
                }
            }
        }
        #expect(outcome.verifiedDishes.isEmpty)
        verify("Linseneintopf", .celery, .likely)
        verify("Linseneintopf", .mustard, .notFoundInText)
        verify("Linseneintopf", .sesame, .mayContain)
        verify("Apfelstrudel", .nuts, .cannotTell)
        let dish = try #require(outcome.verifiedDishes.first)
        #expect(outcome.verifiedDishes.count == 1)
        #expect(dish.contains == [.celery])
        #expect(Set(dish.covered ?? []) == [.celery, .mustard])
        #expect(outcome.declaredDishes == outcome.verifiedDishes)
    }

    @Test func `the version names the dishes and their order`() {
        let soup = DeclaredDish(text: "Soup", contains: [.celery], covered: [.celery, .milk])
        let cake = DeclaredDish(text: "Cake", contains: [.milk])
        #expect(DeclaredDish.version(of: [soup, cake]) == DeclaredDish.version(of: [soup, cake]))
        let versions = [[soup, cake], [cake, soup], [soup], [DeclaredDish(text: "Soup", contains: [.celery])]]
        #expect(Set(versions.map(DeclaredDish.version)).count == 4)
        #expect(DeclaredDish.version(of: [soup]).count == 18)
    }
}
