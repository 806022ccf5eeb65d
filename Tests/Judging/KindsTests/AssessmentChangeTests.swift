import Allergens
import Core
import Foundation
import Foods
import TestSupport
import Testing

@testable import Kinds

/// Another evidence release, and what a replay announces.
@Suite struct AssessmentChangeTests {
    private let models = ModelFolder(Repository.models)

    private func label(_ text: String, _ interpreter: Interpreter, _ profile: AllergenProfile) throws -> Outcome {
        var x = 0.0
        let words = text.split(separator: " ").map { word in
            let box = Quad(x: x, y: 0, width: Double(word.count) * 10, height: 20)
            x += Double(word.count + 1) * 10
            return Word(text: String(word), confidence: 0.97, box: box)
        }
        let line = TextLine(
            text: text, confidence: 0.97, box: Quad(x: 0, y: 0, width: max(10, x), height: 20), words: words)
        return interpreter.judge(
            ReadAnswer(
                image: .init(format: "jpeg", width: 2000, height: 600, orientation: 1),
                readings: Readings(text: TextReading(languages: ["en"], lines: [line]))),
            of: PhotoFacts(
                path: try #require(FilePathBytes("\(text.count).jpg")), id: "sha256:\(text.count)", bytes: 3),
            as: .label, for: [profile])
    }

    @Test func `a label has an assessment with the law of its people, and the version of the release`() throws {
        let profile = try AllergenProfile.shipped(named: "everyone", in: models)
        let interpreter = try Shipped.interpreter.get()
        let outcome = try label("Ingredients: pork, salt, preservative (sodium nitrite), sugar.", interpreter, profile)
        let assessment = try #require(outcome.label?.assessment)
        #expect(assessment.high_risk.map(\.name) == ["sodium nitrite"])
        #expect(assessment.jurisdiction == "EU")
        #expect(outcome.versions.risk?.hasPrefix("20") == true)
        let json = try JSONCoding.encode(outcome)
        #expect(try JSONCoding.decode(Outcome.self, from: json) == outcome)
        let mixed = [profile, AllergenProfile(name: "b", regime: "us9", allergens: [:])]
        #expect(mixed.jurisdiction == nil)
        #expect([mixed[1]].jurisdiction == "US")
    }

    @Test func `after one changed record, only the labels with that record are announced`() throws {
        let profile = try AllergenProfile.shipped(named: "everyone", in: models)
        let files = try EvidenceRelease.Files(from: models)
        var changed = files
        let record = try #require(
            changed.evidence.statements.firstIndex { $0.id == "efsa-sorbate-2019" && $0.verified })
        changed.evidence.statements[record].finding = .concern
        changed.manifest.version = "2027-01-01.1"
        let nova = try models.load(Nova.File.self, from: "risk/nova.json")
        let tables = try models.load(NutriScore.Tables.self, from: "risk/nutriscore.json")
        let before = try Interpreter(
            models: models, risk: RiskInterpreter(EvidenceRelease(files), nova: nova, nutriScore: tables))
        let after = try Interpreter(
            models: models, risk: RiskInterpreter(EvidenceRelease(changed), nova: nova, nutriScore: tables))
        var announced = 0
        for number in 0..<40 {
            let isMeant = number % 8 == 0
            let text =
                "Ingredients: water, sugar \(number)%, salt, \(isMeant ? "potassium sorbate" : "sodium benzoate"), cocoa."
            let (old, new) = (try label(text, before, profile), try label(text, after, profile))
            let changes = AssessmentChange.between(JudgedOutcome(old), JudgedOutcome(new))
            // A stored outcome gives the same comparison.
            let stored = try JSONCoding.decode(JudgedOutcome.self, from: JSONCoding.encode(old))
            #expect(AssessmentChange.between(stored, JudgedOutcome(new)) == changes)
            #expect(changes.map(\.ingredient) == (isMeant ? ["potassium sorbate"] : []), "\(text)")
            announced += changes.isEmpty ? 0 : 1
            if let change = changes.first {
                #expect(change.before == nil && change.after == .high)
            }
        }
        #expect(announced == 5)
    }
}
