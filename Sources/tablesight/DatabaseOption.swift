import ArgumentParser
import Daemon
import Foundation
import Store
import Vocabulary

/// Which database a command works on.
struct DatabaseOption: ParsableArguments {
    @Option(help: "The daemon's database; the one that `tablesight watch` makes for ./inbox where nothing is said.")
    var database = "inbox.tablesight/tablesight.sqlite"

    /// - Parameter makes: whether the database is made where there is none.
    func store(makes: Bool) throws -> OutcomeStore {
        let file = URL(filePath: database)
        if makes {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        } else if !FileManager.default.fileExists(atPath: file.path) {
            throw StartupError(.noInput, "no database \(file.path): name the one of your daemon with --database")
        }
        return try OutcomeStore(at: file)
    }
}
