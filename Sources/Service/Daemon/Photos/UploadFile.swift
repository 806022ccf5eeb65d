import Household
import Store
import Core
import Foundation
import Glibc
import HTTP
import Hashing
import Intake

/// One upload in progress: a hidden file in the folder for uploads, which intake ignores.
///
/// The name of the finished file is the hash of its bytes, so the same bytes sent twice are one file.
actor UploadFile: PhotoUpload {
    private let executor: ThreadExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Stores the finished file: its folder, its name there, content id, ending of the name, idempotency key.
    typealias Store = @Sendable (OpenFolder, String, String, String, String?) async throws -> PhotoStatus

    private let folder: OpenFolder
    private let name: String
    private let limit: Int
    private let hasRoom: @Sendable () -> Bool
    private let store: Store
    private let ended: @Sendable () -> Void
    private var descriptor: Int32
    private let hash = SHA256Stream()
    private var count = 0
    private var head: [UInt8] = []

    /// - Parameters:
    ///   - limit: maximum bytes of the photo.
    ///   - hasRoom: false while the disk has only its reserve.
    ///   - ended: called once, when the upload is finished or cancelled.
    /// - Throws: ``Problem`` (507) if the file cannot be created.
    init(
        in folder: OpenFolder, limit: Int, on executor: ThreadExecutor, hasRoom: @escaping @Sendable () -> Bool,
        store: @escaping Store,
        ended: @escaping @Sendable () -> Void
    ) throws {
        self.executor = executor
        self.limit = limit
        self.hasRoom = hasRoom
        self.store = store
        self.ended = ended
        self.folder = folder
        guard hasRoom() else { throw Self.full }
        name = Self.prefix + UUID().uuidString.lowercased()
        descriptor = folder.create(name)
        guard descriptor >= 0 else { throw Self.problem() }
    }

    /// Beginning of the names of unfinished uploads; a dot hides them from intake.
    static let prefix = ".upload-"

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ bytes: [UInt8]) async throws {
        count += bytes.count
        guard count <= limit else {
            throw Problem(
                413, "tooLarge", "the photo has more than \(limit >> 20) MiB: send a smaller version", limitBytes: limit
            )
        }
        guard hasRoom() else { throw Self.full }
        if head.count < PhotoFormat.headBytes { head += bytes.prefix(PhotoFormat.headBytes - head.count) }
        bytes.withUnsafeBytes { hash.update($0) }
        guard writeAll(bytes, to: descriptor) else { throw Self.problem() }
    }

    func finish(key: String?) async throws -> PhotoStatus {
        guard let ending = PhotoFormat.ending(of: head) else {
            cancel()
            throw Problem(
                415, "badFormat", count == 0 ? "the photo has no bytes" : "these bytes are no photo in a known format",
                formats: PhotoFormats.all)
        }
        guard fsync(descriptor) == 0 else {
            cancel()
            throw Self.problem()
        }
        close(descriptor)
        descriptor = -1
        defer { end() }
        return try await store(folder, name, "sha256:" + SHA256.hexadecimal(hash.finish()), ending, key)
    }

    func cancel() { end() }

    private var hasEnded = false

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        // A stored file was renamed, so the temporary name is gone.
        if let name = FilePathBytes(name) { folder.remove(name) }
        ended()
    }

    /// The problem of the latest system call.
    static func problem() -> Problem {
        let code = errno
        guard code == ENOSPC || code == EDQUOT else {
            return Problem(500, "internal", "the upload cannot be stored; the daemon's log says why")
        }
        return full
    }

    private static let full = Problem(
        507, "diskFull", "the disk is full: free some space, then send the photo again", retryAfter: 60)
}

/// Formats by their first bytes. The worker checks the whole header later.
enum PhotoFormat {
    static let headBytes = 16

    /// The ending of a file name; nil for bytes that are no known picture.
    static func ending(of head: [UInt8]) -> String? {
        func begins(_ bytes: [UInt8], at start: Int = 0) -> Bool { head.dropFirst(start).starts(with: bytes) }
        func begins(_ text: String, at start: Int = 0) -> Bool { begins(Array(text.utf8), at: start) }
        if begins([0xFF, 0xD8, 0xFF]) { return "jpg" }
        if begins([0x89, 0x50, 0x4E, 0x47]) { return "png" }
        if begins("RIFF"), begins("WEBP", at: 8) { return "webp" }
        if begins([0x49, 0x49, 0x2A, 0]) || begins([0x4D, 0x4D, 0, 0x2A]) { return "tif" }
        if begins("BM") { return "bmp" }
        if begins("GIF8") { return "gif" }
        if begins("ftyp", at: 4) {
            if ["avif", "avis"].contains(where: { begins($0, at: 8) }) { return "avif" }
            if ["heic", "heix", "hevc", "mif1", "msf1"].contains(where: { begins($0, at: 8) }) { return "heic" }
        }
        return nil
    }

    static let endings = ["jpg", "png", "webp", "tif", "bmp", "gif", "avif", "heic"]
}
