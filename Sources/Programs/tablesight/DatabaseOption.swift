import ArgumentParser
import Daemon
import Foundation
import Store
import Core

/// Selects the database of a command.
struct DatabaseOption: ParsableArguments {
    @Option(
        help: """
            Database file (default: for photos the one of `tablesight watch ./inbox`, for people the one of your user).
            """)
    var database: String?

    /// The default: the database of a daemon that watches ./inbox.
    static let usual = "inbox.tablesight/tablesight.sqlite"

    var file: String { database ?? Self.usual }

    /// - Parameter makes: true creates the database if it does not exist.
    func store(makes: Bool) throws -> OutcomeStore { try Self.store(at: URL(filePath: file), makes: makes) }

    /// The database with people's profiles: the named one, otherwise the user's, which is the same in every folder.
    func people(makes: Bool) throws -> OutcomeStore {
        try Self.store(at: database.map { URL(filePath: $0) } ?? People.usualFile(), makes: makes)
    }

    /// People of the named database, otherwise of the user.
    func people(_ engine: TablesightEngine) -> People {
        database.map { engine.people(only: URL(filePath: $0)) } ?? engine.people()
    }

    private static func store(at file: URL, makes: Bool) throws -> OutcomeStore {
        if makes {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        } else if !FileManager.default.fileExists(atPath: file.path) {
            throw StartupError(.noInput, "\(file.path) does not exist: name another database with --database")
        }
        // A daemon may have the database open, and only the daemon may checkpoint.
        return try OutcomeStore(at: file, checkpoints: false)
    }
}
