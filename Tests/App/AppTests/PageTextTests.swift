import Core
import Foundation
import Kinds
import TestSupport
import Testing

@testable import App

@Suite struct PageTextTests {
    private let models = ModelFolder(Repository.models)

    private var templates: [(name: String, text: String)] {
        get throws {
            try models.features.flatMap { feature in
                let folder = "web/features/\(feature)"
                return try models.names(in: folder, withExtension: "mustache").map {
                    let file = Repository.models.appending(path: "\(folder)/\($0)")
                    return ($0, try String(contentsOf: file, encoding: .utf8))
                }
            }
        }
    }

    @Test func `templates use only texts that every language has`() throws {
        let all = try PageTexts.loadAll(from: models)
        #expect(all.map(\.language) == ["en", "de"])
        #expect(Set(all.map { Set($0.texts.keys) }).count == 1)
        let known = Set(all[0].forTemplates.keys)
        for (name, text) in try templates {
            for match in text.matches(of: /\{\{t\.([A-Za-z0-9_]+)\}\}/) {
                #expect(known.contains(String(match.1)), "\(name) uses \(match.1)")
            }
        }
    }

    @Test func `translations keep the placeholders`() throws {
        let all = try PageTexts.loadAll(from: models)
        for file in all.dropFirst() {
            for (key, text) in all[0].texts {
                func holders(_ text: String) -> Set<String> { Set(text.matches(of: /\{[a-z]+\}/).map { String($0.0) }) }
                #expect(holders(file.text(key)) == holders(text), "\(file.language): \(key)")
            }
        }
    }

    @Test func `no page runs a script or a style of its own, or loads from elsewhere`() throws {
        for (name, text) in try templates {
            #expect(!text.contains("style=\""), "\(name)")
            #expect(text.firstMatch(of: /<script(?![^>]*src="\/static\/)/) == nil, "\(name)")
            #expect(text.firstMatch(of: #/ on[a-z]+="/#) == nil, "\(name)")
            #expect(text.firstMatch(of: /(src|href)="https?:/) == nil, "\(name)")
        }
    }

    @Test func `no button that deletes is the primary one`() throws {
        var count = 0
        for (name, text) in try templates {
            for form in text.matches(of: /<form[^>]*action="[^"]*(delete|remove)[^>]*>(?s:.*?)<\/form>/) {
                count += 1
                #expect(!form.0.contains("btn--primary"), "\(name)")
            }
            #expect(text.firstMatch(of: /btn--primary[^>]*>\s*<svg[^>]*><use\s+href="#i-trash/) == nil, "\(name)")
        }
        #expect(count >= 4)
    }

    @Test(arguments: [
        ("de-AT,de;q=0.9,en;q=0.8", "de"), ("fr,de;q=0.5", "de"), ("fr", "en"), (nil, "en"), ("EN-GB", "en"),
    ])
    func `the first language with texts is chosen`(header: String?, language: String) throws {
        let wordings = try Wordings(from: models)
        let all = try PageTexts.loadAll(from: models).compactMap { texts in
            wordings[texts.language].map { PageLanguage(texts: texts, wording: $0) }
        }
        #expect(PageLanguage.choose(header, among: all)?.texts.language == language)
    }

    @Test func `a value is not searched for placeholders`() {
        let values = ["name": "{n}", "n": "{name}", "other": "{"]
        #expect("{name} has {n}, {unknown} {other}n} {".filling(values) == "{n} has {name}, {unknown} {n} {")
        #expect("{{n}}".filling(["n": "5"]) == "{5}")
    }

    @Test(arguments: [("1", "1 day, from 1 entry"), ("0", "0 days, from 1 entry"), ("21", "21 days, from 1 entry")])
    func `a count decides between two forms`(days: String, expected: String) {
        let text = "{n} {n|day|days}, from {m} {m|entry|entries}"
        #expect(text.filling(["n": days, "m": "1"]) == expected)
        #expect("{n|day}, {k|day|days}".filling(["n": "1"]) == "{n|day}, {k|day|days}")
    }

    /// A word that one text writes in two forms is a plural wherever it stands.
    @Test func `no text puts a count before a plural without a form for one`() throws {
        for texts in try PageTexts.loadAll(from: models) {
            let forms = texts.texts.values.flatMap { $0.matches(of: /\{\w+\|([^|}]*)\|([^|}]*)\}/) }
            let words = forms.filter { $0.1 != $0.2 && !$0.1.contains(" ") && !$0.2.contains(" ") }
            let plurals = Set(words.map(\.2))
            #expect(plurals.count > 10)
            for (key, text) in texts.texts {
                let counted = text.matches(of: /\{\w+\} (?:\p{L}+ )?(\p{L}+)/).map(\.1)
                #expect(!counted.contains(where: plurals.contains), "\(texts.language) \(key): \(text)")
            }
        }
    }

    @Test func `names are joined as in a sentence`() throws {
        let texts = try PageTexts.loadAll(from: models)[0]
        #expect(texts.list([]) == "")
        #expect(texts.list(["Ada"]) == "Ada")
        #expect(texts.list(["Ada", "Ben", "Cleo"]) == "Ada, Ben and Cleo")
    }
}
