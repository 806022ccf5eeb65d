import Foundation
import GRDB
import Vocabulary

/// A file that waits for, or has, its outcome.
public struct QueuedPhoto: Sendable, Hashable {
    public var id: Int64
    public var path: FilePathBytes
    /// Where its sidecar goes.
    public var sidecar: FilePathBytes
    /// 1 for the first try.
    public var attempt: Int
}

extension OutcomeStore {
    /// Puts what a run that was killed had begun back into the queue. Call once, at start.
    ///
    /// - Returns: how many there were.
    @discardableResult
    public func requeueInterrupted() throws -> Int {
        try database.write { database in
            try database.execute(sql: "UPDATE photo SET state = 'queued' WHERE state = 'running'")
            return database.changesCount
        }
    }

    /// The files that the store does not know in this version: new ones, and those that changed since.
    public func unknown(among files: [FoundFile]) throws -> [FoundFile] {
        try database.read { database in
            let statement = try database.makeStatement(
                sql: """
                    SELECT 1 FROM photo WHERE path = ? AND device = ? AND inode = ? AND size = ? AND modified = ?
                    AND changed = ?
                    """)
            return try files.filter { try Int.fetchOne(statement, arguments: $0.arguments) == nil }
        }
    }

    /// Queues these files; one that is known by path takes the new version and waits again.
    ///
    /// - Parameter sidecar: where a file's sidecar will lie.
    public func enqueue(_ files: [FoundFile], sidecar: (FoundFile) -> FilePathBytes) throws {
        guard !files.isEmpty else { return }
        try database.write { database in
            for file in files {
                try database.execute(
                    sql: """
                        INSERT INTO photo (path, device, inode, size, modified, changed, sidecar, state)
                        VALUES (?, ?, ?, ?, ?, ?, ?, 'queued')
                        ON CONFLICT (path) DO UPDATE SET device = excluded.device, inode = excluded.inode,
                            size = excluded.size, modified = excluded.modified, changed = excluded.changed,
                            sidecar = excluded.sidecar, state = 'queued', attempt = 0
                        """,
                    arguments: file.arguments + [Data(sidecar(file).bytes)])
            }
        }
    }

    /// Takes the oldest waiting file and charges it one attempt, before anything is done with it; nil where none waits.
    public func claimNext() throws -> QueuedPhoto? {
        try database.write { database in
            guard
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        UPDATE photo SET state = 'running', attempt = attempt + 1
                        WHERE id = (SELECT id FROM photo WHERE state = 'queued' ORDER BY id LIMIT 1)
                        RETURNING id, path, sidecar, attempt
                        """),
                let path = FilePathBytes(row["path"] as Data), let sidecar = FilePathBytes(row["sidecar"] as Data)
            else { return nil }
            return QueuedPhoto(id: row["id"], path: path, sidecar: sidecar, attempt: row["attempt"])
        }
    }

    /// How many files wait or are being worked on.
    public func pendingCount() throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM photo WHERE state <> 'done'") ?? 0 }
    }

    /// Forgets a claimed file that vanished before it was read: nothing was promised for it.
    public func forget(_ photo: QueuedPhoto) throws {
        try database.write { try $0.execute(sql: "DELETE FROM photo WHERE id = ?", arguments: [photo.id]) }
    }
}

extension FoundFile {
    /// SQLite's integers are signed: device and inode numbers are stored by their bits.
    fileprivate var arguments: StatementArguments {
        [
            Data(path.bytes), Int64(bitPattern: identity.device), Int64(bitPattern: identity.inode), identity.size,
            identity.modified, identity.changed,
        ]
    }
}
