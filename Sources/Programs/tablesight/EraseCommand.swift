import ArgumentParser
import Engine
import Foundation
import Glibc
import Intake
import Store
import Core

struct EraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erases all stored data about photos.",
        help: """
            Erases outcomes, readings, reviews, quarantine entries, events, sidecars and overlays. Also erases the
            sessions of a board whose folder holds the photo, and database copies of earlier versions.

            Photos stay, and a daemon that starts reads those in its folders again: --photos deletes them too. What left
            the daemon is not reached: copies of `tablesight backup`, and messages that webhooks delivered.

            EXAMPLES
              tablesight erase sha256:9f86… --yes                                by the id in the outcome
              tablesight erase inbox/shelf.jpg --output inbox.tablesight --yes   by path
              tablesight erase inbox/packet.jpg --photos --yes                   the photo itself too
            """)

    @Argument(help: "Ids of photos (sha256:…) or paths.") var ids: [String]
    @Flag(help: "Delete the photos too.") var photos = false
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var place: StorePlace

    func run() throws {
        let store = try place.store()
        let contents = try ids.map { try Self.content(of: $0, store) }
        let count = contents.count == 1 ? "1 photo" : "\(contents.count) photos"
        try confirmation.ask(photos ? "\(count) with all that is stored" : "all that is stored about \(count)")
        try DatabaseOption.erasing(in: place.output) { try erase(contents, in: store, isAlone: $0) }
        StandardError.write(
            "tablesight: not reached: copies of `tablesight backup`, messages that webhooks delivered"
                + (photos ? "\n" : ", and the photos themselves (--photos)\n"))
    }

    private func erase(_ contents: [String], in store: OutcomeStore, isAlone: Bool) throws {
        let output = FilePathBytes(place.output)?.resolved
        for content in contents {
            let erased = try store.erase(content, isAlone: isAlone)
            for photo in erased {
                if let output { OutputFolder.removeResults(of: photo, in: output) }
                guard photos else { continue }
                try Self.delete(photo.path)
            }
            if let output { OutputFolder.removePictures(of: content, in: output) }
            try StandardOutput.write("\(content): \(erased.count) files erased\n")
        }
    }

    /// Deletes a photo itself. Stored paths have no links, so a link on the way was put there later.
    private static func delete(_ path: FilePathBytes) throws {
        guard let root = FilePathBytes("/"), !OpenFolder.remove(path, below: root) else { return }
        throw failure(path)
    }

    private static func failure(_ path: FilePathBytes) -> StartupError {
        StartupError(.inputOutput, "cannot delete \(path.display): \(String(cString: strerror(errno)))")
    }

    /// - Throws: ``StartupError`` (66) if nothing is stored under this name.
    private static func content(of id: String, _ store: OutcomeStore) throws -> String {
        if id.hasPrefix("sha256:"), try store.isKnown(id) { return id }
        if let path = FilePathBytes(id)?.resolved ?? FilePathBytes(id), let content = try store.content(ofPath: path) {
            return content
        }
        let known = try store.latestContents(limit: 5)
        throw StartupError(
            .noInput,
            "nothing is stored about \(id):  "
                + (known.isEmpty ? "the database is empty" : "give an id, such as \(known.joined(separator: ", "))"))
    }
}
