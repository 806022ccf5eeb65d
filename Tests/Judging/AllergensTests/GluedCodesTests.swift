import Testing
import TestSupport
import Core

@testable import Allergens

/// Generated names with raised codes in the line: the same names however the reading joins the codes to them.
@Suite("Raised codes joined to words of names")
struct GluedCodesTests {
    private static let names = [
        "Pizza Sucuk", "Pide Hackfleisch", "Kebap Teller", "Käsebrot", "Lahmacun", "Calamares Romana", "Pizza Hawaii",
        "Falafel Box",
    ]
    private static let rests = ["", "mit Knoblauchwurst", "mit Salat & Soße", "in scharfer Tomatensoße"]

    /// How the reading joins codes to the word before them.
    enum Form: String, CaseIterable, Sendable {
        case bare, commas, mixed, apart

        func joined(_ name: String, _ codes: [String]) -> String {
            switch self {
            case .bare: name + codes.joined()
            case .commas: name + codes.joined(separator: ",")
            case .mixed: name + codes.dropLast().joined() + "," + (codes.last ?? "")
            case .apart: "\(name) \(codes.joined(separator: ","))"
            }
        }
    }

    private static func codes(_ random: inout SeededGenerator) -> [String] {
        let digits = (4...9).shuffled(using: &random).prefix(3).sorted().map(String.init)
        return digits + ["a", "c", "g"].shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)).sorted()
    }

    private func words(_ text: String) -> [Word] {
        text.split(separator: " ").map {
            Word(text: String($0), confidence: 0.9, box: Quad(x: 0, y: 0, width: 10, height: 10))
        }
    }

    private func text(_ words: [Word]) -> String { words.map(\.text).joined(separator: " ") }

    @Test(arguments: Form.allCases, 0..<10)
    func `a name ends at its codes, and what follows is apart`(form: Form, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let lines = Self.names.map { name in
            (name, Self.codes(&random), Self.rests.randomElement(using: &random) ?? "")
        }
        if form != .apart {
            #expect(GluedCodes.areUsual(in: lines.map { words("\(form.joined($0, $1)) \($2)") }))
        }
        for (name, codes, rest) in lines {
            let parts = try #require(GluedCodes.split(words("\(form.joined(name, codes)) \(rest)")))
            #expect(text(parts.words) == name)
            #expect(parts.codes.map(\.code) == codes)
            #expect(text(parts.rest) == rest)
        }
    }

    @Test(arguments: ["AC,G,K34", "A,C,G,K3,4", " A.C,G,K34", " ACG,K3,4", "A,C,G"])
    func `capitals are codes too, with and without separators`(codes: String) throws {
        let lines = Self.names.map { ($0, words("\($0)\(codes) mit Knoblauch, Salz")) }
        for (name, line) in lines {
            let parts = try #require(GluedCodes.split(line))
            #expect(text(parts.words) == name)
            #expect(parts.codes.first?.code == "A" && parts.codes.map(\.code).contains("G"))
            #expect(text(parts.rest) == "mit Knoblauch, Salz")
        }
    }

    @Test(arguments: [
        "Menü 1", "Fanta0,5l", "Cola 0,33", "Suppe4,50", "Filet 250", "Wein 2019", "Pizza", "4 Käse", "Salat B12",
        "7UP",
        "Chicken Wings (6 Stück)", "McDonald", "Coca-Cola", "Fish & Chips", "BBQ Burger", "Rotwein0,2 l",
        "12. Pad Thai",
    ])
    func `names, sizes and prices hold no codes`(name: String) {
        #expect(!GluedCodes.areUsual(in: Array(repeating: words(name), count: 6)))
        let parts = GluedCodes.split(words(name))
        #expect(parts == nil || parts?.codes.count == 1)
    }

    @Test(arguments: [":", "-", "+", "&", "*", "'", "’", "€", "%", "=", "|", "\"", "!", "–", "°", "#", "@", "_"])
    func `any sign ends the codes of a word`(sign: String) {
        for word in ["Menü1", "Pizza2a", "Funghi1,3", "Cola234", "LachsAC,G"] {
            for rest in ["", "Schnitzel", "2", "a"] {
                let parts = GluedCodes.split(words("\(word)\(sign)\(rest) Salat"))
                #expect(parts == nil || parts?.words.map(\.text) == [word.prefix(while: \.isLetter).description])
            }
        }
    }

    @Test func `a word joined behind the codes begins the description`() throws {
        let parts = try #require(GluedCodes.split(words("Yufka Kebap2,8,9mit Weichkäse")))
        #expect(text(parts.words) == "Yufka Kebap")
        #expect(text(parts.rest) == "mit Weichkäse")
    }

    @Test func `a page whose legend is missing denies nothing`() throws {
        var page = PageBuilder()
        for (name, rest) in zip(Self.names, Self.rests + Self.rests) { page.line("\(name)234ag \(rest) 9,50 €") }
        let menu = try #require(try Judge.menu(page.reading))
        let items = menu.sections.flatMap(\.items)
        #expect(items.map(\.name) == Self.names)
        #expect(menu.coverage.unresolvedCodes.contains("a"))
        #expect(
            items.allSatisfy { item in
                item.verdicts["everyone"]?.values.allSatisfy { $0.verdict != .notFoundInText } ?? false
            })
    }
}
