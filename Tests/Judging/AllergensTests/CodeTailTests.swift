import Testing
import Core

@testable import Allergens

/// Generated names with codes behind them: the same names however the codes are joined to them.
@Suite("Codes at the ends of names")
struct CodeTailTests {
    private static let names = [
        "Gulaschsuppe", "Wiener Schnitzel", "Forelle Müllerin", "Käsespätzle", "Linsen mit Saiten", "Backfisch",
    ]
    private static let codes = ["A,C,G", "A,G", "D,G,L", "A,F,1", "G,M", "A,C,G,O"]

    /// How codes are read behind a name.
    enum Form: String, CaseIterable, Sendable {
        case glued, dots, capitals, blank, blanks, listed, first

        func line(_ name: String, _ codes: String) -> String {
            switch self {
            case .glued: name + codes
            case .dots: name + codes.replacing(",", with: ".")
            case .capitals: name.uppercased() + codes
            case .blank: "\(name) \(codes)"
            case .blanks: "\(name) \(codes.replacing(",", with: " "))"
            case .listed: "\(name) \(codes.replacing(",", with: ", "))"
            case .first: name + codes.replacing(",", with: ", ")
            }
        }
    }

    private func words(_ text: String) -> [Word] {
        text.split(separator: " ").map {
            Word(text: String($0), confidence: 0.9, box: Quad(x: 0, y: 0, width: 10, height: 10))
        }
    }

    private func text(_ words: [Word]) -> String { words.map(\.text).joined(separator: " ") }

    @Test(arguments: Form.allCases)
    func `names lose their codes`(form: Form) throws {
        let lines = zip(Self.names, Self.codes).map { words(form.line($0, $1)) }
        #expect(CodeTail.isUsual(in: lines))
        for (line, (name, codes)) in zip(lines, zip(Self.names, Self.codes)) {
            let parts = try #require(CodeTail.split(line, isUsual: true))
            #expect(text(parts.words) == (form == .capitals ? name.uppercased() : name))
            #expect(parts.codes.map(\.code) == codes.split(separator: ",").map(String.init))
        }
    }

    @Test func `one capital is a code only on a page with codes`() {
        let line = words("Ofenkartoffel A")
        #expect(CodeTail.split(line) == nil)
        #expect(CodeTail.split(line, isUsual: true).map { text($0.words) } == "Ofenkartoffel")
    }

    @Test(arguments: [
        "Menü 1", "Menü 1, 2", "Bier 0,5", "Suppe 4,50", "Suppe4,50", "Coca-Cola", "BBQ", "Vitamin C", "7UP", "Pizza",
        "Sushi 12", "Filet 250", "Wein 2019", "Tagesmenü", "XXL", "PH", "Salat B12",
    ])
    func `names, sizes and prices are no codes`(name: String) {
        #expect(CodeTail.split(words(name)) == nil)
    }

    @Test func `a few names with a code make no page of codes`() {
        let lines = ["SuppeA,C", "Menü A, B", "Pizza A,G", "Salat", "Fisch", "Braten"].map(words)
        #expect(!CodeTail.isUsual(in: lines))
    }

    @Test func `codes that the page does not explain are named as unresolved, and names are clean`() throws {
        var page = PageBuilder()
        for (name, codes) in zip(Self.names, Self.codes) { page.line("\(name)\(codes) 9,50 €") }
        let menu = try #require(try Judge.menu(page.reading))
        #expect(menu.sections.flatMap(\.items).map(\.name) == Self.names)
        #expect(menu.coverage.unresolvedCodes.contains("A"))
        #expect(
            menu.sections.flatMap(\.items).allSatisfy { item in
                item.verdicts["everyone"]?.values.allSatisfy { $0.verdict != .notFoundInText } ?? false
            })
    }
}
