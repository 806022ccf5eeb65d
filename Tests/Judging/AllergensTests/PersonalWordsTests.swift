import Testing
import Core

@testable import Allergens

@Suite("Personal words and households")
struct PersonalWordsTests {
    private let ben = AllergenProfile(name: "ben", allergens: [.milk: .high], words: ["kiwi", "red pepper"])

    private func judge(_ text: String, _ kind: AllergenInterpreter.TextKind = .label) throws -> TextJudgement {
        try Judge.interpreter().judgement(ofText: text, language: "en", kind: kind, profile: ben)
    }

    @Test(arguments: [
        "Fruit salad with kiwi", "Kiwis, apple", "Wildkiwisaft", "Grilled red pepper", "Toast, RED PEPPER dip",
    ])
    func `are found at any position, with their own rule and evidence`(text: String) throws {
        let judged = try judge(text, .dish)
        let finding = try #require(judged.findings.first { $0.allergen == .personal })
        #expect(finding.leaf == "kiwi" || finding.leaf == "red pepper")
        #expect(finding.evidence.first?.ruleId == "personal")
        #expect(judged.verdicts[.personal]?.verdict == .contains)
    }

    @Test func `are never reported as absent, even on a complete list`() throws {
        #expect(try judge("Ingredients: sugar, salt, water.").verdicts[.personal]?.verdict == .cannotTell)
    }

    @Test func `precautions and negations apply to personal words`() throws {
        #expect(try judge("Ingredients: sugar, salt. May contain kiwi.").verdicts[.personal]?.verdict == .mayContain)
        #expect(try judge("Ingredients: sugar, salt. Without kiwi.").verdicts[.personal]?.verdict == .cannotTell)
    }

    @Test func `apply only to their own person`() throws {
        let people = [AllergenProfile(name: "anna", allergens: [.fish: .high]), ben]
        let menu = try Judge.interpreter().text(
            of: .page("Kiwi tart £5.50", "Toast £2.00", "Soup £3.00"), profiles: people
        ).menu(for: people)
        let tart = try #require(menu.sections.flatMap(\.items).first { $0.name == "Kiwi tart" })
        #expect(tart.verdicts["ben"]?[.personal]?.verdict == .contains)
        #expect(tart.verdicts["anna"]?[.personal] == nil)
        let household = try #require(menu.household)
        #expect(household.map(\.name) == ["anna", "ben"])
        let worst = try #require(household.last?.dishes.first)
        #expect(worst.name == "Kiwi tart" && worst.worst == .contains && worst.allergens.contains(.personal))
        #expect(menu.sections[worst.section].items[worst.item].name == "Kiwi tart")
    }

    @Test func `one person alone is no household`() throws {
        let menu = try Judge.interpreter().text(
            of: .page("Kiwi tart £5.50", "Toast £2.00", "Soup £3.00"), profiles: [ben]
        ).menu(for: [ben])
        #expect(menu.household == nil)
    }
}
