import Core
import Foundation
import TestSupport
import Testing

@testable import Foods

/// Every sentence of the output has a reference, over all samples and thousands of lists.
@Suite struct `References of assessments` {
    /// What is wrong with an assessment; nil if every sentence has a reference that exists.
    private func fault(of one: IngredientAssessment) -> String? {
        let ids = Set(one.citations.map(\.id))
        if one.citations.map(\.id) != Array(1...max(1, one.citations.count)).prefix(one.citations.count).map(\.self) {
            return "citations are not numbered 1…n"
        }
        for (text, citations) in Shipped.sentences(of: one) {
            if text.isEmpty { return "an empty sentence" }
            if citations.isEmpty { return "no citation: \(text)" }
            if !ids.isSuperset(of: citations) { return "a citation that does not exist: \(text)" }
            if let word = Forbidden.found(in: text) { return "the word \(word): \(text)" }
        }
        let used = Set(
            one.ingredients.flatMap { $0.citations + $0.statements.flatMap(\.citations) + ($0.dose?.citations ?? []) }
                + one.components.nutrition.citations + one.components.processing.citations)
        if one.components.processing.nova_group != nil, one.components.processing.citations.isEmpty {
            return "NOVA is called disputed without a citation"
        }
        if one.components.nutrition.grade != nil, one.components.nutrition.citations.isEmpty {
            return "a Nutri-Score without a citation"
        }
        if used != ids { return "unused citations \(ids.subtracting(used))" }
        for citation in one.citations where URL(string: citation.url)?.host() == nil || citation.title.isEmpty {
            return "\(citation.ref) has no address"
        }
        let names = one.ingredients.map(\.name)
        if Set(names).count < names.count { return "a name is listed twice" }
        for silent in one.no_evidence + one.not_read where !silent.statements.isEmpty || silent.risk_level != nil {
            return "\(silent.name) has statements without evidence"
        }
        for ranked in one.high_risk + one.moderate_risk + one.low_risk
        where ranked.risk_level == nil || ranked.rule == nil || ranked.statements.isEmpty {
            return "\(ranked.name) has a level without a rule"
        }
        return nil
    }

    /// Strings of a JSON file, whatever its form.
    private static func strings(in value: Any) -> [String] {
        switch value {
        case let text as String: [text]
        case let list as [Any]: list.flatMap(strings)
        case let object as [String: Any]: object.values.flatMap(strings)
        default: []
        }
    }

    @Test func `the samples' lists have references for every sentence`() throws {
        let pages = Repository.root.appending(path: "scripts/tablesight_tools/rendering/samples/pages")
        let files =
            try FileManager.default.contentsOfDirectory(at: pages, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" } + [Repository.models.appending(path: "catalogue/samples.json")]
        #expect(files.count >= 4, "labels, menus, documents and the catalogue")
        let texts = try files.flatMap {
            Self.strings(in: try JSONSerialization.jsonObject(with: Data(contentsOf: $0)))
        }
        #expect(texts.count > 200)
        var statements = 0
        for text in texts {
            for language in ["en", "de", nil] {
                let one = try Shipped.risk.assessment(ofText: text, .init(language: language))
                statements += one.ingredients.reduce(0) { $0 + $1.statements.count }
                if let fault = fault(of: one) { Issue.record("\(fault) in: \(text)") }
            }
        }
        #expect(statements > 200, "the samples name ingredients with records")
    }

    @Test func `5,000 lists in ten languages have references for every sentence, in both languages`() throws {
        let subjects = try Shipped.files.subjects
        var random = FixedRandom(state: 20)
        let languages = ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "cs", "hu"]
        let classes = subjects.classes
        let jurisdictions = [nil, "EU", "US", "US-CA"]
        let all = (subjects.additives + subjects.ingredients)
        var seen: Set<String> = []
        for number in 0..<5_000 {
            let language = languages[number % 10]
            var parts: [String] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let subject = all[Int.random(in: 0..<all.count, using: &random)]
                let names = subject.names[language] ?? subject.names["en"] ?? [subject.id]
                var name = names[Int.random(in: 0..<names.count, using: &random)]
                switch Int.random(in: 0..<8, using: &random) {
                case 0: name = name.uppercased()
                case 1:
                    name =
                        "\(classes[Int.random(in: 0..<classes.count, using: &random)].names["en"]?[0] ?? ""): \(name)"
                case 2: name += " (\(subject.id))"
                case 3: name += " \(Int.random(in: 1...60, using: &random))%"
                case 4: name = String(name.dropLast())
                default: break
                }
                parts.append(name)
            }
            let one = try Shipped.risk.assessment(
                ofText: parts.joined(separator: ", "),
                .init(
                    language: language, jurisdiction: jurisdictions[number % 4],
                    date: number % 3 == 0 ? "2027-06-01" : nil,
                    reader: number % 2 == 0 ? "en" : "de",
                    nutrition: NutritionPer100(energyKJ: 900, saturatedFat: 2, sugars: 5, salt: 1),
                    bodyWeight: number % 5 == 0 ? 70 : nil))
            if let fault = fault(of: one) { Issue.record("\(fault) in: \(parts)") }
            seen.formUnion(one.ingredients.flatMap { $0.statements.map(\.id) })
        }
        #expect(seen.count > 250, "the lists reach most records, \(seen.count)")
    }

    @Test func `no sentence of the release has a forbidden word, and none exists in one language only`() throws {
        let file = try Shipped.files.sentences
        for (key, texts) in file.sentences {
            for (language, text) in texts {
                #expect(Forbidden.found(in: text) == nil, "\(key), \(language)")
                #expect(text.hasSuffix("."), "\(key), \(language)")
            }
        }
    }

    @Test func `cancer is named only with a dose`() throws {
        for (key, texts) in try Shipped.files.sentences.sentences where key != "iarc-processed-meat-dose" {
            #expect(
                !texts.values.contains { $0.localizedCaseInsensitiveContains("cancer") || $0.contains("krebs") },
                "\(key)")
        }
    }

    @Test func `unverified and superseded records are not shown, except to curators`() throws {
        let files = try Shipped.files
        let hidden = Set(files.evidence.statements.filter { !$0.verified || !$0.isCurrent }.map(\.id))
        #expect(hidden.contains("efsa-nitrosamines-2023") && hidden.contains("efsa-sulphites-2016"))
        let text = "titanium dioxide, sulphur dioxide, cyclamate, modified starch, sodium nitrite"
        let shown = try Shipped.risk.assessment(ofText: text, .init(language: "en"))
        #expect(shown.ingredients.flatMap(\.statements).allSatisfy { !hidden.contains($0.id) })
        let curator = try RiskInterpreter(models: Shipped.models, includesUnverified: true)
            .assessment(ofText: text, .init(language: "en"))
        #expect(curator.ingredients.flatMap(\.statements).contains { $0.id == "efsa-nitrosamines-2023" })
        #expect(!curator.ingredients.flatMap(\.statements).contains { $0.id == "efsa-sulphites-2016" })
    }
}
