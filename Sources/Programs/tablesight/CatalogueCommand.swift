import ArgumentParser
import Catalogue
import Core
import Engine
import Foods
import Foundation

struct CatalogueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue",
        abstract: "Imports and checks products of Open Food Facts and USDA.",
        help: """
            EXAMPLES
              tablesight catalogue                                               where exports are found
              tablesight catalogue import products.jsonl.gz                      import Open Food Facts
              tablesight catalogue import branded_food.csv --format usda-csv     import USDA products
              tablesight catalogue stats                                         show what is imported
              tablesight catalogue verify                                        check the files

            The catalogue is in ~/.local/share/tablesight/catalogue, or in the folder that TABLESIGHT_CATALOGUE names.
            An interrupted import continues where it stopped. The previous import stays in use until the new one is
            complete.
            """,
        subcommands: [Exports.self, Import.self, Stats.self, Verify.self], defaultSubcommand: Exports.self)

    struct Exports: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "exports",
            abstract: "Says where exports are found, how large they are, and how to import them.")

        func run() throws {
            let engine = try TablesightEngine()
            for export in try CatalogueExports(from: engine.models).exports {
                let commands =
                    (export.address.map { "    curl -LO \($0)\n" } ?? "")
                    + "    tablesight catalogue import \(export.file)\n"
                try StandardOutput.write(
                    """
                    \(export.name): \(export.holds)
                      about \(export.size), \(export.licence), from \(export.page)
                    \(commands)
                    """)
            }
            let contents = try engine.catalogue.contents()
            let imported = contents.map { "\($0.source), \($0.products) products" }
            try StandardOutput.write(
                imported.isEmpty
                    ? "Nothing is imported: \(try engine.catalogue.generic()?.count ?? 0) generic foods are known, and no products.\n"
                    : "Imported: \(imported.joined(separator: "; ")). `tablesight catalogue stats` says more.\n")
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Imports a file of products, plain or gzip, and replaces the source's previous import.")

        @Argument(help: "Export of Open Food Facts or USDA FoodData Central, plain or .gz.")
        var file: String

        @Option(help: "Format: off-jsonl, off-csv, usda-csv or usda-json (default: by file name).")
        var format: String?

        func run() throws {
            let named = try format.map { name in
                guard let format = ImportFormat(rawValue: name) else {
                    throw ValidationError(
                        "--format must be one of \(ImportFormat.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                return format
            }
            guard let format = named ?? ImportFormat(fileName: URL(filePath: file).lastPathComponent) else {
                throw ValidationError("the name of \(file) does not show its format: name it with --format")
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
                StandardError.write("  \(reason), for example: \(example.printable)\n")
            }
        }
    }

    struct Stats: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats", abstract: "Shows what was imported, from where, and when, and the generic foods.")

        func run() throws {
            let catalogue = try TablesightEngine().catalogue
            let contents = try catalogue.contents()
            if contents.isEmpty {
                StandardError.write(
                    "tablesight: nothing is imported in \(catalogue.folder.path): `tablesight catalogue` says where "
                        + "exports are found\n")
            }
            for one in contents {
                let day = one.state.completed.map {
                    Date(timeIntervalSince1970: Double($0)).formatted(.iso8601.year().month().day())
                }
                try StandardOutput.write(
                    """
                    \(one.source): \(one.products) products, \(one.verified) declared by producers, \
                    \(one.bytes / 1_000_000) MB
                      from \(one.state.origin), as \(one.state.format), imported \(day ?? "")
                      \(one.state.summary)

                    """)
            }
            let generic = try catalogue.generic()?.count ?? 0
            try StandardOutput.write("\(GenericFoods.source): \(generic) generic foods of USDA, part of Tablesight\n")
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Checks every database page and every product number.")

        func run() throws {
            let faults = try Catalogue(folder: Catalogue.usualFolder()).faults()
            for fault in faults { try StandardOutput.write(fault + "\n") }
            guard faults.isEmpty else {
                throw StartupError(.badInput, "the catalogue is damaged: run `tablesight catalogue import` again")
            }
            try StandardOutput.write("no errors found\n")
        }
    }
}
