import ArgumentParser
import Catalogue
import Daemon
import Foundation
import Core

/// `tablesight lookup`: one product by its number, or products by their name.
struct LookupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookup",
        abstract: "Finds a product of the imported catalogue, one JSON object a line.",
        discussion: """
            EXAMPLES
              tablesight lookup 3017620422003
              tablesight lookup --search "nutela hazlenut"     misspelt words too; verified products first
              tablesight lookup --remote 3017620422003         also asks Open Food Facts where no import knows it; your
                                                               e-mail address must be set as TABLESIGHT_REMOTE_CONTACT
            """)

    @Argument(help: "The number under the bars: 8, 12, 13 or 14 digits, or UPC-E's 6 or 8.")
    var code: String?

    @Option(help: "Words of its name or brand.")
    var search: String?

    @Option(help: "At most so many.")
    var limit = 20

    @Flag(help: "Ask the server of the configuration for what no import has; its answers are kept.")
    var remote = false

    @Option(help: "A YAML file with settings, for --remote.")
    var config: String?

    func validate() throws {
        guard (code == nil) != (search == nil) else { throw ValidationError("give a CODE or --search TEXT") }
        guard (1...1000).contains(limit) else { throw ValidationError("--limit is 1 to 1000") }
    }

    func run() async throws {
        let catalogue = Catalogue(folder: Catalogue.usualFolder())
        let server =
            remote
            ? RemoteCatalogue(try RemoteSettings(try await Settings(file: config)), keptIn: catalogue) : nil
        if let search { return try await find(search, in: catalogue, server) }
        guard let code, let gtin = GTIN(code) ?? GTIN(upcE: code) else {
            throw StartupError(
                .badInput, "\(code ?? "") is no product number with a right check digit: look at its digits again")
        }
        var product = try catalogue.product(gtin)
        if let server {
            let answer = await server.product(gtin)
            product = answer.product
            if let failure = answer.failure {
                let kept = product?.retrievedDay.map { "; this is what it said on \($0)" } ?? ""
                StandardError.write("tablesight: \(failure.message)\(kept)\n")
            }
        }
        guard let product else {
            StandardError.write("tablesight: the catalogue has no \(gtin.normalised)\n")
            throw ExitCode.someFailed
        }
        try write(FoodItem(product, asOf: Date()))
    }

    /// The catalogue's products first, then the server's that are others.
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
        for product in products.prefix(limit) { try write(FoodItem(product, asOf: Date())) }
        if products.isEmpty {
            StandardError.write("tablesight: nothing is named like that\n")
            throw ExitCode.someFailed
        }
    }

    private func write(_ item: FoodItem) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try StandardOutput.write(String(decoding: try encoder.encode(item), as: UTF8.self) + "\n")
    }
}
