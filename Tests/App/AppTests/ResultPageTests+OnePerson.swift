import Core
import Foundation
import Store
import TestSupport
import Testing

@testable import App

/// Pages for one person of a household, each with an allergen that nobody else avoids.
extension ResultPageTests {
    /// Each with an allergen and a word that no other has.
    private static let avoided: [(name: String, allergen: Allergen, shown: String, word: String)] = [
        ("Ada", .milk, "milk", "Whey"), ("Ben", .nuts, "nuts", "Walnut"), ("Emma", .peanuts, "peanuts", "Satay"),
    ]

    private func own(_ kind: AllergenVerdict.Kind) -> [String: [Allergen: AllergenVerdict]] {
        Dictionary(uniqueKeysWithValues: Self.avoided.map { ($0.name, [$0.allergen: verdict(kind, 0.9)]) })
    }

    /// A photo of each kind that judges, with findings and verdicts for everybody.
    private func photosForAll(_ kind: AllergenVerdict.Kind) throws -> [(name: String, Outcome)] {
        let findings = Self.avoided.enumerated().map { index, person in
            AllergenFinding(
                allergen: person.allergen, polarity: .contains, strength: .ingredient,
                evidence: [
                    .init(
                        text: person.word, box: Quad(x: 10, y: Double(100 + index), width: 20, height: 0),
                        language: "en", ruleId: "", lexeme: "")
                ], probability: 0.9)
        }
        var dishes = try menu([("Bowl", own(kind))])
        dishes.menu?.sections[0].items[0].findings = findings
        dishes.menu?.sections[0].items[0].box = Self.box
        var packet = try photo([.label])
        packet.label = label(own(kind))
        packet.label?.findings = findings
        packet.label?.ingredients = Self.avoided.map { .init(text: $0.word) }
        var record = try photo([.label, .barcode])
        record.label = packet.label
        record.products = [product(own(kind))]
        record.products?[0].contradictions = Self.avoided.map {
            .init(profile: $0.name, allergen: $0.allergen, record: kind, label: .notFoundInText)
        }
        var scanned = try photo([.barcode])
        scanned.products = [product(own(kind))]
        var receipt = try photo([.receipt])
        var line = Receipt.Item(
            name: .init(value: "Bowl", confidence: 0.9), amount: .init(value: "1.29", confidence: 0.9))
        line.verdicts = own(kind)
        receipt.receipt = Receipt(items: [line])
        var shelf = try photo([.priceTag])
        var tag = PriceTag()
        (tag.price, tag.verdicts) = (.init(value: "2.49", confidence: 0.9), own(kind))
        shelf.priceTag = tag
        return [
            ("menu", dishes), ("label", packet), ("label and record", record), ("barcode", scanned),
            ("receipt", receipt), ("price tag", shelf),
        ].map { name, outcome in
            var outcome = outcome
            (outcome.source.width, outcome.source.height) = (400, 300)
            outcome.summarise()
            return (name, outcome)
        }
    }

    @Test(arguments: [AllergenVerdict.Kind.contains, .likely, .mayContain])
    func `a page for one person has that person's warnings, and nobody else's`(_ kind: AllergenVerdict.Kind) throws {
        let people = Self.avoided.map { AllergenProfile(name: $0.name, allergens: [$0.allergen: .high]) }
        for (name, outcome) in try photosForAll(kind) {
            for open in [nil, SavedItem.key(ofDish: "Bowl", at: Self.box), Review.label] {
                for person in Self.avoided {
                    let html = try page(outcome) {
                        $0 = ShownOutcome(outcome: outcome, id: "sha256:1", people: people, language: $0.language)
                        ($0.place.person, $0.place.open) = (person.name, open)
                    }.replacing(/<nav[^>]*>.*?<\/nav>/.dotMatchesNewlines(), with: "")
                    let about = "\(name), \(open ?? "-"), for \(person.name)"
                    #expect(html.contains(person.shown), "\(about)")
                    for (index, other) in Self.avoided.enumerated() where other.name != person.name {
                        let pattern = try Regex("\\b\(other.shown)\\b")
                        #expect(html.firstMatch(of: pattern) == nil, "\(about): \(other.shown)")
                        #expect(!html.contains("y1=\"\(100 + index)\""), "\(about): underlines \(other.word)")
                        #expect(!html.contains(">\(other.word)</"), "\(about): marks \(other.word)")
                    }
                }
                // Without a choice the page warns everybody.
                let all = try page(outcome) {
                    $0 = ShownOutcome(outcome: outcome, id: "sha256:1", people: people, language: $0.language)
                }
                for person in Self.avoided { #expect(all.contains(person.shown), "\(name)") }
            }
        }
    }

    @Test func `the title of a packet is its name, or what it is made of`() throws {
        func title(_ lines: [String], _ ingredients: [String] = ["Oats", "Sugar", "Salt"]) throws -> String? {
            var outcome = try photo([.label])
            outcome.label = label([:])
            outcome.label?.ingredients = ingredients.map { .init(text: $0) }
            outcome.readings.text = TextReading(
                languages: ["en"],
                lines: lines.enumerated().map { row, text in
                    TextLine(
                        text: text, confidence: 0.95, box: Quad(x: 0, y: Double(row) * 30, width: 140, height: 20),
                        words: [])
                })
            return outcome.title
        }
        for head in [
            "INGREDIENTS", "Ingredients:", "ZUTATEN", "flavor, stevia.", "Nutrition Facts", "sugar", "contains milk",
            "Wheat flour, salt", "12 %", "Nährwerte", "Składniki",
        ] { #expect(try title([head]) == "Oats, Sugar, …", "\(head)") }
        #expect(try title(["Oat Cookies", "INGREDIENTS"]) == "Oat Cookies")
        #expect(try title(["INGREDIENTS"], ["Oats"]) == "Oats")
        #expect(try title(["INGREDIENTS"], []) == nil)
        // A row of a table that the reading joined to an ingredient beside it.
        for row in ["Saturated Fat 1.5g", "Protein 5 g", "davon Zucker 12 g", "Énergie 1580 kJ", "2 %"] {
            let joined = ["sunflower and/or \(row) canola", "\(row) sugar", "sugar \(row)"]
            #expect(try title(["INGREDIENTS"], joined + ["Oats"]) == "Oats", "\(row)")
            #expect(try title(["INGREDIENTS"], joined) == nil, "\(row)")
        }
    }

    @Test func `a receipt with bars is no product`() throws {
        let texts = try PageRendering.texts()
        #expect(texts.kinds([.receipt, .barcode], reason: nil) == [texts.text("kind.receipt")])
        #expect(texts.kinds([.barcode], reason: nil) == [texts.text("kind.barcode")])
    }

    @Test func `the history of one person has that person's verdicts, and nobody else's`() throws {
        let kinds: [String: AllergenVerdict.Kind] = ["Ada": .contains, "Ben": .likely, "Emma": .mayContain]
        let item = HistoryItem(
            id: "sha256:1", path: "a.jpg", read: Self.read, title: nil, status: .completed, reason: nil,
            domains: [.menu], level: .high, dishes: 3, worst: ["CONTAINS": 2, "LIKELY": 1, "MAY_CONTAIN": 1],
            people: kinds.mapValues { [$0] }, contradiction: false)
        let (texts, names) = (try PageRendering.texts(), ["Ada", "Ben", "Emma"])
        for (name, kind) in kinds {
            let row = HistoryRow(item, names: names, for: name, texts)
            #expect(row.chip?.style == kind.style, "\(name)")
            #expect(row.people.map(\.name) == [name])
        }
        #expect(HistoryRow(item, names: names, for: "Zed", texts).chip == nil)
        #expect(HistoryRow(item, names: names, texts).people.map(\.name) == ["Ada"])
    }
}
