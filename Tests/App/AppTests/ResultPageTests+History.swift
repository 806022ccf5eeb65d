import Core
import Foundation
import HTTP
import Kinds
import TestSupport
import Testing

@testable import App

/// Rows and titles of the history.
extension ResultPageTests {
    static let read = Date(timeIntervalSince1970: 1_767_323_045)  // 2026-01-02 03:04:05 UTC

    private func row(_ item: HistoryItem, _ code: String = "en") throws -> String {
        var values = PageValues.all(of: HistoryRow(item, try PageRendering.texts(code)))
        values["t"] = try PageRendering.texts(code).forTemplates
        return try #require(try Templates(from: PageRendering.models).render(values, as: "rowitem"))
    }

    @Test func `a row of the history names each kind, and each thing to notice`() throws {
        let item = HistoryItem(
            id: "sha256:1", path: "a.jpg", read: Self.read, title: nil, status: .partial, reason: nil,
            domains: [.receipt, .label], level: .high, dishes: 0, worst: ["CONTAINS": 1], people: [:],
            contradiction: true)
        let html = try row(item)
        for text in ["Receipt", "Product", "partly read", "Label and record differ", "2026-01-02, "] {
            #expect(html.contains(text), "\(text)")
        }
    }

    @Test func `a title says what a photo was: shop and total, product and price, or the first dishes`() throws {
        var outcome = try photo([.receipt])
        outcome.receipt = Receipt()
        outcome.receipt?.merchant = .init(value: "Lidl", confidence: 0.9)
        outcome.receipt?.total = .init(value: "18.42", confidence: 0.9)
        outcome.receipt?.currency = .init(value: "EUR", confidence: 0.9)
        #expect(outcome.title == "Lidl, 18.42 EUR")
        outcome = try photo([.priceTag])
        outcome.priceTag = PriceTag()
        #expect(outcome.title == nil)
        outcome.priceTag?.price = .init(value: "2.49", confidence: 0.9)
        #expect(outcome.title == "2.49")
        outcome = try menu([("Soup", [:]), ("Cod", [:]), ("Pie", [:])])
        outcome.readings.text = TextReading(languages: ["en"], lines: [])
        #expect(outcome.title == "Soup, Cod + 1")
    }

    @Test(arguments: [
        "Los precios incluyen IVA.", "Alle Preise inkl. MwSt. und Bedienung", "Please tell us of allergies",
        "Service 10 %",
    ])
    func `a menu is titled by what is printed large, its first section or its dishes, never by a note`(note: String)
        throws
    {
        func line(_ text: String, y: Double, _ height: Double) -> TextLine {
            TextLine(text: text, confidence: 0.9, box: Quad(x: 10, y: y, width: 200, height: height), words: [])
        }
        var outcome = try menu([("Soup", [:]), ("Cod", [:]), ("Pie", [:])])
        for index in 0..<3 {
            outcome.menu?.sections[0].items[index].box = Quad(
                x: 10, y: 100 + Double(index) * 30, width: 200, height: 20)
        }
        let dishes = (0..<3).map { line("Dish \($0) 5.00", y: 100 + Double($0) * 30, 20) }
        outcome.readings.text = TextReading(languages: ["es"], lines: [line(note, y: 60, 20)] + dishes)
        #expect(outcome.title == "Soup, Cod + 1")
        outcome.menu?.sections[0].title = "Entrantes"
        #expect(outcome.title == "Entrantes")
        outcome.readings.text?.lines.insert(line("Casa Lola", y: 10, 40), at: 0)
        #expect(outcome.title == "Casa Lola")
    }

    @Test(arguments: [
        "Energy", "Energie", "Avg. Per Avg. Per", "*Approximate Values", "Energi Total", "INFORMASI NILAI GIZI",
        "Calories 150 Calories from Fat 60", "2. Calories", "Giá tri dinh dung trung bình có trong",
        "Cac chat dinh duong trung binh", "Average Quantity Per Serving",
    ])
    func `a packet is not named by a row or a head of its table`(line: String) throws {
        var outcome = try photo([.label])
        outcome.label = Label(
            ingredients: [], findings: [], verdicts: [:], coverage: Coverage(ocrQuality: 1, sourceKind: "label"))
        func text(_ text: String, y: Double) -> TextLine {
            TextLine(text: text, confidence: 0.95, box: Quad(x: 10, y: y, width: 200, height: 20), words: [])
        }
        outcome.readings.text = TextReading(languages: ["en"], lines: [text(line, y: 10)])
        #expect(outcome.title == nil)
        outcome.readings.text?.lines.append(text("Protein Bar", y: 40))
        #expect(outcome.title == "Protein Bar", "a name may have such a word")
        // Beside the values of the table it is a row, in any language.
        func value(_ y: Double) -> ReadValue {
            ReadValue(value: "3", confidence: 0.9, box: Quad(x: 300, y: y, width: 30, height: 20))
        }
        var basis = Nutrition.Basis(per: "100g")
        (basis.fat, basis.protein) = (value(30), value(90))
        outcome.label?.nutrition = Nutrition(basis: [basis])
        #expect(outcome.title == nil)
        outcome.label?.name = "Granola"
        #expect(outcome.title == "Granola", "what a person typed is the name")
    }

    // MARK: Turned photos, numbers

    private func textFile() throws -> Outcome {
        let path = try #require(FilePathBytes("/srv/inbox/notes.txt"))
        return Outcome(
            id: "sha256:1", source: .init(path: path, bytes: 1), status: .failed,
            reason: .init(
                code: "notAnImage", detail: "this is a text file, not a photo", hint: "send a photo as JPEG or PNG"),
            versions: .init(tablesight: "1"))
    }

    @Test(arguments: ["en", "de"])
    func `a file that is no photo is named, and called a file`(_ code: String) throws {
        let item = HistoryItem(
            id: "sha256:1", path: "/srv/inbox/notes.txt", read: Self.read, title: nil, status: .failed,
            reason: "notAnImage", domains: [], level: .unknown, dishes: 0, worst: [:], people: [:],
            contradiction: false)
        let row = try row(item, code)
        #expect(row.contains("notes.txt"))
        #expect(row.contains(code == "en" ? "<span>not a photo</span>" : "<span>kein Foto</span>"))
        #expect(row.contains("<span class=\"tag\">\(code == "en" ? "File" : "Datei")</span>"))
        let html = try page(try textFile(), code)
        #expect(html.contains("<h1>notes.txt</h1>"))
        #expect(
            html.contains(
                code == "en"
                    ? "<p>This is a text file, not a photo. Send a photo as JPEG or PNG.</p>"
                    : "<p>Das ist kein Bild.</p>"))
    }

    @Test(arguments: ItemFailure.Code.allCases)
    func `only a file that was not opened is said not to be opened`(_ code: ItemFailure.Code) throws {
        var outcome = try textFile()
        outcome.reason = .init(
            code: code.rawValue, detail: "two workers crashed", hint: "save it; `tablesight quarantine retry`")
        let item = HistoryItem(
            id: "sha256:1", path: "/srv/inbox/notes.txt", read: Self.read, title: nil, status: .failed,
            reason: code.rawValue, domains: [], level: .unknown, dishes: 0, worst: [:], people: [:],
            contradiction: false)
        let isUnread = code.rawValue.hasPrefix("worker")
        let (shown, listed) = (try page(outcome), try row(item))
        #expect(shown.contains("This file could not be opened") != isUnread)
        #expect(shown.contains("action=\"/photos/sha256:1/again\"") == isUnread)
        #expect(shown.contains("Try again") == isUnread && shown.contains("quarantine retry") != isUnread)
        #expect(listed.contains("<span>not read</span>") == isUnread)
        #expect((listed + shown).contains("notes.txt") != isUnread, "a photo that was sent has a number for a name")
    }
}
