import ArgumentParser
import Core
import Engine
import Foundation
import Store

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Writes a consistent copy of the database; the daemon may be running.",
        help: """
            The copy holds outcomes, readings, people, reviews, diaries, devices and the queue. It does not hold photos,
            overlays and imported catalogues. It holds health data: keep it as private as the database.

            EXAMPLES
              tablesight backup tuesday.sqlite --output inbox.tablesight
            """)
    @Argument(help: "The file to write.") var file: String
    @OptionGroup var place: StorePlace

    func run() throws { try place.store().backUp(to: URL(filePath: file)) }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Puts a copy of `tablesight backup` in place and writes its sidecars again.",
        help: """
            Stop the daemon first. The copy is checked before anything is changed, and it stays where it is. Sidecars
            get the bytes that they had. Overlays are not restored. Photos that arrived after the backup are read again
            at the daemon's next start.

            EXAMPLES
              tablesight restore tuesday.sqlite --output new.tablesight
              tablesight restore tuesday.sqlite --output inbox.tablesight --replace    keep the present database aside
            """)
    @Argument(help: "The copy to restore.") var file: String
    @Flag(help: "Move an existing database aside, to tablesight.sqlite.before-restore.") var replace = false
    @OptionGroup var place: StorePlace

    func run() throws {
        guard let folder = FilePathBytes(place.output) else {
            throw StartupError(.usage, "--output is not a path: name the daemon's output folder")
        }
        try OutputFolder.make(folder)
        guard let output = folder.resolved else {
            throw StartupError(.inputOutput, "cannot open \(place.output): check its permissions")
        }
        var isAlone = false
        try OutputFolder.whileUnused(output) {
            isAlone = true
            try restore(below: output)
        }
        guard isAlone else {
            throw StartupError(.unavailable, "a daemon uses \(place.output): stop it, then restore")
        }
    }

    private func restore(below output: FilePathBytes) throws {
        let store = try OutcomeStore.restore(
            URL(filePath: file), to: URL(filePath: place.output).appending(path: "tablesight.sqlite"),
            sidecarsBelow: output.appending(names: "outcomes"), replaces: replace)
        let count = try store.counts().values.reduce(0, +)
        let refused = try store.writeSidecars()
        for (path, reason) in refused {
            StandardError.write("tablesight: \(path.display.printable): \(reason.printable)\n")
        }
        try StandardOutput.write("\(count) outcomes restored, \(count - refused.count) sidecars written\n")
        if !refused.isEmpty { throw ExitCode.someFailed }
    }
}
