import Foundation
import GRDB
import Core

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
    /// What the readings were asked for: version, domain, piece set and readers, separated by blanks; empty where it is not known.
    public var asked = ""
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
        let rows = try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT photo.id, photo.path, photo.content, photo.asked AS wanted, outcome.json,
                        (SELECT answer FROM reading WHERE reading.content = photo.content AND reading.asked = photo.asked)
                            AS answer
                    FROM outcome JOIN photo ON photo.id = outcome.photo
                    WHERE photo.id > ? ORDER BY photo.id LIMIT ?
                    """, arguments: [row, limit])
        }
        let stored = try rows.compactMap { row -> StoredRow? in
            guard let path = FilePathBytes(row["path"] as Data) else { return nil }
            if let answer = row["answer"] as Data? {
                return StoredRow(
                    photo: row["id"], path: path, outcome: row["json"], answer: answer, asked: row["wanted"] ?? "")
            }
            guard let content = row["content"] as String?, let newest = try newestReading(of: content) else {
                return nil
            }
            return StoredRow(
                photo: row["id"], path: path, outcome: row["json"], answer: newest.answer, asked: newest.asked)
        }
        return (stored, rows.last?["id"])
    }

    /// The reading that the newest program version made; nil if there is no reading.
    private func newestReading(of content: String) throws -> (asked: String, answer: Data)? {
        try read {
            try Row.fetchAll($0, sql: "SELECT asked, answer FROM reading WHERE content = ?", arguments: [content])
        }.map { ($0["asked"] as String, $0["answer"] as Data) }
            .max { Self.version($0.0).lexicographicallyPrecedes(Self.version($1.0)) }
    }

    /// The numbers of the version that a reading was asked for by: 0.10 is newer than 0.9.
    static func version(_ asked: String) -> [Int] {
        (asked.split(separator: " ").first ?? "").split { !("0"..."9").contains($0) }.map { Int($0) ?? 0 }
    }

    /// Puts replayed outcomes in the place of the old ones; their sidecars are to be written again.
    public func replace(_ outcomes: [(photo: Int64, json: Data)]) throws {
        try write { database in
            for (photo, json) in outcomes {
                try database.execute(
                    sql: "UPDATE outcome SET json = ?, sidecarWritten = 0 WHERE photo = ?", arguments: [json, photo])
            }
        }
    }
}
