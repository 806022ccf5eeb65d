import ArgumentParser
import Catalogue
import Foundation
import Core

/// `tablesight catalogue`: the imported products.
struct CatalogueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue",
        abstract: "Imports products of Open Food Facts and USDA, counts and checks them.",
        discussion: """
            EXAMPLES
              tablesight catalogue import openfoodfacts-products.jsonl.gz
              tablesight catalogue import branded_food.csv --format usda-csv
              tablesight catalogue stats
              tablesight catalogue verify

            The catalogue lies in ~/.local/share/tablesight/catalogue, or where TABLESIGHT_CATALOGUE says. An import that was
            stopped goes on where it was. Until it is done, the earlier one stays in use.
            """,
        subcommands: [Import.self, Stats.self, Verify.self])

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads a file of products, compressed or not, in place of the earlier one of that source.")

        @Argument(help: "An export of Open Food Facts or of USDA FoodData Central; .gz too.")
        var file: String

        @Option(help: "off-jsonl, off-csv, usda-csv or usda-json; by the file's name where not given.")
        var format: String?

        func run() throws {
            let named = try format.map { name in
                guard let format = ImportFormat(rawValue: name) else {
                    throw ValidationError(
                        "--format is one of \(ImportFormat.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                return format
            }
            guard let format = named ?? ImportFormat(fileName: URL(filePath: file).lastPathComponent) else {
                throw ValidationError("the name \(file) does not say what it is: give --format")
            }
            let importing = CatalogueImport(folder: Catalogue.usualFolder(), format: format)
            var bar: ProgressBar?
            let begun = ContinuousClock.now
            let state = try importing.run(file) { used, size, state in
                bar = bar ?? ProgressBar(total: size)
                bar?.advance(to: used, saying: "\(state.accepted) products")
            }
            bar?.clear()
            let seconds = (ContinuousClock.now - begun) / .seconds(1)
            try StandardOutput.write("\(state.summary) in \(Int(seconds.rounded())) s\n")
            for (reason, example) in state.examples.sorted(by: { $0.key < $1.key }) {
                StandardError.write("  \(reason), as in: \(example.printable)\n")
            }
        }
    }

    struct Stats: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Says what was imported, from where, and when.")

        func run() throws {
            let folder = Catalogue.usualFolder()
            let contents = try Catalogue(folder: folder).contents()
            guard !contents.isEmpty else {
                throw StartupError(.noInput, "no catalogue in \(folder.path): run `tablesight catalogue import FILE`")
            }
            for one in contents {
                let day = one.state.completed.map {
                    Date(timeIntervalSince1970: Double($0)).formatted(.iso8601.year().month().day())
                }
                try StandardOutput.write(
                    """
                    \(one.source): \(one.products) products, \(one.verified) of them declared by producers, \
                    \(one.bytes / 1_000_000) MB
                      from \(one.state.origin), as \(one.state.format), imported \(day ?? "")
                      \(one.state.summary)

                    """)
            }
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks every page and every number of the catalogue.")

        func run() throws {
            let faults = try Catalogue(folder: Catalogue.usualFolder()).faults()
            for fault in faults { try StandardOutput.write(fault + "\n") }
            guard faults.isEmpty else {
                throw StartupError(.badInput, "the catalogue is damaged: run `tablesight catalogue import` again")
            }
            try StandardOutput.write("nothing wrong found\n")
        }
    }
}
