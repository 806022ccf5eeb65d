import ArgumentParser
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
            let actions = try options.open(makes: true)
            let engine = try TablesightEngine()
            let processor = try engine.processor(workers: 1)
            let name = try await person.name(actions)
            var shop: Int64?
            if let place { shop = try await actions.place(typed: NewPlace(name: place), by: name).id }
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
                let (shop, day) = (shop, day ?? actions.today)
                let report = try await actions { try $0.record(outcome, place: shop, date: day, by: name) }
                if options.json {
                    try StandardOutput.writeLine(report)
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

    struct ReviewWaiting: AsyncParsableCommand {
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

        func run() async throws {
            let actions = try options.open()
            guard let id else { return try await actions { [json = options.json] in try Self.list($0, json: json) } }
            var answer = ReviewAnswer(isAccepted: accept)
            (answer.product, answer.amount, answer.currency, answer.date) = (product, price, currency, day)
            let decided = try await actions.decide(
                id, answer, product: newProduct, at: place.map { NewPlace(name: $0) }, by: person.name(actions))
            if case .waiting = decided {
                try GroceryOptions.lines(["\(id) waits for somebody else: it is far from other prices"])
            }
        }

        private static func list(_ groceries: Groceries, json: Bool) throws {
            let reviews = try groceries.reviews()
            if json { return try StandardOutput.writeLine(reviews) }
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
