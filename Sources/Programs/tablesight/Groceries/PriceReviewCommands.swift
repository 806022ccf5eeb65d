import ArgumentParser
import Foods
import Catalogue
import Core
import Engine
import Foundation
import Groceries

extension PricesCommand {
    struct ReadPhotos: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "read", abstract: "Reads prices from photos of receipts and price tags.",
            discussion: "A price tag names no shop and no day: give --place and --day.")
        @Argument(help: "Photos.") var photos: [String]
        @Option(help: "Name of the shop (default: by the receipt).") var place: String?
        @Option(help: "Day of a price tag, yyyy-MM-dd (default: today).") var day: Day?
        @OptionGroup var person: PersonOption
        @OptionGroup var options: GroceryOptions

        func run() async throws {
            let groceries = try options.open(makes: true)
            let engine = try TablesightEngine()
            let processor = try engine.processor(workers: 1)
            let shop = try GroceryOptions.reporting {
                try place.map { try groceries.place(of: NewPlace(name: $0), by: person.name(groceries)).id }
            }
            var hasFailed = false
            for photo in photos {
                guard let path = FilePathBytes(photo) else { throw ValidationError("a file name must not be empty") }
                let outcome = await processor.outcome(
                    for: path,
                    PhotoProcessor.Request(
                        domain: nil, pieceSet: nil, profiles: try engine.people().profiles(named: ["everyone"])))
                guard outcome.receipt != nil || outcome.priceTag != nil else {
                    StandardError.write(
                        "tablesight: \(photo): no receipt or price tag was recognised".printable + "\n")
                    hasFailed = true
                    continue
                }
                let report = try GroceryOptions.reporting {
                    try groceries.record(outcome, place: shop, date: day ?? groceries.today, by: person.name(groceries))
                }
                if options.json {
                    try options.print(report)
                } else {
                    try GroceryOptions.lines([
                        "\(photo): \(report.accepted) prices recorded, \(report.waiting) waiting for review, "
                            + "\(report.known) known, \(report.skipped) lines without a price"
                    ])
                }
            }
            if hasFailed { throw ExitCode.someFailed }
        }
    }

    struct ReviewWaiting: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "review", abstract: "Lists waiting prices, or decides one.")
        @Argument(help: "Number of the waiting price.") var id: Int64?
        @Flag(help: "Use it.") var accept = false
        @Flag(help: "Do not use it.") var reject = false
        @Option(help: "Number of the product.") var product: Int64?
        @Option(help: "Name of a new product.") var newProduct: String?
        @Option(help: "Name of the shop.") var place: String?
        @Option(help: "The right price.") var price: String?
        @Option(help: "The currency.") var currency: String?
        @Option(help: "Day, yyyy-MM-dd.") var day: Day?
        @OptionGroup var person: PersonOption
        @OptionGroup var options: GroceryOptions

        func validate() throws {
            guard id == nil || accept != reject else { throw ValidationError("give --accept or --reject") }
        }

        func run() throws {
            let groceries = try options.open()
            guard let id else { return try list(groceries) }
            let name = try person.name(groceries)
            let decided = try GroceryOptions.reporting {
                let named = try newProduct.map { try groceries.product(of: NewProduct(name: $0), by: name).id }
                let shop = try place.map { try groceries.place(of: NewPlace(name: $0), by: name).id }
                return try groceries.decide(
                    id,
                    ReviewAnswer(
                        isAccepted: accept, product: product ?? named, place: shop, amount: price, currency: currency,
                        date: day), by: name)
            }
            if case .waiting = decided {
                try GroceryOptions.lines(["\(id) waits for somebody else: it is far from other prices"])
            }
        }

        private func list(_ groceries: Groceries) throws {
            let reviews = try groceries.reviews()
            if options.json { return try options.print(reviews) }
            guard !reviews.isEmpty else { return try GroceryOptions.lines(["nothing waits"]) }
            let why: [ReviewReason: String] = [
                .outlier: "far from other prices", .product: "which product?", .place: "which shop?",
                .date: "which day?", .currency: "which currency?", .reading: "not read surely",
                .unread: "no price was read: give --new-product, --price and --currency",
            ]
            try GroceryOptions.lines(
                try reviews.map { review in
                    let draft = review.draft
                    let names = try ([draft.product].compactMap { $0 } + draft.candidates).prefix(3).compactMap { id in
                        try groceries.product(id).map { "\($0.id) \($0.name)" }
                    }
                    let name = draft.printed ?? names.first ?? ""
                    let maybe = draft.printed == nil || names.isEmpty ? "" : " (\(names.joined(separator: "; "))?)"
                    let (currency, merchant) = (draft.currency ?? "?", draft.merchant ?? "")
                    return "\(review.id)  \(draft.amount) \(currency)  \(name)\(maybe)  \(merchant)  "
                        + (why[review.reason] ?? "")
                })
        }
    }
}

/// Names of products in the imported catalogue.
enum ProductLookup {
    /// Fills name, brand and content of a numbered product, where the catalogue has them.
    static func complete(_ product: inout NewProduct, _ gtin: GTIN) throws {
        guard let known = try? TablesightEngine().catalogue.product(gtin) else { return }
        product.name = known.name
        product.brand = known.brand
    }
}

/// Erases a person's lists, prices and experiences.
enum GroceryErasure {
    static func erase(_ person: String, _ options: GroceryOptions, _ confirmation: Confirmation) throws {
        let groceries = try options.open()
        let person = try groceries.person(named: person)
        try confirmation.ask("the lists, prices and experiences of \(person.printable)")
        let folder = URL(filePath: options.database.file).deletingLastPathComponent()
        var isAlone = false
        if let folder = FilePathBytes(folder.path) {
            try OutputFolder.whileUnused(folder) {
                isAlone = true
                try erase(person, groceries, isAlone: true)
            }
        }
        guard !isAlone else { return }
        try erase(person, groceries, isAlone: false)
        StandardError.write(
            "tablesight: the database log keeps the erased data until the daemon overwrites it or stops\n")
    }

    private static func erase(_ person: String, _ groceries: Groceries, isAlone: Bool) throws {
        try groceries.erase(person, isAlone: isAlone)
    }
}
