import Foundation
import GRDB
import Glibc
import Core

/// The daemon's database: known files, their readings and their outcomes.
///
/// SQLite in WAL mode with `synchronous = FULL`: a committed transaction is on the disk. One connection writes and
/// checkpoints.
package struct OutcomeStore: Sendable {
    let database: DatabasePool
    package let file: URL
    /// The outcomes that were decoded last: a page, its forms and its picture ask for the same one.
    let decoded = KeptValues<Outcome>(most: 8)
    /// False beside a daemon, which checkpoints.
    private let checkpoints: Bool

    /// Opens or creates the database and migrates its tables. A database with older tables is copied first.
    ///
    /// - Parameters:
    ///   - checkpoints: false next to a running daemon: two connections that checkpoint can lose writes in SQLite 3.40.
    ///   - patience: seconds to wait for another program that locks the database.
    /// - Throws: ``StartupError`` that names the file if it cannot be opened or a newer version wrote it.
    package init(at file: URL, checkpoints: Bool = true, patience: Double = 30) throws {
        self.file = file
        self.checkpoints = checkpoints
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience)
        configuration.prepareDatabase { database in
            try database.execute(literal: "PRAGMA synchronous = FULL")
            if !checkpoints { try database.execute(literal: "PRAGMA wal_autocheckpoint = 0") }
        }
        configuration.maximumReaderCount = 2
        do {
            database = try DatabasePool(path: file.path, configuration: configuration)
            // GRDB sets NORMAL when it switches to WAL, after the preparation above. FULL syncs each commit.
            try database.writeWithoutTransaction { try $0.execute(literal: "PRAGMA synchronous = FULL") }
            guard try database.read(Migrations.all.hasBeenSuperseded) == false else {
                throw StartupError(
                    .configuration,
                    "\(file.path) was written by a newer tablesight: use that version, or another --output folder")
            }
            let applied = try database.read { try Migrations.all.appliedIdentifiers($0) }
            if !applied.isEmpty, try database.read({ try Migrations.all.hasCompletedMigrations($0) }) == false {
                try Self.copy(database, to: URL(filePath: file.path + ".before-\(applied.count + 1)"))
            }
            try Self.migrate(database)
        } catch let error as DatabaseError {
            throw Self.startupError(error, "open the database", file)
        }
    }

    /// Applies the missing migrations, also while another program that opened the same file applies them.
    private static func migrate(_ database: DatabasePool) throws {
        func applied() throws -> [String] { try database.read { try Migrations.all.appliedMigrations($0) } }
        while true {
            let before = try applied()
            do { return try Migrations.all.migrate(database) } catch let error as DatabaseError {
                // The other program applied one between our look and our try, so it cannot be applied again.
                guard try applied() != before else { throw error }
            }
        }
    }

    /// Writes a consistent copy; the daemon may be running.
    ///
    /// - Throws: ``StartupError`` if the copy exists or cannot be written.
    package func backUp(to copy: URL) throws {
        guard !FileManager.default.fileExists(atPath: copy.path) else {
            throw StartupError(.usage, "\(copy.path) exists: choose another file name")
        }
        do { try Self.copy(database, to: copy) } catch let error as DatabaseError {
            throw Self.startupError(error, "write the backup", copy)
        }
    }

    private static func copy(_ database: DatabasePool, to copy: URL) throws {
        try? FileManager.default.removeItem(at: copy)
        try database.vacuum(into: copy.path)
    }

    /// Updates one small row, to test whether the database is writable.
    ///
    /// - Throws: ``StartupError`` if it is not.
    package func beat() throws { try write { try $0.execute(literal: "UPDATE pulse SET beats = beats + 1") } }

    /// Errors found by SQLite's integrity check; empty if there are none.
    package func faults() throws -> [String] {
        try database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }.filter { $0 != "ok" }
    }

    /// Runs one transaction.
    ///
    /// - Throws: ``StartupError`` (74). With `isDiskFull` the same write may succeed later. After a failed sync the
    ///   state of the disk is unknown, so the daemon must stop and read it again at the next start.
    package func write<Result>(_ updates: (Database) throws -> Result) throws -> Result {
        do { return try database.write(updates) } catch let error as DatabaseError {
            throw Self.startupError(error, "write the database", file)
        }
    }

    /// Runs read-only queries on one snapshot.
    ///
    /// - Throws: ``StartupError`` (74).
    package func read<Result>(_ value: (Database) throws -> Result) throws -> Result {
        do { return try database.read(value) } catch let error as DatabaseError {
            throw Self.startupError(error, "read the database", file)
        }
    }

    /// The numbers of a query's second column by the texts of its first.
    package func counts(_ sql: SQL) throws -> [String: Int] {
        try read(Row.fetchAll, sql).reduce(into: [:]) { $0[$1[0]] = $1[1] }
    }

    /// Runs statements on the writing connection, outside a transaction.
    func uncommitted<Result>(_ value: (Database) throws -> Result) throws -> Result {
        do { return try database.writeWithoutTransaction(value) } catch let error as DatabaseError {
            throw Self.startupError(error, "read the database", file)
        }
    }

    private static func startupError(_ error: DatabaseError, _ what: String, _ file: URL) -> StartupError {
        let isBusy = [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
        let message =
            isBusy
            ? "another program is using it; try again" : error.message ?? "SQLite error \(error.resultCode.rawValue)"
        let isFull =
            error.resultCode == .SQLITE_FULL || error.resultCode == .SQLITE_IOERR && freeBytes(beside: file) < 1 << 20
        return StartupError(
            .inputOutput, "cannot \(what) \(file.path): \(message)", isDiskFull: isFull, isBusy: isBusy,
            concernsOnePath: [.SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_ERROR].contains(error.resultCode))
    }

    /// Free bytes on the disk of `file` for unprivileged users; 0 if unknown.
    package static func freeBytes(beside file: URL) -> Int {
        var status = statvfs()
        guard statvfs(file.deletingLastPathComponent().path, &status) == 0 else { return 0 }
        // Some network file systems report unlimited space as all ones.
        let (bytes, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: status.f_frsize))
        return overflow ? .max : bytes
    }
}

extension OutcomeStore {
    /// Empties the log, which still has the bytes of deleted rows. A reader delays that by a second at most. Beside a
    /// daemon nothing happens: it empties the log.
    package func forgetDeleted() async throws {
        for _ in 0..<20 where checkpoints {
            if try emptyLog() { break }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
