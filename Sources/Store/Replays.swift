import Foundation
import GRDB
import Vocabulary

/// A stored outcome with the readings that it was made from.
public struct StoredReading: Sendable {
    /// Row of the photo.
    public var photo: Int64
    public var path: FilePathBytes
    public var outcome: Outcome
    public var answer: ReadAnswer
}

/// The same as the database has it, not yet decoded: that is done where the cores are.
public struct StoredRow: Sendable {
    /// Row of the photo.
    public var photo: Int64
    public var path: FilePathBytes
    /// `Outcome` and `ReadAnswer`, JSON.
    public var outcome, answer: Data
}

extension StoredReading {
    /// Nil for a record of an older shape, which the daemon reads anew.
    init?(_ row: StoredRow) {
        guard let outcome = try? JSONCoding.decode(Outcome.self, from: row.outcome),
            let answer = try? JSONCoding.decode(ReadAnswer.self, from: row.answer)
        else { return nil }
        self.init(photo: row.photo, path: row.path, outcome: outcome, answer: answer)
    }
}

extension OutcomeStore {
    /// Outcomes with their readings, by row, a page at a time.
    /// - Parameters:
    ///   - after: the row of the last one seen; 0 begins.
    ///   - limit: how many at most.
    public func storedReadings(after row: Int64, limit: Int) throws -> (readings: [StoredReading], last: Int64?) {
        let (rows, last) = try storedRows(after: row, limit: limit)
        return (rows.compactMap(StoredReading.init), last)
    }

    /// The same, not decoded.
    public func storedRows(after row: Int64, limit: Int) throws -> (rows: [StoredRow], last: Int64?) {
        let rows = try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT photo.id, photo.path, outcome.json,
                        (SELECT answer FROM reading WHERE reading.content = photo.content ORDER BY asked DESC LIMIT 1) AS answer
                    FROM outcome JOIN photo ON photo.id = outcome.photo
                    WHERE photo.id > ? ORDER BY photo.id LIMIT ?
                    """, arguments: [row, limit])
        }
        let stored = rows.compactMap { row -> StoredRow? in
            guard let answer = row["answer"] as Data?, let path = FilePathBytes(row["path"] as Data) else { return nil }
            return StoredRow(photo: row["id"], path: path, outcome: row["json"], answer: answer)
        }
        return (stored, rows.last?["id"])
    }

    /// Puts replayed outcomes in the place of the old ones; their sidecars are to be written again.
    public func replace(_ outcomes: [(photo: Int64, json: Data)]) throws {
        try database.write { database in
            for (photo, json) in outcomes {
                try database.execute(
                    sql: "UPDATE outcome SET json = ?, sidecarWritten = 0 WHERE photo = ?", arguments: [json, photo])
            }
        }
    }
}
