import Boards
import Catalogue
import Engine
import Foundation
import Hashing
import Kinds
import Queue
import Settings
import Store
import Core
import ReadJobs

package struct WatchConfiguration: Sendable {
    /// Watched folders, absolute.
    package let inboxes: [FilePathBytes]
    /// Folder for database, sidecars and overlays; never in an inbox.
    package let output: FilePathBytes
    package var workers: Int
    /// Time without changes after which a file is complete.
    package var settle: Duration
    /// Interval of full scans, in case events were lost.
    package var rescan: Duration
    /// Interval of full scans if the kernel sends no events: network mounts, or too many folders.
    package var poll = Duration.seconds(5)
    package var drawsOverlays: Bool
    /// True exits when all photos have outcomes.
    package var once: Bool
    package var profiles: [AllergenProfile]
    package var workerLimits = WorkerLimits()
    /// Limits of a photo; nil uses the decoder's defaults.
    package var photoLimits: ReadJob.Limits?
    /// Free disk space in bytes below which the daemon is not ready.
    package var minimumFreeBytes = 16 << 20
    /// Number of outcomes of deleted files to keep.
    package var keptGoneOutcomes = 100_000
    /// Number of waiting photos above which uploads are refused.
    package var mostWaiting = 1000
    package var webhooks = WebhookSettings()
    /// The broker to which outcomes are published; nil for none.
    package var mqtt: MQTTSettings?
    /// Watched folders whose photos are frames of a session.
    package var boards: [Board] = []
    /// Cameras whose pictures are frames of a session.
    package var cameras: [Camera] = []
    /// The folder with games of one's own; nil for none.
    package var games: URL?
    /// The server for products that are not imported; nil for none.
    package var remote: RemoteSettings?
    /// The queue for workers of other machines; nil for none.
    package var queue: QueueSettings?

    /// - Parameters:
    ///   - inboxes: existing folders.
    ///   - output: nil puts it next to the first inbox: `photos` → `photos.tablesight`.
    /// - Throws: ``StartupError`` if an inbox is missing, or output and inboxes overlap.
    package init(
        inboxes: [String], output: String?, workers: Int = 2, settle: Duration = .milliseconds(400),
        rescan: Duration = .seconds(60), drawsOverlays: Bool = false, once: Bool = false, profiles: [AllergenProfile]
    ) throws(StartupError) {
        var folders: [FilePathBytes] = []
        for name in inboxes {
            guard let path = FilePathBytes(name)?.resolved else {
                throw StartupError(.noInput, "the folder \(name) does not exist: create it, or name another")
            }
            if folders.contains(where: { $0.lastComponent == path.lastComponent && $0 != path }) {
                throw StartupError(
                    .usage,
                    "two watched folders have the name \(path.lastComponent.display): rename one, "
                        + "because their sidecars would collide")
            }
            folders.append(path)
        }
        guard let first = folders.first else { throw StartupError(.usage, "name at least one folder to watch") }
        self.inboxes = folders
        let place = try (output ?? first.appending(suffix: ".tablesight").display).asFolder()
        guard let absolute = place.resolved else {
            throw StartupError(.inputOutput, "cannot create the output folder \(place.display)")
        }
        for inbox in self.inboxes where absolute == inbox || absolute.isBelow(inbox) {
            throw StartupError(
                .usage,
                "the output folder \(absolute.display) is in the watched folder \(inbox.display): use another --output"
            )
        }
        for inbox in self.inboxes {
            for results in ["outcomes", "overlays"].map({ absolute.appending(names: $0) })
            where inbox == results || inbox.isBelow(results) {
                throw StartupError(
                    .usage,
                    "the watched folder \(inbox.display) is in the output \(results.display): use another --output")
            }
        }
        self.output = absolute
        self.workers = workers
        self.settle = settle
        self.rescan = rescan
        self.drawsOverlays = drawsOverlays
        self.once = once
        self.profiles = profiles
    }

    /// The output folder of these settings, without checks; it is made if it is missing.
    ///
    /// - Throws: ``StartupError`` if its name is empty, or it cannot be made.
    package static func output(_ settings: Settings) throws(StartupError) -> FilePathBytes {
        try outputPath(settings).display.asFolder()
    }

    /// The path of the output folder of these settings, without checks; it may be missing.
    ///
    /// - Throws: ``StartupError`` if its name is empty.
    package static func outputPath(_ settings: Settings) throws(StartupError) -> FilePathBytes {
        if let named = settings.text("output") { return try named.asPath() }
        let inbox = settings.list("inboxes").first ?? "inbox"
        let folder = FilePathBytes(inbox)?.resolved?.appending(suffix: ".tablesight").display
        return try (folder ?? inbox + ".tablesight").asPath()
    }

    /// Who gets each outcome's event.
    var receivers: [String] { webhooks.receivers + (mqtt == nil ? [] : [MQTTSettings.receiver]) }

    /// The games of the program and of ``games``.
    package func gameCatalogue(_ models: ModelFolder) -> GameCatalogue {
        GameCatalogue(models: models, own: games.map { OwnGames(in: $0, models: models) } ?? .none)
    }

    package var database: FilePathBytes { output.appending(names: "tablesight.sqlite") }
    var crashJournal: FilePathBytes { output.appending(names: "last-words") }
    var lineSocket: FilePathBytes { output.appending(names: "stream.sock") }
    /// The lock that a daemon holds while it writes into ``output``.
    var lock: FilePathBytes { output.appending(names: "lock") }

    /// `<output>/outcomes/<inbox>/<file>.json`. A folder whose name ends in `.json` or `.folder` gets the suffix
    /// `.folder`, so that two photos never share a path.
    package func sidecar(for file: FoundFile) -> FilePathBytes {
        place(for: file.path, in: "outcomes", ending: ".json")
    }

    /// `<output>/overlays/<inbox>/<file>.png`.
    package func overlay(for path: FilePathBytes) -> FilePathBytes { place(for: path, in: "overlays", ending: ".png") }

    /// The watched folder of this path; the innermost if inboxes are nested.
    package func inbox(of path: FilePathBytes) -> FilePathBytes? {
        inboxes.filter { path == $0 || path.isBelow($0) }.max { $0.bytes.count < $1.bytes.count }
    }

    /// The folder whose files take turns with others: the first below the inbox, or the inbox itself.
    package func top(of path: FilePathBytes) -> FilePathBytes? {
        guard let inbox = inbox(of: path) else { return nil }
        if let board = board(of: path) { return board.folder }
        let start = inbox.bytes.count + (inbox.bytes.last == UInt8(ascii: "/") ? 0 : 1)
        guard path.bytes.count > start, let slash = path.bytes[start...].firstIndex(of: UInt8(ascii: "/")) else {
            return inbox
        }
        return FilePathBytes(path.bytes[..<slash])
    }

    /// The folder of this path, if menus in it belong to one kitchen: any folder below the inbox except boards, and
    /// except that of uploads, where the photos of all kitchens lie.
    func kitchen(of path: FilePathBytes) -> FilePathBytes? {
        guard let inbox = inbox(of: path), path.folder != inbox, path.folder != uploads, board(of: path) == nil
        else { return nil }
        return path.folder
    }

    /// The board of this photo, in the innermost folder; nil if the photo belongs to no board.
    func board(of path: FilePathBytes) -> Board? {
        boards.filter { path.isBelow($0.folder) }.max { $0.folder.bytes.count < $1.folder.bytes.count }
    }

    private func place(for path: FilePathBytes, in folder: String, ending: String) -> FilePathBytes {
        let inbox = inbox(of: path)
        let root = output.appending(names: folder)
        guard let inbox, let below = FilePathBytes(inbox.lastComponent.bytes + path.bytes[inbox.bytes.count...]) else {
            return root.appending(path.lastComponent).appending(suffix: ending)
        }
        let slash = UInt8(ascii: "/")
        var names = below.bytes.split(separator: slash).map(Array.init)
        let endings = [Array(ending.utf8), Array(Self.folderMark.utf8)]
        for index in names.indices.dropLast() where endings.contains(where: { names[index].ends(with: $0) }) {
            names[index] += Self.folderMark.utf8
        }
        let escaped = FilePathBytes(names.joined(separator: [slash])) ?? below
        let place = root.appending(escaped).appending(suffix: ending)
        // The kernel allows 255 bytes for a name and 4,095 for a path; writing adds ".tmp".
        let isLong = place.lastComponent.bytes.count > 250 || names.contains { $0.count > 255 }
        guard isLong || place.bytes.count > 4000 else { return place }
        let name = SHA256.hexadecimal(SHA256.digest(of: below.bytes).prefix(16))
        // No folder of an inbox maps to this name, because it would have the mark twice.
        let folder = (FilePathBytes(names.first ?? []) ?? inbox.lastComponent).appending(
            names: "long-names" + Self.folderMark)
        return root.appending(folder).appending(names: name).appending(suffix: ending)
    }

    private static let folderMark = ".folder"
}

extension String {
    fileprivate func asPath() throws(StartupError) -> FilePathBytes {
        guard let path = FilePathBytes(self) else { throw StartupError(.usage, "--output must not be empty") }
        return path
    }

    fileprivate func asFolder() throws(StartupError) -> FilePathBytes {
        let path = try asPath()
        try SidecarFile.makeFolders(path)
        return path
    }
}

extension [UInt8] {
    fileprivate func ends(with other: [UInt8]) -> Bool {
        count >= other.count && suffix(other.count).elementsEqual(other)
    }
}
