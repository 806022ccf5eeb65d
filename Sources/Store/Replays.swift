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

extension OutcomeStore {
    /// Outcomes with their readings, by row, a page at a time.
    /// - Parameters:
    ///   - after: the row of the last one seen; 0 begins.
    ///   - limit: how many at most.
    public func storedReadings(after row: Int64, limit: Int) throws -> (readings: [StoredReading], last: Int64?) {
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
        let readings = rows.compactMap { row -> StoredReading? in
            // A record of an older shape is read anew by the daemon, not replayed.
            guard let answer = row["answer"] as Data?, let path = FilePathBytes(row["path"] as Data),
                let outcome = try? JSONCoding.decode(Outcome.self, from: row["json"]),
                let reading = try? JSONCoding.decode(ReadAnswer.self, from: answer)
            else { return nil }
            return StoredReading(photo: row["id"], path: path, outcome: outcome, answer: reading)
        }
        return (readings, rows.last?["id"])
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
