import Core
import Engine
import Foundation
import Glibc
import Groceries
import HTTP
import Household
import Intake
import Logging
import Store
import Synchronization

/// Uploads, deletes and shows photos, on its own thread, because files and SQLite block.
actor ImageService: PhotoFolder {
    private let executor = ThreadExecutor(label: "images")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    var mostBytes: Int { live.current.photoLimits?.fileBytes ?? OpenPhoto.mostBytes }

    private let store: OutcomeStore
    private let live: LiveConfiguration
    private let journal: Journal
    private let known: KnownFiles
    private let processor: PhotoProcessor
    private let jobs: [WakeUp]
    private let groceries: Groceries
    private let logger: Logger
    private let running = UploadCount()
    private let drawings: DrawingQueue

    /// Maximum uploads at the same time.
    private static let mostUploads = 16

    init(
        _ store: OutcomeStore, live: LiveConfiguration, journal: Journal, known: KnownFiles,
        processor: PhotoProcessor, drawings: DrawingQueue, jobs: [WakeUp], groceries: Groceries, logger: Logger
    ) {
        self.drawings = drawings
        self.store = store
        self.live = live
        self.journal = journal
        self.known = known
        self.processor = processor
        self.jobs = jobs
        self.groceries = groceries
        self.logger = logger
    }

    // MARK: Uploads

    func begin(by person: String?) async throws -> any PhotoUpload {
        let configuration = live.current
        guard try await journal.pendingCount() < configuration.mostWaiting else {
            throw Problem(
                429, "queueFull", "\(configuration.mostWaiting) photos wait already: send this one later",
                retryAfter: 30)
        }
        guard let place = configuration.uploads, let inbox = configuration.inbox(of: place) else {
            throw Problem(503, "noFolder", "every watched folder is a board: watch another folder for uploads")
        }
        guard running.takes(most: Self.mostUploads) else {
            throw Problem(429, "tooMany", "too many uploads at the same time: try again", retryAfter: 5)
        }
        do {
            guard let folder = OpenFolder.open(place, below: inbox, creates: true) else {
                guard [ELOOP, ENOTDIR, EXDEV].contains(errno) else { throw UploadFile.problem() }
                throw Problem(503, "noFolder", "\(place.display) is a link or a file: make it a folder for uploads")
            }
            return try UploadFile(
                in: folder, limit: configuration.photoLimits?.fileBytes ?? OpenPhoto.mostBytes, on: executor,
                // The daemon's own work needs the rest; many uploads may come at once.
                hasRoom: { [live] in live.current.hasRoom(for: place) },
                store: { try await self.keep($1, in: $0, content: $2, ending: $3, key: $4, by: person) },
                ended: { [running] in running.leave() })
        } catch {
            running.leave()
            throw error
        }
    }

    private func keep(
        _ file: String, in folder: OpenFolder, content: String, ending: String, key: String?, by person: String?
    ) async throws -> PhotoStatus {
        if let key, try store.content(forUploadKey: key, elseStoring: content) != content {
            throw Problem(422, "keyReused", "this Idempotency-Key was used for another photo: use a new key")
        }
        let configuration = live.current
        // The same bytes are in a watched folder already: one file is enough.
        if let image = try photo(content),
            image.paths.contains(where: { FilePathBytes($0).flatMap(configuration.found) != nil })
        {
            return image
        }
        let name = String(content.dropFirst("sha256:".count)) + "." + ending
        let place = folder.path.appending(names: name)
        guard folder.rename(file, to: name) else { throw UploadFile.problem() }
        if let found = configuration.found(place) {
            // Before the photo is read, so that its prices find who sent it.
            if let person { try groceries.noteUpload(of: content, by: person) }
            try await journal.enqueue([found], configuration)
            jobs.forEach { $0.ring() }
        }
        return PhotoStatus(id: content, state: .queued, outcome: nil, paths: [place.display])
    }

    // MARK: Images

    func photo(_ id: String) throws -> PhotoStatus? {
        var photos = try store.photos(ofContent: id)
        if photos.isEmpty, let folder = live.current.uploads {
            // A queued upload has no content id yet, but its name has.
            let name = String(id.dropFirst("sha256:".count))
            photos = try PhotoFormat.endings.compactMap {
                try store.photo(at: folder.appending(names: name + "." + $0))
            }
        }
        photos = photos.filter { $0.hasOutcome || $0.state != "done" }
        guard let first = photos.first(where: \.hasOutcome) ?? photos.first else { return nil }
        let state: PhotoStatus.State =
            first.state == "done" ? .done : first.state == "running" ? .reading : .queued
        return PhotoStatus(
            id: id, state: state, outcome: first.hasOutcome ? "/v1/outcomes/\(id)" : nil,
            paths: photos.map(\.photo.path.display))
    }

    func readAgain(_ id: String) throws -> PhotoStatus? {
        if let entry = try store.quarantined(id) {
            try store.release([entry], again: true)
            jobs.forEach { $0.ring() }
        }
        return try photo(id)
    }

    func delete(_ id: String) async throws -> PhotoDeletion? {
        let configuration = live.current
        guard let image = try photo(id) else { return nil }
        let queued = image.outcome == nil && image.state == .queued
        var photos = try store.erase(id, isAlone: false)
        if queued {
            // Not read yet, so the rows do not name the content.
            for path in image.paths.compactMap({ FilePathBytes($0) }) {
                guard let own = try store.photo(at: path) else { continue }
                try store.forget(own.photo)
                photos.append(ForgottenPhoto(path: path, sidecar: own.photo.sidecar))
            }
        }
        var (deleted, kept): ([String], [String]) = ([], [])
        var keptFiles: [FoundFile] = []
        for photo in photos {
            OutputFolder.removeResults(of: photo, in: configuration.output)
            if let folder = configuration.uploads, photo.path.isBelow(folder), remove(photo.path, configuration) {
                known.forget(photo.path)
                deleted.append(photo.path.display)
            } else if let file = configuration.found(photo.path) {
                keptFiles.append(file)
                kept.append(photo.path.display)
            }
        }
        if !keptFiles.isEmpty { try store.keepErased(keptFiles) { configuration.sidecar(for: $0) } }
        OutputFolder.removePictures(of: id, in: configuration.output)
        try await store.forgetDeleted()
        logger.notice("deleted", metadata: ["content": "\(id)", "files": "\(deleted.count)", "kept": "\(kept.count)"])
        return PhotoDeletion(id: id, deleted: deleted, kept: kept)
    }

    /// - Returns: false if the file cannot be deleted, or is not reached without a link.
    private func remove(_ path: FilePathBytes, _ configuration: WatchConfiguration) -> Bool {
        configuration.inbox(of: path).map { OpenFolder.remove(path, below: $0) } ?? false
    }

    // MARK: Pictures

    func picture(_ id: String, side: Int) async throws -> Data? {
        let configuration = live.current
        let place = OutputFolder.picture(of: id, side: side, in: configuration.output)
        if let data = FileManager.default.contents(atPath: place.display) { return data }
        guard let path = try await file(of: id) else { return nil }
        let isThumbnail = side == OutputFolder.thumbnailSide
        let turns = isThumbnail ? try store.outcome(forContent: id)?.quarterTurns ?? 0 : 0
        return try await drawn(place, of: id) { [processor] temporary in
            await processor.drawPicture(
                path, in: configuration.inbox(of: path), maxSide: side, quarterTurns: turns, to: temporary)
        }
    }

    func overlay(_ id: String) async throws -> Data? {
        let configuration = live.current
        guard let path = try await file(of: id), let outcome = try store.outcome(forContent: id) else { return nil }
        return try await drawn(configuration.overlay(for: path), of: id) { [processor] temporary in
            await processor.drawOverlay(
                of: outcome, photo: path, in: configuration.inbox(of: path), to: temporary)
        }
    }

    /// Draws under a name of its own, because two requests may want the same picture, and renames. A picture of a photo that
    /// was deleted meanwhile is removed.
    private func drawn(
        _ place: FilePathBytes, of id: String, _ draw: @Sendable (FilePathBytes) async -> ItemFailure?
    ) async throws -> Data? {
        try SidecarFile.makeFolders(place.folder)
        let temporary = place.appending(suffix: ".\(UUID().uuidString)")
        if let failure = try await drawings.perform({ await draw(temporary) }) {
            throw Problem(503, "notReady", "the picture cannot be drawn: \(failure.detail)", retryAfter: 5)
        }
        guard temporary.withCString({ from in place.withCString { rename(from, $0) } }) == 0 else {
            throw UploadFile.problem()
        }
        guard try photo(id) != nil else {
            place.withCString { _ = unlink($0) }
            return nil
        }
        return FileManager.default.contents(atPath: place.display)
    }

    /// A file that still has this content and may be decoded; nil without one.
    private func file(of id: String) async throws -> FilePathBytes? {
        guard try store.quarantined(id) == nil, try store.outcome(forContent: id)?.source.width != nil
        else { return nil }
        let limit = live.current.photoLimits?.fileBytes ?? OpenPhoto.mostBytes
        for photo in try store.photos(ofContent: id) {
            let path = photo.photo.path
            guard let inbox = live.current.inbox(of: path), let open = try? OpenPhoto.open(path, below: inbox),
                let content = try? await open.content(limit: limit), content.id == id
            else { continue }
            return path
        }
        return nil
    }
}

private final class UploadCount: Sendable {
    private let count = Mutex(0)

    /// - Returns: false if there are `most` already.
    func takes(most: Int) -> Bool {
        count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}

extension WatchConfiguration {
    /// The folder for uploads: `uploads` in the first watched folder that does not belong to a board; nil if all are boards.
    var uploads: FilePathBytes? {
        inboxes.map { $0.appending(names: "uploads") }.first { board(of: $0) == nil }
    }

    /// The content that the name of an upload states; nil for other files.
    func uploadedContent(_ path: FilePathBytes) -> String? {
        guard let uploads, path.isBelow(uploads) else { return nil }
        let name = path.lastComponent.display.prefix(64)
        let isHash = name.utf8.count == 64 && name.allSatisfy { $0.isHexDigit && !$0.isUppercase }
        return isHash ? "sha256:" + name : nil
    }

    /// True while the disks of the database and of this folder have more than the reserve.
    func hasRoom(for folder: FilePathBytes) -> Bool {
        [database, folder.appending(names: "x")].allSatisfy {
            OutcomeStore.freeBytes(beside: URL(filePath: $0.display)) >= minimumFreeBytes
        }
    }

    /// The regular file at this path with its identity; nil for anything else, for a file that may not be read, and
    /// outside the watched folders.
    func found(_ path: FilePathBytes) -> FoundFile? {
        guard let inbox = inbox(of: path), let relative = path.relative(to: inbox) else { return nil }
        let file = FolderAccess.open(path, below: inbox)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FoundFile(path: path, relativePath: relative, identity: FileIdentity(status))
    }
}
