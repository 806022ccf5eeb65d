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

    private func menu(_ dishes: [String: AllergenVerdict.Kind]) throws -> JudgedOutcome {
        var outcome = try outcome(.cannotTell)
        let items = dishes.sorted { $0.key < $1.key }.map { name, kind in
            Menu.Item(
                name: name, verdicts: ["ada": [.milk: AllergenVerdict(verdict: kind, risk: .low, probability: 0.1)]],
                confidence: 0.9)
        }
        outcome.label = nil
        outcome.menu = Menu(
            currency: nil, sections: [.init(title: nil, items: items)], legend: [],
            coverage: Coverage(ocrQuality: 1, sourceKind: "menu"))
        return JudgedOutcome(outcome)
    }

    private func missed(_ old: JudgedOutcome, _ new: JudgedOutcome) -> [String] {
        VerdictChange.missed(VerdictChange.between(old, new), since: old).map(\.item)
    }

    @Test func `a person missed a warning, and an absence claim that is retracted`() throws {
        let kinds: [AllergenVerdict.Kind] = [.notFoundInText, .cannotTell, .mayContain, .likely, .contains]
        for (rank, before) in kinds.enumerated() {
            let news = try kinds.filter { try missed(menu(["Soup": before]), menu(["Soup": $0])) == ["Soup"] }
            #expect(news == (before.isWarning ? [] : Array(kinds.dropFirst(rank + 1))), "\(before)")
        }
    }

    @Test func `a dish that was not read before is missed where it warns, unless it has another name only`() throws {
        let old = try menu(["Soup": .notFoundInText])
        #expect(missed(old, try menu(["Soup": .notFoundInText, "Tart": .contains])) == ["Tart"])
        #expect(missed(old, try menu(["Soup": .notFoundInText, "Tart": .cannotTell])).isEmpty)
        #expect(missed(try menu(["Tarte": .likely]), try menu(["Tart": .contains])).isEmpty)
        #expect(missed(try menu([:]), try menu(["Tart": .contains])).isEmpty, "nobody was judged before")
    }
}
