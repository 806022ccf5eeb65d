import Engine
import Foundation
import Store
import Core

/// Sidecars of outcomes that a command replaced in a daemon's database.
enum StoredSidecars {
    /// Writes the sidecars if no daemon runs; a running daemon writes them within a second.
    ///
    /// - Parameter database: the daemon's database, in its output folder.
    static func write(_ store: OutcomeStore, beside database: URL) throws {
        let folder = database.deletingLastPathComponent().path
        guard let path = FilePathBytes(folder) else { return }
        try OutputFolder.whileUnused(path) {
            for (path, reason) in try store.writeSidecars() {
                StandardError.write("tablesight: \(path.display.printable): \(reason.printable)\n")
            }
        }
    }
}
