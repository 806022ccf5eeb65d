import Core
import Documents
import Foundation

/// The document stage as a program, for training and measurement: outcomes in, documents out, one JSON object per line.
@main
enum DocumentStage {
    static let usage = """
        document-stage read [--trace]      outcomes of `tablesight scan` on stdin → receipt, tag, nutrition and dates of each
        document-stage rows                outcomes on stdin → the printed rows of each, to find why a value is missing
        document-stage time [--times N]    outcomes on stdin → milliseconds per page, without JSON coding

        Options: --models DIR (default: the checkout's). --trace adds the features that the weights are fitted to.
        """

    private struct Page: Decodable {
        struct Source: Decodable { var path: String }
        var source: Source
        var readings: Readings
    }

    private struct Answer: Encodable {
        struct Source: Encodable { var path: String }
        struct Label: Encodable {
            var nutrition: Nutrition?
            var dates: [PrintedDate]
        }
        var source: Source
        var receipt: Receipt
        var priceTag: PriceTag
        var label: Label
        var trace: [FeatureTrace.Entry]?
    }

    static func main() {
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            FileHandle.standardError.write(Data("document-stage: \(error)\n".utf8))
            exit(65)
        }
    }

    private static func run(_ arguments: [String]) throws {
        func option(_ name: String) -> String? {
            arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
        guard let command = arguments.first, ["read", "rows", "time"].contains(command) else {
            print(usage)
            exit(arguments.first == "--help" ? 0 : 64)
        }
        let folder =
            try option("--models").map { ModelFolder(URL(filePath: $0)) }
            ?? ModelFolder.locate(program: URL(filePath: CommandLine.arguments[0]))
        let reader = try DocumentReader(from: folder)
        let decoder = JSONDecoder()
        var pages: [Page] = []
        while let line = readLine() { pages.append(try decoder.decode(Page.self, from: Data(line.utf8))) }
        if command == "time" {
            time(reader, pages, times: option("--times").flatMap(Int.init) ?? 1)
        } else if command == "rows" {
            for page in pages {
                let rows = reader.page(of: page.readings.text ?? TextReading(languages: [], lines: []))
                print(([page.source.path] + reader.rows(of: rows)).joined(separator: "\n") + "\n")
            }
        } else {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            for page in pages {
                let (answer, trace) = FeatureTrace.recording { self.answer(page, reader) }
                var shown = answer
                shown.trace = arguments.contains("--trace") ? trace : nil
                print(String(decoding: try encoder.encode(shown), as: UTF8.self))
            }
        }
    }

    private static func answer(_ page: Page, _ reader: DocumentReader) -> Answer {
        let rows = reader.page(of: page.readings.text ?? TextReading(languages: [], lines: []))
        return Answer(
            source: .init(path: page.source.path), receipt: reader.receipt(from: rows),
            priceTag: reader.priceTag(from: rows, barcodes: page.readings.barcodes ?? []),
            label: .init(nutrition: reader.nutrition(from: rows), dates: reader.dates(from: rows)))
    }

    private static func time(_ reader: DocumentReader, _ pages: [Page], times: Int) {
        let clock = ContinuousClock()
        var count = 0
        let spent = clock.measure {
            for _ in 0..<max(1, times) {
                for page in pages {
                    _ = answer(page, reader)
                    count += 1
                }
            }
        }
        let milliseconds = Double(spent.components.attoseconds) / 1e15 + Double(spent.components.seconds) * 1000
        print("\(count) pages, \(milliseconds / 1000) s, \(milliseconds / Double(max(1, count))) ms a page")
    }
}
