import Foods
import Core
import Foundation
import GRDB
import Store

// What happens to the prices of a file that gets other bytes: it was written slowly, rotated, or another photo.
extension Groceries {
    /// Notes the content of a file with prices, and takes back the prices of its content before. Hours later it is another
    /// document at the same path, and the prices stay.
    func replaceContent(_ database: Database, at path: Data, with outcome: Outcome) throws {
        guard let content = outcome.id else { return }
        let row = try Row.fetchOne(
            database, literal: "SELECT content, recorded FROM grocery_photo WHERE path = \(path)")
        let before = row?["content"] as String?
        guard before != content else { return }
        try database.execute(literal: "DELETE FROM grocery_photo WHERE path = \(path)")
        if let before, let recorded = row?["recorded"] as Int64?, seconds - recorded <= PhotoRewriting.longest {
            let hasCopy = try Bool.fetchOne(
                database, literal: "SELECT EXISTS (SELECT 1 FROM grocery_photo WHERE content = \(before))")
            if hasCopy != true { try takeBack(database, before, for: outcome, content) }
        }
        guard outcome.receipt != nil || outcome.priceTag != nil else { return }
        try database.execute(literal: "INSERT INTO grocery_photo VALUES (\(path), \(content), \(seconds))")
    }

    /// A line of the new document that may be one that a person has decided.
    private struct Line {
        var source: String
        var printed: String?
        var amount: String
        var proof: PriceProof
    }

    /// Deletes the waiting prices of a content, and those that nobody checked. What a person decided stays: it moves to the
    /// same line of the new document, so that nobody is asked again.
    private func takeBack(_ database: Database, _ before: String, for outcome: Outcome, _ content: String) throws {
        try database.execute(literal: "DELETE FROM grocery_review WHERE photo = \(before) AND state = 'waiting'")
        var lines = lines(of: outcome, content)
        let decided = try Row.fetchAll(
            database, literal: "SELECT id, source, draft FROM grocery_review WHERE photo = \(before)")
        for row in decided {
            let draft = try JSONCoding.decode(PriceDraft.self, from: row["draft"])
            let equal = lines.indices.filter { lines[$0].amount == draft.amount && lines[$0].proof == draft.proof }
            let index = equal.first { lines[$0].printed == draft.printed } ?? equal.first
            let line = index.map { lines.remove(at: $0) }
            // A line that is not in the new document loses its photo, as with a photo that is deleted.
            let moved: SQL = "SET source = \(line?.source), photo = \(line.map { _ in content })"
            try database.execute(
                literal: """
                    UPDATE grocery_price \(moved) WHERE source = \(row["source"] as String?);
                    UPDATE grocery_review \(moved) WHERE id = \(row["id"] as Int64)
                    """)
        }
        let keys = try PriceKey.fetchAll(
            database, literal: "SELECT * FROM grocery_price WHERE photo = \(before) AND source IS NOT NULL")
        try database.execute(literal: "DELETE FROM grocery_price WHERE photo = \(before) AND source IS NOT NULL")
        try quote(database, Set(keys))
    }

    private func lines(of outcome: Outcome, _ content: String) -> [Line] {
        documents(of: outcome).flatMap { document in
            document.prices.map {
                Line(
                    source: Self.source(of: $0, of: document, content), printed: $0.printed, amount: $0.amount,
                    proof: document.proof)
            }
        }
    }
}
