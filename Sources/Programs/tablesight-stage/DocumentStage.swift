import ArgumentParser
import Core
import Documents

/// Receipts, price tags, nutrition tables and dates of stored readings.
struct DocumentStage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document", abstract: "Receipts, price tags, nutrition tables and dates of stored readings.",
        subcommands: [Read.self, Rows.self, Time.self])

    struct Read: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Prints the documents of each photo.")

        @OptionGroup var models: ModelOption
        @Flag(help: "Add the features that the weights are fitted to.") var trace = false

        func run() throws {
            let reader = try DocumentReader(from: models.folder())
            for page in try Lines.all(of: Page.self) {
                var (answer, entries) = FeatureTrace.recording { DocumentStage.answer(page, reader) }
                answer.trace = trace ? entries : nil
                try Lines.write(answer)
            }
        }
    }

    struct Rows: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the rows of each photo, to find why a value is missing.")

        @OptionGroup var models: ModelOption

        func run() throws {
            let reader = try DocumentReader(from: models.folder())
            for page in try Lines.all(of: Page.self) {
                print(([page.source.path] + reader.rows(of: page.rows(reader))).joined(separator: "\n") + "\n")
            }
        }
    }

    struct Time: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints milliseconds for a page, without JSON coding.")

        @OptionGroup var models: ModelOption
        @OptionGroup var passes: TimesOption

        func run() throws {
            let reader = try DocumentReader(from: models.folder())
            let pages = try Lines.all(of: Page.self)
            let spent = ContinuousClock().measure {
                for _ in 0..<passes.times { for page in pages { _ = DocumentStage.answer(page, reader) } }
            }.milliseconds
            let count = pages.count * passes.times
            print("\(count) pages, \(spent / 1000) s, \(spent / Double(max(1, count))) ms a page")
        }
    }

    private struct Page: Decodable {
        struct Source: Decodable { var path: String }
        var source: Source
        var readings: Readings

        func rows(_ reader: DocumentReader) -> DocumentPage {
            reader.page(of: readings.text ?? TextReading(languages: [], lines: []))
        }
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

    private static func answer(_ page: Page, _ reader: DocumentReader) -> Answer {
        let rows = page.rows(reader)
        return Answer(
            source: .init(path: page.source.path), receipt: reader.receipt(from: rows),
            priceTag: reader.priceTag(from: rows, barcodes: page.readings.barcodes ?? []),
            label: .init(nutrition: reader.nutrition(from: rows), dates: reader.dates(from: rows)))
    }
}
