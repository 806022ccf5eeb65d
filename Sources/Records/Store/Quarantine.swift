import Foundation
import GRDB
import Core

/// A content that ended its workers, or took too long, and is not tried again until somebody asks for it.
public struct QuarantinedContent: Sendable, Hashable, Codable {
    /// `sha256:` and the content's hash.
    public var content: String
    public var reason: Outcome.Reason
    public var attempts: Int
    /// Where it was seen last.
    public var path: FilePathBytes
    public var bytes: Int
    /// Seconds since 1970, for people.
    public var since: Int64

    public init(
        content: String, reason: Outcome.Reason, attempts: Int, path: FilePathBytes, bytes: Int, since: Int64
    ) {
        self.content = content
        self.reason = reason
        self.attempts = attempts
        self.path = path
        self.bytes = bytes
        self.since = since
    }

    fileprivate init?(_ row: Row) {
        guard let path = FilePathBytes(row["path"] as Data) else { return nil }
        self.init(
            content: row["content"],
            reason: Outcome.Reason(code: row["code"], detail: row["detail"], hint: row["hint"]),
            attempts: row["attempts"], path: path, bytes: row["bytes"], since: row["since"])
    }
}

/// What an unclean end left behind.
public struct InterruptedPhoto: Sendable, Hashable {
    public var photo: QueuedPhoto
    public var content: String?
}

extension OutcomeStore {
    /// The entry of this content; nil where it is free.
    public func quarantined(_ content: String) throws -> QuarantinedContent? {
        try read {
            try Row.fetchOne($0, sql: "SELECT * FROM quarantine WHERE content = ?", arguments: [content])
                .flatMap { QuarantinedContent($0) }
        }
    }

    /// All entries, oldest first; those whose content or path begins or ends with `name`, where one is given.
    public func quarantine(matching name: String? = nil) throws -> [QuarantinedContent] {
        let all = try read {
            try Row.fetchAll($0, sql: "SELECT * FROM quarantine ORDER BY since, content")
        }.compactMap { QuarantinedContent($0) }
        guard let name, !name.isEmpty else { return all }
        return all.filter {
            $0.content.hasPrefix(name) || $0.content.hasPrefix("sha256:" + name) || $0.path.display == name
                || $0.path.display.hasSuffix("/" + name)
        }
    }

    /// Keeps this content from being tried again.
    public func quarantine(_ entry: QuarantinedContent) throws {
        try write { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO quarantine (content, code, detail, hint, attempts, path, bytes, since)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    entry.content, entry.reason.code, entry.reason.detail, entry.reason.hint, entry.attempts,
                    Data(entry.path.bytes), entry.bytes, entry.since,
                ])
        }
    }

    /// Lets these contents go; with `again`, all files that have them wait once more, as if they were new.
    ///
    /// - Returns: how many files wait again.
    @discardableResult
    public func release(_ entries: [QuarantinedContent], again: Bool) throws -> Int {
        try write { database in
            var count = 0
            for entry in entries {
                try database.execute(sql: "DELETE FROM quarantine WHERE content = ?", arguments: [entry.content])
                guard again else { continue }
                try database.execute(
                    sql: """
                        UPDATE photo SET state = 'queued', attempt = 0, asked = NULL, version = version + 1
                        WHERE content = ?
                        """, arguments: [entry.content])
                count += database.changesCount
            }
            return count
        }
    }

    /// What a run that was killed had begun.
    public func interrupted() throws -> [InterruptedPhoto] {
        try read {
            try Row.fetchAll(
                $0, sql: "SELECT \(QueuedPhoto.columns), content FROM photo WHERE state = 'running' ORDER BY photo.id")
        }.compactMap { row in QueuedPhoto(row).map { InterruptedPhoto(photo: $0, content: row["content"]) } }
    }

    /// A number that changes whenever another program wrote into the database.
    public func dataVersion() throws -> Int {
        try uncommitted { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }
}

/// A file that was forgotten, with what lay beside its outcome.
public struct ForgottenPhoto: Sendable, Hashable {
    public var path: FilePathBytes
    public var sidecar: FilePathBytes
}

extension OutcomeStore {
    /// Forgets the oldest outcomes of files that are gone, and what no file has any more: readings, and what people said of them.
    ///
    /// Counted, not dated: a wrong clock must not decide what is kept.
    ///
    /// - Parameters:
    ///   - kept: outcomes of gone files that stay.
    ///   - isGone: true where nothing is at this path any more; it is given the device that the file lay on, too: where that is not
    ///     mounted now, nothing is known of it.
    /// - Returns: what was forgotten.
    public func prune(keeping kept: Int, isGone: (FilePathBytes, UInt64) -> Bool) throws -> [ForgottenPhoto] {
        let done = try read {
            try Row.fetchAll(
                $0,
                sql:
                    "SELECT \(QueuedPhoto.columns), photo.device FROM photo WHERE state = 'done' ORDER BY photo.id DESC"
            )
        }.compactMap { row in QueuedPhoto(row).map { ($0, UInt64(bitPattern: row["device"])) } }
        let gone = done.filter { isGone($0.0.path, $0.1) }.dropFirst(max(0, kept)).map(\.0)
        guard !gone.isEmpty else { return [] }
        try write { database in
            let statement = try database.makeStatement(
                sql: "DELETE FROM photo WHERE id = ? AND version = ? AND state = 'done'")
            for photo in gone { try statement.execute(arguments: [photo.id, photo.version]) }
            try Self.deleteOrphans(database)
        }
        return gone.map { ForgottenPhoto(path: $0.path, sidecar: $0.sidecar) }
    }

    /// Erases a content and everything that came of it: files' rows, outcomes, readings, what people said, quarantine, events that name
    /// it. The photos themselves are not touched. The database's file is rewritten, so that nothing of it stays in free pages, and
    /// copies that were made before its tables changed are deleted.
    ///
    /// - Parameters:
    ///   - content: `sha256:…`.
    ///   - isAlone: true where no daemon has the database open. Else its pages are overwritten, and the log keeps what it has until
    ///     the daemon's next checkpoint: two connections that checkpoint can lose writes in SQLite 3.40.
    /// - Returns: the files that had it.
    public func erase(_ content: String, isAlone: Bool) throws -> [ForgottenPhoto] {
        let photos = try read {
            try Row.fetchAll(
                $0, sql: "SELECT \(QueuedPhoto.columns) FROM photo WHERE content = ?", arguments: [content])
        }.compactMap { QueuedPhoto($0) }
        try uncommitted { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        try write { database in
            for photo in photos {
                try database.execute(sql: "DELETE FROM photo WHERE id = ?", arguments: [photo.id])
            }
            // Frames of a board do not name their photo: the sessions of a board that holds one of the photos are deleted whole.
            for board in try Data.fetchAll(database, sql: "SELECT DISTINCT board FROM session") {
                guard let folder = FilePathBytes(board), photos.contains(where: { $0.path.isBelow(folder) }) else {
                    continue
                }
                try database.execute(sql: "DELETE FROM session WHERE board = ?", arguments: [board])
            }
            for table in ["reading", "review", "quarantine"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE content = ?", arguments: [content])
            }
            try database.execute(
                sql: "DELETE FROM event WHERE instr(CAST(body AS TEXT), ?) > 0", arguments: ["\"\(content)\""])
            try Self.deleteOrphans(database)
        }
        if isAlone {
            try uncommitted { database in
                try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                try database.execute(sql: "VACUUM")
                try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
        let folder = file.deletingLastPathComponent()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(file.lastPathComponent + ".before-") {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        return photos.map { ForgottenPhoto(path: $0.path, sidecar: $0.sidecar) }
    }

    private static func deleteOrphans(_ database: Database) throws {
        for table in ["reading", "review"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE content NOT IN (SELECT content FROM photo WHERE content IS NOT NULL)")
        }
    }
}
