import ArgumentParser
import Daemon
import Foundation
import Store
import Core

/// Which database a command works on.
struct DatabaseOption: ParsableArguments {
    @Option(
        help: """
            The database. Default: for photos the one that `tablesight watch` makes for ./inbox, for people the one of your user.
            """)
    var database: String?

    /// The daemon's database of ./inbox, where nothing is said.
    static let usual = "inbox.tablesight/tablesight.sqlite"

    var file: String { database ?? Self.usual }

    /// - Parameter makes: whether the database is made where there is none.
    func store(makes: Bool) throws -> OutcomeStore { try Self.store(at: URL(filePath: file), makes: makes) }

    /// Where people are kept: in the named database, else in the one of this user, the same from every folder.
    func people(makes: Bool) throws -> OutcomeStore {
        try Self.store(at: database.map { URL(filePath: $0) } ?? People.usualFile(), makes: makes)
    }

    /// People of the named database, else of this user: the same from every folder.
    func people(_ engine: TablesightEngine) -> People {
        database.map { engine.people(only: URL(filePath: $0)) } ?? engine.people()
    }

    private static func store(at file: URL, makes: Bool) throws -> OutcomeStore {
        if makes {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        } else if !FileManager.default.fileExists(atPath: file.path) {
            throw StartupError(.noInput, "no database \(file.path): name the one you mean with --database")
        }
        // A daemon may have it open, which alone checkpoints.
        return try OutcomeStore(at: file, checkpoints: false)
    }
}
