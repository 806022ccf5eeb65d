import Foundation
import GRDB
import Vocabulary

extension OutcomeStore {
    /// What a worker answered about this content when it was asked the same; nil where it never was.
    public func answer(for content: String, asked: String) throws -> ReadAnswer? {
        let data = try database.read {
            try Data.fetchOne(
                $0, sql: "SELECT answer FROM reading WHERE content = ? AND asked = ?", arguments: [content, asked])
        }
        // A record of an older shape is read anew, not an error.
        return data.flatMap { try? JSONCoding.decode(ReadAnswer.self, from: $0) }
    }

    /// Stores readings, the outcome and the end of the job in one transaction: all of it, or nothing.
    ///
    /// - Parameter json: the outcome in the bytes its sidecar will have.
    public func finish(
        _ photo: QueuedPhoto, content: String?, asked: String, answer: ReadAnswer?, status: Outcome.Status, json: Data
    ) throws {
        let reading = try answer.map { try JSONCoding.encode($0) }
        try database.write { database in
            if let content, let reading {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO reading (content, asked, answer) VALUES (?, ?, ?)",
                    arguments: [content, asked, reading])
            }
            // A file that changed while it was read was queued again: its state is not ours to set.
            try database.execute(
                sql: "UPDATE photo SET state = 'done', content = ? WHERE id = ? AND state = 'running'",
                arguments: [content, photo.id])
            guard database.changesCount == 1 else { return }
            try database.execute(
                sql: "INSERT OR REPLACE INTO outcome (photo, status, json) VALUES (?, ?, ?)",
                arguments: [photo.id, status.rawValue, json])
        }
    }

    /// Notes that the sidecar lies on the disk.
    public func markSidecarWritten(_ photo: QueuedPhoto) throws {
        try database.write {
            try $0.execute(sql: "UPDATE outcome SET sidecarWritten = 1 WHERE photo = ?", arguments: [photo.id])
        }
    }

    /// Outcomes whose sidecar a killed run did not get to write.
    public func unwrittenSidecars() throws -> [(photo: QueuedPhoto, json: Data)] {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT photo.id, photo.path, photo.sidecar, photo.attempt, outcome.json FROM outcome
                    JOIN photo ON photo.id = outcome.photo WHERE outcome.sidecarWritten = 0 ORDER BY photo.id
                    """
            ).compactMap { row in
                guard let path = FilePathBytes(row["path"] as Data), let sidecar = FilePathBytes(row["sidecar"] as Data)
                else { return nil }
                let photo = QueuedPhoto(id: row["id"], path: path, sidecar: sidecar, attempt: row["attempt"])
                return (photo, row["json"] as Data)
            }
        }
    }

    /// How many files ended in each status.
    public func counts() throws -> [Outcome.Status: Int] {
        try database.read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT status, count(*) AS n FROM outcome GROUP BY status")
            return Dictionary(
                rows.compactMap { row in Outcome.Status(rawValue: row["status"]).map { ($0, row["n"] as Int) } },
                uniquingKeysWith: +)
        }
    }

    /// The outcome of the file at this path, in the bytes of its sidecar; nil where there is none.
    public func outcomeJSON(forPath path: FilePathBytes) throws -> Data? {
        try database.read {
            try Data.fetchOne(
                $0, sql: "SELECT json FROM outcome JOIN photo ON photo.id = outcome.photo WHERE path = ?",
                arguments: [Data(path.bytes)])
        }
    }
}
