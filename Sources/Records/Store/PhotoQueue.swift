import Foundation
import GRDB
import Core

/// A file that waits for, or has, its outcome.
public struct QueuedPhoto: Sendable, Hashable {
    public var id: Int64
    public var path: FilePathBytes
    /// Where its sidecar goes.
    public var sidecar: FilePathBytes
    /// Tries that were begun; 0 before the first.
    public var attempt: Int
    /// Counts what was seen under this path.
    public var version: Int64
    /// The folder whose turn it is.
    public var top: Data

    init?(_ row: Row) {
        guard let path = FilePathBytes(row["path"] as Data), let sidecar = FilePathBytes(row["sidecar"] as Data) else {
            return nil
        }
        id = row["id"]
        self.path = path
        self.sidecar = sidecar
        attempt = row["attempt"]
        version = row["version"]
        top = row["top"]
    }

    static let columns = "photo.id, photo.path, photo.sidecar, photo.attempt, photo.version, photo.top"
}

extension OutcomeStore {
    /// How far a file of this size stands behind an empty one that came at the same time: one place for each 64 KiB, at most
    /// 2,000, so that large photos get older too.
    private static func penalty(bytes: Int64) -> Int64 { min(max(0, bytes) >> 16, 2000) }

    /// The files that the store does not know in this version: new ones, and those that changed since.
    public func unknown(among files: [FoundFile]) throws -> [FoundFile] {
        try read { database in
            let statement = try database.makeStatement(
                sql: """
                    SELECT 1 FROM photo WHERE path = ? AND device = ? AND inode = ? AND size = ? AND modified = ?
                    AND changed = ?
                    """)
            return try files.filter { try Int.fetchOne(statement, arguments: $0.arguments) == nil }
        }
    }

    /// Every path that is known, with the version that was seen last.
    public func forEachKnown(_ body: (FilePathBytes, FileIdentity) -> Void) throws {
        try read { database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT path, device, inode, size, modified, changed FROM photo")
            while let row = try rows.next() {
                guard let path = FilePathBytes(row["path"] as Data) else { continue }
                body(
                    path,
                    FileIdentity(
                        device: UInt64(bitPattern: row["device"]), inode: UInt64(bitPattern: row["inode"]),
                        size: row["size"], modified: row["modified"], changed: row["changed"]))
            }
        }
    }

    /// Queues these files; one that is known by path takes the new version and waits again.
    ///
    /// - Parameters:
    ///   - top: the folder whose files take turns with those of others.
    ///   - isFrame: true for a file that keeps its place behind those that came before it, whatever its size.
    ///   - sidecar: where a file's sidecar will lie.
    public func enqueue(
        _ files: [FoundFile], top: (FoundFile) -> FilePathBytes? = { _ in nil },
        isFrame: (FoundFile) -> Bool = { _ in false }, sidecar: (FoundFile) -> FilePathBytes
    ) throws {
        guard !files.isEmpty else { return }
        try write { database in
            var place = try Int64.fetchOne(database, sql: "SELECT max(id) FROM photo") ?? 0
            let statement = try database.makeStatement(
                sql: """
                    INSERT INTO photo (path, device, inode, size, modified, changed, sidecar, top, rank, state)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued')
                    ON CONFLICT (path) DO UPDATE SET device = excluded.device, inode = excluded.inode,
                        size = excluded.size, modified = excluded.modified, changed = excluded.changed,
                        sidecar = excluded.sidecar, top = excluded.top, rank = excluded.rank,
                        version = version + 1, state = 'queued', attempt = 0
                    """)
            for file in files {
                place += 1
                let rank = place + (isFrame(file) ? 0 : Self.penalty(bytes: file.identity.size))
                let order: StatementArguments = [
                    Data(sidecar(file).bytes), Data(top(file)?.bytes ?? []), rank,
                ]
                try statement.execute(arguments: file.arguments + order)
            }
        }
    }

    /// The next waiting file: of the folder after `top`, round and round; nil where none waits.
    ///
    /// - Parameters:
    ///   - busy: files that are being worked on and still wait in the table.
    ///   - busyTops: folders of which no second file is to be taken, because one is being worked on.
    public func nextQueued(
        after top: Data, leavingOut busy: Set<Int64>, busyTops: Set<Data> = []
    ) throws -> QueuedPhoto? {
        try read { database in
            var last = top
            // Each folder that is passed over has at least one file in work, so this many looks find a free one.
            for _ in 0...busy.count {
                let next =
                    try Data.fetchOne(
                        database, sql: "SELECT top FROM photo WHERE state = 'queued' AND top > ? ORDER BY top LIMIT 1",
                        arguments: [last])
                    ?? Data.fetchOne(
                        database, sql: "SELECT top FROM photo WHERE state = 'queued' ORDER BY top LIMIT 1")
                guard let next else { return nil }
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT \(QueuedPhoto.columns) FROM photo WHERE state = 'queued' AND top = ? ORDER BY rank LIMIT ?
                        """, arguments: [next, busy.count + 1])
                let isFree = !busyTops.contains(next)
                if isFree, let photo = rows.lazy.compactMap({ QueuedPhoto($0) }).first(where: { !busy.contains($0.id) })
                {
                    return photo
                }
                last = next
            }
            return nil
        }
    }

    /// Notes that the try of this number begins, before it does: if it ends everything, that is known afterwards.
    ///
    /// - Returns: false where the file changed since it was taken: then it waits again, and this try must not begin.
    public func charge(_ photo: QueuedPhoto, attempt: Int, content: String) throws -> Bool {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE photo SET state = 'running', attempt = ?, content = ? WHERE id = ? AND version = ?
                    """, arguments: [attempt, content, photo.id, photo.version])
            return database.changesCount == 1
        }
    }

    /// Counts one more try of these photos, as far as they still wait.
    public func chargeQueued(_ photos: Set<Int64>) throws {
        guard !photos.isEmpty else { return }
        try write { database in
            let statement = try database.makeStatement(
                sql: "UPDATE photo SET attempt = attempt + 1 WHERE id = ? AND state = 'queued'")
            for photo in photos { try statement.execute(arguments: [photo]) }
        }
    }

    /// Lets a file wait again whose try was ended for a reason that is not its own.
    public func release(_ photo: QueuedPhoto, attempt: Int) throws {
        try write { database in
            try database.execute(
                sql: "UPDATE photo SET state = 'queued', attempt = ? WHERE id = ? AND version = ?",
                arguments: [attempt, photo.id, photo.version])
        }
    }

    /// How many files wait or are being worked on.
    public func pendingCount() throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM photo WHERE state <> 'done'") ?? 0 }
    }

    /// How many files wait, and the number of the one that came first.
    public func queueFigures() throws -> (waiting: Int, oldest: Int64?) {
        try read { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT count(*) AS n, min(id) AS oldest FROM photo INDEXED BY photo_queue WHERE state = 'queued'")
            return (row?["n"] ?? 0, row?["oldest"])
        }
    }

    /// Forgets a file that vanished before it had an outcome: nothing was promised for it. One that has an outcome keeps it.
    public func forget(_ photo: QueuedPhoto) throws {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE photo SET state = 'done' WHERE id = ? AND version = ?
                    AND EXISTS (SELECT 1 FROM outcome WHERE photo = photo.id)
                    """, arguments: [photo.id, photo.version])
            if database.changesCount == 0 {
                try database.execute(
                    sql: "DELETE FROM photo WHERE id = ? AND version = ?", arguments: [photo.id, photo.version])
            }
        }
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
