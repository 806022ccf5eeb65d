import Foundation
import GRDB
import Core

/// A stored outcome with the readings it was made from.
package struct StoredReading: Sendable {
    package var photo: Int64
    package var path: FilePathBytes
    package var outcome: Outcome
    package var answer: ReadAnswer
}

/// An encoded ``StoredReading``. The caller decodes it, on all cores.
package struct StoredRow: Sendable {
    package var photo: Int64
    package var path: FilePathBytes
    /// JSON of an `Outcome` and of a `ReadAnswer`.
    package var outcome, answer: Data
    /// The request of the readings: version, domain, piece set and models, separated by spaces; empty if unknown.
    package var asked = ""
}

extension StoredReading {
    /// Nil for a record in an older format; the daemon reads that photo again.
    init?(_ row: StoredRow) {
        guard let outcome = try? JSONCoding.decode(Outcome.self, from: row.outcome),
            let answer = try? JSONCoding.decode(ReadAnswer.self, from: row.answer)
        else { return nil }
        self.init(photo: row.photo, path: row.path, outcome: outcome, answer: answer)
    }
}

extension OutcomeStore {
    /// One page of encoded rows, by row id.
    ///
    /// - Parameters:
    ///   - row: row id of the last one seen; 0 for the first page.
    ///   - limit: maximum number of rows.
    package func storedRows(after row: Int64, limit: Int) throws -> (rows: [StoredRow], last: Int64?) {
        let rows = try read(
            Row.fetchAll, "\(sql: Self.rows) WHERE photo.id > \(row) ORDER BY photo.id LIMIT \(limit)")
        return (try rows.compactMap(storedRow), rows.last?["id"])
    }

    /// The outcomes of all photos with this content, with their readings.
    package func storedReadings(of content: String) throws -> [StoredReading] {
        try storedRows(of: content).compactMap(StoredReading.init)
    }

    package func storedRows(of content: String) throws -> [StoredRow] {
        try read(Row.fetchAll, "\(sql: Self.rows) WHERE photo.content = \(content) ORDER BY photo.id")
            .compactMap(storedRow)
    }

    private static let rows = """
        SELECT photo.id, photo.path, photo.content, photo.asked AS wanted, outcome.json,
            (SELECT answer FROM reading WHERE reading.content = photo.content AND reading.asked = photo.asked)
                AS answer
        FROM outcome JOIN photo ON photo.id = outcome.photo
        """

    /// The row with its reading; nil without one.
    private func storedRow(_ row: Row) throws -> StoredRow? {
        let path: FilePathBytes = row["path"]
        if let answer = row["answer"] as Data? {
            return StoredRow(
                photo: row["id"], path: path, outcome: row["json"], answer: answer, asked: row["wanted"] ?? "")
        }
        guard let content = row["content"] as String?, let newest = try newestReading(of: content) else { return nil }
        return StoredRow(photo: row["id"], path: path, outcome: row["json"], answer: newest.answer, asked: newest.asked)
    }

    /// The readings by the newest program version; nil if there are none.
    private func newestReading(of content: String) throws -> (asked: String, answer: Data)? {
        try read(Row.fetchAll, "SELECT asked, answer FROM reading WHERE content = \(content)")
            .map { ($0["asked"] as String, $0["answer"] as Data) }
            .max { Self.version($0.0).lexicographicallyPrecedes(Self.version($1.0)) }
    }

    /// The version numbers in a request: 0.10 is newer than 0.9.
    static func version(_ asked: String) -> [Int] {
        (asked.split(separator: " ").first ?? "").split { !("0"..."9").contains($0) }.map { Int($0) ?? 0 }
    }

    /// Replaces outcomes that were judged again, stores what people missed, and publishes events, in one transaction.
    /// Sidecars are marked as unwritten.
    ///
    /// - Parameter row: row id up to which the pass of ``beginJudging(for:)`` is done; nil outside a pass.
    package func replace(
        _ outcomes: [NewOutcome], publishing events: [NewEvent] = [], judgedUpTo row: Int64? = nil
    ) throws {
        guard !outcomes.isEmpty || !events.isEmpty || row != nil else { return }
        try write { database in
            for outcome in outcomes {
                let photo = outcome.photo
                try database.execute(
                    literal: "UPDATE outcome SET json = \(outcome.json), sidecarWritten = 0 WHERE photo = \(photo)")
                try database.execute(literal: "UPDATE summary SET isStale = 1 WHERE photo = \(photo)")
                try Self.insertNews(of: outcome, database)
            }
            for event in events { try event.insert(database) }
            if let row { try database.execute(literal: "UPDATE judged SET upTo = \(row), tries = 0") }
        }
    }
}
