import Foundation
import Testing
import Core

@testable import Allergens

@Suite("Lexicon and profile files")
struct LexiconFilesTests {
    @Test func `the shipped lexicons load and name their versions`() throws {
        let interpreter = try Judge.interpreter()
        #expect(interpreter.languages == ["cs", "de", "en", "es", "fr", "hu", "it", "ja", "nl", "pl", "pt"])
        #expect(interpreter.lexiconVersion.contains("en@9"))
        #expect(interpreter.lexiconVersion.contains("dishes-de@5"))
    }

    @Test func `everyone must avoid all fourteen`() throws {
        let profile = try Judge.everyone()
        #expect(Set(profile.allergens.keys) == Set(Allergen.eu14))
        #expect(Set(profile.allergens.values) == [.high])
    }

    @Test func `an unknown profile is a configuration error with the known profiles`() throws {
        let error = #expect(throws: StartupError.self) {
            try AllergenProfile.shipped(named: "nobody", in: Judge.models)
        }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.contains("everyone") == true)
    }

    @Test func `an invalid lexicon is reported with file and entry`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lexicons-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "lexicons"), withIntermediateDirectories: true)
        for name in ["vocabulary"] {
            try FileManager.default.copyItem(
                at: Judge.models.url.appending(path: name), to: folder.appending(path: name))
        }
        let source = try String(contentsOf: Judge.models.url.appending(path: "lexicons/en.json"), encoding: .utf8)
        let broken = source.replacing(
            "\"kind\": \"dish\", \"probability\": 0.75,", with: "\"kind\": \"dish\", \"probability\": 1.5,",
            maxReplacements: 1)
        try Data(broken.utf8).write(to: folder.appending(path: "lexicons/en.json"))
        let error = #expect(throws: StartupError.self) { try VocabularySources(models: ModelFolder(folder)) }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.contains("lexicons/en.json, entries[") == true)
    }
}
