import Foods
import Core
import Foundation
import GRDB

/// A receipt as people check it: what holds for all its lines, and the lines, the unsure ones first.
package struct ReceiptReading: Sendable, Hashable, Codable {
    /// `sha256:…`.
    package var photo: String
    /// As printed.
    package var merchant: String?
    package var address: String?
    /// The shop that the print means; nil if it is not known.
    package var place: Int64?
    /// Of the print; the photo's day if none was read.
    package var date: Day?
    /// True if the date is that of the photo.
    package var isPhotoDate: Bool
    /// True if the date was read surely.
    package var isDateSure: Bool
    /// Of the print, or of the prices that were accepted; nil if a person has to choose it.
    package var currency: String?
    /// True if the currency was read surely; false for one that is computed, chosen or missing.
    package var isCurrencyPrinted: Bool
    /// The printed total, digits with a point.
    package var total: String?
    /// What the total has more than the lines, digits with a point; `0.00` if they fit, nil without a total.
    package var difference: String?
    package var lines: [ReceiptLine]
}

/// A product of a receipt: one printed line, or several equal ones.
package struct ReceiptLine: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case waiting, accepted, rejected
        /// A deposit, a return or a discount: no price is kept.
        case priceless
    }

    /// The first printed line, from 0.
    package var line: Int
    package var lines: [Int]
    package var printed: String
    package var state: State
    /// Why it waits.
    package var reason: ReviewReason?
    /// The product that the print means; nil makes a new one with the printed name.
    package var product: Int64?
    /// The product's name, or what is printed.
    package var name: String
    /// Other products that the print may mean, the likeliest first.
    package var candidates: [Int64]
    /// Pieces or units, digits with a point.
    package var count: String
    package var per: PriceUnit
    /// Of one piece or unit, digits with a point; empty where no price is kept.
    package var price: String
    /// Of all, as printed.
    package var amount: String
    /// True if a person should look at it.
    package var isUnsure: Bool
    /// Probability 0…1 that the line is what is printed.
    package var confidence: Double
    /// The open entry of the person's lists with this product.
    package var entry: Int64?
    /// The median that an outlier contradicts.
    package var median: Money?
    /// The price that was accepted; nil for other lines. ``price`` and ``per`` are of it.
    package var accepted: AcceptedPrice?

    /// True for a line that neither means a product nor prints a name: a person names it first.
    package var isNameless: Bool { product == nil && !ProductNames.isName(printed) }
}

/// A person's correction of a line; what is nil stays.
package struct ReceiptCorrection: Sendable, Hashable, Codable {
    /// The first printed line.
    package var line: Int
    /// False rejects the line.
    package var isProduct: Bool?
    package var product: Int64?
    /// Makes or finds a product with this name.
    package var name: String?
    package var count: String?
    package var price: String?
    package var per: PriceUnit?
    /// True if a person has looked at the line.
    package var isChecked: Bool?
}

extension ReceiptCorrection {
    package init(line: Int) { self.line = line }
}

extension ReceiptReading {
    /// What the total has more than the lines, and the lines that are therefore not accepted together with the others.
    package struct Sum: Sendable, Hashable {
        /// Ten-thousandths; nil without a total.
        package var difference: Int64?
        /// First lines.
        package var left: Set<Int>
    }

    /// Digits with a point as ten-thousandths; nil for other text.
    package static func parts(_ text: String) -> Int64? {
        guard text.wholeMatch(of: /-?[0-9]{1,9}(\.[0-9]{1,4})?/) != nil, let value = Decimal(digits: text)
        else { return nil }
        return NSDecimalNumber(decimal: value * 10_000).int64Value
    }

    /// Checks the sum after corrections. Where it fails, or there is no total, what was not read clearly and was not
    /// looked at is left; where it fails, at least the line that was read least surely. Lines without a name are always
    /// left.
    ///
    /// - Parameter total: typed in place of the printed one.
    package func sum(with corrections: [Int: ReceiptCorrection], total typed: String? = nil) -> Sum {
        let base = difference.flatMap(Self.parts)
        var gap = base
        if let typed = typed.flatMap(Self.parts), let printed = total.flatMap(Self.parts) {
            gap = (base ?? 0) + typed - printed
        }
        let open = lines.filter { line in
            line.state == .waiting && !(corrections[line.line].map(\.isLooked) ?? false)
        }
        let nameless = lines.filter { line in
            let correction = corrections[line.line]
            return line.state == .waiting && line.isNameless && correction?.isProduct != false
                && correction?.product == nil && correction?.name == nil
        }
        func sum(_ gap: Int64?, _ left: [ReceiptLine]) -> Sum {
            Sum(difference: gap, left: Set((left + nameless).map(\.line)))
        }
        guard var gap else { return sum(nil, open.filter(\.isUnsure)) }
        var rejected: Int64 = 0
        for line in lines {
            guard let correction = corrections[line.line], let amount = Self.parts(line.amount) else { continue }
            if correction.isProduct == false {
                rejected += amount
            } else if correction.count != nil || correction.price != nil,
                let count = Decimal(digits: correction.count ?? line.count),
                let price = Decimal(digits: correction.price ?? line.price)
            {
                var (exact, cents) = (count * price * 100, Decimal())
                NSDecimalRound(&cents, &exact, 0, .plain)
                gap += amount - NSDecimalNumber(decimal: cents).int64Value * 100
            }
        }
        // A rejected line may be a deposit, which was paid, or may not belong to the bill.
        if gap != 0, gap + rejected == 0 { gap = 0 }
        guard gap != 0 else { return sum(0, []) }
        let unsure = open.filter(\.isUnsure)
        return sum(gap, unsure.isEmpty ? open.min { $0.confidence < $1.confidence }.map { [$0] } ?? [] : unsure)
    }
}

extension ReceiptCorrection {
    fileprivate var isLooked: Bool {
        isChecked == true || isProduct == false || product != nil || name != nil || count != nil || price != nil
    }
}

extension Groceries {
    /// The receipt of a photo as people check it.
    ///
    /// - Parameters:
    ///   - person: whose lists are looked at.
    ///   - apart: the first lines of products whose equal lines are not merged.
    /// - Throws: ``GroceryProblem/notFound(_:)`` for a photo without a receipt.
    package func receipt(_ outcome: Outcome, for person: String, apart: Set<Int> = []) throws -> ReceiptReading {
        try store.read { try receipt($0, outcome, for: person, apart: apart) }
    }

    func receipt(
        _ database: Database, _ outcome: Outcome, for person: String, apart: Set<Int> = []
    ) throws -> ReceiptReading {
        guard let photo = outcome.id, let receipt = outcome.receipt else {
            throw GroceryProblem.notFound("receipt on photo \(outcome.id ?? "")")
        }
        let document = ReadPrices(receipt, rules: rules)
        let place = try place(database, merchant: document.merchant, address: document.address)
        let taken = try Self.day(database, of: photo)
        let printed = date(of: receipt, takenOn: taken)
        var reading = ReceiptReading(
            photo: photo, merchant: document.merchant, address: document.address, place: place,
            date: printed ?? taken, isPhotoDate: printed == nil,
            isDateSure: printed != nil && document.date.flatMap { Day($0) } == printed,
            currency: document.currency,
            isCurrencyPrinted: document.currency != nil && receipt.currency?.derived != true,
            total: receipt.total?.value, difference: Self.difference(receipt), lines: [])
        let known = try KnownLines(database, photo)
        let listed = try Self.listed(database, person)
        let prices = Dictionary(document.prices.map { ($0.line, $0) }) { first, _ in first }
        var lines: [ReceiptLine] = []
        for (index, item) in receipt.items.enumerated() {
            let price = prices[index]
            var line = ReceiptLine(
                line: index, lines: [index], printed: item.name.value, state: .priceless, name: item.name.value,
                candidates: [], count: Self.count(item), per: price?.per ?? .piece, price: price?.amount ?? "",
                amount: item.amount.value, isUnsure: false, confidence: price?.clarity ?? 1)
            if let price {
                let draft = PriceDraft(price, of: document, place: place, photo: photo)
                try complete(&line, draft, known, listed, database)
            }
            lines.append(line)
        }
        reading.takeOver(lines.compactMap(\.accepted))
        reading.difference = reading.difference.map { read in
            Self.digits((ReceiptReading.parts(read) ?? 0) - Self.changed(lines, receipt))
        }
        reading.lines = Self.merged(lines, apart: apart)
        return reading
    }

    /// Adds the state of a line, the product that it means, and whether a person should look at it.
    private func complete(
        _ line: inout ReceiptLine, _ draft: PriceDraft, _ known: KnownLines, _ listed: [Int64: Int64],
        _ database: Database
    ) throws {
        line.state = .waiting
        var isSure = true
        if let (product, accepted) = known.accepted[line.line] {
            (line.state, line.product) = (.accepted, product)
            line.show(accepted)
        } else if let review = known.reviews[line.line], review.state == "rejected" {
            line.state = .rejected
        } else if let review = known.reviews[line.line], review.review.reason == .outlier {
            (line.reason, line.median) = (.outlier, review.review.draft.median)
            (line.product, isSure) = (review.review.draft.product, false)
        } else {
            line.reason = known.reviews[line.line]?.review.reason
            let match = try product(database, draft)
            (line.product, line.candidates) = (match.product, match.candidates)
            if match.product == nil {
                line.product = try proposal(database, line.printed, match.candidates, listed)
                isSure = match.candidates.isEmpty && !line.isNameless
            }
        }
        if let product = line.product {
            line.name = try Self.products(database, "product.id = \(product)").first?.name ?? line.name
            line.candidates.removeAll { $0 == product }
            line.entry = listed[product]
        }
        line.isUnsure = line.state == .waiting && (!isSure || line.confidence < rules.names.confidence)
    }

    /// Scores from which a product is proposed, and by how much it must be better than the next.
    private static let (proposed, clearly) = (0.7, 0.1)

    /// The product among several that the lists name, or that the print clearly abbreviates.
    private func proposal(
        _ database: Database, _ printed: String, _ candidates: [Int64], _ listed: [Int64: Int64]
    ) throws -> Int64? {
        let wanted = candidates.filter { listed[$0] != nil }
        if wanted.count == 1 { return wanted[0] }
        let scored = try candidates.compactMap { id -> (Int64, Double)? in
            guard let product = try Self.products(database, "product.id = \(id)").first,
                !Self.haveOtherNumbers(printed, product.name)
            else { return nil }
            return (
                id,
                max(
                    ProductNames.score(printed: printed, name: product.name),
                    ProductNames.score(printed: printed, name: "\(product.brand ?? "") \(product.name)"))
            )
        }.sorted { $0.1 > $1.1 }
        guard let best = scored.first, best.1 >= Self.proposed,
            scored.count == 1 || best.1 - scored[1].1 >= Self.clearly
        else { return nil }
        return best.0
    }

    /// Numbers distinguish products: `COLA 0,5` is not "Cola 1.5 l".
    private static func haveOtherNumbers(_ printed: String, _ name: String) -> Bool {
        func numbers(_ text: String) -> [String] { Folding.words(of: text).filter { $0.contains(where: \.isNumber) } }
        let (one, other) = (numbers(printed), numbers(name))
        return !other.isEmpty && !Set(one).isSubset(of: other)
    }

    /// What was recorded of a receipt, by printed line.
    private struct KnownLines {
        var accepted: [Int: (product: Int64, price: AcceptedPrice)] = [:]
        var reviews: [Int: (state: String, review: PriceReview)] = [:]

        init(_ database: Database, _ photo: String) throws {
            let prefix = "\(photo)#\(PriceProof.receipt.rawValue)"
            func line(_ row: Row) -> Int? {
                (row["source"] as String?).flatMap { $0.hasPrefix(prefix) ? Int($0.dropFirst(prefix.count)) : nil }
            }
            let prices = "SELECT * FROM grocery_price WHERE photo = ? AND isRejected = 0"
            for row in try Row.fetchAll(database, sql: prices, arguments: [photo]) {
                guard let line = line(row), let price = Money(row) else { continue }
                let accepted = AcceptedPrice(
                    amount: price.digits, currency: price.currency.code,
                    per: PriceUnit(rawValue: row["per"]) ?? .piece, place: row["place"], date: Day(number: row["day"]))
                self.accepted[line] = (row["product"], accepted)
            }
            let waiting = "SELECT * FROM grocery_review WHERE photo = ?"
            for row in try Row.fetchAll(database, sql: waiting, arguments: [photo]) {
                if let line = line(row) { reviews[line] = (row["state"], try PriceReview(row: row)) }
            }
        }
    }

    /// Products of the open entries of a person's lists, with the entry.
    private static func listed(_ database: Database, _ person: String) throws -> [Int64: Int64] {
        let rows = try Row.fetchAll(
            database,
            literal: """
                SELECT entry.id, entry.product FROM grocery_entry AS entry
                JOIN grocery_member ON grocery_member.list = entry.list
                WHERE person = \(person) AND isInShoppingList AND NOT isCompleted ORDER BY entry.id DESC
                """)
        return Dictionary(rows.map { ($0["product"], $0["id"]) }) { _, first in first }
    }

    /// Days between a receipt and its photo.
    private static let soon = 60

    /// The printed date. Where day and month may be exchanged, the one shortly before the photo, otherwise the likelier
    /// one. Nil for a date after tomorrow, or without a date.
    private func date(of receipt: Receipt, takenOn taken: Day?) -> Day? {
        let dates = receipt.date.map { [$0.value] + ($0.alternatives ?? []) } ?? []
        let possible = dates.compactMap { Day($0) }.filter { $0.number <= today.number + 1 }
        let near = possible.first { day in
            taken.map { (0...Self.soon).contains($0.number - day.number) } ?? false
        }
        return near ?? possible.first
    }

    /// The day on which the photo's file was written.
    private static func day(_ database: Database, of photo: String) throws -> Day? {
        try Int64.fetchOne(
            database, literal: "SELECT modified FROM photo WHERE content = \(photo) ORDER BY id LIMIT 1"
        ).map { Day(of: Date(timeIntervalSince1970: Double($0) / 1e9), in: .gmt) }
    }

    private static func count(_ item: Receipt.Item) -> String {
        item.quantity.flatMap { ReceiptReading.parts($0.value) == nil ? nil : $0.value } ?? "1"
    }

    /// What the total has more than the lines. A check that holds knows of taxes and rounding.
    private static func difference(_ receipt: Receipt) -> String? {
        if receipt.checks.contains(where: { $0.check == "itemsMakeTotal" && $0.holds }) { return "0.00" }
        let items = receipt.items.compactMap { ReceiptReading.parts($0.amount.value) }.reduce(0, +)
        let gaps = [receipt.total, receipt.subtotal].compactMap { $0.flatMap { ReceiptReading.parts($0.value) } }
            .map { $0 - items }
        return gaps.min { abs($0) < abs($1) }.map { Money(parts: $0, currency: .euro).digits }
    }

    /// Merges equal lines; the unsure ones come first.
    private static func merged(_ lines: [ReceiptLine], apart: Set<Int>) -> [ReceiptLine] {
        var found: [ReceiptLine] = []
        for line in lines {
            let same = found.firstIndex {
                $0.per == .piece && line.per == .piece && $0.price == line.price && $0.state == line.state
                    && $0.reason == line.reason && $0.product == line.product && !$0.price.isEmpty
                    && ProductNames.normalised($0.printed) == ProductNames.normalised(line.printed)
            }
            guard let same, !apart.contains(found[same].line) else {
                found.append(line)
                continue
            }
            found[same].lines.append(line.line)
            found[same].count = sum(found[same].count, line.count)
            found[same].amount = sum(found[same].amount, line.amount)
            found[same].confidence = min(found[same].confidence, line.confidence)
            found[same].isUnsure = found[same].isUnsure || line.isUnsure
        }
        return found.filter(\.isUnsure) + found.filter { !$0.isUnsure }
    }

    /// What accepted amounts are more than those that were read, ten-thousandths.
    private static func changed(_ lines: [ReceiptLine], _ receipt: Receipt) -> Int64 {
        zip(lines, receipt.items).reduce(0) { sum, line in
            let (now, read) = (ReceiptReading.parts(line.0.amount), ReceiptReading.parts(line.1.amount.value))
            return sum + (now.flatMap { now in read.map { now - $0 } } ?? 0)
        }
    }

    private static func digits(_ parts: Int64) -> String { Money(parts: parts, currency: .euro).digits }

    private static func sum(_ one: String, _ other: String) -> String {
        let parts = [one, other].compactMap { ReceiptReading.parts($0) }.reduce(0, +)
        let isWhole = parts % 10_000 == 0 && !one.contains(".")
        return isWhole ? "\(parts / 10_000)" : Money(parts: parts, currency: .euro).digits
    }
}
