import Foundation
import GRDB
import Vocabulary

/// The daemon's memory: which files it knows, what was read in them, and what came of it.
///
/// SQLite in WAL mode with one writer and `synchronous = FULL`: what was answered is on the disk.
public struct OutcomeStore: Sendable {
    let database: DatabasePool

    /// Opens or makes the database, and brings its tables up to date.
    ///
    /// - Throws: ``StartupError`` that names the file where it cannot be opened, or was written by a newer version.
    public init(at file: URL) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        configuration.maximumReaderCount = 2
        do {
            database = try DatabasePool(path: file.path, configuration: configuration)
            guard try database.read(Migrations.all.hasBeenSuperseded) == false else {
                throw StartupError(
                    .configuration,
                    "\(file.path) was written by a newer tablesight: use that version, or another --output folder")
            }
            try Migrations.all.migrate(database)
        } catch let error as DatabaseError {
            throw StartupError(
                .inputOutput,
                "cannot open the database \(file.path): \(error.message ?? "SQLite error \(error.resultCode.rawValue)")"
            )
        }
    }
}
