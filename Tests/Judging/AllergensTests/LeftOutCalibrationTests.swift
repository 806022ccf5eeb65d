import Testing
import Core

@testable import Allergens

@Suite("Calibration of operators that were left out")
struct LeftOutCalibrationTests {
    private func pairs(_ group: String, _ probability: Double, right: Int, wrong: Int) -> [AllergenEvaluation.Pair] {
        (0..<(right + wrong)).map {
            .init(
                group: group, kind: "dish", strength: .dishKnowledge, polarity: .likely, probability: probability,
                holds: $0 < right)
        }
    }

    @Test func `a group is judged by the tables of the others`() throws {
        let all = pairs("a", 0.5, right: 90, wrong: 10) + pairs("b", 0.5, right: 20, wrong: 80)
        let judged = try #require(LeftOutCalibration.applied(to: all))
        #expect(judged.count == all.count)
        let (a, b) = (judged.first { $0.group == "a" }, judged.first { $0.group == "b" })
        #expect(abs(try #require(a).probability - 0.2) < 0.01)
        #expect(abs(try #require(b).probability - 0.9) < 0.01)
    }

    @Test func `one group has no others`() {
        #expect(LeftOutCalibration.applied(to: pairs("a", 0.5, right: 50, wrong: 50)) == nil)
    }

    @Test func `few pairs give no table`() throws {
        let all = pairs("a", 0.5, right: 20, wrong: 4) + pairs("b", 0.7, right: 1, wrong: 29)
        let judged = try #require(LeftOutCalibration.applied(to: all))
        #expect(judged.filter { $0.group == "b" }.allSatisfy { $0.probability == 0.7 })
        #expect(judged.filter { $0.group == "a" }.allSatisfy { $0.probability < 0.1 })
    }

    @Test func `tables rise, and tied strengths are one block`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            let observations = (0..<80).map { _ in
                IsotonicTable.Observation(
                    strength: Double(Int.random(in: 0...9, using: &random)) / 10,
                    holds: Bool.random(using: &random), weight: [0.1, 1, 5].randomElement(using: &random) ?? 1)
            }
            let points = IsotonicTable(observations).points
            #expect(points.map(\.probability) == points.map(\.probability).sorted())
            #expect(points.map(\.strength) == points.map(\.strength).sorted())
        }
        let tied =
            (0..<100).map { IsotonicTable.Observation(strength: 0.5, holds: $0 < 70, weight: 1) }
            + (0..<100).map { IsotonicTable.Observation(strength: 0.6, holds: $0 < 80, weight: 1) }
        #expect(abs(IsotonicTable(tied).value(at: 0.5) - 0.7) < 0.01)
    }

    @Test func `recall at a precision counts only what a minimum probability can separate`() throws {
        var evaluation = AllergenEvaluation()
        func add(_ id: String, _ probability: Double, holds: Bool) {
            let verdict = AllergenVerdict(verdict: .likely, risk: .medium, probability: probability, reason: nil)
            evaluation.add(
                .init(
                    id: id, language: "en", regime: nil, kind: .dish, text: "", contains: holds ? [.milk] : [],
                    mayContain: nil, covered: [.milk], house: nil),
                TextJudgement(findings: [], verdicts: [.milk: verdict]), group: "a")
        }
        for number in 0..<8 { add("right \(number)", 0.9, holds: true) }
        for number in 0..<2 { add("wrong \(number)", 0.9, holds: false) }
        #expect(evaluation.recall(atPrecision: 0.8) == 1)
        #expect(evaluation.recall(atPrecision: 0.9) == 0, "the right ones cannot be separated from the wrong ones")
        add("weak", 0.4, holds: false)
        #expect(evaluation.recall(atPrecision: 0.8) == 1)
        #expect(evaluation.verdicts.count == 11)
    }
}
