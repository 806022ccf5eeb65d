import Foundation
import Layout
import Menus
import Core

struct StageCommands {
    let words: MenuWords
    let amounts: AmountWords
    let model: RoleModel?
    let options: StageOptions

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
                links: features.links.map { $0.map { $0 ?? -1 } })
        }
    }

    func letters() {
        while let line = readLine() {
            let buckets = LetterBuckets.buckets(of: line)
            print(buckets.map { "\($0.key):\(Int($0.value))" }.joined(separator: " "))
        }
    }

    func read() throws {
        guard let model else { throw StartupError(.usage, "read needs --model FILE") }
        let confidence = options["--confidence"].flatMap { path in
            try? PageConfidence(contentsOf: URL(filePath: path))
        }
        let reader = MenuReader(words: words, amounts: amounts, model: model, confidence: confidence)
        try eachPage { page in
            let menu = reader.page(layout(page))
            return answer(page, menu, reader)
        }
    }

    func time() throws {
        guard let model else { throw StartupError(.usage, "time needs --model FILE") }
        let reader = MenuReader(words: words, amounts: amounts, model: model, confidence: nil)
        var pages: [[TextLine]] = []
        try eachPage { page -> Rows? in
            pages.append(page.allLines)
            return nil
        }
        let times = options["--times"].flatMap(Int.init) ?? 20
        let clock = ContinuousClock()
        for lines in pages where !lines.isEmpty {
            let spent = clock.measure {
                for _ in 0..<times {
                    _ = reader.page(reader.layout(of: lines))
                }
            }
            let layout = clock.measure { for _ in 0..<times { _ = reader.layout(of: lines) } }
            let unit = Double(times) * 1e15
            print(
                "\(lines.count) lines: \(Double(spent.components.attoseconds) / unit + Double(spent.components.seconds) * 1000 / Double(times)) ms,",
                "layout \(Double(layout.components.attoseconds) / unit)")
        }
    }

    private func answer(_ page: Page, _ menu: MenuPage, _ reader: MenuReader) -> Read {
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
        if options.has("--roles") {
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
        PageLayout(page.allLines, amounts: amounts, isSize: { words.isSize($0) }, options: options.layout)
    }

    private func eachPage<Answer: Encodable>(_ body: (Page) throws -> Answer?) throws {
        let decoder = JSONDecoder()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        while let line = readLine() {
            guard !line.isEmpty else { continue }
            let page = try decoder.decode(Page.self, from: Data(line.utf8))
            guard let answer = try body(page) else { continue }
            FileHandle.standardOutput.write(try encoder.encode(answer) + Data("\n".utf8))
        }
    }

    private static func bytes(_ values: [Float]) -> Data {
        var data = Data()
        for value in values { withUnsafeBytes(of: value.bitPattern.littleEndian) { data.append(contentsOf: $0) } }
        return data
    }
}
