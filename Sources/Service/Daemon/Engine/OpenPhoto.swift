import Hashing
import Dispatch
import Glibc
import Intake
import ServiceLifecycle
import Synchronization
import Core

/// A photo that the daemon opened, and never reads more of than its bytes: hashing needs no decoder.
///
/// The same descriptor is hashed and handed to the worker, so that both see the same file whatever happens to its name.
final class OpenPhoto: Sendable {
    /// What was hashed.
    struct Content: Sendable {
        /// `sha256:` and 64 hexadecimal digits.
        var id: String
        var bytes: Int
        /// The version of the file that has these bytes, the same before and after they were read.
        var version: FileIdentity
    }

    let path: FilePathBytes
    let descriptor: Int32

    private init(_ path: FilePathBytes, _ descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens a path that a person typed: it may be a link.
    static func open(_ path: FilePathBytes) throws(ItemFailure) -> OpenPhoto {
        let file = path.withCString { Glibc.open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        return try checked(path, file < 0 ? -errno : file)
    }

    /// Opens what a scan found below `folder`: no link on the way is followed, and the folder is never left.
    static func open(_ path: FilePathBytes, below folder: FilePathBytes) throws(ItemFailure) -> OpenPhoto {
        try checked(path, FolderAccess.open(path, below: folder))
    }

    private static func checked(_ path: FilePathBytes, _ result: Int32) throws(ItemFailure) -> OpenPhoto {
        guard result >= 0 else { throw .cannotOpen(path, -result) }
        let photo = OpenPhoto(path, result)
        var status = stat()
        guard fstat(result, &status) == 0 else { throw .cannotOpen(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no regular file"
            throw ItemFailure(
                stage: .intake, code: .notAFile, detail: "\(path.display) is \(kind)",
                hint: "give a photo; for the photos in a folder use `tablesight batch` or `tablesight watch`")
        }
        return photo
    }

    /// This version of the file; nil where the kernel cannot tell any more.
    var identity: FileIdentity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
    }

    /// True while somebody has it open for writing.
    var isBeingWritten: Bool { FolderAccess.isBeingWritten(descriptor) }

    /// Bytes above which a file is refused unread, where nothing else is configured: a sparse file claims a terabyte and has
    /// none.
    static let mostBytes = 256 << 20

    /// Why a content has no identity.
    enum Unproved: Error {
        case failed(ItemFailure)
        /// Somebody wrote while it was hashed, so that the hash belongs to no version of the file.
        case changed
        /// The task was cancelled, or the daemon asked to stop.
        case stopped
    }

    /// The identity of its content; read once, in pieces, away from the threads that tasks share.
    ///
    /// The file's version is taken before the first byte and again after the last one, and both must be the same. At most as
    /// many bytes are read as the file had at the beginning, so that one that grows ends the reading.
    ///
    /// - Parameters:
    ///   - limit: bytes that are read at most.
    ///   - endsOnShutdown: false reads on while the daemon stops: what is nearly done is worth it.
    /// - Throws: ``Unproved``; `tooLarge` comes before a byte is read.
    func content(limit: Int = OpenPhoto.mostBytes, endsOnShutdown: Bool = true) async throws(Unproved) -> Content {
        guard let before = identity else { throw .failed(.cannotOpen(path, errno)) }
        guard before.size <= limit else {
            throw .failed(
                ItemFailure(
                    stage: .intake, code: .tooLarge,
                    detail: "\(path.display) has \(before.size) bytes; at most \(limit) are read",
                    hint: "send a smaller version of the photo"))
        }
        let run = HashRun(self, version: before)
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

    /// True where the file still is what was hashed: the same version, written by nobody, and the same bytes once more. The
    /// times that the kernel keeps move in steps of some milliseconds, so a version alone does not prove the bytes.
    func stillHolds(_ content: Content) async -> Bool {
        guard identity == content.version, !isBeingWritten else { return false }
        guard let again = try? await self.content(limit: max(content.bytes, 1), endsOnShutdown: false) else {
            return false
        }
        return again.id == content.id && again.version == content.version
    }
}

/// One reading of a file's bytes, on a thread that may block: stopped from outside at any moment.
private final class HashRun: Sendable {
    private typealias Answer = Result<OpenPhoto.Content, OpenPhoto.Unproved>
    private enum State {
        case idle
        case running(CheckedContinuation<Result<OpenPhoto.Content, OpenPhoto.Unproved>, Never>)
        case ended
    }

    private let photo: OpenPhoto
    private let version: FileIdentity
    private let state = Mutex(State.idle)
    /// One queue for each run: a concurrent queue would use the threads, one for each core, that all Swift tasks share.
    private let queue = DispatchQueue(label: "tablesight.hash")
    private static let pieceBytes = 256 << 10

    init(_ photo: OpenPhoto, version: FileIdentity) {
        self.photo = photo
        self.version = version
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

    /// Answers at once: a read that hangs, as on a network mount, is not waited for.
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
            guard count >= 0 else { throw .failed(.cannotOpen(photo.path, errno)) }
            if count == 0 { break }
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            total += Int64(count)
            if total > version.size { throw .changed }
        }
        guard total == version.size, photo.identity == version else { throw .changed }
        return OpenPhoto.Content(
            id: "sha256:" + SHA256.hexadecimal(hasher.finish()), bytes: Int(total), version: version)
    }
}

extension ItemFailure {
    /// What a photo that is named once ends with where it has no identity.
    init(_ reason: OpenPhoto.Unproved, _ path: FilePathBytes) {
        switch reason {
        case .failed(let failure): self = failure
        case .changed:
            self.init(
                stage: .intake, code: .fileChanged, detail: "\(path.display) was written while it was read",
                hint: "wait until it is copied, then run again", isTransient: true)
        case .stopped: self.init(.stopped)
        }
    }
}

extension ItemFailure {
    fileprivate static func cannotOpen(_ path: FilePathBytes, _ code: Int32) -> ItemFailure {
        let reason = String(cString: strerror(code))
        return switch code {
        case ENOENT, ENOTDIR:
            ItemFailure(
                stage: .intake, code: .fileVanished, detail: "\(path.display): \(reason)",
                hint: "check the path; the file is not there (any more)")
        case EACCES, EPERM:
            ItemFailure(
                stage: .intake, code: .permissionDenied, detail: "\(path.display): \(reason)",
                hint: "let the user who runs tablesight read it: chmod a+r")
        case ELOOP, EXDEV:
            ItemFailure(
                stage: .intake, code: .notAFile, detail: "\(path.display) is, or lies behind, a symbolic link",
                hint: "put the photo itself into the folder")
        case ENXIO:
            ItemFailure(
                stage: .intake, code: .notAFile, detail: "\(path.display) is a socket or a pipe",
                hint: "put the photo itself into the folder")
        default:
            ItemFailure(
                stage: .intake, code: .inputOutput, detail: "\(path.display): \(reason)",
                hint: "check the disk, then run again", isTransient: true)
        }
    }
}
