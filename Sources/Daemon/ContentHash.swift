import Crypto
import Dispatch
import Glibc
import Vocabulary

/// The identity of a photo: SHA-256 over its bytes.
enum ContentHash {
    /// What was hashed.
    struct Content: Sendable {
        /// `sha256:` and 64 hexadecimal digits.
        var id: String
        var bytes: Int
    }

    private static let queue = DispatchQueue(label: "tablesight.hash", attributes: .concurrent)

    /// Reads the file once, in pieces, away from the threads that tasks share.
    static func of(_ path: FilePathBytes, followLinks: Bool) async throws(ItemFailure) -> Content {
        let result: Result<Content, ItemFailure> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(ItemFailure) in try hash(path, followLinks) })
            }
        }
        return try result.get()
    }

    private static func hash(_ path: FilePathBytes, _ followLinks: Bool) throws(ItemFailure) -> Content {
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followLinks ? 0 : O_NOFOLLOW)
        let file = path.withCString { open($0, flags) }
        guard file >= 0 else { throw .cannotOpen(path, errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .cannotOpen(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no regular file"
            throw ItemFailure(
                stage: .intake, code: .notAFile, detail: "\(path.display) is \(kind)",
                hint: "give a photo; for the photos in a folder use `tablesight batch` or `tablesight watch`")
        }
        var hasher = SHA256()
        var total = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
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
        case ELOOP:
            ItemFailure(
                stage: .intake, code: .notAFile, detail: "\(path.display) is a symbolic link",
                hint: "put the photo itself into the folder")
        default:
            ItemFailure(
                stage: .intake, code: .inputOutput, detail: "\(path.display): \(reason)",
                hint: "check the disk, then run again", isTransient: true)
        }
    }
}
