import Foundation
import TestSupport
import Testing
import Core

@testable import Documents

/// The network's probabilities are made up and partly wrong. The repetition of the page must outweigh them.
@Suite("The pattern of a page")
struct PagePatternTests {
    private let reader: MenuReader

    init() throws { reader = try Shipped.menus.get() }

    private static let names = [
        "Gulaschsuppe", "Zwiebelrostbraten", "Forelle blau", "Käsespätzle", "Wiener Schnitzel", "Linsen mit Saiten",
        "Maultaschen", "Schweinebraten", "Ofenkartoffel", "Gemüsepfanne", "Hirschragout", "Apfelstrudel",
    ]
    private static let descriptions = [
        "mit Brot und Butter", "Röstzwiebeln, Spätzle und Salat", "Salzkartoffeln, Mandeln", "Zwiebeln, grüner Salat",
        "Pommes frites und Zitrone", "Spätzle und Würstchen", "in der Brühe, Kartoffelsalat", "Knödel, Rotkraut, Soße",
        "Kräuterquark und Lachs", "Reis, Paprika, Zucchini", "Preiselbeeren, Kroketten", "Vanillesoße, Sahne",
    ]

    /// How the items of a generated page are printed.
    struct Style: Sendable, CustomTestStringConvertible {
        var number = ""
        var hasDescriptions = true
        var hasPrices = true
        var columns = 1
        var indent = 0.0

        func number(of item: Int) -> String {
            number.isEmpty ? "" : number.replacing("#", with: "\(item + 1)") + " "
        }

        /// False if names and descriptions are printed alike, so that only the network tells them apart.
        var hasSign: Bool { !number.isEmpty || hasPrices || indent > 0 || !hasDescriptions }

        var testDescription: String { "\(number) \(hasDescriptions) \(hasPrices) \(columns) \(indent)" }

        static let all: [Style] = ["", "#.", "M#.", "A#", "10#"].flatMap { number in
            [(true, true), (true, false), (false, true)].flatMap { described, priced in
                [1, 2].flatMap { columns in
                    [0.0, 30].map { indent in
                        Style(
                            number: number, hasDescriptions: described, hasPrices: priced, columns: columns,
                            indent: indent)
                    }
                }
            }
        }.filter(\.hasSign)
    }

    /// A page of twelve items, and the true role of each text.
    private func page(_ style: Style) -> (page: MenuLines, roles: [String: MenuRole]) {
        var (page, roles) = (MenuLines(), [String: MenuRole]())
        let inColumn = Self.names.count / style.columns
        for (item, name) in Self.names.enumerated() {
            let x = Double(item / inColumn) * 900
            let y = Double(item % inColumn) * (style.hasDescriptions ? 80 : 44)
            let text = style.number(of: item) + name
            page.line(text, x: x, y: y)
            roles[text] = .dish
            if style.hasPrices { page.line("\(6 + item % 5),50 €", x: x + 500, y: y) }
            if style.hasDescriptions {
                page.line(Self.descriptions[item], x: x + style.indent, y: y + 28)
                roles[Self.descriptions[item]] = .description
            }
        }
        return (page, roles)
    }

    /// The decided roles if the network holds every third text for another role.
    private func decided(_ lines: [TextLine], _ roles: [String: MenuRole], wrong: Float) -> [String: MenuRole] {
        let layout = reader.layout(of: reader.print(of: lines))
        let features = RoleFeatures(layout, words: reader.words, letters: reader.model.letters)
        let probabilities = layout.texts.enumerated().map { number, text -> [Float] in
            let role = roles[text.segment.string] ?? .other
            let other: MenuRole = role == .dish ? .description : .dish
            let share = number % 3 == 1 ? wrong : 0.1
            return MenuRole.allCases.map { $0 == role ? 0.98 - share : $0 == other ? share : 0.02 / 7 }
        }
        let found = RoleDecoder(layout, features, reader.pattern).roles(probabilities, fixed: [:])
        return Dictionary(zip(layout.texts.map(\.segment.string), found), uniquingKeysWith: { $1 })
    }

    @Test(arguments: Style.all)
    func `a list that repeats itself keeps its names and descriptions`(style: Style) {
        let (page, roles) = page(style)
        let found = decided(page.lines, roles, wrong: 0.6)
        #expect(found.filter { $0.value != roles[$0.key] } == [:])
    }

    @Test(arguments: [0.5, 1, 3])
    func `a page of another size has the same roles`(scale: Double) {
        let (page, roles) = page(Style(number: "#.", indent: 30))
        let lines = page.lines.map { $0.scaled(by: scale) }
        #expect(decided(lines, roles, wrong: 0.6) == decided(page.lines, roles, wrong: 0.6))
    }

    /// The menu of a few lines that the shipped network reads well.
    @Test(arguments: [3, 4, 6, 9, 12])
    func `few lines do not make a pattern against the network`(count: Int) {
        let lines = [
            "STARTERS", "Tomato soup 5.80", "with cream and celery", "Prawn cocktail 7.50", "MAINS",
            "Beer battered cod 14.90",
            "chips, peas", "Grilled chicken 13.60", "Pad Thai with peanuts 12.00", "PUDDINGS", "Walnut brownie 6.20",
            "Fruit salad 5.10",
        ]
        let reading = TextReading.printed(Array(lines.prefix(count)), language: "en")
        let roles = reader.page(reader.layout(of: reader.print(of: reading.lines))).roles
        let names = lines.prefix(count).filter { $0.contains(".") }.count
        #expect(roles.filter { $0.role == .dish }.count == names)
        #expect(roles.filter { $0.role == .description }.count == (count > 6 ? 2 : 1))
    }

    @Test func `one text that breaks the pattern keeps the role that the network is sure of`() {
        var (page, roles) = page(Style(number: "#."))
        page.line("Wir bitten um Reservierung", x: 0, y: 1100)
        roles["Wir bitten um Reservierung"] = .note
        #expect(decided(page.lines, roles, wrong: 0.1)["Wir bitten um Reservierung"] == .note)
    }

    @Test func `fixed roles and days are not decided`() throws {
        let (page, _) = page(Style())
        var lines = page.lines
        var day = MenuLines()
        day.line("Montag, 12. Mai", x: 0, y: -60)
        lines += day.lines
        let layout = reader.layout(of: reader.print(of: lines))
        let features = RoleFeatures(layout, words: reader.words, letters: reader.model.letters)
        let even = layout.texts.map { _ in MenuRole.allCases.map { _ in Float(1) / 9 } }
        let roles = RoleDecoder(layout, features, reader.pattern).roles(even, fixed: [3: .legend])
        #expect(roles[3] == .legend)
        let index = try #require(layout.texts.firstIndex { $0.segment.string == "Montag, 12. Mai" })
        #expect(roles[index] == .section)
    }

    @Test func `a network that does not fit leaves only the fixed roles`() {
        let layout = reader.layout(of: reader.print(of: page(Style()).page.lines))
        let features = RoleFeatures(layout, words: reader.words, letters: reader.model.letters)
        let roles = RoleDecoder(layout, features, reader.pattern).roles([], fixed: [0: .section])
        #expect(roles.first == .section && roles.dropFirst().allSatisfy { $0 == .other })
    }

    @Test(arguments: ["features", "gaps", "roles"])
    func `a damaged table is rejected with its key`(key: String) throws {
        let shipped = Repository.models.appending(path: "menus/pattern.json")
        var file = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: shipped)) as? [String: Any])
        if key == "features" { file[key] = [] } else { file[key] = ["weight": 1, "strength": 1, "shares": [[1, 0]]] }
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "pattern.json")
        try JSONSerialization.data(withJSONObject: file).write(to: path)
        #expect {
            _ = try PatternModel.File(contentsOf: path)
        } throws: { error in
            (error as? StartupError)?.message.contains(key) == true
        }
    }
}

extension TextLine {
    fileprivate func scaled(by factor: Double) -> TextLine {
        func scaled(_ box: Quad) -> Quad {
            Quad(
                x: box.topLeft.x * factor, y: box.topLeft.y * factor,
                width: (box.topRight.x - box.topLeft.x) * factor, height: (box.bottomLeft.y - box.topLeft.y) * factor)
        }
        var line = self
        line.box = scaled(box)
        line.words = words.map { word in
            var word = word
            word.box = scaled(word.box)
            return word
        }
        return line
    }
}
