import Hashing
import Dispatch
import Glibc
import Intake
import ServiceLifecycle
import Synchronization
import Core

/// An opened photo. The daemon only hashes its bytes and never decodes them.
///
/// The same descriptor is hashed and passed to the worker, so that both read the same file.
package final class OpenPhoto: Sendable {
    /// The hash and the version of the hashed file.
    package struct Content: Sendable {
        /// `sha256:` and 64 hexadecimal digits.
        package var id: String
        package var bytes: Int
        /// The file's version, equal before and after hashing.
        package var version: FileIdentity
    }

    package let path: FilePathBytes
    package let descriptor: Int32

    private init(_ path: FilePathBytes, _ descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens a path that a person named; it may be a link.
    package static func open(_ path: FilePathBytes) throws(ItemFailure) -> OpenPhoto {
        let file = path.withCString { Glibc.open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        return try checked(path, file < 0 ? -errno : file)
    }

    /// Opens a file that a scan found below `folder`, without following links or leaving the folder.
    package static func open(_ path: FilePathBytes, below folder: FilePathBytes) throws(ItemFailure) -> OpenPhoto {
        try checked(path, FolderAccess.open(path, below: folder))
    }

    private static func checked(_ path: FilePathBytes, _ result: Int32) throws(ItemFailure) -> OpenPhoto {
        guard result >= 0 else { throw .cannotOpen(-result) }
        let photo = OpenPhoto(path, result)
        var status = stat()
        guard fstat(result, &status) == 0 else { throw .cannotOpen(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file"
            throw ItemFailure(
                stage: .intake, code: .notAFile, detail: "the path is \(kind)",
                hint: "name a photo; for the photos in a folder use `tablesight batch` or `tablesight watch`")
        }
        return photo
    }

    /// The file's current version; nil if the kernel cannot report it.
    var identity: FileIdentity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
    }

    /// True while a process has it open for writing.
    package var isBeingWritten: Bool { FolderAccess.isBeingWritten(descriptor) }

    /// Default size limit in bytes; larger files are refused unread. A sparse file may claim a terabyte.
    package static let mostBytes = 256 << 20

    /// Why a content has no identity.
    package enum Unproved: Error {
        case failed(ItemFailure)
        /// The file was written during hashing, so the hash matches no version of it.
        case changed
        /// The task was cancelled, or the daemon is stopping.
        case stopped
    }

    /// Hashes the content in chunks, off the shared task threads.
    ///
    /// The file's versions before the first and after the last byte must be equal. A growing file is read only to its
    /// initial size.
    ///
    /// - Parameters:
    ///   - limit: maximum bytes to read.
    ///   - endsOnShutdown: false continues while the daemon stops, for a photo that is almost done.
    ///   - read: called after each chunk with the bytes read so far.
    /// - Throws: ``Unproved``; `tooLarge` is thrown before a byte is read.
    package func content(
        limit: Int = OpenPhoto.mostBytes, endsOnShutdown: Bool = true,
        read: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws(Unproved) -> Content {
        guard let before = identity else { throw .failed(.cannotOpen(errno)) }
        guard before.size <= limit else {
            throw .failed(
                ItemFailure(
                    stage: .intake, code: .tooLarge,
                    detail: "the file has \(before.size) bytes, more than the limit of \(limit)",
                    hint: "send a smaller version of the photo"))
        }
        let run = HashRun(self, version: before, read: read)
        let result = await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await withCheckedContinuation { run.start($0) }
            } onGracefulShutdown: {
                if endsOnShutdown { run.stop() }
            }
        } onCancel: {
            run.stop()
        }
        return try result.get()
    }

    /// True if the file still has the hashed version and bytes and is not open for writing. The kernel's times have a
    /// resolution of some milliseconds, so the version alone does not prove the bytes.
    package func stillHolds(_ content: Content) async -> Bool {
        guard identity == content.version, !isBeingWritten else { return false }
        guard let again = try? await self.content(limit: max(content.bytes, 1), endsOnShutdown: false) else {
            return false
        }
        return again.id == content.id && again.version == content.version
    }
}

/// Reads a file on a thread that may block; can be stopped at any time.
private final class HashRun: Sendable {
    private typealias Answer = Result<OpenPhoto.Content, OpenPhoto.Unproved>
    private enum State {
        case idle
        case running(CheckedContinuation<Result<OpenPhoto.Content, OpenPhoto.Unproved>, Never>)
        case ended
    }

    private let photo: OpenPhoto
    private let version: FileIdentity
    private let read: @Sendable (Int64) -> Void
    private let state = Mutex(State.idle)
    /// One queue for each run: a concurrent queue would use the threads, one for each core, that all Swift tasks share.
    private let queue = DispatchQueue(label: "tablesight.hash")
    private static let pieceBytes = 256 << 10

    init(_ photo: OpenPhoto, version: FileIdentity, read: @escaping @Sendable (Int64) -> Void) {
        self.photo = photo
        self.version = version
        self.read = read
    }

    func start(_ continuation: CheckedContinuation<Result<OpenPhoto.Content, OpenPhoto.Unproved>, Never>) {
        let isEarly = state.withLock { state in
            if case .ended = state { return false }
            state = .running(continuation)
            return true
        }
        guard isEarly else { return continuation.resume(returning: .failure(.stopped)) }
        queue.async { self.end(Result { () throws(OpenPhoto.Unproved) in try self.hash() }) }
    }

    /// Returns at once, also if a read hangs, for example on a network mount.
    func stop() { end(.failure(.stopped)) }

    private func end(_ answer: Answer) {
        let waiting = state.withLock { state in
            defer { state = .ended }
            return if case .running(let continuation) = state { continuation } else {
                nil as CheckedContinuation<Result<OpenPhoto.Content, OpenPhoto.Unproved>, Never>?
            }
        }
        waiting?.resume(returning: answer)
    }

    private var isStopped: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    private func hash() throws(OpenPhoto.Unproved) -> OpenPhoto.Content {
        let hasher = SHA256Stream()
        var total: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: Self.pieceBytes)
        while true {
            if isStopped { throw .stopped }
            let count = buffer.withUnsafeMutableBytes {
                pread(photo.descriptor, $0.baseAddress, $0.count, off_t(total))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .failed(.cannotOpen(errno)) }
            if count == 0 { break }
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            total += Int64(count)
            read(total)
            if total > version.size { throw .changed }
        }
        guard total == version.size, photo.identity == version else { throw .changed }
        return OpenPhoto.Content(
            id: "sha256:" + SHA256.hexadecimal(hasher.finish()), bytes: Int(total), version: version)
    }
}

extension ItemFailure {
    init(_ reason: OpenPhoto.Unproved) {
        switch reason {
        case .failed(let failure): self = failure
        case .changed:
            self.init(
                stage: .intake, code: .fileChanged, detail: "the file was changed while it was read",
                hint: "wait until the copy is complete, then run again", isTransient: true)
        case .stopped: self.init(WorkerFault.stopped)
        }
    }
}

extension ItemFailure {
    fileprivate static func cannotOpen(_ code: Int32) -> ItemFailure {
        let reason = String(cString: strerror(code))
        return switch code {
        case ENOENT, ENOTDIR:
            ItemFailure(
                stage: .intake, code: .fileVanished, detail: "the file does not exist",
                hint: "check the path, or copy the photo there again")
        case EACCES, EPERM:
            ItemFailure(
                stage: .intake, code: .permissionDenied, detail: "the file may not be read",
                hint: "make the file readable for the user who runs tablesight: chmod a+r")
        case ELOOP, EXDEV:
            ItemFailure(
                stage: .intake, code: .notAFile, detail: "the path is a symbolic link or goes through one",
                hint: "put the photo itself into the folder")
        case ENXIO:
            ItemFailure(
                stage: .intake, code: .notAFile, detail: "the path is a socket or a pipe, not a file",
                hint: "put the photo itself into the folder")
        default:
            ItemFailure(
                stage: .intake, code: .inputOutput, detail: "cannot open the file: \(reason)",
                hint: "check the disk, then run again", isTransient: true)
        }
    }
}
