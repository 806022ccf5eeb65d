import Kinds
import Testing
import Core

@Suite("Changed verdicts")
struct VerdictChangeTests {
    private func outcome(_ word: AllergenVerdict.Kind) throws -> Outcome {
        var outcome = Outcome(
            id: "sha256:1", source: .init(path: try #require(FilePathBytes("a.jpg")), bytes: 1), status: .completed,
            versions: .init(tablesight: "1"))
        let verdict = AllergenVerdict(verdict: word, risk: .low, probability: 0.5)
        outcome.label = Label(
            ingredients: [], findings: [], verdicts: ["anna": [.milk: verdict]],
            coverage: Coverage(ocrQuality: 1, sourceKind: "label"))
        return outcome
    }

    @Test func `only changed verdicts are reported`() throws {
        #expect(VerdictChange.between(try outcome(.contains), try outcome(.contains)).isEmpty)
        let change = try #require(VerdictChange.between(try outcome(.cannotTell), try outcome(.contains)).first)
        #expect(change.allergen == .milk && change.profile == "anna" && change.item == "label")
        #expect(change.before == .cannotTell && change.after == .contains)
    }

    @Test func `only the verdicts of a stored outcome are decoded`() throws {
        let whole = try outcome(.mayContain)
        let read = try JSONCoding.decode(JudgedOutcome.self, from: JSONCoding.encode(whole))
        #expect(read == JudgedOutcome(whole))
        let change = try #require(VerdictChange.between(read, JudgedOutcome(try outcome(.contains))).first)
        #expect(change.item == "label" && change.before == .mayContain && change.after == .contains)
    }
}
