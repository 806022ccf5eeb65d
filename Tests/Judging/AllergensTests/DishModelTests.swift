import Foundation
import TestSupport
import Testing
import Core

@testable import Allergens

@Suite("Models of dishes")
struct DishModelTests {
    private static let languages = ["cs", "de", "en", "es", "fr", "hu", "it", "nl", "pl", "pt"]

    private func tokens(_ text: String) -> [Token] {
        let scalars = Array(text.unicodeScalars)
        return Folding.tokens(of: scalars, in: 0..<scalars.count)
    }

    @Test func `ten languages have a model of at most 2 MB`() throws {
        let all = try DishModel.loadAll(from: Judge.models)
        #expect(all.keys.sorted() == Self.languages)
        for language in Self.languages {
            for suffix in ["json", "weights"] {
                let file = Judge.models.url.appending(path: "dishes/\(language).\(suffix)")
                let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
                #expect(try #require(size) < 2_000_000)
            }
        }
    }

    @Test func `rows that teach a model have a licence`() throws {
        struct File: DataFile {
            static let schema = "tablesight.dishes/3"

            struct Source: Decodable {
                var name, licence: String
                var rows: Int
            }
            var sources: [Source]
        }
        for language in Self.languages {
            let file = try Judge.models.load(File.self, from: "dishes/\(language).json")
            #expect(!file.sources.isEmpty)
            for source in file.sources {
                #expect(["MIT", "Unlicense", "Apache-2.0"].contains(source.licence), "\(language): \(source.name)")
            }
        }
    }

    @Test func `features have each bucket once and a bounded length`() {
        let short = DishFeatures(tokens("soup"))
        let long = DishFeatures(tokens(String(repeating: "chicken soup with noodles and vegetables ", count: 20)))
        for features in [short, long] {
            #expect(Set(features.entries.map(\.bucket)).count == features.entries.count)
            let length = features.entries.reduce(0) { $0 + $1.value * $1.value }.squareRoot()
            #expect(length > 0 && length < 3.001)
        }
        #expect(DishFeatures(tokens("12 a 250")).isEmpty)
    }

    @Test func `inflected words share features`() {
        let one = Set(DishFeatures(tokens("naleśniki")).entries.map(\.bucket))
        let two = Set(DishFeatures(tokens("naleśników")).entries.map(\.bucket))
        let other = Set(DishFeatures(tokens("marchewka")).entries.map(\.bucket))
        #expect(one.intersection(two).count > 3 * one.intersection(other).count + 3)
    }

    @Test func `probabilities are capped, and a dish without words has none`() throws {
        let model = try #require(DishModel.loadAll(from: Judge.models)["de"])
        #expect(model.guesses(DishFeatures([])).isEmpty)
        let guesses = model.guesses(DishFeatures(tokens("Käsespätzle mit Rahmsoße")))
        #expect(guesses.count == 14)
        #expect(guesses.allSatisfy { (0...DishModel.maximumProbability).contains($0.probability) })
    }

    @Test(
        arguments: [
            ("en", "Shepherd's Pie", Allergen.milk), ("de", "Königsberger Klopse", .eggs),
            ("fr", "Blanquette de veau", .milk), ("es", "Croquetas caseras", .gluten),
            ("it", "Vitello tonnato", .fish), ("pt", "Pastel de nata", .eggs), ("nl", "Bitterballen", .gluten),
            ("pl", "Kotlet schabowy", .gluten), ("cs", "Svíčková na smetaně", .celery), ("hu", "Rántott hús", .eggs),
        ])
    func `names of dishes hint at their usual allergens in ten languages`(
        language: String, text: String, allergen: Allergen
    ) throws {
        let judged = try TextJudge(Judge.interpreter(), language: language, regime: nil, profile: nil)
            .judgement(of: .init(id: "1", language: language, kind: .dish, text: text))
        let verdict = try #require(judged.verdicts[allergen])
        #expect(verdict.verdict == (verdict.probability >= 0.5 ? .likely : .cannotTell))
        #expect(judged.findings.contains { $0.allergen == allergen && $0.polarity == .likely && $0.probability > 0.3 })
        #expect(judged.findings.allSatisfy { $0.polarity != .likely || $0.probability <= 0.95 })
        #expect(!judged.verdicts.values.contains { $0.verdict == .notFoundInText })
    }

    @Test(
        arguments: [
            ("en", "Oat milk", Allergen.milk), ("en", "Rice noodles", .gluten), ("en", "Oyster mushrooms", .molluscs),
            ("fr", "Lait de coco", .milk),
        ])
    func `a trap of the lexicon is a trap for the model too`(
        language: String, text: String, allergen: Allergen
    ) throws {
        let judged = try TextJudge(Judge.interpreter(), language: language, regime: nil, profile: nil)
            .judgement(of: .init(id: "1", language: language, kind: .dish, text: text))
        #expect(judged.verdicts[allergen]?.verdict == .cannotTell)
    }

    @Test(
        arguments: [
            ("\"bits\": 15", "\"bits\": 14", "bytes"), ("tablesight.dishes/3", "tablesight.dishes/2", "schema"),
            ("\"language\": \"nl\"", "\"language\": \"it\"", "language"), ("\"milk\", ", "", "bias"),
            ("\"milk\", ", "\"wheat\", ", "groups"), ("\"milk\", ", "\"nuts\", ", "once"),
            ("\"steps\": [", "\"steps\": [-", "steps"),
        ])
    func `a damaged model is named, and says what to do`(text: String, damaged: String, expected: String) throws {
        let folder = try TemporaryFolder()
        let dishes = folder.url.appending(path: "dishes")
        try FileManager.default.createDirectory(at: dishes, withIntermediateDirectories: true)
        let source = Judge.models.url.appending(path: "dishes")
        let head = try String(contentsOf: source.appending(path: "nl.json"), encoding: .utf8)
        #expect(head.contains(text))
        try head.replacing(text, with: damaged).write(
            to: dishes.appending(path: "nl.json"), atomically: true, encoding: .utf8)
        try FileManager.default.copyItem(
            at: source.appending(path: "nl.weights"), to: dishes.appending(path: "nl.weights"))
        let error = try #require(throws: StartupError.self) {
            _ = try DishModel.loadAll(from: ModelFolder(folder.url))
        }
        #expect(error.message.contains("dishes/nl.") && error.message.contains(expected), "\(error.message)")
    }

    @Test func `missing weights are named`() throws {
        let folder = try TemporaryFolder()
        let dishes = folder.url.appending(path: "dishes")
        try FileManager.default.createDirectory(at: dishes, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Judge.models.url.appending(path: "dishes/nl.json"), to: dishes.appending(path: "nl.json"))
        let error = try #require(throws: StartupError.self) {
            _ = try DishModel.loadAll(from: ModelFolder(folder.url))
        }
        #expect(error.message.contains("nl.weights"))
    }
}
