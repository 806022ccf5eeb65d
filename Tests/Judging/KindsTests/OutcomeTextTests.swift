import Foundation
import TestSupport
import Testing
import Core

@testable import Kinds

@Suite struct OutcomeTextTests {
    private let wordings: Wordings
    private let day: Date

    init() throws {
        wordings = try Wordings(from: ModelFolder(Repository.root.appending(path: "models")))
        day = try Date("2026-11-22T12:00:00Z", strategy: .iso8601)
    }

    private func verdict(
        _ word: AllergenVerdict.Kind, _ probability: Double = 0.5, reason: String? = nil
    ) -> AllergenVerdict {
        AllergenVerdict(
            verdict: word, risk: word == .cannotTell ? .unknown : .high, probability: probability, reason: reason)
    }

    private func outcome(_ products: [Product]) throws -> Outcome {
        let path = try #require(FilePathBytes("bar.jpg"))
        var outcome = Outcome(
            id: "sha256:00", source: .init(path: path, bytes: 1), status: .completed, domains: [.barcode],
            confidence: Confidence(0.9), products: products, versions: .init(tablesight: "test"))
        outcome.summarise()
        return outcome
    }

    private func bar(_ verdicts: Verdicts) -> Product {
        var product = Product(
            gtin: "09520100001086", name: "Peanut bar", brand: "Nutty", trust: .crowd, recorded: "2024-11-05")
        product.verdicts = verdicts
        return product
    }

    private let anna = AllergenProfile(name: "anna", allergens: [.peanuts: .severe, .milk: .high])
    private let jan = AllergenProfile(name: "jan", allergens: [.peanuts: .severe, .milk: .high], language: "de")

    @Test(arguments: [[]] + Outcome.Domain.allCases.map { [$0] })
    func `a photo without pieces says what to change, unless it shows something else`(
        domains: [Outcome.Domain]
    ) throws {
        var photo = try outcome([])
        photo.domains = domains
        photo.readings.pieces = PieceFrame(board: nil, set: "dice@1", pieces: [])
        let text = OutcomeText(for: [], wordings, asOf: day).lines(of: photo).joined(separator: "\n")
        let isTable = domains.isEmpty || domains == [.board]
        #expect(text.contains("No piece was found. Use more light") == isTable, "\(text)")
    }

    @Test func `allergens are listed, with a reason for CANNOT_TELL`() throws {
        let verdicts: Verdicts = [
            "anna": [
                .peanuts: verdict(.contains, 0.98), .milk: verdict(.cannotTell, reason: "noDeclaration"),
                .nuts: verdict(.mayContain, 0.48), .eggs: verdict(.notFoundInText),
            ]
        ]
        let text = OutcomeText(for: [anna], wordings, asOf: day).lines(of: try outcome([bar(verdicts)]))
            .joined(separator: "\n")
        #expect(text.contains("anna: CONTAINS peanuts 98 %"), "\(text)")
        #expect(text.contains("MAY CONTAIN nuts\n"), "traces have no percentage: \(text)")
        #expect(text.contains("cannot tell: milk (nothing there declares allergens)"), "\(text)")
        #expect(text.contains("not mentioned: eggs"), "\(text)")
        #expect(text.contains("Peanut bar · Nutty (crowd-sourced, 2 years old)"), "\(text)")
        #expect(!text.contains("\u{1B}"), "no escape sequences outside a terminal")
        #expect(!text.contains("_") && !text.contains("noDeclaration"), "no identifiers of the code: \(text)")
    }

    @Test func `print in a script that is not read is named in the reader's language, once`() throws {
        var photo = try outcome([])
        photo.readings.text = TextReading(languages: [], lines: [], unreadLines: 4, unreadScripts: [.korean])
        photo.reason = .init(code: "unreadScript", detail: "print in Korean: not read", hint: "")
        let english = OutcomeText(for: [anna], wordings, asOf: day).lines(of: photo)
        #expect(english.filter { $0.contains("print in Korean: not read") }.count == 1, "\(english)")
        let german = OutcomeText(for: [jan], wordings, asOf: day).lines(of: photo)
        #expect(german.contains("  Druck in Koreanisch: nicht gelesen"), "\(german)")
    }

    @Test func `an allergen in a line that was not understood is said before the dishes`() throws {
        let finding = AllergenFinding(
            allergen: .peanuts, polarity: .contains, strength: .ingredient, evidence: [], probability: 0.9)
        var photo = try outcome([])
        var menu = Menu(
            currency: nil, sections: [.init(title: nil, items: [.init(name: "Goulash", confidence: 1)])], legend: [],
            coverage: Coverage(ocrQuality: 1, sourceKind: "dish"))
        menu.unread = [
            .init(text: "cuataia peanuts", box: Quad(x: 0, y: 0, width: 9, height: 9), dish: nil, findings: [finding]),
            .init(text: "xx", box: Quad(x: 0, y: 0, width: 9, height: 9), dish: nil),
        ]
        photo.menu = menu
        let lines = OutcomeText(for: [jan], wordings, asOf: day).lines(of: photo)
        let warning = try #require(
            lines.firstIndex { $0.contains("ENTHÄLT MÖGLICHERWEISE: Erdnüsse (“cuataia peanuts”)") })
        #expect(try warning < #require(lines.firstIndex { $0.contains("Goulash") }))
        #expect(!lines.contains { $0.contains("xx") })
    }

    @Test func `what the kitchen decides is one sentence for the page`() throws {
        var photo = try outcome([])
        let dish = Menu.Item(
            name: "Goulash", verdicts: ["jan": [.celery: verdict(.cannotTell, 0.45, reason: "kitchenDecides")]],
            confidence: 0.9)
        var menu = Menu(
            currency: nil, sections: [.init(title: nil, items: [dish, dish])], legend: [],
            coverage: Coverage(ocrQuality: 1, sourceKind: "dish"))
        let sentence = "  Sellerie: es hängt davon ab, was die Küche einkauft; das ist von dieser Küche nicht bekannt"
        photo.menu = menu
        #expect(!OutcomeText(for: [jan], wordings, asOf: day).lines(of: photo).contains(sentence))
        menu.kitchenDecides = menu.kitchenDecides(for: ["jan"])
        photo.menu = menu
        #expect(OutcomeText(for: [jan], wordings, asOf: day).lines(of: photo).count { $0 == sentence } == 1)
    }

    /// A menu whose dishes have one verdict on peanuts each.
    private func menu(_ dishes: [(name: String, verdict: AllergenVerdict)]) throws -> Outcome {
        var photo = try outcome([])
        photo.menu = Menu(
            currency: nil,
            sections: [
                .init(
                    title: nil,
                    items: dishes.map {
                        Menu.Item(name: $0.name, verdicts: ["anna": [.peanuts: $0.verdict]], confidence: 0.9)
                    })
            ], legend: [], coverage: Coverage(ocrQuality: 1, sourceKind: "dish"))
        photo.summarise()
        return photo
    }

    private func possible(_ probability: Double) -> AllergenVerdict {
        AllergenVerdict(verdict: .cannotTell, risk: .low, probability: probability, reason: "noDeclaration")
    }

    @Test func `a menu is ranked: avoid, ask first with the most probable first, and how many say nothing`() throws {
        let photo = try menu([
            ("Water", possible(0.01)), ("Rendang", possible(0.21)), ("Stew", verdict(.cannotTell)),
            ("Gado-Gado", verdict(.contains, 0.98)), ("Pad Thai", possible(0.46)), ("Tea", possible(0.03)),
        ])
        #expect(photo.household?["anna"]?.avoid == ["Gado-Gado"])
        #expect(photo.household?["anna"]?.ask == ["Pad Thai", "Rendang", "Stew"])
        #expect(photo.household?["anna"]?.notMentioned == ["Tea", "Water"])
        let short = OutcomeText(for: [anna], wordings, asOf: day).lines(of: photo)
        #expect(
            short.contains { $0.contains("anna  avoid 1:") && $0.contains("Gado-Gado (CONTAINS peanuts)") }, "\(short)")
        let ask = short.first { $0.contains("ask first 3:") } ?? ""
        #expect(ask.contains("Pad Thai (peanuts 46 %), Rendang (peanuts 21 %), Stew"), "\(short)")
        #expect(short.contains { $0.hasSuffix("nothing mentioned 2") }, "\(short)")
        #expect(!short.contains { $0.contains("Water") || $0.contains("Tea") }, "\(short)")
        let whole = OutcomeText(for: [anna], wordings, asOf: day, isWhole: true).lines(of: photo)
        #expect(whole.contains("  Water") && whole.contains { $0.hasSuffix("Tea, Water") }, "\(whole)")
    }

    @Test func `what is unlikely is unknown where part of the photo is missing`() throws {
        var photo = try menu([("Tea", possible(0.01)), ("Stew", possible(0.3))])
        photo.retractAbsenceClaims()
        photo.summarise()
        #expect(photo.household?["anna"]?.ask == ["Stew", "Tea"])
        #expect(photo.household?["anna"]?.notMentioned == [])
    }

    @Test func `a person with one unknown allergen asks, whatever is unlikely beside it`() throws {
        var photo = try menu([("Stew", verdict(.cannotTell))])
        photo.menu?.sections[0].items[0].verdicts["anna"]?[.milk] = possible(0.01)
        photo.summarise()
        #expect(photo.household?["anna"]?.ask == ["Stew"])
        #expect(photo.household?["anna"]?.notMentioned == [])
    }

    @Test func `an exempt derivative is shown as such`() throws {
        let verdicts: Verdicts = ["anna": [.soybeans: verdict(.contains, 0.95, reason: "exempt")]]
        let text = OutcomeText(for: [anna], wordings, asOf: day).lines(of: try outcome([bar(verdicts)])).joined()
        #expect(text.contains("the law exempts this refined derivative"), "\(text)")
    }

    @Test func `each person gets verdicts in their own language`() throws {
        let verdicts: Verdicts = [
            "jan": [.peanuts: verdict(.contains, 0.98), .milk: verdict(.cannotTell, reason: "crowdRecord")]
        ]
        let text = OutcomeText(for: [jan], wordings, asOf: day).lines(of: try outcome([bar(verdicts)]))
            .joined(separator: "\n")
        #expect(text.contains("Erdnüsse 98 %") && text.contains("Milch"), "\(text)")
        for english in ["CONTAINS", "cannot tell", "crowd-sourced", "ask staff", "confidence"] {
            #expect(!text.contains(english), "\(english): \(text)")
        }
    }

    @Test func `a household sees what each person must avoid, most serious first`() throws {
        let verdicts: Verdicts = [
            "anna": [.peanuts: verdict(.contains, 0.98)], "jan": [.milk: verdict(.cannotTell, reason: "crowdRecord")],
        ]
        let lines = OutcomeText(for: [anna, jan], wordings, asOf: day).lines(of: try outcome([bar(verdicts)]))
        #expect(lines.contains { $0.contains("anna") && $0.contains("avoid") && $0.contains("Peanut bar") }, "\(lines)")
        let ask = try #require(wordings["de"]).phrase(.ask)
        #expect(lines.contains { $0.contains("jan") && $0.contains(ask) && $0.contains("Peanut bar") }, "\(lines)")
    }

    @Test func `what staff say lies beside print, and a typical allergen is named with its probability`() throws {
        var printed = verdict(.contains, 0.98)
        (printed.by, printed.said) = ("Maria", .absent)
        var possible = verdict(.cannotTell, 0.42, reason: "dishKnowledge")
        possible.risk = .medium
        let verdicts: Verdicts = ["anna": [.peanuts: printed, .milk: possible], "jan": [.milk: verdict(.likely, 0.7)]]
        let lines = OutcomeText(for: [anna, jan], wordings, asOf: day).lines(of: try outcome([bar(verdicts)]))
        let text = lines.joined(separator: "\n")
        #expect(text.contains("CONTAINS peanuts 98 % (Maria: staff say not in it)"), "\(text)")
        #expect(text.contains("milk 42 %"), "\(text)")
        #expect(text.contains("Peanut bar (CONTAINS peanuts)"), "avoid says why: \(text)")
    }

    @Test func `a terminal gets symbols and colours, with NO_COLOR only symbols`() throws {
        let outcome = try outcome([bar(["anna": [.peanuts: verdict(.contains, 0.98)]])])
        func text(_ environment: [String: String]) -> String {
            let style = TextStyle(terminalColumns: 80, environment: environment)
            return OutcomeText(for: [anna], wordings, style: style, asOf: day).lines(of: outcome).joined(
                separator: "\n")
        }
        #expect(text([:]).contains("\u{1B}[1;31m✖ CONTAINS"))
        #expect(text(["NO_COLOR": "1"]).contains("✖ CONTAINS"))
        #expect(!text(["NO_COLOR": "1"]).contains("\u{1B}"))
        #expect(!text(["TERM": "dumb"]).contains("\u{1B}"))
        #expect(!text([:]).contains("\u{1B}[32m"), "nothing is green")
    }

    @Test func `control characters in file names and recognised words are escaped`() throws {
        let product = Product(gtin: "09520100001086", name: "Bar\u{1B}[2J\nanna: not mentioned")
        let lines = OutcomeText(for: [anna], wordings, asOf: day).lines(of: try outcome([product]))
        #expect(lines.allSatisfy { !$0.contains("\n") && !$0.contains("\u{1B}") }, "\(lines)")
    }

    @Test func `a failure is reported in the chosen language`() throws {
        var failed = try outcome([])
        failed.status = .failed
        failed.reason = .init(code: "truncated", detail: "12 of 900 bytes", hint: "copy it again")
        let lines = OutcomeText(for: [jan], wordings, asOf: day).lines(of: failed)
        #expect(lines.contains { $0.contains(wordings["de"]?.failure("truncated") ?? "?") }, "\(lines)")
        #expect(!lines.contains { $0.contains("copy it again") }, "\(lines)")
    }
}

@Suite struct WordingTests {
    private let wordings: [String: Wording]

    init() throws { wordings = try Wording.loadAll(from: ModelFolder(Repository.root.appending(path: "models"))) }

    @Test func `wordings exist in ten languages, with emergency advice`() {
        #expect(wordings.keys.sorted() == ["cs", "de", "en", "es", "fr", "hu", "it", "nl", "pl", "pt"])
        for wording in wordings.values {
            #expect(wording.emergency.contains("112"))
            for word in AllergenVerdict.Kind.allCases {
                for allergen in Allergen.allCases {
                    let sentence = wording.sentence(word, on: allergen)
                    #expect(!sentence.contains("{"), "\(wording.language): \(sentence)")
                }
                #expect(!wording.sentence(word, on: "kiwi").contains("{"))
            }
        }
    }

    @Test func `every language has the keys and placeholders of English`() throws {
        let english = try #require(wordings["en"])
        func places(_ text: String) -> Set<Substring> { Set(text.matches(of: /\{[a-z]+\}/).map(\.output)) }
        for wording in wordings.values {
            #expect(Set(wording.reasons.keys) == Set(english.reasons.keys), "\(wording.language)")
            #expect(Set(wording.statuses.keys) == Set(english.statuses.keys), "\(wording.language)")
            #expect(Set(wording.levels.keys) == Set(english.levels.keys), "\(wording.language)")
            #expect(Set(wording.trust.keys) == Set(english.trust.keys), "\(wording.language)")
            for (key, text) in english.phrases {
                #expect(places(wording.phrases[key] ?? "") == places(text), "\(wording.language): \(key)")
            }
        }
    }

    @Test func `German sentences use the dative`() throws {
        let german = try #require(wordings["de"])
        #expect(german.sentence(.mayContain, on: .peanuts).contains("Erdnüssen"))
        #expect(german.sentence(.notFoundInText, on: .nuts).contains("Nüssen"))
        #expect(german.sentence(.contains, on: .nuts).contains("Nüsse."))
    }

    @Test(arguments: [
        ("2026-11-22", "from today"), ("2027-01-01", "from today"), ("2026-11-21", "1 day old"),
        ("2026-10-01", "52 days old"),
        ("2026-05-01", "6 months old"), ("2024-11-05", "2 years old"), ("2016-01-01", "10 years old"),
    ])
    func `an age has natural units`(day: String, words: String) throws {
        let now = try Date("2026-11-22T12:00:00Z", strategy: .iso8601)
        #expect(wordings["en"]?.age(since: day, asOf: now) == words)
    }

    @Test func `an invalid date has no age`() { #expect(wordings["en"]?.age(since: "soon", asOf: Date()) == nil) }

    @Test(arguments: [
        ("pl", 1, "one"), ("pl", 3, "few"), ("pl", 12, "many"), ("pl", 22, "few"), ("pl", 5, "many"), ("cs", 2, "few"),
        ("cs", 5, "other"), ("fr", 0, "one"), ("de", 2, "other"), ("hu", 1, "one"),
    ])
    func `plurals follow the rules of each language`(language: String, number: Int, category: String) {
        #expect(PluralCategory(of: number, in: language).rawValue == category)
    }
}
