import Foundation
import GRDB
import Glibc
import Core

/// The daemon's memory: which files it knows, what was read in them, and what came of it.
///
/// SQLite in WAL mode with one writer, which alone checkpoints, and `synchronous = FULL`: what was answered is on the disk.
public struct OutcomeStore: Sendable {
    let database: DatabasePool
    let file: URL

    /// Opens or makes the database, and brings its tables up to date; a copy of an older one is kept beside it first.
    ///
    /// - Parameters:
    ///   - checkpoints: false beside a running daemon: two connections that checkpoint can lose writes in SQLite 3.40.
    ///   - patience: seconds that another program which holds the database is waited for.
    /// - Throws: ``StartupError`` that names the file where it cannot be opened, or was written by a newer version.
    public init(at file: URL, checkpoints: Bool = true, patience: Double = 30) throws {
        self.file = file
        var configuration = Configuration()
        configuration.busyMode = .timeout(patience)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            if !checkpoints { try database.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
        }
        configuration.maximumReaderCount = 2
        do {
            database = try DatabasePool(path: file.path, configuration: configuration)
            // GRDB sets NORMAL when it turns to WAL, after what was prepared above: what was answered would not be on the disk yet.
            try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            guard try database.read(Migrations.all.hasBeenSuperseded) == false else {
                throw StartupError(
                    .configuration,
                    "\(file.path) was written by a newer tablesight: use that version, or another --output folder")
            }
            let applied = try database.read { try Migrations.all.appliedIdentifiers($0) }
            if !applied.isEmpty, try database.read({ try Migrations.all.hasCompletedMigrations($0) }) == false {
                try Self.copy(database, to: URL(filePath: file.path + ".before-\(applied.count + 1)"))
            }
            try Migrations.all.migrate(database)
        } catch let error as DatabaseError {
            throw Self.startupError(error, "open the database", file)
        }
    }

    /// Writes a whole, consistent copy, while the daemon goes on.
    ///
    /// - Throws: ``StartupError`` where the copy is there already, or cannot be made.
    public func backUp(to copy: URL) throws {
        guard !FileManager.default.fileExists(atPath: copy.path) else {
            throw StartupError(.usage, "\(copy.path) is there already: name a new file")
        }
        do { try Self.copy(database, to: copy) } catch let error as DatabaseError {
            throw Self.startupError(error, "write the backup", copy)
        }
    }

    private static func copy(_ database: DatabasePool, to copy: URL) throws {
        try? FileManager.default.removeItem(at: copy)
        try database.vacuum(into: copy.path)
    }

    /// Writes one small row.
    ///
    /// - Throws: ``StartupError`` where the database cannot be written now.
    public func beat() throws { try write { try $0.execute(sql: "UPDATE pulse SET beats = beats + 1") } }

    /// SQLite's own examination of the whole file; empty where it found nothing.
    public func faults() throws -> [String] {
        try database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }.filter { $0 != "ok" }
    }

    /// One transaction.
    ///
    /// - Throws: ``StartupError`` (74); its `isDiskFull` tells what passes by itself from what does not: after a failed sync
    ///   nobody knows what is on the disk, so the daemon must end and look again.
    func write<Result>(_ updates: (Database) throws -> Result) throws -> Result {
        do { return try database.write(updates) } catch let error as DatabaseError {
            throw Self.startupError(error, "write the database", file)
        }
    }

    /// What is there now.
    ///
    /// - Throws: ``StartupError`` (74).
    func read<Result>(_ value: (Database) throws -> Result) throws -> Result {
        do { return try database.read(value) } catch let error as DatabaseError {
            throw Self.startupError(error, "read the database", file)
        }
    }

    /// On the one connection that writes, without a transaction.
    func uncommitted<Result>(_ value: (Database) throws -> Result) throws -> Result {
        do { return try database.writeWithoutTransaction(value) } catch let error as DatabaseError {
            throw Self.startupError(error, "read the database", file)
        }
    }

    private static func startupError(_ error: DatabaseError, _ what: String, _ file: URL) -> StartupError {
        let isBusy = [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
        let message =
            isBusy
            ? "another program holds it; try again" : error.message ?? "SQLite error \(error.resultCode.rawValue)"
        let isFull =
            error.resultCode == .SQLITE_FULL || error.resultCode == .SQLITE_IOERR && freeBytes(beside: file) < 1 << 20
        return StartupError(.inputOutput, "cannot \(what) \(file.path): \(message)", isDiskFull: isFull, isBusy: isBusy)
    }

    /// Room on the disk that holds `file`, for users without privileges; 0 where it cannot be told.
    public static func freeBytes(beside file: URL) -> Int {
        var status = statvfs()
        guard statvfs(file.deletingLastPathComponent().path, &status) == 0 else { return 0 }
        // Some network file systems report "unlimited" as all ones.
        let (bytes, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
            by: Int(clamping: status.f_frsize))
        return overflow ? .max : bytes
    }
}
