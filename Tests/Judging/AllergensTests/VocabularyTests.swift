import Foundation
import Testing
import Core

@testable import Allergens

@Suite("Compiled vocabulary")
struct VocabularyTests {
    @Test func `the compiled file is made from the lists beside it`() throws {
        let sources = try VocabularySources(models: Judge.models)
        #expect(try sources.areCompiled(in: Judge.models), "run scripts/compile-vocabulary and commit its file")
    }

    @Test func `a cut or changed file is a configuration error and no crash`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vocabulary-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "vocabulary"), withIntermediateDirectories: true)
        let whole = try Data(contentsOf: Judge.models.url.appending(path: VocabularyFile.path))
        var random = SplitMix(state: 5)
        for number in 0..<40 {
            var bytes = whole
            if number < 20 {
                bytes = bytes.prefix(random.below(whole.count))
            } else {
                // The header and the tables' places are what a reader trusts first.
                bytes[random.below(256)] ^= UInt8(1 + random.below(255))
            }
            try bytes.write(to: folder.appending(path: VocabularyFile.path))
            // Some changed bytes change nothing that a table refers to; none may trap.
            do { _ = try VocabularyFile.load(from: ModelFolder(folder)) } catch let error as StartupError {
                #expect(error.exitCode == .configuration)
            }
        }
    }

    /// The relations of the design over 50,000 generated texts; before a release `scripts/bench vocabulary` tries ten million.
    @Test func `generated texts give no false reassurance`() throws {
        let relations = try VocabularyRelations(Judge.interpreter(), models: Judge.models)
        let report = relations.run(texts: 50_000, seed: 2026)
        #expect(report.texts >= 50_000)
        for relation in VocabularyRelations.Relation.allCases {
            #expect(report.counts[relation, default: 0] > 250, "\(relation) was not tried")
        }
        let failures = report.failures.filter { report.falseReassurances[$0.relation, default: 0] > 0 }
        #expect(report.falseReassurances.values.reduce(0, +) == 0, "\(failures.prefix(5))")
        #expect(report.falseAlarms.values.reduce(0, +) <= 5, "\(report.falseAlarms)")
    }

    @Test(arguments: [
        ("fi\u{AD}sh", "fish"), ("fi\u{200B}sh", "fish"), ("реаnuts", "peanuts"), ("ｍｉｌｋ", "milk"), ("𝐟𝐢𝐬𝐡", "fish"),
        ("ﬁsh", "fish"), ("β-carotene", "β-carotene"), ("молоко", "молоко"), ("Wei\u{AD}\nzen", "Wei-\nzen"),
        ("ｴﾋﾞ", "エビ"),
    ])
    func `text is prepared to the letters that a reader sees`(text: String, expected: String) {
        #expect(String(scalars: TextPreparation.prepared(text.unicodeScalars)) == expected)
    }

    @Test(arguments: [
        ("Zutaten: Zucker, Erd- und Haselnüsse, Salz.", Allergen.peanuts, "de"),
        ("Zutaten: Zucker, Tinten- und Thunfisch, Salz.", .molluscs, "de"),
        ("Zutaten: Zucker, Wei\nzenmehl, Salz.", .gluten, "de"),
        ("Zutaten: Zucker, WEI-\nZENMEHL, Salz.", .gluten, "de"),
        ("Ingredientes: agua, azúcar, bizcochos, sal.", .eggs, "es"),
        ("Zutaten: Zucker, WEl-\nZENMEHL, Salz.", .gluten, "de"),
        ("Zutaten: Zucker, E R D N Ü\nS S E, Salz.", .peanuts, "de"),
        ("Zutaten: Zucker, W E I Z E\nN, Salz.", .gluten, "de"),
        ("Zutaten: Zucker, Wei- zenmehl, Salz.", .gluten, "de"), ("Zutaten: Zucker, HASEL- NÜSSE, Salz.", .nuts, "de"),
        ("Ingredients: sugar, pea\nnuts, salt.", .peanuts, "en"),
        ("Ingredients: sugar, P E A N U T S, salt.", .peanuts, "en"),
        ("Ingredients: sugar, oats, salt.", .gluten, "en"), ("Ingredients: sugar, waffles, salt.", .gluten, "en"),
        ("Ingredients: rice. Free from gluten, milk chocolate chips, water.", .milk, "en"),
        ("Zutaten: Reis. Enthält nicht nur Milch, sondern auch Haselnüsse.", .milk, "de"),
        ("Ingredients: rice. May contain nuts, contains milk and soya.", .milk, "en"),
    ])
    func `what print joins, breaks, spaces or surrounds is found`(text: String, allergen: Allergen, language: String)
        throws
    {
        let judgement = try Judge.interpreter().judgement(
            ofText: text, language: language, kind: .label, profile: Judge.everyone())
        #expect(judgement.verdicts[allergen]?.verdict == .contains)
    }

    @Test(arguments: [
        ("Extra cheese free!", Allergen.milk, "en"), ("Never without butter: sole meunière", .milk, "en"),
        ("Salade sans ou avec fromage", .milk, "fr"), ("Panna cotta mit Sahne – nicht vegan", .milk, "de"),
        ("Salmon with butter, rice vegan", .fish, "en"), ("Schnitzel (glutenfrei +2 €)", .gluten, "de"),
        ("Käse frei wählbar", .milk, "de"), ("Cheeseburger – can be made vegan", .milk, "en"),
    ])
    func `what looks like a denial or diet takes nothing back`(text: String, allergen: Allergen, language: String)
        throws
    {
        let judgement = try Judge.interpreter().judgement(
            ofText: text, language: language, kind: .dish, profile: Judge.everyone())
        let verdict = judgement.verdicts[allergen]?.verdict
        #expect(verdict == .contains || verdict == .likely)
    }

    @Test func `a reviewer can read why a word names what it names`() throws {
        let sources = try VocabularySources(models: Judge.models)
        let found = try Judge.interpreter().explanations(of: "oats", language: "en", sources: sources)
        let oats = try #require(found.first { $0.allergen == "gluten/oats" })
        #expect(oats.forms.contains("oat"))
        #expect(oats.sources.contains { $0.hasPrefix("lexicons/en.json") })
        #expect(oats.sources.contains { $0.contains("ODbL") })
        #expect(oats.exemptions.contains { $0.contains("1169/2011") })
        #expect(try Judge.interpreter().explanations(of: "carrots", language: "en", sources: sources).isEmpty)
    }

    @Test func `a precaution adds to a likely allergen and does not lower it`() {
        func finding(_ polarity: AllergenFinding.Polarity, _ probability: Double) -> AllergenFinding {
            AllergenFinding(
                allergen: .milk, leaf: nil, polarity: polarity, strength: .dishKnowledge, evidence: [],
                probability: probability)
        }
        let findings = [finding(.likely, 0.7), finding(.mayContain, 0.95)]
        let verdict = VerdictRules.verdict(
            on: .milk, findings: findings, absenceClaim: .unsupported(reason: "noDeclaration"), sensitivity: .high)
        #expect(verdict.verdict == .likely)
    }
}
