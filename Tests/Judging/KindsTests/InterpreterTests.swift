import Allergens
import Kinds
import Foundation
import TestSupport
import Testing
import Core

/// Outcomes from the readings of one photo, without a worker.
@Suite struct InterpreterTests {
    private let interpreter: Interpreter
    private let profile: AllergenProfile
    private let facts: PhotoFacts

    init() throws {
        interpreter = try Shipped.interpreter.get()
        profile = try .shipped(named: "everyone", in: ModelFolder(Repository.models))
        facts = PhotoFacts(path: try #require(FilePathBytes("photo.jpg")), id: "sha256:0", bytes: 3)
    }

    private func judge(
        _ readings: Readings, failure: ItemFailure? = nil, as domain: Outcome.Domain? = nil, reviews: [Review] = []
    ) -> Outcome {
        interpreter.judge(
            ReadAnswer(
                image: .init(format: "jpeg", width: 800, height: 600, orientation: 1), readings: readings,
                failure: failure),
            of: facts, as: domain, for: [profile], reviews: reviews)
    }

    private func text(_ lines: [String], confidence: Double = 0.95) -> TextReading {
        .printed(lines, language: "en", confidence: confidence)
    }

    private let label = ["Ingredients: wheat flour, sugar, butter,", "hazelnuts, salt.", "May contain peanuts."]

    @Test func `a photo without readings is unreadable, has a hint, and supports no absence claim`() {
        let outcome = judge(Readings(text: text([]), barcodes: []))
        #expect(outcome.status == .unreadable)
        #expect(outcome.reason?.code == "nothingRead")
        #expect(outcome.reason?.hint.isEmpty == false)
        #expect(outcome.confidence.level == .unknown)
        #expect(outcome.label == nil)
        #expect(outcome.menu == nil)
    }

    @Test func `print in a script that is not read is named, beside a label that was read and alone`() {
        var mixed = text(label)
        (mixed.unreadLines, mixed.unreadScripts) = (4, [.korean])
        let beside = judge(Readings(text: mixed))
        #expect(beside.status == .completed)
        #expect(beside.reason?.code == "unreadScript")
        #expect(beside.reason?.detail == "print in Korean: not read")
        #expect(beside.label?.verdicts["everyone"]?[.milk]?.verdict == .contains)
        #expect(beside.label?.verdicts["everyone"]?[.fish]?.reason == "unreadScript")

        var foreign = text([])
        (foreign.unreadLines, foreign.unreadScripts) = (4, [.cyrillic])
        let alone = judge(Readings(text: foreign), as: .label)
        #expect(alone.status == .unreadable)
        #expect(alone.reason?.code == "unreadScript")
        #expect(alone.label?.verdicts["everyone"]?.values.allSatisfy { $0.verdict == .cannotTell } != false)

        var garbled = text(["łU n zz", "<zz"], confidence: 0.05)
        (garbled.unreadLines, garbled.unreadScripts) = (2, [.japanese])
        let unsure = judge(Readings(text: garbled), as: .label)
        #expect(unsure.status == .unreadable)
        #expect(unsure.reason?.detail == "print in Japanese: not read")
    }

    @Test func `an undecoded barcode gives a reason and a hint`() {
        let readings = Readings(
            quality: PhotoQuality(advice: [.avoidGlare]), barcodes: [],
            unreadBarcodes: [
                UnreadBarcode(reason: .glare, corners: []),
                UnreadBarcode(reason: .tooSmall, corners: [], format: "QR-Code", modulePixels: 1.2, edgePixels: 3),
            ])
        let outcome = judge(readings, as: .barcode)
        #expect(outcome.status == .unreadable)
        #expect(outcome.reason?.detail.contains("bars, glare") == true)
        #expect(
            outcome.reason?.detail.contains("QR-Code, too small, about 1.2 pixels a module, 2 are needed") == true)
        #expect(outcome.reason?.hint.contains("avoid the reflection of the lamp") == true)
    }

    @Test func `a doubtful code confirmed by printed digits becomes a barcode with its product`() {
        let code = BarcodeReading(
            format: "EAN-13", text: "9520100001017", gtin: "09520100001017", confidence: 0,
            corners: [Point(0, 40), Point(150, 40), Point(150, 90), Point(0, 90)])
        let outcome = judge(Readings(text: text(["9 520100 001017"]), barcodes: [], doubtfulBarcodes: [code]))
        #expect(outcome.domains.contains(.barcode))
        #expect(outcome.readings.barcodes?.map(\.text) == ["9520100001017"])
        #expect(outcome.products?.map(\.name) == ["Hazelnut Cocoa Spread"])
        let without = judge(Readings(text: text(["nothing here"]), barcodes: [], doubtfulBarcodes: [code]))
        #expect(without.products == nil)
        #expect(without.readings.barcodes?.isEmpty == true)
    }

    @Test func `codes of dishes make no label of a menu`() {
        let outcome = judge(
            Readings(
                text: text([
                    "Bevande", "Aranciata (1, 3, 7) 7,99€", "Grappa (1) 1,80€", "Vino della casa (1) 2,25€",
                    "Spremuta (1 2) 24,25€", "Negroni 12,20€",
                ])))
        #expect(outcome.domains == [.menu])
        #expect(outcome.menu?.sections.flatMap(\.items).count == 5)
    }

    @Test func `a set menu without prices below a numbered heading is a menu`() {
        let lines = ["Menu 2", "Prego no pão", "Coxinha de frango", "Contrafilé", "Romeu e Julieta"]
        #expect(judge(Readings(text: text(lines))).domains == [.menu])
    }

    @Test(arguments: [
        ["Ingredients: wheat flour, sugar, butter,", "hazelnuts, salt.", "May contain peanuts."],
        ["Best before 12 March 2027"], ["HAFERFLOCKEN 500 g", "1 kg = 1,58 €", "0,79 €"],
        ["Starters", "Tomato soup 5.80", "Prawn cocktail 7.50", "Smoked salmon 8.20"],
        ["12.03.2027 08:15 L7"], ["The quick brown fox", "jumps over the lazy dog"],
    ])
    func `an outcome is no surer than the choice of its kind`(lines: [String]) throws {
        let outcome = judge(Readings(text: text(lines, confidence: 1)))
        let kind = try #require(outcome.pageKind)
        #expect(outcome.domains.map(\.rawValue) == [kind.value].filter { $0 != PageKindReading.none })
        #expect(outcome.confidence.score <= kind.confidence + 0.0001)
    }

    @Test func `text of no kind lowers no barcode`() {
        let readings = Readings(
            text: text(["The quick brown fox", "jumps over the lazy dog"]), barcodes: [code("9520100001086")])
        let outcome = judge(readings)
        #expect(outcome.domains == [.barcode])
        #expect(outcome.confidence.level == .high)
    }

    @Test func `more text than is judged gives a partial outcome that says so`() throws {
        let reading = text(["Ingredients: wheat flour, butter.", String(repeating: "sugar, ", count: 90_000)])
        let outcome = judge(Readings(text: reading), as: .label)
        #expect(outcome.status == .partial)
        #expect(outcome.reason?.code == "tooMuchText" && outcome.reason?.hint.isEmpty == false)
        #expect(outcome.label?.verdicts["everyone"]?[.milk]?.verdict == .contains)
        #expect(outcome.label?.verdicts["everyone"]?.values.allSatisfy { $0.verdict != .notFoundInText } == true)
        #expect(outcome.readings.text == reading, "the readings stay whole")
        let lines = judge(Readings(text: text([String](repeating: "sugar", count: 3000))))
        #expect(lines.reason?.code == "tooMuchText")
        let page = judge(Readings(text: text(label + [String](repeating: "sugar and salt", count: 400))))
        #expect(page.status == .completed && page.reason == nil, "twice the densest page")
    }

    @Test func `an unreadable label gives CANNOT_TELL for every allergen`() {
        let outcome = judge(Readings(text: text([])), as: .label)
        let verdicts = outcome.label?.verdicts["everyone"] ?? [:]
        #expect(verdicts.count == 14)
        #expect(verdicts.values.allSatisfy { $0.verdict == .cannotTell })
    }

    @Test func `a label and a barcode on one package are both reported`() {
        let code = BarcodeReading(
            format: "EAN-13", text: "9520000000004", gtin: "09520000000004", confidence: 0.99, corners: [])
        let outcome = judge(Readings(text: text(label), barcodes: [code]))
        #expect(Set(outcome.domains) == [.label, .barcode])
        #expect(outcome.label?.verdicts["everyone"]?[.milk]?.verdict == .contains)
        #expect(outcome.label?.verdicts["everyone"]?[.peanuts]?.verdict == .mayContain)
        #expect(outcome.products?.first?.gtin == "09520000000004")
    }

    /// The sample catalogue has a peanut bar with a crowdsourced record and a cocoa spread with its producer's
    /// record.
    private func named(_ number: String, _ name: String) -> Review {
        Review(content: "sha256:0", item: number, action: .product, value: name, reviewer: "Anna", made: 0)
    }

    @Test func `a label that a person gave a number is that product, with the warnings of the label`() throws {
        let outcome = judge(Readings(text: text(label)), reviews: [named("4006381333931", "Hazelnut biscuits")])
        let product = try #require(outcome.products?.first)
        #expect(product.gtin == "04006381333931" && product.name == "Hazelnut biscuits" && outcome.products?.count == 1)
        #expect(product.verdicts?["everyone"]?[.milk]?.verdict == .contains)
        #expect(product.verdicts?["everyone"]?[.peanuts]?.verdict == .mayContain)
        #expect(outcome.readings.barcodes == nil && judge(Readings(text: text(label))).products == nil)
    }

    @Test func `bars and records go before the number and the name that a person gave`() throws {
        let known = Readings(text: text(label), barcodes: [code("9520100001017")])
        let other = judge(known, reviews: [named("4006381333931", "Hazelnut biscuits")])
        #expect(other.products?.map(\.gtin) == ["09520100001017"])
        let same = judge(known, reviews: [named("9520100001017", "Hazelnut biscuits")])
        #expect(same.products?.map(\.name) == ["Hazelnut Cocoa Spread"])
    }

    private func code(_ number: String) -> BarcodeReading {
        BarcodeReading(format: "EAN-13", text: number, gtin: "0" + number, confidence: 0.99, corners: [])
    }

    @Test func `a barcode alone gives a verdict for every person and allergen of its record`() throws {
        let outcome = judge(Readings(barcodes: [code("9520100001086")]))
        let product = try #require(outcome.products?.first)
        let verdicts = try #require(product.verdicts?["everyone"])
        #expect(verdicts.count == 14)
        #expect(verdicts[.peanuts]?.verdict == .contains)
        #expect(verdicts[.nuts]?.verdict == .mayContain)
        #expect(verdicts[.milk]?.verdict == .cannotTell)
        #expect(verdicts[.milk]?.reason == "crowdRecord", "a crowdsourced record supports no absence claim")
        #expect(product.recorded == "2024-11-05" && product.trust == .crowd)
        let spread = try #require(judge(Readings(barcodes: [code("9520100001017")])).products?.first?.verdicts)
        #expect(spread["everyone"]?[.fish]?.verdict == .notFoundInText, "a producer's whole list")
        let unknown = try #require(judge(Readings(barcodes: [code("4006381333931")])).products?.first?.verdicts)
        #expect(unknown["everyone"]?.values.allSatisfy { $0.reason == "notInCatalogue" } == true)
    }

    /// An imported catalogue with other records of sample products.
    private struct Imported: ProductSource {
        let records: [Product]
        let version = "test@1"
        func products(_ gtin: GTIN) -> [Product] { records.filter { $0.gtin == gtin.digits } }
    }

    @Test func `the warnings of every record of a number survive`() throws {
        let models = ModelFolder(Repository.models)
        let spread = try #require(GTIN("9520100001017"))
        let bare = Product(
            gtin: spread.digits, name: "Spread", trust: .producer, ingredients: "Sugar, palm oil, cocoa.")
        let older = Product(
            gtin: spread.digits, name: "Spread", trust: .crowd, ingredients: "Sugar, kiwi, mustard.",
            findings: [
                AllergenFinding(
                    allergen: .sesame, polarity: .mayContain, strength: .declared, evidence: [], probability: 0.7)
            ])
        var person = profile
        person.words = ["kiwi"]
        let imported = try Interpreter(models: models, products: Imported(records: [bare, older]))
        let product = imported.product(spread, for: [person])
        let verdicts = try #require(product.verdicts?[person.name])
        #expect(product.name == "Spread" && product.ingredients == bare.ingredients, "the imported record is shown")
        for allergen in [Allergen.nuts, .milk, .soybeans, .mustard, .personal] {
            #expect(verdicts[allergen]?.verdict == .contains, "\(allergen)")
        }
        #expect(verdicts[.peanuts]?.verdict == .mayContain && verdicts[.sesame]?.verdict == .mayContain)
        let photo = imported.judge(
            ReadAnswer(readings: Readings(barcodes: [code("9520100001017")])), of: facts, as: nil, for: [person])
        #expect(photo.products?.first?.verdicts?[person.name]?[.milk]?.verdict == .contains)
    }

    @Test func `a label that disagrees with its record is a contradiction, and the more serious verdict counts`() throws
    {
        let outcome = judge(
            Readings(
                text: text(["Ingredients: wheat flour, sugar, butter, salt."]), barcodes: [code("9520100001086")]))
        #expect(outcome.label?.verdicts["everyone"]?[.peanuts]?.verdict == .notFoundInText)
        let product = try #require(outcome.products?.first)
        #expect(product.verdicts?["everyone"]?[.peanuts]?.verdict == .contains)
        #expect(product.verdicts?["everyone"]?[.milk]?.verdict == .contains, "the label names butter")
        let contradiction = product.contradictions?.first { $0.allergen == .peanuts }
        #expect(contradiction?.record == .contains && contradiction?.label == .notFoundInText)
    }

    @Test func `a product with contradicting printed digits supports no verdict`() throws {
        var bars = code("9520100001086")
        bars.corners = [Point(0, 40), Point(150, 40), Point(150, 90), Point(0, 90)]
        let outcome = judge(Readings(text: text(["9 520100 001017"]), barcodes: [bars]))
        let products = try #require(outcome.products)
        #expect(products.map(\.gtin) == ["09520100001086", "09520100001017"])
        let peanuts = try #require(products.first?.verdicts?["everyone"]?[.peanuts])
        #expect(peanuts.verdict == .cannotTell && peanuts.probability > 0.2 && peanuts.risk != .unknown)
        #expect(products.last?.verdicts?["everyone"]?[.fish]?.reason == "codesDisagree")
        #expect(outcome.confidence.level == .unknown || outcome.confidence.level == .low)
    }

    @Test func `a truncated photo is partial with a reason and lower confidence`() {
        let failure = ItemFailure(stage: .imaging, code: .truncated, detail: "cut", hint: "copy it again")
        let whole = judge(Readings(text: text(label)))
        let cut = judge(Readings(text: text(label)), failure: failure)
        #expect(cut.status == .partial)
        #expect(cut.reason?.code == "truncated")
        #expect(cut.confidence.score < whole.confidence.score)
        let verdicts = cut.label?.verdicts["everyone"] ?? [:]
        #expect(verdicts[.milk]?.verdict == .contains, "proven presence is kept")
        #expect(verdicts.values.allSatisfy { $0.verdict != .notFoundInText }, "the missing part may name any allergen")
        #expect(whole.label?.verdicts["everyone"]?.values.contains { $0.verdict == .notFoundInText } == true)
    }

    @Test func `a photo that was not decoded has failed`() {
        let failure = ItemFailure(stage: .imaging, code: .notAnImage, detail: "text", hint: "give a photo")
        let outcome = interpreter.judge(
            ReadAnswer(failure: failure), of: facts, as: nil, for: [profile])
        #expect(outcome.status == .failed)
        #expect(outcome.source.width == nil)
    }

    @Test func `an empty table is a board without pieces, not an error`() {
        let outcome = judge(Readings(pieces: PieceFrame(board: nil, set: "tangram@1", pieces: [])), as: .board)
        #expect(outcome.status == .unreadable)
        #expect(outcome.game == nil || outcome.game?.outcome.kind == .noAction)
    }

    @Test func `every finding is underlined at its words and named in a note`() throws {
        let drawing = judge(Readings(text: text(label))).overlay(in: nil)
        let lines = drawing.lines.filter { $0.meaning == .contains }
        #expect(lines.contains { (30...50).contains($0.from.y) }, "hazelnuts are on the second line")
        let note = try #require(drawing.notes.first)
        #expect(note.text.contains("milk") && note.text.contains("nuts"))
        #expect(note.number == nil && drawing.dots.isEmpty, "a label has no places to number")
    }

    @Test func `the same readings give the same outcome`() {
        let readings = Readings(text: text(label), barcodes: [])
        #expect(judge(readings) == judge(readings))
    }
}
