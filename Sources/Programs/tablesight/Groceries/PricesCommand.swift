import ArgumentParser
import Foods
import Core
import Foundation
import Groceries

struct PricesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prices",
        abstract: "Records prices: typed, from photos of receipts and tags, or from Open Prices.",
        help: """
            EXAMPLES
              tablesight prices add Milk --price 1.19 --place Aldi --currency EUR
              tablesight prices add --barcode 9520100001017 --price 2.49 --place "Rewe Bahnhofstraße" --currency EUR
              tablesight prices read receipt.jpg                  read receipts and price tags
              tablesight prices review                            what waits for a decision
              tablesight prices review 3 --accept --product 1 --place Aldi
              tablesight prices show Milk
              tablesight prices import open-prices.jsonl          Open Prices
              tablesight prices export > prices.jsonl
            """,
        subcommands: [
            Add.self, ReadPhotos.self, ReviewWaiting.self, Show.self, Import.self, Export.self, Measure.self,
        ])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Records a price.")
        @Argument(help: "The product's name.") var words: [String] = []
        @Option(help: "Product number.") var barcode: String?
        @Option(help: "Loose goods by Open Food Facts' category, such as en:bananas.") var category: String?
        @Option(help: "The price, with a point: 2.49.") var price: String
        @Option(help: "ISO 4217 currency, such as EUR.") var currency: String
        @Option(help: "Name of the shop; a new one is stored.") var place: String
        @Option(help: "The price is for a piece, kg, l or 100g.") var per = PriceUnit.piece
        @Option(help: "Day, yyyy-MM-dd (default: today).") var day: Day?
        @Flag(help: "It is a special offer.") var discounted = false
        @OptionGroup var person: PersonOption
        @OptionGroup var options: GroceryOptions

        func validate() throws {
            guard !words.isEmpty || barcode != nil || category != nil else {
                throw ValidationError("give the product's name, --barcode or --category")
            }
            guard Currency(currency) != nil else { throw ValidationError("\(currency) is not a currency such as EUR") }
        }

        func run() async throws {
            guard let money = Currency(currency).flatMap({ Money(price: price, currency: $0) }) else {
                throw StartupError(.badInput, "\(price) is not a price above 0 with a point, such as 2.49")
            }
            let actions = try options.open(makes: true)
            let name = try await person.name(actions)
            let new = NewProduct(
                gtin: barcode, category: category, name: words.isEmpty ? nil : words.joined(separator: " "))
            let product = try await actions.product(of: new, by: name)
            let shop = try await actions.place(typed: NewPlace(name: place), by: name)
            switch try await actions.record(
                money, of: product.id, at: shop.id, per: per, isDiscounted: discounted, on: day, by: name)
            {
            case .accepted, .known: try GroceryOptions.lines(["\(money.text)  \(product.name), \(shop.name)"])
            case .waiting(let id, _):
                try GroceryOptions.lines([
                    "\(money.text) is far from the other prices of \(product.name): it waits as number \(id) "
                        + "(`tablesight prices review`)"
                ])
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows the prices of a product.")
        @Argument(help: "Words of the name, or the product number.") var words: [String]
        @OptionGroup var options: GroceryOptions

        func run() async throws {
            let text = words.joined(separator: " ")
            try await options.open()() { [json = options.json] in try Self.show($0, text, json: json) }
        }

        private static func show(_ groceries: Groceries, _ text: String, json: Bool) throws {
            let products = try groceries.products(matching: text)
            guard !products.isEmpty else { throw StartupError(.noInput, "there is no product “\(text)” with prices") }
            if json { return try StandardOutput.writeLine(try products.flatMap { try groceries.prices(of: $0.id) }) }
            for product in products {
                let prices = try groceries.prices(of: product.id, limit: 20)
                let brand = product.brand.map { ", \($0)" } ?? ""
                try GroceryOptions.lines(
                    ["\(product.name)\(brand) (product \(product.id))"]
                        + prices.map { price in
                            let place = (try? groceries.place(price.place))?.name ?? ""
                            let per = price.per == .piece ? "" : " per \(price.per.rawValue)"
                            let state = price.isRejected ? ", rejected" : price.isDiscounted ? ", special offer" : ""
                            return
                                "  \(price.date)  \(price.price.text)\(per)  \(place), \(price.proof.rawValue)\(state)"
                        })
            }
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Imports prices in Open Prices' format: JSON lines, or a page of its API.",
            discussion: "A price that was imported before stays, so a file can be imported twice.")
        @Argument(help: "The file.") var file: String
        @OptionGroup var options: GroceryOptions

        func run() async throws {
            guard FileManager.default.isReadableFile(atPath: file) else {
                throw StartupError(.noInput, "cannot read \(file)")
            }
            let url = URL(filePath: file)
            let report = try await options.open(makes: true)() { try $0.importOpenPrices(url) }
            for reason in report.reasons { StandardError.write("tablesight: \(file), \(reason)".printable + "\n") }
            if options.json {
                try StandardOutput.writeLine(report)
            } else {
                try GroceryOptions.lines([
                    "\(report.imported) prices imported, \(report.known) known, \(report.waiting) waiting for review, "
                        + "\(report.rejected) left out"
                ])
            }
            if report.rejected > 0 { throw ExitCode.someFailed }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Writes accepted prices to standard output as JSON lines in Open Prices' format.")
        @Option(help: "Only the prices of this person (default: all, without names).") var person: String?
        @OptionGroup var options: GroceryOptions

        func run() async throws {
            let person = person
            _ = try await options.open()() { try $0.exportOpenPrices(by: person) { try StandardOutput.write($0) } }
        }
    }

    struct Measure: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "measure",
            abstract: "Measures how long prices stay the same, and weighs all prices with it.")
        @OptionGroup var options: GroceryOptions

        func run() async throws {
            let actions = try options.open()
            if let days = try await actions({ try $0.measure() }) {
                try GroceryOptions.lines(["half of the prices change within \(Int(nearest: days)) days"])
            } else {
                try GroceryOptions.lines([
                    "too few prices were observed twice: \(Int(actions.groceries.rules.trust.halfLifeDays)) days are assumed"
                ])
            }
        }
    }
}
