import Store
import Vocabulary

/// What `tablesight watch` was asked to do.
public struct WatchConfiguration: Sendable {
    /// Folders whose photos become outcomes, absolute.
    public let inboxes: [FilePathBytes]
    /// Where database, sidecars and overlays go; never in an inbox.
    public let output: FilePathBytes
    public var workers: Int
    /// How long a file must stay the same before it is taken.
    public var settle: Duration
    /// How often everything is scanned though no event came: lost events lose nothing.
    public var rescan: Duration
    public var drawsOverlays: Bool
    /// Ends when all that is there has its outcome.
    public var once: Bool
    public var profiles: [AllergenProfile]

    /// - Parameters:
    ///   - inboxes: folders that are there.
    ///   - output: nil puts it beside the first inbox: `photos` → `photos.tablesight`.
    /// - Throws: ``StartupError`` where an inbox is missing, or results would land in a watched folder.
    public init(
        inboxes: [String], output: String?, workers: Int = 2, settle: Duration = .milliseconds(400),
        rescan: Duration = .seconds(60), drawsOverlays: Bool = false, once: Bool = false, profiles: [AllergenProfile]
    ) throws(StartupError) {
        var folders: [FilePathBytes] = []
        for name in inboxes {
            guard let path = FilePathBytes(name)?.resolved else {
                throw StartupError(.noInput, "no folder \(name): make it, or name the one your photos land in")
            }
            if folders.contains(where: { $0.lastComponent == path.lastComponent && $0 != path }) {
                throw StartupError(
                    .usage, "two watched folders are named \(path.lastComponent.display): their sidecars would mix")
            }
            folders.append(path)
        }
        guard let first = folders.first else { throw StartupError(.usage, "name at least one folder to watch") }
        self.inboxes = folders
        let place = try (output ?? first.appending(suffix: ".tablesight").display).asFolder()
        guard let absolute = place.resolved else {
            throw StartupError(.inputOutput, "cannot make the output folder \(place.display)")
        }
        for inbox in self.inboxes where absolute == inbox || absolute.isBelow(inbox) {
            throw StartupError(
                .usage,
                "the output folder \(absolute.display) lies in the watched folder \(inbox.display): give another --output"
            )
        }
        self.output = absolute
        self.workers = workers
        self.settle = settle
        self.rescan = rescan
        self.drawsOverlays = drawsOverlays
        self.once = once
        self.profiles = profiles
    }

    /// The daemon's memory.
    public var database: FilePathBytes { output.appending(names: "tablesight.sqlite") }
    /// Held while a daemon writes into ``output``.
    var lock: FilePathBytes { output.appending(names: "lock") }

    /// `<output>/outcomes/<inbox>/<file>.json`.
    public func sidecar(for file: FoundFile) -> FilePathBytes { place(for: file.path, in: "outcomes", ending: ".json") }

    /// `<output>/overlays/<inbox>/<file>.png`.
    public func overlay(for path: FilePathBytes) -> FilePathBytes { place(for: path, in: "overlays", ending: ".png") }

    private func place(for path: FilePathBytes, in folder: String, ending: String) -> FilePathBytes {
        // The longest inbox above the file is its own, should one inbox lie in another.
        let inbox = inboxes.filter { path.isBelow($0) }.max { $0.bytes.count < $1.bytes.count }
        let root = output.appending(names: folder)
        guard let inbox, let below = FilePathBytes(inbox.lastComponent.bytes + path.bytes[inbox.bytes.count...]) else {
            return root.appending(path.lastComponent).appending(suffix: ending)
        }
        return root.appending(below).appending(suffix: ending)
    }
}

extension String {
    /// This path as a folder that is there now.
    fileprivate func asFolder() throws(StartupError) -> FilePathBytes {
        guard let path = FilePathBytes(self) else { throw StartupError(.usage, "--output must not be empty") }
        try SidecarFile.makeFolders(path)
        return path
    }
}
