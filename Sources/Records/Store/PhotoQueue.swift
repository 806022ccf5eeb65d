import Foundation
import GRDB
import Core

/// A file of the queue, with or without an outcome.
package struct QueuedPhoto: Sendable, Hashable, Decodable, FetchableRecord, TableRecord {
    package static let databaseTableName = "photo"

    package var id: Int64
    package var path: FilePathBytes
    package var sidecar: FilePathBytes
    /// Number of started attempts.
    package var attempt: Int
    /// Counts the versions of the file at this path.
    package var version: Int64
    /// The folder that takes turns with other folders.
    package var top: Data
}

extension OutcomeStore {
    /// Number of queue positions that a file of this size gives way to smaller ones: one per 64 KiB. The limit of 2,000
    /// lets large photos move up too.
    private static func penalty(bytes: Int64) -> Int64 { min(max(0, bytes) >> 16, 2000) }

    /// Calls `body` with every stored path and its latest version.
    package func forEachKnown(_ body: (FilePathBytes, FileIdentity) -> Void) throws {
        try read { database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT path, device, inode, size, modified, changed FROM photo")
            while let row = try rows.next() {
                body(
                    row["path"],
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
            var place = try Int64.fetchOne(database, literal: "SELECT max(id) FROM photo") ?? 0
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
                    sidecar(file), Data(top(file)?.bytes ?? []), rank, kitchen(file),
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
                        database,
                        literal: "SELECT top FROM photo WHERE state = 'queued' AND top > \(last) ORDER BY top LIMIT 1")
                    ?? Data.fetchOne(
                        database, literal: "SELECT top FROM photo WHERE state = 'queued' ORDER BY top LIMIT 1")
                guard let next else { return nil }
                let queued = QueuedPhoto.filter(literal: "state = 'queued' AND top = \(next)")
                let photos = try queued.order(Column("rank")).limit(busy.count + 1).fetchAll(database)
                if !busyTops.contains(next), let photo = photos.first(where: { !busy.contains($0.id) }) { return photo }
                last = next
            }
            return nil
        }
    }

    /// Records an attempt before it starts, so that an attempt that crashes the daemon is known after the restart.
    ///
    /// - Returns: false if the file changed meanwhile; it stays queued and the attempt must not start.
    package func charge(_ photo: QueuedPhoto, attempt: Int, content: String) throws -> Bool {
        try execute(
            literal: """
                UPDATE photo SET state = 'running', attempt = \(attempt), content = \(content)
                WHERE id = \(photo.id) AND version = \(photo.version)
                """) == 1
    }

    /// Adds one attempt to those of these photos that are queued.
    package func chargeQueued(_ photos: Set<Int64>) throws {
        guard !photos.isEmpty else { return }
        try execute(literal: "UPDATE photo SET attempt = attempt + 1 WHERE id IN \(photos) AND state = 'queued'")
    }

    /// Queues a file again whose attempt ended for a reason that is not the file's.
    package func release(_ photo: QueuedPhoto, attempt: Int) throws {
        try execute(
            literal: """
                UPDATE photo SET state = 'queued', attempt = \(attempt) WHERE id = \(photo.id) AND version = \(photo.version)
                """)
    }

    package func pendingCount() throws -> Int {
        try read(Int.fetchOne, "SELECT count(*) FROM photo WHERE state <> 'done'") ?? 0
    }

    /// Number of queued files, and the ids of the oldest and the newest one.
    package func queueFigures() throws -> (waiting: Int, oldest: Int64?, newest: Int64?) {
        let row = try read(
            Row.fetchOne,
            "SELECT count(*), min(id), max(id) FROM photo INDEXED BY photo_queue WHERE state = 'queued'")
        return (row?[0] ?? 0, row?[1], row?[2])
    }

    /// Removes a file that was deleted before it had an outcome. A file with an outcome keeps it.
    package func forget(_ photo: QueuedPhoto) throws {
        try write { database in
            let isKept =
                try database.changes(
                    """
                    UPDATE photo SET state = 'done' WHERE id = \(photo.id) AND version = \(photo.version)
                    AND EXISTS (SELECT 1 FROM outcome WHERE photo = photo.id)
                    """) > 0
            guard !isKept else { return }
            try database.execute(literal: "DELETE FROM photo WHERE id = \(photo.id) AND version = \(photo.version)")
        }
    }
}

extension FoundFile {
    /// SQLite integers are signed, so device and inode numbers are stored by bit pattern.
    fileprivate var arguments: StatementArguments {
        [
            path, Int64(bitPattern: identity.device), Int64(bitPattern: identity.inode), identity.size,
            identity.modified, identity.changed,
        ]
    }
}
