import Core
import Foundation
import Groceries
import HTTP
import Foods

extension ShoppingUseCases {
    /// The receipt of a photo as people check it.
    ///
    /// - Parameter apart: the first lines of products whose equal lines are not merged.
    /// - Throws: `Problem` (404) for a photo without a receipt.
    func receipt(ofPhoto id: String, apart: Set<Int> = [], for person: String) throws -> ReceiptReading {
        guard let reading = try groceries.receipt(try outcome(ofPhoto: id), for: person, apart: apart) else {
            throw Problem(404, "notFound", "there is no receipt on photo \(id)")
        }
        return reading
    }

    /// Accepts the waiting prices of a receipt, with corrections.
    func accept(receipt id: String, _ answer: ReceiptAnswer, by person: String) throws -> ReceiptReport {
        try groceries.accept(try outcome(ofPhoto: id), answer, by: person)
    }

    /// Takes decisions about the lines of a receipt back, all or none.
    func takeBack(_ decided: [Int64], receipt id: String, by person: String) throws {
        guard !decided.isEmpty else { throw Problem(400, "badRequest", "name the decisions to take back") }
        try groceries.takeBack(decided, ofPhoto: id, by: person)
    }

    /// Those of these decisions that the person can take back.
    func decided(_ reviews: [Int64], receipt id: String, by person: String) throws -> [Int64] {
        try groceries.decided(reviews, ofPhoto: id, by: person)
    }

    /// Completes the entries of the person's lists whose products are on a receipt.
    func tickOff(receipt id: String, by person: String) throws -> ReceiptTicks {
        let entries = Set(try receipt(ofPhoto: id, for: person).lines.compactMap(\.entry))
        for entry in entries.sorted() {
            _ = try groceries.change(entry, EntryChange(isCompleted: true), by: person)
        }
        return ReceiptTicks(ticked: entries.count)
    }

    /// - Throws: `Problem` (404) for a photo that was not read.
    func outcome(ofPhoto id: String) throws -> Outcome {
        guard let json = try groceries.store.outcomeJSON(forContent: id) else {
            throw Problem(404, "notFound", "there is no photo \(id)")
        }
        return try JSONCoding.decode(Outcome.self, from: json)
    }

    func receiptContent(_ id: String, apart: Set<Int>, for person: String) throws -> ReceiptContent {
        let outcome = try outcome(ofPhoto: id)
        guard let reading = try groceries.receipt(outcome, for: person, apart: apart) else {
            throw Problem(404, "notFound", "there is no receipt on photo \(id)")
        }
        var names: [Int64: String] = [:]
        for product in Set(reading.lines.flatMap { $0.candidates + [$0.product].compactMap { $0 } }) {
            names[product] = try groceries.product(product)?.name
        }
        return ReceiptContent(
            outcome: outcome, reading: reading, places: try groceries.places(for: person), names: names,
            known: try groceries.products(limit: ReceiptContent.proposed).map(\.name),
            currency: try groceries.lastCurrency(), today: today)
    }
}

/// What the page of a receipt shows.
struct ReceiptContent: Sendable {
    var outcome: Outcome
    var reading: ReceiptReading
    var places: [GroceryPlace]
    /// Names of the products that the lines may mean.
    var names: [Int64: String]
    /// Names that a field proposes.
    var known: [String]
    /// Of the newest price; nil before the first one.
    var currency: String?
    var today: Day
    /// Whom the names of the lines are judged for.
    var household: [AllergenProfile] = []

    static let proposed = 200
    /// Decisions that are taken back at once.
    static let mostUndone = 500
}

/// How many entries of lists were completed.
struct ReceiptTicks: Codable, Sendable, Documented {
    var ticked: Int

    static let about: String? = "How many entries of lists were completed."
}

extension ReceiptReading: Documented {
    package static let about: String? = "A receipt as people check it, the unsure lines first."
}

extension ReceiptAnswer: Documented {
    package static let about: String? = "An answer to a whole receipt; what is not named is taken from the reading."
    package static let fields = ["place": Field.number()]
}

extension ReceiptReport: Documented {
    package static let about: String? = "What became of the lines of a receipt."
}

extension PlaceChange: Documented {
    package static let about: String? = "What changes of a shop; an empty part of the address is removed."
}
