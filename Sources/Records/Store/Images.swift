import Core
import Foundation
import GRDB

/// A file with a certain content, as the database knows it.
package struct StoredPhoto: Sendable, Hashable {
    package var photo: QueuedPhoto
    /// `queued`, `running` or `done`.
    package var state: String
    package var hasOutcome: Bool
}

extension OutcomeStore {
    /// The files with this content, oldest first. A queued file has no content id before it is read.
    package func photos(ofContent content: String) throws -> [StoredPhoto] {
        try stored("content = \(content)")
    }

    package func photo(at path: FilePathBytes) throws -> StoredPhoto? {
        try stored("path = \(path)").first
    }

    /// Removes a file made from a photo's outcome if the photo was erased after that outcome was stored. Whoever writes such a
    /// file calls this afterwards, because a photo can be erased while it is written.
    ///
    /// - Returns: true if the photo was erased.
    package func removeIfErased(_ file: FilePathBytes, of path: FilePathBytes) throws -> Bool {
        if let stored = try photo(at: path), stored.hasOutcome || stored.state != "done" { return false }
        file.withCString { _ = unlink($0) }
        return true
    }

    private func stored(_ condition: SQL) throws -> [StoredPhoto] {
        try read(
            Row.fetchAll,
            """
            SELECT *, EXISTS (SELECT 1 FROM outcome WHERE outcome.photo = photo.id) AS hasOutcome
            FROM photo WHERE \(condition) ORDER BY id
            """
        ).map { StoredPhoto(photo: try QueuedPhoto(row: $0), state: $0["state"], hasOutcome: $0["hasOutcome"]) }
    }

    /// Publishes an event without an outcome, such as `queued`.
    package func publish(_ events: [NewEvent]) throws {
        guard !events.isEmpty else { return }
        try write { database in for event in events { try event.insert(database) } }
    }

    /// Remembers which content an idempotency key named; keeps the newest 1,000 keys.
    ///
    /// - Returns: the content that the key named first.
    package func content(forUploadKey key: String, elseStoring content: String) throws -> String {
        try write { database in
            try database.execute(
                literal: "INSERT INTO uploadKey (key, content) VALUES (\(key), \(content)) ON CONFLICT (key) DO NOTHING"
            )
            try database.execute(literal: "DELETE FROM uploadKey WHERE id <= (SELECT max(id) FROM uploadKey) - 1000")
            return try String.fetchOne(database, literal: "SELECT content FROM uploadKey WHERE key = \(key)") ?? content
        }
    }

    /// Keeps the rows of files that a person keeps, but nothing that was read from them, so that a restart does not
    /// read them again.
    ///
    /// - Parameter known: path and identity of each file.
    package func keepErased(_ files: [FoundFile], sidecar: (FoundFile) -> FilePathBytes) throws {
        try enqueue(files, sidecar: sidecar)
        try write { database in
            for file in files {
                try database.execute(
                    literal: "UPDATE photo SET state = 'done', content = NULL, asked = NULL WHERE path = \(file.path)")
            }
        }
    }

    /// Writes the log into the database and empties it, so that no erased bytes stay in it.
    ///
    /// Only the process that checkpoints may call this.
    ///
    /// - Returns: false if a reader was busy; erased bytes may then stay in the log until the next call.
    package func emptyLog() throws -> Bool {
        try uncommitted { database in
            let row = try Row.fetchOne(database, literal: "PRAGMA wal_checkpoint(TRUNCATE)")
            return (row?["busy"] as Int?) == 0
        }
    }
}
