import Foundation
import TestSupport
import Testing
import Core

@testable import Allergens

@Suite("Dishes, schemes, calibration, wording, households")
struct KnowledgeTests {
    private func judge(_ text: String, _ language: String, _ kind: AllergenInterpreter.TextKind) throws -> TextJudgement
    {
        try TextJudge(Judge.interpreter(), language: nil, regime: nil, profile: nil)
            .judgement(of: .init(id: "1", language: language, kind: kind, text: text))
    }

    @Test func `what a dish usually holds is LIKELY and no more`() throws {
        let judged = try judge("Wiener Schnitzel mit Kartoffelsalat", "de", .dish)
        #expect(judged.verdicts[.gluten]?.verdict == .likely)
        let known = judged.findings.filter { $0.strength == .dishKnowledge }
        #expect(!known.isEmpty && known.allSatisfy { $0.polarity == .likely && $0.probability <= 0.95 })
        #expect(!judged.verdicts.values.contains { $0.verdict == .notFoundInText }, "a name supports no absence claim")
    }

    @Test(arguments: [("Beer battered cod", Allergen.fish), ("Tuna salad", .fish), ("King prawn pasta", .crustaceans)])
    func `the name of a dish hides nothing that it names`(text: String, allergen: Allergen) throws {
        #expect(try judge(text, "en", .dish).verdicts[allergen]?.verdict == .contains)
    }

    @Test func `a vegan dish has a lower milk probability but is never cleared`() throws {
        let judged = try judge("Vegane Lasagne", "de", .dish)
        #expect(judged.verdicts[.milk]?.verdict != .notFoundInText)
        #expect(judged.verdicts[.milk]?.verdict != .contains)
    }

    @Test(
        arguments: [
            ("Schnitzel (A,C,G)\nAllergenkennzeichnung laut Codex-Empfehlung A-R", [Allergen.gluten, .eggs, .milk]),
            ("Svíčková (1,9)\nSeznam alergenů 1-14 dle nařízení EU", [.gluten, .celery]),
            ("Reis (L,M)\nA Gluten, C Ei, G Milch", [.celery, .mustard]),
            ("Reis (G,K)\nA Weizen, B Milch, G Soja, K Sesam", [.soybeans, .sesame]),
            ("Spaghetti (1, 14)\n1) Cereali contenenti glutine; 2) Crostacei; 14) Molluschi", [.gluten, .molluscs]),
            ("Soup (A, C)\nContains gluten (A), crustaceans (B), egg (C)", [.gluten, .eggs]),
            ("Pierogi (1, 7)\nAlergeny: 1-gluten, 2-skorupiaki, 3-jaja, 7-mleko", [.gluten, .milk]),
            ("Riz (L)\nL : lait - P : poisson", [.milk]),
            ("Schnitzel Gl, Mi\nGl = Glutenhaltiges Getreide, Ei = Hühnerei, Mi = Milch", [.gluten, .milk]),
        ] as [(String, Set<Allergen>)])
    func `codes are explained by the page`(text: String, expected: Set<Allergen>) throws {
        let judged = try judge(text, "und", .menuLine)
        let coded = judged.findings.filter { $0.strength == .legendCode && $0.polarity == .contains }
        #expect(Set(coded.map(\.allergen)) == expected)
    }

    @Test(arguments: ["Reis (A,C,G)", "Reis (1,3,7)", "Babgulyás (L)", "Rice (G)\nVegetarian dishes, ask our staff"])
    func `codes without an explanation have no meaning`(text: String) throws {
        let judged = try judge(text, "und", .menuLine)
        #expect(!judged.findings.contains { $0.strength == .legendCode })
        #expect(!judged.verdicts.values.contains { $0.verdict == .notFoundInText })
    }

    @Test func `calibration is increasing, and stronger dish knowledge is more probable`() throws {
        let calibration = try Calibration(from: Judge.models)
        let values = stride(from: 0.0, through: 1, by: 0.05).map(calibration.probability(ofDishKnowledge:))
        #expect(values == values.sorted() && Set(values).count > 15)
        #expect(values.allSatisfy { (0...1).contains($0) })
        let finding = AllergenFinding(
            allergen: .milk, polarity: .likely, strength: .dishKnowledge, evidence: [], probability: 0.5)
        #expect(calibration.applied(to: [finding], isDish: true) == [finding], "it is mapped before habits")
    }

    @Test func `calibration error is the distance between stated and observed probability`() {
        let table = ReliabilityTable([(0.9, true), (0.9, true), (0.9, false), (0.9, true), (0.1, false)])
        #expect(abs(table.error - (4 * 0.15 + 0.1) / 5) < 1e-9)
        #expect(ReliabilityDiagram([(.ingredient, table)]).svg.contains("<polyline"))
    }

    /// Phrases such as "safe to eat", in the languages of verdicts.
    private static let claims = [
        "safe to eat", "is safe", "are safe", "allergen-free", "allergen free", "unbedenklich", "sicher zu essen",
        "ist sicher", "allergenfrei", "sans danger", "sans risque", "sans allergène", "seguro para", "es seguro",
        "libre de alérgenos", "è sicuro", "sicuro da mangiare", "privo di allergeni", "veilig om te eten", "is veilig",
        "allergeenvrij", "é seguro", "livre de alergénios", "jest bezpieczn", "bezpieczne do spożycia", "bez alergenów",
        "je bezpečn", "bezpečné k jídlu", "biztonságos", "biztonsággal fogyasztható", "allergénmentes",
    ]

    @Test func `no text claims that something is safe to eat`() throws {
        for folder in ["models/wording", "models/profiles", "models/regimes", "models/legends", "docs", "Sources"] {
            let root = Repository.root.appending(path: folder)
            let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            for name in names where [".json", ".md", ".swift"].contains(where: name.hasSuffix) {
                let text = try String(contentsOf: root.appending(path: name), encoding: .utf8).lowercased()
                for claim in Self.claims where text.contains(claim) {
                    Issue.record("\(folder)/\(name) says \(claim)")
                }
            }
        }
    }

    @Test func `each person sees the worst dish first`() throws {
        let interpreter = try Judge.interpreter()
        let anna = AllergenProfile(name: "anna", allergens: [.fish: .severe])
        let ben = AllergenProfile(name: "ben", allergens: [.milk: .mild])
        let menu = interpreter.text(
            of: .page("Cheese plate £5.50", "Grilled salmon £8.00", "Lentils £6.00"), profiles: [anna, ben]
        ).menu(for: [anna, ben])
        let people = try #require(menu.household)
        #expect(people.map(\.name) == ["anna", "ben"])
        #expect(people[0].dishes.first?.name == "Grilled salmon")
        #expect(people[1].dishes.first?.name == "Cheese plate")
        #expect(people[1].dishes.count == 3)
    }

    @Test func `judge answers in order and reports invalid lines`() throws {
        let judge = try TextJudge(Judge.interpreter(), language: "en", regime: nil, profile: nil)
        let lines = (0..<50).map { number in
            Data((number == 7 ? "{\"text\":1}" : "{\"id\":\"\(number)\",\"text\":\"milk \(number)\"}").utf8)
        }
        let (output, failures) = judge.answers(to: lines, threads: 2)
        let answers = output.split(separator: 0x0A).map {
            try? JSONSerialization.jsonObject(with: $0) as? [String: Any]
        }
        #expect(answers.count == 50)
        #expect(answers[3]?["id"] as? String == "3")
        #expect(failures.map(\.line) == [7])
        #expect(answers[7]?["error"] != nil)
    }
}
