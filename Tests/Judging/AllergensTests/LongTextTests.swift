import Core
import Foundation
import TestSupport
import Testing

@testable import Allergens

/// The work for a text grows with its length, not with its square.
@Suite struct LongTextTests {
    private static let interpreter = Result { try AllergenInterpreter(models: ModelFolder(Repository.models)) }

    private func judgement(_ text: String) throws -> TextJudgement {
        let interpreter = try Self.interpreter.get()
        let profile = try AllergenProfile.shipped(named: "everyone", in: ModelFolder(Repository.models))
        return interpreter.judgement(ofText: text, language: nil, kind: .label, profile: profile)
    }

    /// Steps of the analysis for the phrase, repeated without a full stop.
    private func steps(_ phrase: String, times: Int) throws -> Int {
        let text = String(repeating: phrase, count: times)
        return try AnalysisSteps.count { _ = try judgement(text) }
    }

    /// Each phrase reaches to the end of its sentence, or back to its start.
    @Test(arguments: [
        "may contain milk ", "traces of nuts are possible ", "contains milk ", "free from milk and ", "no milk or ",
        "Kann Spuren von Nüssen ", "milk (", "milk, ",
    ])
    func `four times as many statements in one sentence take four times the steps`(phrase: String) throws {
        let (short, long) = (try steps(phrase, times: 100), try steps(phrase, times: 400))
        #expect(short >= 100)
        #expect(Double(long) < 4.5 * Double(short), "\(short) steps, then \(long)")
    }

    @Test func `a list of thousands of denied words denies all of them`() throws {
        let text = "Ingredients: wheat flour. Free from: " + String(repeating: "milk, ", count: 2000) + "eggs."
        let judged = try judgement(text)
        #expect(judged.verdicts[.gluten]?.verdict == .contains)
        #expect(judged.findings.filter { $0.allergen == .milk }.allSatisfy { $0.polarity == .freeClaim })
        #expect(judged.findings.filter { $0.allergen == .eggs }.allSatisfy { $0.polarity == .freeClaim })
    }

    @Test(
        arguments: [
            // A precaution ends at a declaration with a colon, and one in brackets ends with them.
            (
                "Contains: milk. May contain nuts, may contain sesame. Contains: eggs", [.milk, .eggs],
                [.nuts, .sesame]
            ),
            ("Sugar (may contain nuts, may contain sesame), milk", [.milk], [.nuts, .sesame]),
            ("Contains milk, traces of nuts are possible, contains eggs, traces of sesame are possible", [], []),
        ] as [(String, [Allergen], [Allergen])])
    func `scopes of several statements in one sentence end where one statement's scope ends`(
        text: String, contained: [Allergen], traces: [Allergen]
    ) throws {
        let judged = try judgement(text)
        for allergen in contained { #expect(judged.verdicts[allergen]?.verdict == .contains, "\(allergen)") }
        for allergen in traces { #expect(judged.verdicts[allergen]?.verdict == .mayContain, "\(allergen)") }
        #expect(judged.verdicts.values.contains { $0.verdict == .mayContain || $0.verdict == .contains })
    }
}
