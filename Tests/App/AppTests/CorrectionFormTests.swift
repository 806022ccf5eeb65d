import Core
import Foundation
import HTTP
import TestSupport
import Testing

@testable import App

@Suite struct CorrectionFormTests {
    @Test func `a form says only what was changed in it`() throws {
        let form = FormBody(
            encoded: "do=save&item=Soup&place=1,2,30,4&name=Fish+soup&was.name=Soup&price=5.80&was.price=5.80"
                + "&a.milk=CONTAINS&a.fish=ABSENT&was.a.fish=ABSENT&section=&was.section=Starters")
        let said = try CorrectionForm.reviews(form, of: "sha256:1")
        #expect(said.map(\.action) == [.edit, .rename, .section])
        #expect(said[0].allergen == .milk && said[1].value == "Fish soup" && said[2].value == "")
        #expect(said.allSatisfy { $0.place == Quad(x: 1, y: 2, width: 30, height: 4) })
        #expect(throws: Problem.self) { try CorrectionForm.reviews(FormBody(encoded: "do=save&item=Soup"), of: "a") }
        let line = FormBody(encoded: "do=dish&item=Cod&place=1,2,30,4&name=Fruit+salad+5.10&description=x")
        #expect(try CorrectionForm.reviews(line, of: "a").map(\.value) == ["5.10"])
        #expect(try CorrectionForm.reviews(line, of: "a").map(\.item) == ["Fruit salad"])
    }

    @Test(
        arguments: [
            ("Fruit salad ... 5.10", "Fruit salad", "5.10"), ("Soup € 4,50", "Soup", "4,50"),
            ("Soup €4.50 EUR", "Soup", "4.50"), ("Soup 1234567.50", "Soup 1234567.50", ""),
            ("Soup.4.50", "Soup", "4.50"), ("Menu 2", "Menu 2", ""), ("4.50", "4.50", ""),
            (" ... 4.50", "... 4.50", ""),
        ])
    func `a price may stand behind the name of a dish`(text: String, name: String, price: String) throws {
        let escaped = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let said = try CorrectionForm.reviews(FormBody(encoded: "do=dish&name=\(escaped)"), of: "a")
        #expect(said.map(\.item) == [name] && said.map(\.value) == [price])
    }

    @Test func `the work on a form is linear in its length, whatever its characters are`() {
        for unit in [".", " .", "1", "1.", "…", "\u{301}", "\u{301}\u{323}", "\u{200D}", "€ ", "a.00 "] {
            let staysLinear = isLinear(from: 3000) { size in
                let text = String(repeating: unit, count: size).addingPercentEncoding(
                    withAllowedCharacters: .alphanumerics)
                for field in [
                    "do=dish&name=\(text ?? "")x", "do=save&\(text ?? "")=1&a.\(text ?? "")=2&name=\(text ?? "")",
                ] {
                    let form = FormBody(encoded: field)
                    _ = try? CorrectionForm.reviews(form, of: "a")
                    for name in ["price", "n"] { _ = try? form.decimal(name) }
                }
            }
            #expect(staysLinear, "\(unit)")
        }
    }
}
