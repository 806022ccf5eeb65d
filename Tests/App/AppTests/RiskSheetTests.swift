import Core
import Foundation
import Kinds
import Foods
import TestSupport
import Testing

@testable import App

@Suite struct RiskSheetTests {
    private static let risk = Result { try RiskInterpreter(models: PageRendering.models) }

    /// - Parameter sheet: the number of an ingredient's page; nil for that of the label.
    private func page(_ text: String, _ code: String, nutrition: Nutrition? = nil, sheet: Int? = nil) throws -> String {
        let risk = try Self.risk.get()
        let language = try PageRendering.language(code)
        var label = Label(
            ingredients: [.init(text: text)], findings: [], verdicts: [:],
            coverage: Coverage(ocrQuality: 1, sourceKind: "label"),
            assessment: risk.assessment(
                ofText: text, .init(language: "en", jurisdiction: "EU", hasTable: nutrition != nil)))
        label.nutrition = nutrition
        let outcome = Outcome(
            id: "sha256:1", source: .init(path: try #require(FilePathBytes("a.jpg")), bytes: 1), status: .completed,
            domains: [.label], label: label, versions: .init(tablesight: "1"))
        if let sheet, let assessment = outcome.label?.assessment {
            let page = IngredientPage(sheet, in: assessment, of: "sha256:1", release: risk.release, language.texts)
            return try PageRendering.html(try #require(page), code)
        }
        let shown = ShownOutcome(
            outcome: outcome, id: "sha256:1", people: [], language: language, release: risk.release)
        return try PageRendering.html(ResultPage(shown, hasQuestions: false), code)
    }

    private let text = "sugar, preservative (sodium nitrite), E412, natural flavouring, quinoa"

    @Test func `every number on the sheet opens a reference, and every reference has a number`() throws {
        for (code, sheet) in [("en", nil), ("de", nil), ("en", 1), ("de", 2)] {
            let html = try page(text, code, sheet: sheet)
            let cited = Set(html.matches(of: /href="#ref(\d+)"/).map { String($0.1) })
            let listed = Set(html.matches(of: /<li id="ref(\d+)"/).map { String($0.1) })
            #expect(!cited.isEmpty && cited == listed)
            #expect(html.matches(of: /<li id="ref\d+">.*?href="https:\/\//).count == listed.count)
        }
    }

    @Test func `the sheet has overview, health, uses as chips, law, and what the label cannot tell`() throws {
        let html = try page(text, "en")
        for part in [
            "What stands out", "Ingredient sheet", "no evidence on file", "quinoa", "What the label cannot tell",
            "The substances of a flavouring are not on the label.", "Group 4, because of", "Not computed",
        ] { #expect(html.contains(part), "\(part)") }
        #expect(html.contains("href=\"/photos/sha256:1/ingredients/1\""))
        let nitrite = try page(text, "en", sheet: 1)
        for part in [
            "Listed as E 250", "Common uses</h2><p class=\"chips\"><span class=\"tag\">Preservative", "Health</h2>",
            "Law and labels</h2>",
        ] { #expect(nitrite.contains(part), "\(part)") }
        #expect(nitrite.contains("level level--high"))
    }

    @Test func `a food says what it is and is used for; without evidence, since when`() throws {
        let list = "sugar, vinegar, quinoa"
        let sugar = try page(list, "en", sheet: 1)
        for part in ["In law sugar is sucrose", "<span class=\"tag\">Sweetening</span>", "90 g of all sugars a day"] {
            #expect(sugar.contains(part), "\(part)")
        }
        #expect(!sugar.contains("No evidence on file") && !sugar.contains("No description"))
        let vinegar = try page(list, "en", sheet: 2)
        #expect(vinegar.contains("more than 4 g acetic acid in 100 ml"))
        #expect(vinegar.contains("No evidence on file in the release of 20"))
        #expect(vinegar.contains("href=\"#ref") && !vinegar.contains("level level--"))
        let quinoa = try page(list, "de", sheet: 3)
        for part in ["Keine Beschreibung hinterlegt in der Ausgabe vom 20", "Keine Belege hinterlegt in der Ausgabe"] {
            #expect(quinoa.contains(part), "\(part)")
        }
        #expect(try page(list, "en").contains("href=\"/photos/sha256:1/ingredients/3\""))
    }

    @Test func `each statement is shown once, with all ingredients that it concerns`() throws {
        let html = try page("wheat flour, oat flakes, wheat bran, rye, barley", "en")
        let lines = html.matches(of: /<li><b>([^<]*)<\/b>: ([^<]*)/).map { (names: "\($0.1)", text: "\($0.2)") }
        #expect(!lines.isEmpty && Set(lines.map(\.text)).count == lines.count)
        #expect(lines.contains { $0.names.contains("wheat flour, oat flakes") }, "\(lines)")
    }

    @Test func `a table that is shown is not said to be unread`() throws {
        #expect(try page(text, "en").contains("the nutrition table was not read"))
        var basis = Nutrition.Basis(per: "serving")
        basis.energyKcal = ReadValue(value: "150", confidence: 0.9)
        let table = Nutrition(basis: [basis])
        let html = try page(text, "en", nutrition: table)
        #expect(html.contains("150") && !html.contains("the nutrition table was not read"))
        #expect(html.contains("gives no amounts per 100 g"))
        #expect(try page(text, "de", nutrition: table).contains("keine Mengen je 100 g"))
    }

    @Test func `a German reader gets German sentences of the same records`() throws {
        let html = try page(text, "de") + page(text, "de", sheet: 1)
        #expect(html.contains("Zutatenblatt") && html.contains("0,07 mg Nitrit-Ion je kg Körpergewicht"))
        #expect(html.contains("keine Belege hinterlegt") && html.contains("Konservierungsstoff"))
    }

    @Test func `words of the label are escaped, and the page stays below 60 kB`() throws {
        let html = try page("<script>alert(1)</script> & sugar, \"salt\"", "en")
        #expect(!html.contains("<script>alert"))
        let long =
            "sugar, salt, butter, sodium nitrite, E407, E621, E102, E110, E412, E330, E202, E951, E150d, E471, palm oil"
        let styles = ["app.css", "risk.css"].map {
            (try? Data(contentsOf: Repository.models.appending(path: "web/static/\($0)")).count) ?? 0
        }
        #expect(try page(long, "en").utf8.count + styles.reduce(0, +) < 60_000)
    }
}
