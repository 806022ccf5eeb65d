import Glibc
import Vocabulary

/// A photo's file: read whole and never anything but a regular file, written whole or not at all.
public enum ImageFile {
    /// - Parameters:
    ///   - followSymlinks: true only for a path that a person named.
    ///   - limit: in bytes.
    /// - Throws: `notAFile`, `permissionDenied`, `fileVanished`, `tooLarge`, `inputOutput`.
    public static func read(
        _ path: FilePathBytes, followSymlinks: Bool, limit: Int = ImagingLimits().bytes
    ) throws(ItemFailure) -> [UInt8] {
        // O_NONBLOCK: opening a pipe must not wait for a writer.
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followSymlinks ? 0 : O_NOFOLLOW)
        let file = path.withCString { open($0, flags) }
        guard file >= 0 else { throw failure(path, errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ItemFailure(
                stage: .intake, code: .notAFile, detail: "\(path.display) is no regular file", hint: "give a photo")
        }
        guard status.st_size <= limit else {
            throw ItemFailure(
                stage: .imaging, code: .tooLarge,
                detail: "\(status.st_size >> 20) MiB; at most \(limit >> 20) MiB are read",
                hint: "save the photo smaller")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let space = bytes.count - filled
            let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress.map { $0 + filled }, space) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path, errno) }
            if count == 0 { break }
            filled += count
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// Writes beside `path` and renames, so that nobody sees half a picture.
    ///
    /// - Throws: `inputOutput`.
    public static func write(_ bytes: [UInt8], to path: FilePathBytes) throws(ItemFailure) {
        let temporary = path.appending(suffix: ".tmp")
        let file = temporary.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644) }
        guard file >= 0 else { throw failure(path, errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                close(file)
                throw failure(path, code)
            }
            rest = rest.dropFirst(count)
        }
        let renamed = temporary.withCString { from in path.withCString { to in rename(from, to) } }
        guard close(file) == 0, renamed == 0 else { throw failure(path, errno) }
    }

    private static func failure(_ path: FilePathBytes, _ code: Int32) -> ItemFailure {
        let detail = "\(path.display): \(String(cString: strerror(code)))"
        return switch code {
        case ENOENT, ENOTDIR:
            ItemFailure(stage: .intake, code: .fileVanished, detail: detail, hint: "check the path")
        case EACCES, EPERM:
            ItemFailure(
                stage: .intake, code: .permissionDenied, detail: detail,
                hint: "let the user who runs tablesight read it")
        case ELOOP:
            ItemFailure(stage: .intake, code: .notAFile, detail: detail, hint: "put the photo itself there, not a link")
        default:
            ItemFailure(
                stage: .intake, code: .inputOutput, detail: detail, hint: "check the disk, then run again",
                isTransient: true)
        }
    }
}
