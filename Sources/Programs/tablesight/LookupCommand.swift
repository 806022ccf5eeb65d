import ArgumentParser
import Catalogue
import Engine
import Foundation
import Core
import Settings

struct LookupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookup",
        abstract: "Finds products in the catalogue and prints one JSON object per line.",
        help: """
            --search finds generic foods of USDA too. `tablesight catalogue import` adds products.

            EXAMPLES
              tablesight lookup 9520100001017                 the product with this number
              tablesight lookup --search "wholemeal bred"     search by name; misspellings are allowed
              TABLESIGHT_REMOTE_CONTACT=you@example.org tablesight lookup --remote 3017620422003
                                                              also ask Open Food Facts, which wants your e-mail address
            """)

    @Argument(help: "Product number: 8, 12, 13 or 14 digits, or 6 or 8 digits of a UPC-E code.")
    var code: String?

    @Option(help: "Search by words of the name or brand.")
    var search: String?

    @Option(help: "Maximum number of search results.")
    var limit = 20

    @Flag(help: "Also ask the configured server; its answers are cached.")
    var remote = false

    @Option(help: "YAML file with settings for --remote.")
    var config: String?

    func validate() throws {
        guard (code == nil) != (search == nil) else { throw ValidationError("give a CODE or --search TEXT") }
        guard (1...1000).contains(limit) else { throw ValidationError("--limit must be from 1 to 1000") }
    }

    func run() async throws {
        let catalogue = try TablesightEngine().catalogue
        let server =
            remote
            ? RemoteCatalogue(try RemoteSettings(try await Settings(file: config)), keptIn: catalogue) : nil
        if let search { return try await find(search, in: catalogue, server) }
        guard let code, let gtin = GTIN(typed: code) else {
            throw StartupError(
                .badInput, "\(code ?? "") is not a product number with a valid check digit: check the digits")
        }
        var product = try catalogue.product(gtin)
        if let server {
            let answer = await server.product(gtin)
            product = answer.product
            if let failure = answer.failure {
                let kept = product?.retrievedDay.map { "; the cached record of \($0) was used" } ?? ""
                StandardError.write("tablesight: \(failure.message)\(kept)\n")
            }
        }
        guard let product else {
            StandardError.write("tablesight: no product \(gtin.normalised) in the catalogue\n")
            throw ExitCode.someFailed
        }
        try write(product)
    }

    /// Products of the catalogue, followed by those that only the server has.
    private func find(_ words: String, in catalogue: Catalogue, _ server: RemoteCatalogue?) async throws {
        var products = try catalogue.search(words, limit: limit).map(\.product)
        if let server, products.count < limit {
            do throws(RemoteFailure) {
                let known = Set(products.map(\.number))
                products += try await server.search(words, limit: limit).filter { !known.contains($0.number) }
            } catch {
                StandardError.write("tablesight: \(error.message)\n")
            }
        }
        for product in products.prefix(limit) { try write(product) }
        if products.isEmpty {
            StandardError.write("tablesight: no product matches the search\n")
            throw ExitCode.someFailed
        }
    }

    private func write(_ product: CatalogueProduct) throws {
        if let notice = product.sampleNotice { StandardError.write("tablesight: \(notice)\n") }
        try StandardOutput.writeLine(FoodItem(product, asOf: Date()))
    }
}
