import ArgumentParser
import Catalogue
import Foundation
import Vocabulary

/// `tablesight lookup`: one product by its number, or products by their name.
struct LookupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookup",
        abstract: "Finds a product of the imported catalogue, one JSON object a line.",
        discussion: """
            EXAMPLES
              tablesight lookup 3017620422003
              tablesight lookup --search "nutela hazlenut"     misspelt words too; verified products first
            """)

    @Argument(help: "The number under the bars: 8, 12, 13 or 14 digits, or UPC-E's 6 or 8.")
    var code: String?

    @Option(help: "Words of its name or brand.")
    var search: String?

    @Option(help: "At most so many.")
    var limit = 20

    func validate() throws {
        guard (code == nil) != (search == nil) else { throw ValidationError("give a CODE or --search TEXT") }
        guard (1...1000).contains(limit) else { throw ValidationError("--limit is 1 to 1000") }
    }

    func run() throws {
        let catalogue = Catalogue(folder: Catalogue.usualFolder())
        let now = Date()
        if let search {
            let hits = try catalogue.search(search, limit: limit)
            for hit in hits { try write(FoodItem(hit.product, asOf: now)) }
            if hits.isEmpty {
                StandardError.write("tablesight: nothing is named like that\n")
                throw ExitCode.someFailed
            }
            return
        }
        guard let code, let gtin = GTIN(code) ?? GTIN(upcE: code) else {
            throw StartupError(
                .badInput, "\(code ?? "") is no product number with a right check digit: look at its digits again")
        }
        guard let product = try catalogue.product(gtin) else {
            StandardError.write("tablesight: the catalogue has no \(gtin.normalised)\n")
            throw ExitCode.someFailed
        }
        try write(FoodItem(product, asOf: now))
    }

    private func write(_ item: FoodItem) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try StandardOutput.write(String(decoding: try encoder.encode(item), as: UTF8.self) + "\n")
    }
}
