import Foundation
import Testing
import Core

@testable import Allergens

@Suite("Derivatives that a law exempts")
struct ExemptionsTests {
    private func judge(
        _ text: String, _ allergen: Allergen, _ sensitivity: AllergenProfile.Sensitivity, regime: String = "eu14",
        language: String = "en"
    ) throws -> AllergenVerdict? {
        let profile = AllergenProfile(name: "one", regime: regime, allergens: [allergen: sensitivity])
        return try Judge.interpreter().judgement(ofText: text, language: language, kind: .label, profile: profile)
            .verdicts[allergen]
    }

    private static let list = "Ingredients: sugar, fully refined soybean oil, salt, water, cocoa, vanilla extract."

    @Test(arguments: [AllergenProfile.Sensitivity.high, .severe])
    func `a highly sensitive person is told CONTAINS, with the reason`(sensitivity: AllergenProfile.Sensitivity) throws
    {
        let verdict = try #require(try judge(Self.list, .soybeans, sensitivity))
        #expect(verdict.verdict == .contains)
        #expect(verdict.reason == "exempt")
    }

    @Test(arguments: [AllergenProfile.Sensitivity.mild, .moderate], ["eu14", "us9"])
    func `others are told that traces are possible`(sensitivity: AllergenProfile.Sensitivity, regime: String) throws {
        let verdict = try #require(try judge(Self.list, .soybeans, sensitivity, regime: regime))
        #expect(verdict.verdict == .mayContain)
        #expect(verdict.reason == "exempt")
    }

    @Test func `a regime without the exemption ignores it`() throws {
        #expect(try judge(Self.list, .soybeans, .mild, regime: "canada")?.verdict == .contains)
        let peanuts = "Ingredients: sugar, highly refined peanut oil, salt, water."
        #expect(try judge(peanuts, .peanuts, .mild, regime: "us9")?.verdict == .mayContain)
        #expect(try judge(peanuts, .peanuts, .mild, regime: "eu14")?.verdict == .contains)
    }

    @Test(arguments: [
        "Ingredients: soybean oil, sugar, salt.", "Ingredients: refined soybean oil, sugar, salt.",
        "Ingredients: fully refined soybean oil, soy flour, salt.",
        "Ingredients: fully refined sunflower oil, soy, salt.",
    ])
    func `what the law does not exempt stays contained`(text: String) throws {
        let verdict = try #require(try judge(text, .soybeans, .mild))
        #expect(verdict.verdict == .contains)
        #expect(verdict.reason != "exempt")
    }

    @Test func `a bracket belongs to its ingredient and a comma separates two`() throws {
        #expect(try judge("Ingredients: glucose syrup (wheat), sugar, salt.", .gluten, .mild)?.verdict == .mayContain)
        #expect(try judge("Ingredients: glucose syrup, wheat, sugar, salt.", .gluten, .mild)?.verdict == .contains)
        let german = "Zutaten: Zucker, Glukosesirup (aus Weizen), Salz."
        #expect(try judge(german, .gluten, .mild, language: "de")?.verdict == .mayContain)
    }

    @Test func `the finding names the exemption`() throws {
        let found = try Judge.interpreter().judgement(
            ofText: Self.list, language: "en", kind: .label,
            profile: AllergenProfile(name: "one", allergens: [.soybeans: .mild])
        ).findings
        #expect(found.flatMap(\.evidence).map(\.exemption) == ["refinedSoybeanOil"])
    }

    @Test(
        "A file with a wrong exemption is refused with the place",
        arguments: [
            ("\"since\": \"2014-12-13\"", "\"since\": \"2014\"", "exemptions[0]: since"),
            ("\"key\": \"wheatMaltodextrin\"", "\"key\": \"wheatGlucoseSyrup\"", "exemptions[1]: a key of its own"),
            ("\"tablesight.regime/2\"", "\"tablesight.regime/1\"", "schema: "),
        ])
    func invalid(old: String, new: String, message: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "regimes-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let regimes = folder.appending(path: "regimes")
        try FileManager.default.createDirectory(at: regimes, withIntermediateDirectories: true)
        let text = try String(contentsOf: Judge.models.url.appending(path: "regimes/eu14.json"), encoding: .utf8)
        try Data(text.replacing(old, with: new, maxReplacements: 1).utf8).write(
            to: regimes.appending(path: "eu14.json"))
        let error = #expect(throws: StartupError.self) { try AllergenRegime.loadAll(from: ModelFolder(folder)) }
        #expect(error?.message.contains("regimes/eu14.json, \(message)") == true)
    }
}
