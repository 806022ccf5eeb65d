import Foods
import Core
import Foundation
import GRDB

package enum ReviewReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// Too far from the other prices of the product.
    case outlier
    case product
    /// The shop is not known.
    case place
    /// The date is missing or ambiguous.
    case date
    case currency
    /// The print was not read surely enough.
    case reading
    /// No price of the receipt or tag was read: a person types one from the photo.
    case unread
}

/// A price that waits, with what is known of it.
package struct PriceDraft: Sendable, Hashable, Codable {
    /// As printed.
    package var printed: String?
    package var merchant: String?
    package var gtin: String?
    package var product: Int64?
    /// Products that the printed words may mean, the likeliest first.
    package var candidates: [Int64]
    package var place: Int64?
    /// Digits with a point; empty if no price was read.
    package var amount: String
    package var currency: String?
    package var per: PriceUnit
    package var isDiscounted: Bool
    package var date: Day?
    package var proof: PriceProof
    package var photo: String?
    package var confidence: Double
    /// The median that an outlier contradicts.
    package var median: Money?

    init(_ price: NewPrice, median: Money?) {
        product = price.product
        candidates = []
        place = price.place
        amount = price.price.digits
        currency = price.price.currency.code
        per = price.per
        isDiscounted = price.isDiscounted
        date = price.date
        proof = price.proof
        photo = price.photo
        confidence = price.confidence
        self.median = median
    }

    /// - Parameter price: nil for a document of which no price was read.
    init(_ price: ReadPrice?, of document: ReadPrices, place: Int64? = nil, photo: String?) {
        (printed, gtin, merchant) = (price?.printed, price?.gtin, document.merchant)
        (candidates, self.place) = ([], place)
        (amount, currency) = (price?.amount ?? "", price.map(\.currency) ?? document.currency)
        (per, isDiscounted) = (price?.per ?? .piece, price?.isDiscounted ?? false)
        date = document.date.flatMap { Day($0) }
        (proof, self.photo, confidence) = (document.proof, photo, price?.confidence ?? 0)
    }
}

package struct PriceReview: Sendable, Hashable, Codable, FetchableRecord {
    package var id: Int64
    package var reason: ReviewReason
    package var contributor: String?
    package var draft: PriceDraft
}

/// A person's answer; what is nil is taken from the draft.
package struct ReviewAnswer: Sendable, Hashable, Codable {
    package var isAccepted: Bool
    package var product: Int64?
    package var place: Int64?
    package var amount: String?
    package var currency: String?
    package var per: PriceUnit?
    package var date: Day?
}

extension ReviewAnswer {
    package init(isAccepted: Bool) { self.init(isAccepted: isAccepted, product: nil) }
}

extension Groceries {
    static func queue(
        _ database: Database, _ draft: PriceDraft, _ reason: ReviewReason, source: String?, by person: String?
    ) throws -> Int64 {
        let json = try JSONCoding.encode(draft)
        try database.execute(
            literal: """
                INSERT INTO grocery_review (source, state, reason, contributor, draft, photo)
                VALUES (\(source), 'waiting', \(reason.rawValue), \(person), \(json), \(draft.photo))
                """)
        return database.lastInsertedRowID
    }

    /// Waiting prices, oldest first.
    ///
    /// - Parameters:
    ///   - photo: `sha256:…`, for the prices of one photo.
    ///   - after: leaves out those up to this number.
    package func reviews(of photo: String? = nil, after: Int64 = 0, limit: Int = 100) throws -> [PriceReview] {
        try store.read(
            PriceReview.fetchAll,
            """
            SELECT * FROM grocery_review WHERE state = 'waiting' AND id > \(after) AND (\(photo) IS NULL
                OR photo = \(photo))
            ORDER BY id LIMIT \(min(max(limit, 1), 1000))
            """)
    }

    /// Accepts a waiting price, with corrections, or rejects it. An accepted name is learnt for the chain.
    ///
    /// What a person types in place of the print is a typed price of that person, without the print as its proof. A price
    /// that turns out to be an outlier waits again, for somebody else.
    ///
    /// - Returns: nil for a rejected price.
    /// - Throws: ``GroceryProblem``; `own` if the contributor of an outlier decides and somebody else could.
    package func decide(_ id: Int64, _ answer: ReviewAnswer, by person: String) throws -> RecordedPrice? {
        try store.write { try self.decide($0, id, answer, by: person) }
    }

    /// The same in a transaction of many prices. An error is thrown before anything is written.
    func decide(
        _ database: Database, _ id: Int64, _ answer: ReviewAnswer, by person: String
    ) throws -> RecordedPrice? {
        let row = try Row.fetchOne(
            database, literal: "SELECT * FROM grocery_review WHERE id = \(id) AND state = 'waiting'")
        guard let row else { throw GroceryProblem.notFound("waiting price \(id)") }
        let review = try PriceReview(row: row)
        let price = try answer.isAccepted ? price(answer, review, source: row["source"], by: person) : nil
        if let price {
            try check(price)
            let isUnchanged = review.reason == .outlier && Self.isSame(price, review.draft)
            // In another unit or currency there may be nothing that it contradicts.
            let isComparable = price.per == review.draft.per && price.price.currency.code == review.draft.currency
            if review.reason == .outlier, isUnchanged || !isComparable, review.contributor == person,
                try Self.hasOthers(database, than: person)
            {
                throw GroceryProblem.own
            }
            if !isUnchanged, let median = try outlier(database, price) {
                return try Self.queueAgain(
                    database, id, review, price, median: Money(parts: median, currency: price.price.currency))
            }
        }
        let draft = review.draft
        if let printed = draft.printed,
            let chain = try chain(database, of: draft, at: answer.isAccepted ? price?.place : nil),
            let named = answer.product ?? draft.product ?? draft.candidates.first
        {
            try Self.learn(database, chain, printed, named, isConfirmed: answer.isAccepted)
        }
        let state = answer.isAccepted ? "accepted" : "rejected"
        try database.execute(
            literal: "UPDATE grocery_review SET state = \(state), decidedBy = \(person) WHERE id = \(id)")
        return try price.map { try self.record(database, $0, isChecked: true) }
    }

    /// The chain whose printed names a receipt has: that of its place, which a misread name does not change.
    func chain(_ database: Database, of draft: PriceDraft, at place: Int64? = nil) throws -> String? {
        guard let merchant = draft.merchant else { return nil }
        let known = try (place ?? draft.place).flatMap {
            try String.fetchOne(database, literal: "SELECT chain FROM grocery_place WHERE id = \($0)")
        }
        return known ?? chain(merchant)
    }

    /// True if a person accepts the price of this draft as it is.
    private static func isSame(_ price: NewPrice, _ draft: PriceDraft) -> Bool {
        price.price == money(of: draft, price.price.currency) && price.per == draft.per
            && price.product == draft.product && price.place == draft.place
    }

    private static func money(of draft: PriceDraft, _ currency: Currency) -> Money? {
        draft.currency.flatMap { Currency($0) } == currency ? Money(price: draft.amount, currency: currency) : nil
    }

    /// Keeps a corrected price waiting, because it contradicts the other prices of the product.
    private static func queueAgain(
        _ database: Database, _ id: Int64, _ review: PriceReview, _ price: NewPrice, median: Money?
    ) throws -> RecordedPrice {
        var draft = PriceDraft(price, median: median)
        (draft.printed, draft.merchant, draft.gtin) = (review.draft.printed, review.draft.merchant, review.draft.gtin)
        try database.execute(
            sql: "UPDATE grocery_review SET reason = ?, contributor = ?, draft = ? WHERE id = ?",
            arguments: [ReviewReason.outlier.rawValue, price.contributor, try JSONCoding.encode(draft), id])
        return .waiting(id, .outlier)
    }

    private func price(
        _ answer: ReviewAnswer, _ review: PriceReview, source: String?, by person: String
    ) throws(GroceryProblem) -> NewPrice {
        let draft = review.draft
        guard let product = answer.product ?? draft.product else { throw .bad("name the product of this price") }
        guard let place = answer.place ?? draft.place else { throw .bad("name the place of this price") }
        guard let date = answer.date ?? draft.date else { throw .bad("name the day of this price") }
        guard let currency = (answer.currency ?? draft.currency).flatMap({ Currency($0) }) else {
            throw .bad("name the currency of this price, such as EUR")
        }
        guard let money = Money(price: answer.amount ?? draft.amount, currency: currency) else {
            throw .bad("a price is a number above 0 with a point, such as 2.49")
        }
        let per = answer.per ?? draft.per
        let meant = [draft.product].compactMap { $0 } + draft.candidates
        // The print proves the amount and the product that were read of it, or that it may mean. A currency that was not
        // read is completed, not changed.
        let isReadAmount = money.parts == Money(price: draft.amount, currency: currency)?.parts && per == draft.per
        let isReadCurrency = draft.currency == nil || draft.currency == currency.code
        // So are a day and a shop that were not read.
        let isReadHead = date == draft.date ?? date && place == draft.place ?? place
        let isPrinted =
            isReadAmount && isReadCurrency && isReadHead && (meant.isEmpty || meant.contains(product))
        // A person has read it, so it is as sure as a typed one.
        return NewPrice(
            product: product, place: place, price: money, per: per, isDiscounted: draft.isDiscounted, date: date,
            proof: isPrinted ? draft.proof : .typed, photo: draft.photo,
            contributor: isPrinted ? review.contributor : person, confidence: 1, source: source)
    }

    /// True if another adult could decide instead.
    private static func hasOthers(_ database: Database, than person: String) throws -> Bool {
        try Bool.fetchOne(
            database,
            literal: """
                SELECT EXISTS (SELECT 1 FROM member WHERE role = 'adult' AND name <> \(person))
                    OR EXISTS (SELECT 1 FROM grocery_member WHERE person <> \(person))
                """) ?? false
    }

    /// Takes back what ``learn(_:_:_:_:isConfirmed:)`` stored.
    static func unlearn(
        _ database: Database, _ chain: String, _ printed: String, _ product: Int64, isConfirmed: Bool
    ) throws {
        let words = ProductNames.normalised(printed)
        let isNamed: SQL = "chain = \(chain) AND printed = \(words) AND product = \(product)"
        let column: SQL = isConfirmed ? "confirmed" : "rejected"
        try database.execute(
            literal: """
                UPDATE grocery_abbreviation SET \(column) = max(0, \(column) - 1) WHERE \(isNamed);
                DELETE FROM grocery_abbreviation WHERE \(isNamed) AND confirmed = 0 AND rejected = 0
                """)
    }

    static func learn(
        _ database: Database, _ chain: String, _ printed: String, _ product: Int64, isConfirmed: Bool
    ) throws {
        let words = ProductNames.normalised(printed)
        guard !words.isEmpty, !chain.isEmpty else { return }
        try database.execute(
            literal: """
                INSERT INTO grocery_abbreviation
                SELECT \(chain), \(words), id, \(isConfirmed), \(!isConfirmed) FROM grocery_product WHERE id = \(product)
                ON CONFLICT (chain, printed, product) DO UPDATE SET
                    confirmed = confirmed + excluded.confirmed, rejected = rejected + excluded.rejected
                """)
    }
}
