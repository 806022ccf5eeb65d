import ArgumentParser
import Daemon
import Foundation
import Store
import Core

/// `tablesight quarantine`: photos that ended their workers, or took too long.
struct QuarantineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "Photos whose content is not tried again until somebody asks for it.",
        discussion: """
            EXAMPLES
              tablesight quarantine list --output inbox.tablesight
              tablesight quarantine explain menu.jpg --output inbox.tablesight
              tablesight quarantine retry --all --output inbox.tablesight     a running daemon takes it up at once
            """,
        subcommands: [List.self, Explain.self, Retry.self, Delete.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "One line for each content.")
        @OptionGroup var place: StorePlace

        func run() throws {
            for entry in try place.store().quarantine() {
                try StandardOutput.write("\(entry.content)  \(entry.reason.code)  \(entry.path.display.printable)\n")
            }
        }
    }

    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Why it is there, and the way out.")
        @Argument(help: "The beginning of a content's hash, a path, or a file's name.") var name: String
        @OptionGroup var place: StorePlace

        func run() throws {
            for entry in try place.entries(name) {
                let day = Date(timeIntervalSince1970: Double(entry.since)).formatted(.iso8601)
                try StandardOutput.write(
                    """
                    \(entry.content)
                      file      \(entry.path.display.printable), \(entry.bytes) bytes
                      reason    \(entry.reason.code): \(entry.reason.detail.printable)
                      attempts  \(entry.attempts), since \(day)
                      way out   \(entry.reason.hint)

                    """)
            }
        }
    }

    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lets all files with this content wait once more.")
        @Argument(help: "The beginning of a content's hash, a path, or a file's name.") var name: String?
        @Flag(help: "All contents.") var all = false
        @OptionGroup var place: StorePlace

        func validate() throws {
            if (name == nil) != all { throw ValidationError("name a content, or give --all") }
        }

        func run() throws {
            let store = try place.store()
            let entries = try name.map { try place.entries($0) } ?? store.quarantine()
            let count = try store.release(entries, again: true)
            try StandardOutput.write("\(entries.count) contents released, \(count) files wait again\n")
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Forgets the entry; its files keep their outcome, and the same bytes are tried when they come again.")
        @Argument(help: "The beginning of a content's hash, a path, or a file's name.") var name: String
        @OptionGroup var place: StorePlace

        func run() throws {
            let entries = try place.entries(name)
            try place.store().release(entries, again: false)
            try StandardOutput.write("\(entries.count) contents forgotten\n")
        }
    }
}

/// `tablesight backup`: a copy of the daemon's memory.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Writes a whole, consistent copy of the database, while the daemon goes on.")
    @Argument(help: "The new file.") var file: String
    @OptionGroup var place: StorePlace

    func run() throws { try place.store().backUp(to: URL(filePath: file)) }
}

/// Which daemon's memory is meant.
struct StorePlace: ParsableArguments {
    @Option(help: "The daemon's output folder.")
    var output = "inbox.tablesight"

    func store() throws -> OutcomeStore {
        let file = URL(filePath: output).appending(path: "tablesight.sqlite")
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw StartupError(.noInput, "no database in \(output): name the daemon's results with --output")
        }
        return try OutcomeStore(at: file, checkpoints: false)
    }

    /// - Throws: ``StartupError`` (66) where nothing fits.
    func entries(_ name: String) throws -> [QuarantinedContent] {
        let entries = try store().quarantine(matching: name)
        guard !entries.isEmpty else { throw StartupError(.noInput, "nothing in quarantine fits \(name)") }
        return entries
    }
}
