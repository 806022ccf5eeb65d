import Core
import Foundation
import Kinds
import Foods
import TestSupport
import Testing

@testable import App

/// What people read: one language in a text, a unit with a figure, and no names of the code.
@Suite struct WordsTests {
    private let models = ModelFolder(Repository.models)

    /// What is wrong with a text of a language.
    private static func faults(_ text: String, in language: String) -> [String] {
        var found: [String] = []
        let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
        // Names of other programs and of settings stay as they are.
        let foreign =
            language == "en"
            ? ["der", "und", "nicht", "ist", "sind", "für", "oder", "kein", "keine", "mit", "von", "auf"]
            : ["the", "and", "of", "is", "are", "not", "with", "this", "or", "from", "nothing", "your", "you"]
        found += words.intersection(foreign).map { "mixes languages: \($0)" }
        for match in text.matches(of: /\b[a-z]+[A-Z]\w*|\b[A-Za-z]+_\w+/) {
            let name = String(match.0)
            let isKnown = ["iPhone", "iPad", "macOS", "publicAddress", "allowedHosts"].contains(name)
            if !isKnown { found.append("has a name of the code: \(name)") }
        }
        if text.contains("(e)") || text.contains("/in") { found.append("leaves the gender open") }
        if text.contains("+ −") || text.contains("/ ?") || text.contains("..") { found.append("has empty parts") }
        return found
    }

    @Test(arguments: ["en", "de"])
    func `no text mixes languages, names the code or has empty parts`(_ language: String) throws {
        for (key, text) in try PageRendering.texts(language).texts {
            #expect(Self.faults(text, in: language) == [], "\(key): \(text)")
        }
    }

    @Test func `the check finds each of these faults`() {
        #expect(Self.faults("Übt adding and mehr", in: "de") == ["mixes languages: and"])
        #expect(Self.faults("holdStill. Hold still.", in: "en") == ["has a name of the code: holdStill"])
        #expect(Self.faults("CANNOT_TELL", in: "en") == ["has a name of the code: CANNOT_TELL"])
        #expect(Self.faults("kein(e) Milch", in: "de") == ["leaves the gender open"])
        #expect(Self.faults("85 kg + −161", in: "en") == ["has empty parts"])
        #expect(Self.faults("1.58 / ?", in: "en") == ["has empty parts"])
        #expect(Self.faults("Contains milk", in: "en") == [])
    }

    /// Placeholders of the arithmetic that nothing measures.
    private static let plain: Set = ["days", "weights", "activity", "offset", "age"]

    @Test(arguments: ["en", "de"]) func `each figure of the arithmetic has a unit`(_ language: String) throws {
        let steps = try PageRendering.texts(language).texts.filter { $0.key.hasPrefix("step.") }
        #expect(steps.count == 13)
        for (key, text) in steps {
            for match in text.matches(of: /\{([a-z]+)\}([^;,=(]*=? ?\{?[a-z]*\}?[^;,=(]*)/)
            where !Self.plain.contains(String(match.1)) {
                let after = match.2
                let hasUnit = ["kcal", "kg", "cm"].contains { after.contains($0) }
                #expect(hasUnit, "\(key): {\(match.1)} in \(text)")
            }
        }
    }

    @Test(arguments: ["en", "de"]) func `what pages show of the code has a text`(_ language: String) throws {
        let texts = try PageRendering.texts(language)
        let catalogue = GameCatalogue(models: models)
        for entry in try catalogue.entries() {
            for skill in entry.skills { #expect(texts.has("skill.\(skill)"), "\(entry.id): \(skill)") }
            for puzzle in catalogue.puzzles(of: entry.id) where entry.id == "tangram" {
                #expect(texts.has("figure.\(puzzle)"), "\(puzzle)")
            }
        }
        for kind in AllergenVerdict.Kind.allCases { #expect(texts.has("v.\(kind.rawValue)")) }
        for level in Confidence.Level.allCases { #expect(texts.has("level.\(level.rawValue)")) }
        for domain in Outcome.Domain.allCases { #expect(texts.has("untitled.\(domain.rawValue)")) }
        for advice in PhotoQuality.Advice.allCases { #expect(texts.has("advice.\(advice.rawValue)")) }
        for level in AllergenProfile.Sensitivity.allCases { #expect(texts.has("sens.\(level.rawValue)")) }
        for theme in Theme.allCases { #expect(texts.has("theme.\(theme.rawValue)")) }
    }

    @Test func `staff deny an allergen with its gender`() throws {
        let german = PageLanguage(
            texts: try PageRendering.texts("de"), wording: try #require(try Wordings(from: models)["de"]))
        #expect(german.denied(.milk) == "keine Milch")
        #expect(german.denied(.eggs) == "kein Ei")
        #expect(german.denied(.personal, words: ["Kiwi"]) == "keine Kiwi")
        #expect(german.said(.absent, .gluten) == "Personal: kein Gluten")
        #expect(german.said(.contains, .gluten) == "enthält Gluten")
    }
}
