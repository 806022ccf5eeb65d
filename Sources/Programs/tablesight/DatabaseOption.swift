import ArgumentParser
import Core
import Engine
import Foundation
import Glibc
import Store

struct DatabaseOption: ParsableArguments {
    @Option(
        help: """
            Database file (default: that of `tablesight watch ./inbox`; for people your user's, if no daemon watches ./inbox).
            """)
    var database: String?

    /// The default: the database of a daemon that watches ./inbox.
    static let usual = People.daemonsFile

    var file: String { database ?? Self.usual }

    /// - Parameter makes: true creates the database if it does not exist.
    func store(makes: Bool) throws -> OutcomeStore { try Self.store(at: URL(filePath: file), makes: makes) }

    /// People of the named database, otherwise of the household.
    func people(_ engine: TablesightEngine) -> People {
        database.map { engine.people(only: URL(filePath: $0)) } ?? engine.people()
    }

    static func store(at file: URL, makes: Bool) throws -> OutcomeStore {
        if makes {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        } else if !FileManager.default.fileExists(atPath: file.path) {
            throw StartupError(.noInput, "\(file.path) does not exist: name another database with --database")
        }
        // A daemon may have the database open, and only the daemon may checkpoint.
        return try OutcomeStore(at: file, checkpoints: false)
    }

    /// Erases from a database, which a daemon may have open.
    ///
    /// - Parameters:
    ///   - folder: the output folder of the daemon.
    ///   - erase: receives true if no daemon has the database open; the file is then rewritten.
    static func erasing(in folder: String, _ erase: (_ isAlone: Bool) throws -> Void) throws {
        var isAlone = false
        if let folder = FilePathBytes(folder) {
            try OutputFolder.whileUnused(folder) {
                isAlone = true
                try erase(true)
            }
        }
        guard !isAlone else { return }
        try erase(false)
        StandardError.write(
            "tablesight: the database log keeps the erased data until the daemon overwrites it or stops\n")
    }
}

struct Confirmation: ParsableArguments {
    @Flag(help: "Do not ask.") var yes = false

    /// Asks in a terminal, unless `--yes` was given.
    ///
    /// - Parameters:
    ///   - what: what is removed, as the object of a question: "Ben and all of this".
    ///   - lines: shown before the question.
    /// - Throws: ``StartupError`` (64) if the person says no, and if there is no terminal to ask in.
    func ask(_ what: String, after lines: [String] = []) throws(StartupError) {
        if yes { return }
        guard isatty(STDIN_FILENO) == 1, StandardError.isTerminal else {
            throw StartupError(
                .usage,
                "nothing was removed: this cannot be undone, and there is no terminal to ask in; confirm with --yes"
            )
        }
        StandardError.write((lines + ["Remove \(what)? [y/N] "]).joined(separator: "\n"))
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw StartupError(.usage, "nothing was removed")
        }
    }
}
