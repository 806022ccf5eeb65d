import Foundation
import GRDB
import Core

/// What is stored when a photo ends.
public struct FinishedPhoto: Sendable {
    public var content: String?
    /// What readings depend on beside the content.
    public var asked: String
    /// Readings to keep; nil where they are stored already, or are worth nothing.
    public var answer: ReadAnswer?
    public var status: Outcome.Status
    /// The outcome in the bytes its sidecar will have.
    public var json: Data
    /// What others are told of it; nil tells nobody.
    public var event: NewEvent?
    /// What it adds to the session of its board; nil for a photo of its own.
    public var look: NewLook?

    public init(
        content: String?, asked: String, answer: ReadAnswer?, status: Outcome.Status, json: Data,
        event: NewEvent? = nil, look: NewLook? = nil
    ) {
        self.content = content
        self.asked = asked
        self.answer = answer
        self.status = status
        self.json = json
        self.event = event
        self.look = look
    }
}

extension OutcomeStore {
    /// What a worker answered about this content when it was asked the same; nil where it never was.
    public func answer(for content: String, asked: String) throws -> ReadAnswer? {
        let data = try read {
            try Data.fetchOne(
                $0, sql: "SELECT answer FROM reading WHERE content = ? AND asked = ?", arguments: [content, asked])
        }
        // A record of an older shape is read anew, not an error.
        return data.flatMap { try? JSONCoding.decode(ReadAnswer.self, from: $0) }
    }

    /// Ends a photo whose content has its outcome already: touched, moved back, written again as it was.
    ///
    /// - Returns: false where there is no such outcome.
    public func finishUnchanged(_ photo: QueuedPhoto, content: String, asked: String) throws -> Bool {
        let isKnown = try read {
            try Int.fetchOne(
                $0,
                sql: """
                    SELECT 1 FROM photo JOIN outcome ON outcome.photo = photo.id
                    WHERE photo.id = ? AND photo.version = ? AND photo.content = ? AND photo.asked = ?
                    """, arguments: [photo.id, photo.version, content, asked]) != nil
        }
        guard isKnown else { return false }
        return try write { database in
            try database.execute(
                sql: "UPDATE photo SET state = 'done' WHERE id = ? AND version = ?",
                arguments: [photo.id, photo.version])
            return database.changesCount == 1
        }
    }

    /// Stores readings, the outcome and the end of the job in one transaction: all of it, or nothing.
    ///
    /// - Parameter written: photos whose sidecars lie on the disk, noted along with it.
    /// - Returns: false where the file changed meanwhile: nothing was stored of the outcome, and it waits again.
    @discardableResult
    public func finish(
        _ photo: QueuedPhoto, _ finished: FinishedPhoto, noting written: [Int64] = []
    ) throws -> Bool {
        let reading = try finished.answer.map { try JSONCoding.encode($0) }
        return try write { database in
            try Self.note(written, database)
            try database.execute(
                sql: "UPDATE photo SET state = 'done', content = ?, asked = ? WHERE id = ? AND version = ?",
                arguments: [finished.content, finished.asked, photo.id, photo.version])
            // Of a file that changed meanwhile nothing is kept, its reading least of all: other files with this content would
            // be answered from it.
            guard database.changesCount == 1 else { return false }
            if let content = finished.content, let reading {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO reading (content, asked, answer) VALUES (?, ?, ?)",
                    arguments: [content, finished.asked, reading])
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO outcome (photo, status, json) VALUES (?, ?, ?)",
                arguments: [photo.id, finished.status.rawValue, finished.json])
            try finished.event?.insert(database)
            try finished.look?.insert(database)
            return true
        }
    }

    /// Notes that these sidecars lie on the disk. May be late: a sidecar that is not noted is written again at the next start.
    public func markSidecarsWritten(_ photos: some Sequence<Int64>) throws {
        try write { try Self.note(photos, $0) }
    }

    private static func note(_ written: some Sequence<Int64>, _ database: Database) throws {
        let statement = try database.makeStatement(sql: "UPDATE outcome SET sidecarWritten = 1 WHERE photo = ?")
        for photo in written { try statement.execute(arguments: [photo]) }
    }

    /// Outcomes whose sidecar a killed run did not get to write.
    public func unwrittenSidecars() throws -> [(photo: QueuedPhoto, json: Data)] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT \(QueuedPhoto.columns), outcome.json FROM outcome
                    JOIN photo ON photo.id = outcome.photo WHERE outcome.sidecarWritten = 0 ORDER BY photo.id
                    """
            ).compactMap { row in QueuedPhoto(row).map { ($0, row["json"] as Data) } }
        }
    }

    /// How many files ended in each status.
    public func counts() throws -> [Outcome.Status: Int] {
        try read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT status, count(*) AS n FROM outcome GROUP BY status")
            return Dictionary(
                rows.compactMap { row in Outcome.Status(rawValue: row["status"]).map { ($0, row["n"] as Int) } },
                uniquingKeysWith: +)
        }
    }

    /// The outcome of the file at this path, in the bytes of its sidecar; nil where there is none.
    public func outcomeJSON(forPath path: FilePathBytes) throws -> Data? {
        try read {
            try Data.fetchOne(
                $0, sql: "SELECT json FROM outcome JOIN photo ON photo.id = outcome.photo WHERE path = ?",
                arguments: [Data(path.bytes)])
        }
    }

    /// True where anything is stored of this content.
    public func isKnown(_ content: String) throws -> Bool {
        try read { database in
            try ["photo", "reading", "review", "quarantine"].contains { table in
                try Int.fetchOne(
                    database, sql: "SELECT 1 FROM \(table) WHERE content = ? LIMIT 1", arguments: [content])
                    != nil
            }
        }
    }

    /// The content of the file at this path; nil where it is not known.
    public func content(ofPath path: FilePathBytes) throws -> String? {
        try read {
            try String.fetchOne($0, sql: "SELECT content FROM photo WHERE path = ?", arguments: [Data(path.bytes)])
        }
    }

    /// Contents that have an outcome, the newest first.
    public func latestContents(limit: Int) throws -> [String] {
        try read {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT DISTINCT content FROM photo JOIN outcome ON outcome.photo = photo.id
                    WHERE content IS NOT NULL ORDER BY photo.id DESC LIMIT ?
                    """, arguments: [limit])
        }
    }

    /// The outcome of a content, in the bytes of its sidecar: of the file that came first, should there be several.
    public func outcomeJSON(forContent content: String) throws -> Data? {
        try read {
            try Data.fetchOne(
                $0,
                sql: """
                    SELECT json FROM outcome JOIN photo ON photo.id = outcome.photo WHERE content = ?
                    ORDER BY photo.id LIMIT 1
                    """, arguments: [content])
        }
    }
}
