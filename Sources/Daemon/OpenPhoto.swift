import Crypto
import Dispatch
import Glibc
import Intake
import Vocabulary

/// A photo that the daemon opened, and never reads more of than its bytes: hashing needs no decoder.
///
/// The same descriptor is hashed and handed to the worker, so that both see the same file whatever happens to its name.
final class OpenPhoto: Sendable {
    /// What was hashed.
    struct Content: Sendable {
        /// `sha256:` and 64 hexadecimal digits.
        var id: String
        var bytes: Int
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

    private static let queue = DispatchQueue(label: "tablesight.hash", attributes: .concurrent)

    /// Bytes above which a file is refused unread, where nothing else is configured: a sparse file claims a terabyte and has
    /// none.
    static let mostBytes = 256 << 20

    /// The identity of its content; read once, in pieces, away from the threads that tasks share.
    ///
    /// - Throws: `tooLarge`, before a byte is read, and `inputOutput`.
    func content(limit: Int = OpenPhoto.mostBytes) async throws(ItemFailure) -> Content {
        if let size = identity?.size, size > limit {
            throw ItemFailure(
                stage: .intake, code: .tooLarge,
                detail: "\(path.display) has \(size) bytes; at most \(limit) are read",
                hint: "send a smaller version of the photo")
        }
        let result: Result<Content, ItemFailure> = await withCheckedContinuation { continuation in
            Self.queue.async {
                continuation.resume(returning: Result { () throws(ItemFailure) in try self.hash() })
            }
        }
        return try result.get()
    }

    private func hash() throws(ItemFailure) -> Content {
        var hasher = SHA256()
        var total = 0
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(total)) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .cannotOpen(path, errno) }
            if count == 0 { break }
            buffer.withUnsafeBytes { hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            total += count
        }
        let digits = Array("0123456789abcdef")
        let hex = hasher.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return Content(id: "sha256:" + String(hex), bytes: total)
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
