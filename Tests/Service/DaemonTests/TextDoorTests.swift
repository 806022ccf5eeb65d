import Allergens
import Foods
import Catalogue
import Core
import Foundation
import Groceries
import Household
import Kinds
import Store
import TestSupport
import Testing

@testable import App
@testable import Engine

/// Every door by which text comes in gives the same verdicts on it: relation R8 of the vocabulary.
@Suite struct TextDoorTests {
    private typealias Words = [Allergen: AllergenVerdict.Kind]

    private static let models = ModelFolder(Repository.models)
    private static let allergens = Result { try AllergenInterpreter(models: models) }
    private static let samples = Result {
        try VocabularyRelations(allergens.get(), models: models).samples(count: 300, seed: 2026)
    }

    private let folder: TemporaryFolder
    private let allergens: AllergenInterpreter
    private let interpreter: Interpreter
    private let everyone: AllergenProfile
    private let samples: [VocabularyRelations.Sample]

    init() throws {
        folder = try TemporaryFolder()
        allergens = try Self.allergens.get()
        samples = try Self.samples.get()
        interpreter = try Interpreter(models: Self.models, allergens: allergens)
        everyone = try .shipped(named: "everyone", in: Self.models)
    }

    // MARK: What a door is compared with

    private func words(_ verdicts: [Allergen: AllergenVerdict]?) -> Words { (verdicts ?? [:]).mapValues(\.verdict) }

    private func typed(_ text: String, as kind: AllergenInterpreter.TextKind) -> Words {
        words(allergens.judgement(ofText: text, language: nil, kind: kind, profile: everyone).verdicts)
    }

    private func warnings(_ words: Words) -> Words { words.filter(\.value.isWarning) }

    /// The more serious verdicts of a name as a label and as a dish.
    private func name(_ text: String) -> Words {
        warnings(typed(text, as: .label)).merging(warnings(typed(text, as: .dish))) {
            $0.severity >= $1.severity ? $0 : $1
        }
    }

    /// What a door says less seriously, as text for the failure.
    private func weaker(_ door: Words, than wanted: Words) -> [String] {
        wanted.filter { ($0.value.isWarning ? $0.value.severity : 0) > (door[$0.key]?.severity ?? 0) }
            .map { "\($0.key): \(door[$0.key]?.rawValue ?? "none") for \($0.value.rawValue)" }.sorted()
    }

    private func facts() throws -> PhotoFacts {
        PhotoFacts(path: try #require(FilePathBytes("photo.jpg")), id: "sha256:0", bytes: 3)
    }

    private func answer(_ lines: [String], _ language: String) -> ReadAnswer {
        ReadAnswer(
            image: .init(format: "jpeg", width: 2000, height: 2000, orientation: 1),
            readings: Readings(text: .printed(lines, language: language)), models: ["test": "1"])
    }

    private func judge(
        _ lines: [String], _ language: String, as kind: Outcome.Domain, _ reviews: [Review] = []
    ) throws -> Outcome {
        interpreter.judge(answer(lines, language), of: try facts(), as: kind, for: [everyone], reviews: reviews)
    }

    /// The lines of a photo with this text, five words on each.
    private func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).flatMap { line in
            let words = line.split(separator: " ").map(String.init)
            return stride(from: 0, to: words.count, by: 5).map {
                words[$0..<min(words.count, $0 + 5)].joined(separator: " ")
            }
        }
    }

    private func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }

    // MARK: Labels

    @Test func `lines of a photo say what their text says`() throws {
        for sample in samples {
            let label = try judge(lines(sample.text), sample.language, as: .label).label
            let wanted = typed(sample.text, as: .label)
            #expect(words(label?.verdicts["everyone"]) == wanted, "\(sample.text)")
        }
    }

    /// Judges products after an import of these rows of Open Food Facts.
    private func importing(_ rows: [[String: String]]) throws -> Interpreter {
        let file = folder.url.appending(path: "products.jsonl")
        let lines = try rows.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        let place = folder.url.appending(path: "catalogue")
        let state = try CatalogueImport(folder: place, format: .offJSONL).run(file.path) { _, _, _ in }
        #expect(state.accepted == rows.count)
        return try Interpreter(
            models: Self.models, allergens: allergens,
            products: ImportedProducts(catalogue: Catalogue(folder: place), models: Self.models))
    }

    private func code(_ number: Int) throws -> GTIN { try #require(GTIN.samples(number)) }

    @Test func `an imported record says what its text says`() throws {
        let interpreter = try importing(
            samples.enumerated().map { number, sample in
                [
                    "code": try code(number).digits, "product_name": "Sample", "ingredients_text": sample.text,
                ]
            })
        for (number, sample) in samples.enumerated() {
            let product = interpreter.product(try code(number), for: [everyone])
            let found = warnings(words(product.verdicts?["everyone"]))
            // A record that anybody may have typed proves no absence, so warnings are compared.
            #expect(found == warnings(typed(sample.text, as: .label)), "\(sample.text)")
        }
    }

    @Test func `neither a declared trace nor a list hides what the rest of a record says`() throws {
        let interpreter = try importing([
            [
                "code": try code(1).digits, "product_name": "Sample", "traces": "en:milk",
                "ingredients_text": "Ingredients: sugar, butter.",
            ],
            ["code": try code(2).digits, "product_name": "Peanut spread", "ingredients_text": "Ingredients: sugar."],
            ["code": try code(3).digits, "product_name": "Waffles", "ingredients_text": "Ingredients: sugar, rice."],
            ["code": try code(4).digits, "product_name": "Waffles"],
        ])
        func found(_ number: Int) throws -> Words {
            warnings(words(interpreter.product(try code(number), for: [everyone]).verdicts?["everyone"]))
        }
        #expect(try found(1) == [.milk: .contains])
        #expect(try found(2) == [.peanuts: .contains])
        #expect(try found(3)[.eggs] == nil, "the list says what these waffles have")
        #expect(try found(4)[.eggs] != nil)
    }

    @Test func `a stored photo that is judged again says the same`() throws {
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        for (number, sample) in samples.enumerated() {
            let path = try #require(FilePathBytes("/in/\(number).jpg"))
            let identity = FileIdentity(device: 1, inode: UInt64(number), size: 4, modified: 1, changed: 1)
            try store.enqueue([FoundFile(path: path, relativePath: path, identity: identity)]) {
                $0.path.appending(suffix: ".json")
            }
            let photo = try #require(try store.nextQueued(after: Data(), leavingOut: []))
            let answer = answer(lines(sample.text), sample.language)
            // What an earlier version said: nothing.
            let outcome = Outcome(
                id: "sha256:\(number)", source: .init(path: path, bytes: 3), status: .completed,
                versions: .init(tablesight: "0"))
            try store.finish(
                photo,
                FinishedPhoto(
                    content: "sha256:\(number)", asked: "1 label - -", answer: answer, status: .completed,
                    json: try JSONCoding.encode(outcome)))
            let again = try Replay(interpreter: interpreter, profiles: [everyone])
                .again("sha256:\(number)", in: store)
            let json = try #require(again.outcomes.first?.json, "\(number)")
            let label = try JSONCoding.decode(Outcome.self, from: json).label
            #expect(words(label?.verdicts["everyone"]) == typed(sample.text, as: .label), "\(sample.text)")
        }
    }

    // MARK: Dishes

    private static let menu = [
        "STARTERS", "Tomato soup 5.80", "MAINS", "Grilled chicken 13.60", "PUDDINGS", "Fruit salad 5.10",
    ]

    private func review(_ item: String, _ action: Review.Action, _ value: String?) -> Review {
        Review(
            content: "sha256:0", item: item, allergen: nil, action: action, value: value, reviewer: "Ada",
            made: 1_700_000_000)
    }

    private func item(_ name: String, after review: Review) throws -> Menu.Item? {
        try judge(Self.menu, "en", as: .menu, [review]).menu?.sections.flatMap(\.items).first { $0.name == name }
    }

    @Test func `a dish that a person types, adds or describes says what its text says`() throws {
        for sample in samples {
            let text = oneLine(sample.text).split(separator: " ").joined(separator: " ")
            let wanted = typed(text, as: .dish)
            let added = try #require(try item(text, after: review(text, .addDish, "5.00")), "\(text)")
            #expect(weaker(words(added.verdicts["everyone"]), than: wanted) == [], "added: \(text)")
            let renamed = try #require(try item(text, after: review("Fruit salad", .rename, text)), "\(text)")
            #expect(weaker(words(renamed.verdicts["everyone"]), than: wanted) == [], "renamed: \(text)")
            let described = try #require(try item("Fruit salad", after: review("Fruit salad", .describe, text)))
            let whole = typed("Fruit salad\n" + text, as: .dish)
            #expect(weaker(words(described.verdicts["everyone"]), than: whole) == [], "described: \(text)")
            // Nobody is warned of what the text does not say either.
            for item in [added, renamed] {
                #expect(weaker(wanted, than: words(item.verdicts["everyone"]).filter(\.value.isPrint)) == [], "\(text)")
            }
        }
    }

    // MARK: Names

    @Test func `a price tag warns of what its product's name says`() throws {
        var read = 0
        for sample in samples {
            let tag = try judge([sample.name, "1 kg = 4,98 €", "2,49 €"], sample.language, as: .priceTag).priceTag
            guard let product = tag?.product?.value else { continue }
            read += product == sample.name ? 1 : 0
            #expect(weaker(words(tag?.verdicts?["everyone"]), than: name(product)) == [], "\(product)")
        }
        #expect(read > samples.count * 8 / 10)
    }

    @Test func `a line of a receipt warns of what its name says`() throws {
        var read = 0
        for start in stride(from: 0, to: samples.count, by: 10) {
            let some = samples[start..<min(samples.count, start + 10)]
            let lines = (some.map { ($0.name, "2,49") } + [("TOTAL", "24,90")]).map { name, amount in
                name + String(repeating: " ", count: max(1, 60 - name.count)) + amount
            }
            let receipt = try judge(["ALDI", "12.03.2026 12:01", ""] + lines, "en", as: .receipt).receipt
            for item in receipt?.items ?? [] {
                read += some.contains { $0.name == item.name.value } ? 1 : 0
                let found = words(item.verdicts?["everyone"])
                #expect(weaker(found, than: name(item.name.value)) == [], "\(item.name.value)")
            }
        }
        #expect(read > samples.count * 8 / 10)
    }

    @Test func `a word on a list warns of what it says`() async throws {
        let (store, groceries) = try shop()
        let list = try groceries.makeList("Week", by: "Ada").id
        var items: [GroceryItem] = []
        for sample in samples {
            let entry = NewEntry(product: NewProduct(name: sample.name))
            guard case .added(let item) = try groceries.add(entry, to: list, by: "Ada", anyway: true) else { continue }
            items.append(item)
        }
        #expect(items.count > samples.count * 8 / 10)
        let judge = ProductVerdicts(store) { [interpreter] in interpreter }
        let verdicts = try await judge.verdicts(of: items, for: [everyone])
        for item in items {
            let found = words(verdicts[item.id]?["everyone"])
            #expect(weaker(found, than: name(item.name)) == [], "\(item.name)")
            #expect(!found.values.contains(.notFoundInText), "a name declares nothing: \(item.name)")
        }
    }

    // MARK: Lists

    private func flags(_ names: [String], for people: [AllergenProfile]) async throws -> [String] {
        let (store, groceries) = try shop()
        let list = try groceries.makeList("Week", by: "Ada").id
        let items = try names.compactMap { name -> GroceryItem? in
            let entry = NewEntry(product: NewProduct(name: name))
            guard case .added(let item) = try groceries.add(entry, to: list, by: "Ada") else { return nil }
            return item
        }
        let judge = ProductVerdicts(store) { [interpreter] in interpreter }
        let texts = try #require(try PageTexts.loadAll(from: Self.models).first { $0.language == "en" })
        let chips = ListChips(
            verdicts: try await judge.verdicts(of: items, for: people),
            shared: SharedVerdicts(
                household: people,
                language: PageLanguage(texts: texts, wording: try #require(try Wordings(from: Self.models)["en"]))))
        return items.map { chips.flag($0) ?? "" }
    }

    private func shop() throws -> (OutcomeStore, Groceries) {
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        let rules = try Self.models.load(GroceryRules.self, from: "groceries/rules.json")
        return (store, Groceries(store, rules: rules))
    }

    @Test func `a list warns of each of five words, and nobody of what nobody avoids`() async throws {
        let child = AllergenProfile(name: "Emma", allergens: [.milk: .severe, .gluten: .high])
        let words = ["Rolled Oats", "Whole Milk", "Butter", "Wheat Flour", "Rye Bread", "Bananas"]
        let wanted = ["gluten", "milk", "milk", "gluten", "gluten"].map { "\($0) · Emma" } + [""]
        #expect(try await flags(words, for: [child]) == wanted)
    }

    @Test func `nobody is warned of what they avoided before`() async throws {
        let (store, groceries) = try shop()
        let gtin = try #require(GTIN.samples(7))
        let path = try #require(FilePathBytes("/in/oats.jpg"))
        let identity = FileIdentity(device: 1, inode: 1, size: 4, modified: 1, changed: 1)
        try store.enqueue([FoundFile(path: path, relativePath: path, identity: identity)]) {
            $0.path.appending(suffix: ".json")
        }
        var product = Product(gtin: gtin.digits, name: "Morning bowl")
        let verdict = AllergenVerdict(verdict: .contains, risk: .high, probability: 0.9)
        product.verdicts = ["Emma": [.gluten: verdict, .milk: verdict]]
        let outcome = Outcome(
            id: "sha256:1", source: .init(path: path, bytes: 4), status: .completed, products: [product],
            versions: .init(tablesight: "1"))
        try store.finish(
            try #require(try store.nextQueued(after: Data(), leavingOut: [])),
            FinishedPhoto(
                content: "sha256:1", asked: "1 auto - -", answer: nil, status: .completed,
                json: try JSONCoding.encode(outcome)))
        try store.refreshSummaries(limit: 10)
        let list = try groceries.makeList("Week", by: "Ada").id
        let entry = NewEntry(product: NewProduct(gtin: gtin.digits, name: "Morning bowl"))
        guard case .added(let item) = try groceries.add(entry, to: list, by: "Ada") else { return }
        // Emma avoided gluten when the photo was judged.
        let emma = AllergenProfile(name: "Emma", allergens: [.milk: .severe])
        let judge = ProductVerdicts(store) { [interpreter] in interpreter }
        let found = try await judge.verdicts(of: [item], for: [emma])[item.id]?["Emma"]
        #expect(words(found) == [.milk: .contains])
    }

    @Test func `where people are known and nobody avoids anything, a list is judged for nobody`() async throws {
        let (store, groceries) = try shop()
        let actions = GroceryActions(
            groceries, catalogue: Catalogue(folder: folder.url.appending(path: "catalogue")),
            foods: try FoodWords(models: Self.models))
        #expect(try await actions.avoiding(among: [everyone]) == [everyone], "a household without people")
        try Household(store).add(NewMember("Ada", profile: AllergenProfile(name: "Ada", allergens: [:])))
        #expect(try await actions.avoiding(among: [everyone]).isEmpty)
        let emma = AllergenProfile(name: "Emma", allergens: [.milk: .severe])
        #expect(try await actions.avoiding(among: [emma]) == [emma])
    }

    @Test func `the tag of a product that no catalogue has warns for it`() throws {
        var readings = Readings(text: .printed(["PEANUT BUTTER", "1 kg = 9,98 €", "4,99 €"], language: "en"))
        let code = String(try #require(GTIN.samples(7)).digits.dropFirst())
        readings.barcodes = [
            BarcodeReading(
                format: "EAN-13", text: code, gtin: "0" + code, confidence: 0.99,
                corners: [Point(0, 140), Point(150, 140), Point(150, 190), Point(0, 190)])
        ]
        let outcome = interpreter.judge(
            ReadAnswer(
                image: .init(format: "jpeg", width: 800, height: 600, orientation: 1), readings: readings),
            of: try facts(), as: .priceTag, for: [everyone])
        #expect(outcome.priceTag?.verdicts?["everyone"]?[.peanuts]?.verdict == .contains)
        #expect(outcome.household?["everyone"]?.avoid == ["PEANUT BUTTER"])
    }
}

extension AllergenVerdict.Kind {
    fileprivate var isPrint: Bool { self == .contains || self == .mayContain }
}

extension GTIN {
    /// A number of 13 digits with its check digit.
    fileprivate static func samples(_ number: Int) -> GTIN? {
        (0...9).lazy.compactMap { GTIN("950000" + String(format: "%06d", number) + "\($0)") }.first
    }
}
