import Foods
import Core
import GRDB

/// A person's answer to a whole receipt; what is nil is taken from the reading.
package struct ReceiptAnswer: Sendable, Hashable, Codable {
    package var place: Int64?
    /// The shop, if it may be new.
    package var shop: NewPlace?
    package var date: Day?
    package var currency: String?
    /// The total, if it was misread: digits with a point.
    package var total: String?
    /// By first lines.
    package var corrections: [ReceiptCorrection]?
    /// First lines of products whose equal lines are not merged.
    package var apart: [Int]?
    /// First lines of the products that are decided; nil for all.
    package var only: [Int]?
}

extension ReceiptAnswer {
    func includes(_ line: ReceiptLine) -> Bool { only.map { $0.contains(line.line) } ?? true }
}

extension ReceiptAnswer {
    /// The answer that makes lines what they are now.
    fileprivate init(changingBack lines: [ReceiptLine], of reading: ReceiptReading, _ answer: ReceiptAnswer) {
        let accepted = lines.compactMap(\.accepted).first
        self.init(
            place: accepted?.place ?? reading.place, date: accepted?.date ?? reading.date,
            currency: accepted?.currency ?? reading.currency,
            corrections: lines.map { line in
                ReceiptCorrection(
                    line: line.line, isProduct: line.state == .rejected ? false : true, product: line.product,
                    price: line.accepted?.amount, per: line.accepted?.per, isChecked: true)
            }, apart: answer.apart, only: lines.map(\.line))
    }

    package init(_ corrections: [ReceiptCorrection]) { self.init(corrections: corrections, apart: nil) }
}

package struct ReceiptReport: Sendable, Hashable, Codable {
    /// Printed lines whose price is used now.
    package var accepted = 0
    /// Printed lines whose price contradicts others and waits for somebody else.
    package var waiting = 0
    package var rejected = 0
    /// Products that the sum left: somebody should look at them.
    package var left = 0
    package var place: Int64?
    /// Printed lines whose accepted price was changed.
    package var changed = 0
    /// The waiting prices that were accepted or rejected, which their person can take back.
    package var decided: [Int64] = []
    /// The answer that changes the changed lines back; nil if none was changed.
    package var before: ReceiptAnswer?
}

extension Groceries {
    /// Accepts the waiting prices of a receipt in one transaction, each by the rules of a single price. Lines that the
    /// sum leaves wait. Accepted prices that the answer contradicts are changed by the same rules: a correction, or another
    /// shop, day or currency. The shop's printed name is remembered if the program did not know it.
    ///
    /// - Throws: ``GroceryProblem``; nothing is changed then.
    package func accept(_ outcome: Outcome, _ answer: ReceiptAnswer, by person: String) throws -> ReceiptReport {
        try store.write { database in
            let reading = try self.receipt(database, outcome, for: person, apart: Set(answer.apart ?? []))
            let corrections = Dictionary((answer.corrections ?? []).map { ($0.line, $0) }) { first, _ in first }
            let named = try answer.place ?? answer.shop.map { try self.placeID(database, $0, by: person) }
            let place = named ?? reading.place
            // Of the print, not of prices that were accepted at another shop.
            let known = try self.place(database, merchant: reading.merchant, address: reading.address)
            let sum = reading.sum(with: corrections, total: answer.total)
            var report = ReceiptReport(left: sum.left.count, place: place)
            let document = self.documents(of: outcome)[0]
            let changes = reading.changes(answer, at: named)
            let before = reading.lines.filter { changes.contains($0.line) }
            if !before.isEmpty { report.before = ReceiptAnswer(changingBack: before, of: reading, answer) }
            for line in reading.lines
            where changes.contains(line.line)
                || line.state == .waiting && !sum.left.contains(line.line) && answer.includes(line)
            {
                let correction = corrections[line.line] ?? ReceiptCorrection(line: line.line)
                var decision = ReviewAnswer(isAccepted: correction.isProduct != false)
                if decision.isAccepted {
                    guard place != nil else { throw GroceryProblem.bad("name the shop of this receipt") }
                    decision.place = place
                    decision.date = answer.date ?? reading.date
                    decision.currency = answer.currency ?? reading.currency
                    decision.amount = correction.price ?? line.accepted?.amount
                    decision.per = correction.per ?? line.accepted?.per
                    decision.product = try self.product(database, of: line, correction, by: person)
                }
                for price in document.prices where line.lines.contains(price.line) {
                    if line.state != .waiting { try self.reopen(database, price, of: document, reading.photo) }
                    let draft = PriceDraft(price, of: document, place: known, photo: reading.photo)
                    let meant = correction.product == nil && correction.name == nil ? decision.product : line.product
                    let id = try self.waiting(database, draft, line, meant: meant, at: price.line, by: person)
                    do {
                        let decided = try self.decide(database, id, decision, by: person)
                        if changes.contains(line.line) {
                            if case .waiting = decided { report.waiting += 1 } else { report.changed += 1 }
                            continue
                        }
                        switch decided {
                        case .accepted, .known: report.accepted += 1
                        case .waiting: report.waiting += 1
                        case nil: report.rejected += 1
                        }
                        if case .waiting = decided { continue }
                        report.decided.append(id)
                    } catch GroceryProblem.own {
                        report.waiting += 1
                    }
                }
            }
            if let place, place != known, report.accepted + report.changed > 0 {
                try self.remember(database, reading, as: place)
            }
            return report
        }
    }

    /// Takes decisions about the prices of a photo back, all or none: they wait again. What was learnt of the printed names
    /// and posted of changed prices goes with them. New products and shops stay, without these prices.
    ///
    /// - Parameter reviews: numbers of the waiting prices, as ``ReceiptReport/decided`` names them.
    /// - Throws: ``GroceryProblem/notFound(_:)`` for one that this person did not decide, or that waits again.
    package func takeBack(_ reviews: [Int64], ofPhoto photo: String, by person: String) throws {
        guard !reviews.isEmpty else { throw GroceryProblem.bad("name the decisions to take back") }
        try store.write { database in
            for id in Set(reviews).sorted() {
                guard let row = try Self.decided(database, id, ofPhoto: photo, by: person) else {
                    throw GroceryProblem.notFound("decision of yours about price \(id)")
                }
                try self.takeBack(database, row)
            }
        }
    }

    private static func decided(
        _ database: Database, _ id: Int64, ofPhoto photo: String, by person: String
    ) throws -> Row? {
        try Row.fetchOne(
            database,
            literal: """
                SELECT * FROM grocery_review WHERE id = \(id) AND state <> 'waiting' AND photo = \(photo)
                    AND decidedBy = \(person) AND source IS NOT NULL
                """)
    }

    /// Makes the price of a printed line wait again, whoever decided it.
    private func reopen(_ database: Database, _ price: ReadPrice, of document: ReadPrices, _ photo: String) throws {
        let source = Self.source(of: price, of: document, photo)
        let decided = try Row.fetchOne(
            database, literal: "SELECT * FROM grocery_review WHERE source = \(source) AND state <> 'waiting'")
        if let decided { return try takeBack(database, decided) }
        // Accepted by the program itself.
        try removePrice(database, of: source)
    }

    /// - Returns: the price that was removed.
    @discardableResult
    private func removePrice(_ database: Database, of source: String) throws -> Row? {
        let price = try Row.fetchOne(database, literal: "SELECT * FROM grocery_price WHERE source = \(source)")
        guard let price else { return nil }
        try database.execute(literal: "DELETE FROM grocery_price WHERE id = \(price["id"] as Int64)")
        try quote(database, [PriceKey(row: price)])
        try Self.removePost(database, price)
        return price
    }

    private func takeBack(_ database: Database, _ row: Row) throws {
        let draft = try JSONCoding.decode(PriceDraft.self, from: row["draft"])
        let price = try removePrice(database, of: row["source"])
        let isAccepted = row["state"] == "accepted"
        if let printed = draft.printed, let chain = try chain(database, of: draft, at: price?["place"]),
            let named = price?["product"] ?? draft.product ?? draft.candidates.first
        {
            try Self.unlearn(database, chain, printed, named, isConfirmed: isAccepted)
        }
        try database.execute(
            literal: "UPDATE grocery_review SET state = 'waiting', decidedBy = NULL WHERE id = \(row["id"] as Int64)")
    }

    /// The product that a person names, that the print means, or a new one with the printed name.
    private func product(
        _ database: Database, of line: ReceiptLine, _ correction: ReceiptCorrection, by person: String
    ) throws -> Int64 {
        if let product = correction.product { return product }
        if correction.name == nil, let product = line.product { return product }
        let name = correction.name ?? line.printed
        let words = ProductNames.normalised(name)
        let named = try Int64.fetchAll(
            database, literal: "SELECT id FROM grocery_product WHERE words = \(words) ORDER BY id LIMIT 2")
        if named.count == 1, !words.isEmpty { return named[0] }
        return try Self.productID(database, NewProduct(name: name), by: person)
    }

    /// The waiting price of a printed line, made if nothing was recorded of it. What the print may mean is brought up
    /// to date by what the program knows now, never by what a person typed.
    private func waiting(
        _ database: Database, _ draft: PriceDraft, _ line: ReceiptLine, meant: Int64?, at index: Int, by person: String
    ) throws -> Int64 {
        let source = "\(draft.photo ?? "")#\(draft.proof.rawValue)\(index)"
        var draft = draft
        draft.candidates = [meant, line.product].compactMap { $0 } + line.candidates
        let row = try Row.fetchOne(database, literal: "SELECT id, reason FROM grocery_review WHERE source = \(source)")
        guard let row else {
            let sender = try String.fetchOne(
                database, literal: "SELECT person FROM grocery_upload WHERE photo = \(draft.photo)")
            return try Self.queue(database, draft, .product, source: source, by: sender ?? person)
        }
        if row["reason"] != ReviewReason.outlier.rawValue {
            let json = try JSONCoding.encode(draft)
            try database.execute(literal: "UPDATE grocery_review SET draft = \(json) WHERE id = \(row["id"] as Int64)")
        }
        return row["id"]
    }

    /// Remembers what a receipt printed for a shop. The name of another known chain is not remembered: it was read
    /// right.
    private func remember(_ database: Database, _ reading: ReceiptReading, as place: Int64) throws {
        guard let merchant = reading.merchant else { return }
        let printed = chain(merchant)
        let isOther = try Bool.fetchOne(
            database,
            literal: """
                SELECT EXISTS (SELECT 1 FROM grocery_place WHERE chain = \(printed))
                    AND NOT EXISTS (SELECT 1 FROM grocery_place WHERE chain = \(printed) AND id = \(place))
                """)
        guard isOther != true else { return }
        try Self.remember(database, merchant, reading.address, as: place)
    }

    static func remember(_ database: Database, _ name: String, _ address: String?, as place: Int64) throws {
        let words = ProductNames.normalised(name)
        guard !words.isEmpty else { return }
        try database.execute(
            literal: """
                INSERT INTO grocery_shop_name VALUES (\(words), \(ProductNames.normalised(address ?? "")), \(place))
                ON CONFLICT (name, address) DO UPDATE SET place = excluded.place
                """)
    }
}
