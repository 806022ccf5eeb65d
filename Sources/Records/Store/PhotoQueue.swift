import Foundation
import GRDB
import Core

/// A file of the queue, with or without an outcome.
package struct QueuedPhoto: Sendable, Hashable {
    package var id: Int64
    package var path: FilePathBytes
    /// Path of its sidecar.
    package var sidecar: FilePathBytes
    /// Number of started attempts.
    package var attempt: Int
    /// Counts the versions of the file at this path.
    package var version: Int64
    /// The folder that takes turns with other folders.
    package var top: Data

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
    /// Number of queue positions that a file of this size gives way to smaller ones: one per 64 KiB. The limit of 2,000
    /// lets large photos move up too.
    private static func penalty(bytes: Int64) -> Int64 { min(max(0, bytes) >> 16, 2000) }

    /// The files that are new or changed since they were stored.
    package func unknown(among files: [FoundFile]) throws -> [FoundFile] {
        try read { database in
            let statement = try database.makeStatement(
                sql: """
                    SELECT 1 FROM photo WHERE path = ? AND device = ? AND inode = ? AND size = ? AND modified = ?
                    AND changed = ?
                    """)
            return try files.filter { try Int.fetchOne(statement, arguments: $0.arguments) == nil }
        }
    }

    /// Calls `body` with every stored path and its latest version.
    package func forEachKnown(_ body: (FilePathBytes, FileIdentity) -> Void) throws {
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

    /// Queues these files. A stored path gets the new version and is queued again.
    ///
    /// - Parameters:
    ///   - top: the folder whose files take turns with those of other folders.
    ///   - kitchen: the folder whose menus belong to one kitchen; nil if the photo's kitchen is unknown.
    ///   - isFrame: true for a frame, which keeps its place in arrival order whatever its size.
    ///   - sidecar: gives the path of a file's sidecar.
    package func enqueue(
        _ files: [FoundFile], top: (FoundFile) -> FilePathBytes? = { _ in nil },
        kitchen: (FoundFile) -> FilePathBytes? = { _ in nil }, isFrame: (FoundFile) -> Bool = { _ in false },
        sidecar: (FoundFile) -> FilePathBytes
    ) throws {
        guard !files.isEmpty else { return }
        try write { database in
            var place = try Int64.fetchOne(database, sql: "SELECT max(id) FROM photo") ?? 0
            let statement = try database.makeStatement(
                sql: """
                    INSERT INTO photo (path, device, inode, size, modified, changed, sidecar, top, rank, kitchen, state)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued')
                    ON CONFLICT (path) DO UPDATE SET device = excluded.device, inode = excluded.inode,
                        size = excluded.size, modified = excluded.modified, changed = excluded.changed,
                        sidecar = excluded.sidecar, top = excluded.top, rank = excluded.rank,
                        kitchen = excluded.kitchen,
                        version = version + 1, state = 'queued', attempt = 0
                    """)
            for file in files {
                place += 1
                let rank = place + (isFrame(file) ? 0 : Self.penalty(bytes: file.identity.size))
                let order: StatementArguments = [
                    Data(sidecar(file).bytes), Data(top(file)?.bytes ?? []), rank,
                    kitchen(file).map { Data($0.bytes) },
                ]
                try statement.execute(arguments: file.arguments + order)
            }
        }
    }

    /// The next queued file, from the folder after `top` in cyclic order, or nil.
    ///
    /// - Parameters:
    ///   - busy: files in work that are still marked as queued.
    ///   - busyTops: folders with a file in work that allow only one at a time.
    package func nextQueued(
        after top: Data, leavingOut busy: Set<Int64>, busyTops: Set<Data> = []
    ) throws -> QueuedPhoto? {
        try read { database in
            var last = top
            // Each skipped folder has at least one file in work, so this number of steps finds a free one.
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

    /// Records an attempt before it starts, so that an attempt that crashes the daemon is known after the restart.
    ///
    /// - Returns: false if the file changed meanwhile; it stays queued and the attempt must not start.
    package func charge(_ photo: QueuedPhoto, attempt: Int, content: String) throws -> Bool {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE photo SET state = 'running', attempt = ?, content = ? WHERE id = ? AND version = ?
                    """, arguments: [attempt, content, photo.id, photo.version])
            return database.changesCount == 1
        }
    }

    /// Adds one attempt to those of these photos that are queued.
    package func chargeQueued(_ photos: Set<Int64>) throws {
        guard !photos.isEmpty else { return }
        try write { database in
            let statement = try database.makeStatement(
                sql: "UPDATE photo SET attempt = attempt + 1 WHERE id = ? AND state = 'queued'")
            for photo in photos { try statement.execute(arguments: [photo]) }
        }
    }

    /// Queues a file again whose attempt ended for a reason that is not the file's.
    package func release(_ photo: QueuedPhoto, attempt: Int) throws {
        try write { database in
            try database.execute(
                sql: "UPDATE photo SET state = 'queued', attempt = ? WHERE id = ? AND version = ?",
                arguments: [attempt, photo.id, photo.version])
        }
    }

    /// Number of files that are queued or in work.
    package func pendingCount() throws -> Int {
        try read(Int.fetchOne, "SELECT count(*) FROM photo WHERE state <> 'done'") ?? 0
    }

    /// Number of queued files, and the ids of the oldest and the newest one.
    package func queueFigures() throws -> (waiting: Int, oldest: Int64?, newest: Int64?) {
        try read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*) AS n, min(id) AS oldest, max(id) AS newest FROM photo INDEXED BY photo_queue
                    WHERE state = 'queued'
                    """)
            return (row?["n"] ?? 0, row?["oldest"], row?["newest"])
        }
    }

    /// Removes a file that was deleted before it had an outcome. A file with an outcome keeps it.
    package func forget(_ photo: QueuedPhoto) throws {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE photo SET state = 'done' WHERE id = ? AND version = ?
                    AND EXISTS (SELECT 1 FROM outcome WHERE photo = photo.id)
                    """, arguments: [photo.id, photo.version])
            if database.changesCount == 0 {
                try database.execute(literal: "DELETE FROM photo WHERE id = \(photo.id) AND version = \(photo.version)")
            }
        }
    }
}

extension FoundFile {
    /// SQLite integers are signed, so device and inode numbers are stored by bit pattern.
    fileprivate var arguments: StatementArguments {
        [
            Data(path.bytes), Int64(bitPattern: identity.device), Int64(bitPattern: identity.inode), identity.size,
            identity.modified, identity.changed,
        ]
    }
}
