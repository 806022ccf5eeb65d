import ArgumentParser
import Core
import Foundation
import Documents

struct MenuStage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "menu", abstract: "Layout and reading of menus.",
        discussion: "A page is {\"id\", \"lines\": […]} or an outcome of tablesight scan.",
        subcommands: [Rows.self, Letters.self, Read.self, Time.self])

    struct Rows: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the features of each text.")

        @OptionGroup var models: ModelOption
        @Option(help: "The model of roles.") var model: String?

        func run() throws { try MenuSteps(models, model: model).rows() }
    }

    struct Letters: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the buckets of the letters' model; standard input has one text per line.")

        @OptionGroup var models: ModelOption

        func run() {
            while let line = readLine() {
                let buckets = LetterBuckets.buckets(of: line)
                print(buckets.map { "\($0.key):\(Int($0.value))" }.joined(separator: " "))
            }
        }
    }

    struct Read: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the menu and the scores of each page.")

        @OptionGroup var models: ModelOption
        @Option(help: "The model of roles.") var model: String
        @Option(help: "The model of the confidence in a page.") var confidence: String?
        @Flag(help: "Add the role of each text.") var roles = false

        func run() throws {
            try MenuSteps(models, model: model).read(confidence: confidence, withRoles: roles)
        }
    }

    struct Time: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints milliseconds for each page, without JSON coding.")

        @OptionGroup var models: ModelOption
        @Option(help: "The model of roles.") var model: String
        @OptionGroup var passes: TimesOption

        func run() throws { try MenuSteps(models, model: model).time(passes.times) }
    }
}

/// What the commands of ``MenuStage`` do.
struct MenuSteps {
    private let words: MenuWords
    private let amounts: AmountWords
    private let model: RoleModel?
    private let pattern: PatternModel

    init(_ models: ModelOption, model: String?) throws {
        let folder = try models.folder()
        words = try MenuWords(from: folder)
        amounts = try AmountWords(from: folder)
        pattern = try PatternModel(from: folder)
        self.model = try model.map { try RoleModel(contentsOf: URL(filePath: $0)) }
    }

    /// A page of a file: generated, or from an outcome.
    private struct Page: Decodable {
        struct Source: Decodable { var path: String }
        struct Text: Decodable { var lines: [TextLine] }
        struct Readings: Decodable { var text: Text? }

        var id: String?
        var source: Source?
        var lines: [TextLine]?
        var readings: Readings?

        var name: String { source?.path ?? id ?? "" }
        var allLines: [TextLine] { lines ?? readings?.text?.lines ?? [] }
    }

    private struct Rows: Encodable {
        struct Text: Encodable {
            var text: String
            /// Line index and word index of each word of the page.
            var words: [[Int]]
            var up: Int?
            var confidence: Double
        }
        var id: String
        var texts: [Text]
        /// Float32 features, row by row.
        var rows: Data
        /// Float32, `RoleFeatures.places`, and the links of each text, -1 for none.
        var places: Data
        var links: [[Int]]
        /// What the page's pattern sees of each text.
        var pattern: PatternTexts
    }

    private struct Read: Encodable {
        struct Source: Encodable { var path: String }
        struct Item: Encodable {
            var name: String
            var description: String?
            var prices: [Menu.Price]
            var box: Quad?
        }
        struct Section: Encodable {
            var title: String?
            var items: [Item]
        }
        struct MenuPart: Encodable { var sections: [Section] }
        struct Readings: Encodable {
            struct Text: Encodable { var lines: [TextLine] }
            var text: Text
        }
        struct Text: Encodable {
            var text: String
            var role: String
            var prices: Int
        }
        var source: Source
        var menu: MenuPart
        var readings: Readings
        var signs: [String: Double]
        var confidence: Confidence
        var texts: [Text]?
    }

    func rows() throws {
        try eachPage { page in
            let layout = layout(page)
            let features = RoleFeatures(layout, words: words, letters: model?.letters)
            return Rows(
                id: page.name,
                texts: layout.texts.map { text in
                    Rows.Text(
                        text: text.segment.string, words: text.segment.words.map { [$0.line, $0.number] }, up: text.up,
                        confidence: text.segment.confidence)
                }, rows: Self.bytes(features.flatRows), places: Self.bytes(features.places),
                links: features.links.map { $0.map { $0 ?? -1 } }, pattern: PatternTexts(layout, features))
        }
    }

    func read(confidence: String?, withRoles: Bool) throws {
        let confidence = try confidence.map { try PageConfidence(contentsOf: URL(filePath: $0)) }
        let reader = try reader(confidence)
        try eachPage { page in answer(page, reader.page(layout(page)), reader, withRoles: withRoles) }
    }

    func time(_ times: Int) throws {
        let (reader, clock) = (try reader(nil), ContinuousClock())
        for lines in try Lines.all(of: Page.self).map(\.allLines) where !lines.isEmpty {
            let spent = clock.measure {
                for _ in 0..<times { _ = reader.page(reader.layout(of: reader.print(of: lines))) }
            }
            let layout = clock.measure { for _ in 0..<times { _ = reader.layout(of: reader.print(of: lines)) } }
            let (all, part) = (spent.milliseconds / Double(times), layout.milliseconds / Double(times))
            print("\(lines.count) lines: \(all) ms, layout \(part)")
        }
    }

    private func reader(_ confidence: PageConfidence?) throws -> MenuReader {
        guard let model else { throw StartupError(.usage, "read needs --model FILE") }
        return MenuReader(words: words, amounts: amounts, model: model, pattern: pattern, confidence: confidence)
    }

    private func answer(_ page: Page, _ menu: MenuPage, _ reader: MenuReader, withRoles: Bool) -> Read {
        let text = { (lines: [[Word]]) in
            lines.joined().map(\.text).joined(separator: " ")
        }
        let sections = menu.sections.map { section in
            Read.Section(
                title: section.title.isEmpty ? nil : text(section.title),
                items: section.dishes.map { dish in
                    Read.Item(
                        name: Self.withoutCodes(text(dish.name)),
                        description: dish.description.isEmpty ? nil : text(dish.description),
                        prices: dish.prices, box: Quad(around: dish.boxes))
                })
        }
        var result = Read(
            source: .init(path: page.name), menu: .init(sections: sections),
            readings: .init(text: .init(lines: page.allLines)),
            signs: Dictionary(uniqueKeysWithValues: zip(PageFeatures.names, menu.features.values)),
            confidence: Confidence(reader.confidence(in: menu)))
        if withRoles {
            result.texts = menu.roles.map { Read.Text(text: $0.text, role: String($0.role.letter), prices: $0.prices) }
        }
        return result
    }

    /// The name without trailing allergen codes, as the allergen stage strips them.
    private static func withoutCodes(_ name: String) -> String {
        let pattern = /\s*\(?(?:\d{1,2}|[A-Z]{1,2})(?:\s?,\s?(?:\d{1,2}|[A-Z]{1,2})){1,6}\)?$/
        let rest = name.replacing(pattern, with: "").trimmingCharacters(in: CharacterSet(charactersIn: " -–—•*·"))
        return rest.isEmpty ? name : rest
    }

    private func layout(_ page: Page) -> PageLayout {
        PageLayout(PrintedPage(page.allLines, amounts: amounts), isSize: { words.isSize($0) })
    }

    private func eachPage(_ body: (Page) throws -> some Encodable) throws {
        try Lines.forEach { try Lines.write(body(JSONCoding.decode(Page.self, from: $0))) }
    }

    private static func bytes(_ values: [Float]) -> Data {
        var data = Data()
        for value in values { withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) } }
        return data
    }
}
