import Foods
import Core
import Foundation
import GRDB

package struct DocumentReport: Sendable, Hashable, Codable {
    package var accepted: Int
    package var waiting: Int
    /// Read before.
    package var known: Int
    /// Deposits, returns and discounts.
    package var skipped: Int
}

extension Groceries {
    /// Records the prices of a photo's receipt or price tag. Products are found by number, then by the names that the
    /// chain is known to print, then by a full name. What is unsure waits in review. A second reading changes nothing.
    ///
    /// - Parameters:
    ///   - place: where the photo was taken; nil finds it by the receipt's merchant and address.
    ///   - date: the day of the photo, for a tag; a receipt states its own.
    ///   - person: the contributor.
    package func record(
        _ outcome: Outcome, place: Int64? = nil, date: Day? = nil, by person: String?
    ) throws -> DocumentReport {
        var report = DocumentReport(accepted: 0, waiting: 0, known: 0, skipped: 0)
        for document in documents(of: outcome, date: date) {
            report.skipped += document.skipped
            try settleUnread(document, outcome.id, at: place, by: person, &report)
            for price in document.prices {
                let source = outcome.id.map { Self.source(of: price, of: document, $0) }
                switch try record(price, of: document, at: place, source: source, photo: outcome.id, by: person) {
                case .accepted: report.accepted += 1
                case .waiting: report.waiting += 1
                case .known: report.known += 1
                }
            }
        }
        return report
    }

    /// The receipt and the tag of a photo.
    ///
    /// - Parameter date: the day of the photo, for a tag.
    func documents(of outcome: Outcome, date: Day? = nil) -> [ReadPrices] {
        var documents: [ReadPrices] = []
        if let receipt = outcome.receipt { documents.append(ReadPrices(receipt, rules: rules)) }
        if let tag = outcome.priceTag {
            var prices = ReadPrices(tag, rules: rules)
            prices.date = date?.description
            documents.append(prices)
        }
        return documents
    }

    /// The identity of a printed line of a photo.
    static func source(of price: ReadPrice, of document: ReadPrices, _ photo: String) -> String {
        "\(photo)#\(document.proof.rawValue)\(price.line)"
    }

    /// A document without a readable price waits as a whole, so that a person can type a price from the photo. It
    /// stops waiting when a later reading finds prices.
    private func settleUnread(
        _ document: ReadPrices, _ photo: String?, at place: Int64?, by person: String?, _ report: inout DocumentReport
    ) throws {
        guard let photo else { return }
        let source = "\(photo)#\(document.proof.rawValue)"
        guard document.isUnread else {
            try store.execute(literal: "DELETE FROM grocery_review WHERE source = \(source) AND state = 'waiting'")
            return
        }
        let isNew = try store.write { database in
            guard try !Self.isKnown(database, source) else { return false }
            var draft = PriceDraft(nil, of: document, photo: photo)
            draft.place = try place ?? self.place(database, merchant: document.merchant, address: document.address)
            _ = try Self.queue(database, draft, .unread, source: source, by: person)
            return true
        }
        if isNew { report.waiting += 1 } else { report.known += 1 }
    }

    private func record(
        _ price: ReadPrice, of document: ReadPrices, at place: Int64?, source: String?, photo: String?,
        by person: String?
    ) throws -> RecordedPrice {
        try store.write { database in
            var draft = PriceDraft(price, of: document, photo: photo)
            if draft.date.map({ $0.number > self.today.number + 1 }) == true { draft.date = nil }
            draft.place = try place ?? self.place(database, merchant: document.merchant, address: document.address)
            let match = try self.product(database, draft)
            draft.product = match.product
            draft.candidates = match.candidates
            let currency = draft.currency.flatMap { Currency($0) }
            let reason: ReviewReason? =
                if match.product == nil { .product } else if draft.place == nil { .place } else if draft.date == nil {
                    .date
                } else if currency == nil { .currency } else if price.confidence < self.rules.names.confidence {
                    .reading
                } else { nil }
            if let source, try Self.isKnown(database, source) { return .known }
            guard reason == nil, let product = draft.product, let place = draft.place, let date = draft.date,
                let money = currency.flatMap({ Money(price: draft.amount, currency: $0) })
            else {
                let reason = reason ?? .reading
                return .waiting(try Self.queue(database, draft, reason, source: source, by: person), reason)
            }
            return try self.record(
                database,
                NewPrice(
                    product: product, place: place, price: money, per: draft.per, isDiscounted: draft.isDiscounted,
                    date: date, proof: draft.proof, photo: photo, contributor: person, confidence: draft.confidence,
                    source: source), isChecked: false)
        }
    }

    static func isKnown(_ database: Database, _ source: String) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM grocery_price WHERE source = ?1) OR "
                + "EXISTS (SELECT 1 FROM grocery_review WHERE source = ?1)", arguments: [source]) ?? false
    }

    /// The product of a printed name. It is sure by number, by a name that people confirmed for the chain, or by the
    /// full name of one product; otherwise there are candidates.
    func product(
        _ database: Database, _ draft: PriceDraft
    ) throws -> (product: Int64?, candidates: [Int64]) {
        if let gtin = draft.gtin.flatMap({ GTIN($0) }), RestrictedPrefix(gtin) == nil {
            if let known = try Self.products(database, "gtin = \(gtin.number)").first { return (known.id, []) }
            let new = NewProduct(gtin: gtin.digits, name: draft.printed.flatMap { $0.isEmpty ? nil : $0 })
            return (try Self.productID(database, new, by: nil), [])
        }
        let words = ProductNames.normalised(draft.printed ?? "")
        guard !words.isEmpty else { return (nil, []) }
        if let chain = try chain(database, of: draft) {
            let learnt = try Row.fetchAll(
                database,
                literal: """
                    SELECT product, confirmed > rejected AS isSure FROM grocery_abbreviation
                    WHERE chain = \(chain) AND printed = \(words) ORDER BY confirmed - rejected DESC, product
                    """)
            let sure = learnt.filter { $0["isSure"] }.map { $0["product"] as Int64 }
            if sure.count == 1 { return (sure[0], []) }
            if sure.count > 1 { return (nil, sure) }
        }
        let named = try Int64.fetchAll(
            database,
            literal: "SELECT id FROM grocery_product WHERE words = \(words) OR words = \(words) ORDER BY id LIMIT 10")
        if named.count == 1 { return (named[0], []) }
        if named.count > 1 { return (nil, named) }
        return (nil, try candidates(database, draft.printed ?? "", words))
    }

    private static let mostCandidates = 5

    private func candidates(_ database: Database, _ printed: String, _ words: String) throws -> [Int64] {
        // A word of the name starts with the same two letters as a printed one.
        let starts = Set(words.split(separator: " ").filter { $0.count >= 2 }.map { String($0.prefix(2)) }).sorted()
        guard !starts.isEmpty else { return [] }
        let isBegun = starts.prefix(8).map { start -> SQL in "' ' || words LIKE '% ' || \(start) || '%'" }
        let scored = try Row.fetchAll(
            database,
            literal:
                "SELECT id, name, brand FROM grocery_product WHERE \(isBegun.joined(separator: " OR ")) LIMIT 20000"
        ).map { row -> (Int64, Double) in
            let name: String = row["name"]
            let full = [row["brand"] as String?, name].compactMap { $0 }.joined(separator: " ")
            return (
                row["id"],
                max(ProductNames.score(printed: printed, name: name), ProductNames.score(printed: printed, name: full))
            )
        }
        return scored.filter { $0.1 >= rules.names.suggestion }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
            .prefix(Self.mostCandidates).map(\.0)
    }
}
