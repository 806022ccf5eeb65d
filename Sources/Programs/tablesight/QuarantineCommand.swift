import ArgumentParser
import Foundation
import Store
import Core

struct QuarantineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "Lists and releases photos that crashed their workers or took too long.",
        help: """
            EXAMPLES
              tablesight quarantine list --output inbox.tablesight                list all entries
              tablesight quarantine explain menu.jpg --output inbox.tablesight    show the reason for one
              tablesight quarantine retry --all --output inbox.tablesight         try all again at once
            """,
        subcommands: [List.self, Explain.self, Retry.self, Delete.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists one entry per line.")
        @OptionGroup var place: StorePlace

        func run() throws {
            for entry in try place.store().quarantine() {
                try StandardOutput.write("\(entry.content)  \(entry.reason.code)  \(entry.path.display.printable)\n")
            }
        }
    }

    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Shows why a photo is in quarantine and how to release it.")
        @Argument(help: "Start of the content's hash, a path, or a file name.") var name: String
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
        static let configuration = CommandConfiguration(
            commandName: "retry", abstract: "Queues all files with this content again.")
        @Argument(help: "Start of the content's hash, a path, or a file name.") var name: String?
        @Flag(help: "Release all entries.") var all = false
        @OptionGroup var place: StorePlace

        func validate() throws {
            if (name == nil) != all { throw ValidationError("name one entry, or use --all") }
        }

        func run() throws {
            let store = try place.store()
            let entries = try name.map { try place.entries($0) } ?? store.quarantine()
            let count = try store.release(entries, again: true)
            try StandardOutput.write("\(entries.count) entries released, \(count) files queued again\n")
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract:
                "Removes an entry; its files keep their outcome, and a new file with the same bytes is tried.")
        @Argument(help: "Start of the content's hash, a path, or a file name.") var name: String
        @OptionGroup var place: StorePlace

        func run() throws {
            let entries = try place.entries(name)
            try place.store().release(entries, again: false)
            try StandardOutput.write("\(entries.count) entries removed\n")
        }
    }
}

struct StorePlace: ParsableArguments {
    @Option(help: "Output folder of the daemon.")
    var output = "inbox.tablesight"

    func store() throws -> OutcomeStore {
        let file = URL(filePath: output).appending(path: "tablesight.sqlite")
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw StartupError(.noInput, "no database in \(output): name the daemon's output folder with --output")
        }
        return try OutcomeStore(at: file, checkpoints: false)
    }

    /// - Throws: ``StartupError`` (66) if nothing matches.
    func entries(_ name: String) throws -> [QuarantinedContent] {
        let entries = try store().quarantine(matching: name)
        guard !entries.isEmpty else {
            throw StartupError(.noInput, "no entry in quarantine matches \(name): see `tablesight quarantine list`")
        }
        return entries
    }
}
