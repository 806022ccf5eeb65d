import Foundation
import GRDB
import Core

/// A content that crashed its workers or took too long. It is tried again only on request.
package struct QuarantinedContent: Sendable, Hashable, Codable, FetchableRecord {
    /// `sha256:` and the content's hash in hexadecimal.
    package var content: String
    package var reason: Outcome.Reason
    package var attempts: Int
    /// The latest path of a file with this content.
    package var path: FilePathBytes
    package var bytes: Int
    /// Seconds since 1970; shown to people only.
    package var since: Int64

    package init(
        content: String, reason: Outcome.Reason, attempts: Int, path: FilePathBytes, bytes: Int, since: Int64
    ) {
        self.content = content
        self.reason = reason
        self.attempts = attempts
        self.path = path
        self.bytes = bytes
        self.since = since
    }

    package init(row: Row) {
        self.init(
            content: row["content"],
            reason: Outcome.Reason(code: row["code"], detail: row["detail"], hint: row["hint"]),
            attempts: row["attempts"], path: row["path"], bytes: row["bytes"], since: row["since"])
    }
}

/// A photo that was being read when the previous run was killed.
package struct InterruptedPhoto: Sendable, Hashable {
    package var photo: QueuedPhoto
    package var content: String?
}

extension OutcomeStore {
    package func quarantined(_ content: String) throws -> QuarantinedContent? {
        try read(QuarantinedContent.fetchOne, "SELECT * FROM quarantine WHERE content = \(content)")
    }

    /// All entries, oldest first. `name` selects entries whose content or path begins or ends with it.
    package func quarantine(matching name: String? = nil) throws -> [QuarantinedContent] {
        let all = try read(QuarantinedContent.fetchAll, "SELECT * FROM quarantine ORDER BY since, content")
        guard let name, !name.isEmpty else { return all }
        return all.filter {
            $0.content.hasPrefix(name) || $0.content.hasPrefix("sha256:" + name) || $0.path.display == name
                || $0.path.display.hasSuffix("/" + name)
        }
    }

    /// Stores the entry; the content is not tried again.
    package func quarantine(_ entry: QuarantinedContent) throws {
        try execute(
            literal: """
                INSERT OR REPLACE INTO quarantine (content, code, detail, hint, attempts, path, bytes, since)
                VALUES (\(entry.content), \(entry.reason.code), \(entry.reason.detail), \(entry.reason.hint),
                    \(entry.attempts), \(entry.path), \(entry.bytes), \(entry.since))
                """)
    }

    /// Removes these entries; with `again`, files with their contents are queued as if they were new.
    ///
    /// - Returns: the number of queued files.
    @discardableResult
    package func release(_ entries: [QuarantinedContent], again: Bool) throws -> Int {
        try write { database in
            let contents = entries.map(\.content)
            try database.execute(literal: "DELETE FROM quarantine WHERE content IN \(contents)")
            guard again else { return 0 }
            return try database.changes(
                """
                UPDATE photo SET state = 'queued', attempt = 0, asked = NULL, version = version + 1
                WHERE content IN \(contents)
                """)
        }
    }

    /// Photos that were running when the previous run was killed.
    package func interrupted() throws -> [InterruptedPhoto] {
        try read(Row.fetchAll, "SELECT * FROM photo WHERE state = 'running' ORDER BY id")
            .map { InterruptedPhoto(photo: try QueuedPhoto(row: $0), content: $0["content"]) }
    }

    /// A number that changes when another connection writes to the database.
    package func dataVersion() throws -> Int {
        try uncommitted { try Int.fetchOne($0, literal: "PRAGMA data_version") ?? 0 }
    }
}

/// A photo that was removed from the database, with its sidecar.
package struct ForgottenPhoto: Sendable, Hashable {
    package var path: FilePathBytes
    package var sidecar: FilePathBytes

    package init(path: FilePathBytes, sidecar: FilePathBytes) {
        self.path = path
        self.sidecar = sidecar
    }
}

extension OutcomeStore {
    /// Removes the oldest outcomes of deleted files, and readings and reviews that no file uses any more.
    ///
    /// The limit is a count, because a wrong clock must not decide what is kept.
    ///
    /// - Parameters:
    ///   - kept: number of outcomes of deleted files to keep.
    ///   - isGone: true if the file is deleted. It gets the path and the file's device number: if that device is not
    ///     mounted now, the file counts as present.
    /// - Returns: the removed photos.
    package func prune(keeping kept: Int, isGone: (FilePathBytes, UInt64) -> Bool) throws -> [ForgottenPhoto] {
        let done = try read(Row.fetchAll, "SELECT * FROM photo WHERE state = 'done' ORDER BY id DESC")
            .map { (try QueuedPhoto(row: $0), UInt64(bitPattern: $0["device"])) }
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

    /// Erases a content with its rows, outcomes, readings, reviews, quarantine entry and events. Accepted prices stay
    /// without their photo.
    ///
    /// Photos are not touched. The database file is rewritten, so that no free page keeps the data. Copies from before
    /// a migration are deleted.
    ///
    /// - Parameters:
    ///   - content: `sha256:…`.
    ///   - isAlone: true if no daemon has the database open. Otherwise the pages are overwritten, and the log keeps the
    ///     data until the daemon's next checkpoint: two connections that checkpoint can lose writes in SQLite 3.40.
    /// - Returns: the photos that had this content.
    package func erase(_ content: String, isAlone: Bool) throws -> [ForgottenPhoto] {
        let photos = try read(QueuedPhoto.filter(Column("content") == content).fetchAll)
        try overwriteDeleted()
        try write { database in
            for photo in photos { try database.execute(literal: "DELETE FROM photo WHERE id = \(photo.id)") }
            // Frames do not name their photos, so all sessions of the photo's board are deleted.
            for board in try FilePathBytes.fetchAll(database, literal: "SELECT DISTINCT board FROM session")
            where photos.contains(where: { $0.path.isBelow(board) }) {
                try database.execute(literal: "DELETE FROM session WHERE board = \(board)")
            }
            // The entry of a diary's photo stays: it was eaten.
            for table in [
                "reading", "review", "saved", "news", "quarantine", "uploadKey", "diary_photo", "grocery_photo",
            ] {
                try database.execute(literal: "DELETE FROM \(sql: table) WHERE content = \(content)")
            }
            try Self.forgetPrices(ofPhoto: content, database)
            try database.execute(
                literal: "DELETE FROM event WHERE instr(CAST(body AS TEXT), '\"' || \(content) || '\"') > 0")
            try Self.deleteOrphans(database)
        }
        try removeTraces(isAlone: isAlone)
        return photos.map { ForgottenPhoto(path: $0.path, sidecar: $0.sidecar) }
    }

    /// Makes SQLite overwrite what is deleted from now on.
    package func overwriteDeleted() throws { try uncommitted { try $0.execute(literal: "PRAGMA secure_delete = ON") } }

    /// Removes what deleted rows leave behind: pages of the log, free pages, and copies from before a migration.
    ///
    /// - Parameter isAlone: true if no daemon has the database open; otherwise only the copies are deleted.
    package func removeTraces(isAlone: Bool) throws {
        if isAlone {
            try uncommitted { database in
                try database.execute(literal: "PRAGMA wal_checkpoint(TRUNCATE)")
                try database.execute(literal: "VACUUM")
                try database.execute(literal: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
        let folder = file.deletingLastPathComponent()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(file.lastPathComponent + ".before-") {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    private static func deleteOrphans(_ database: Database) throws {
        for table in ["reading", "review", "saved", "news"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE content NOT IN (SELECT content FROM photo WHERE content IS NOT NULL)")
        }
    }
}
