import Glibc
import Core

/// Reads whole regular files only. It opens no devices and waits for no pipes.
package enum ImageFile {
    /// Reads the file at `path`.
    ///
    /// - Parameters:
    ///   - limit: Bytes; a longer file is refused.
    ///   - followSymlinks: True for a path given by a person. False for an entry of a watched folder, where a link
    ///     may lead outside.
    ///
    /// - Throws: `fileVanished`, `permissionDenied`, `notAFile` (with its kind), `tooLarge`, `inputOutput`.
    package static func read(
        _ path: FilePathBytes, limit: Int = ImagingLimits().fileBytes, followSymlinks: Bool
    ) throws(ItemFailure) -> [UInt8] {
        // Checked before opening, because opening a device may have side effects, and again after opening.
        var status = stat()
        let looked = path.withCString { fstatat(AT_FDCWD, $0, &status, followSymlinks ? 0 : AT_SYMLINK_NOFOLLOW) }
        guard looked == 0 else { throw failure(errno, path) }
        try checkRegular(status, path.display)
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followSymlinks ? 0 : O_NOFOLLOW)
        let descriptor = path.withCString { open($0, flags) }
        guard descriptor >= 0 else { throw failure(errno, path) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, name: path.display, limit: limit)
    }

    /// Reads an open file from its beginning. The descriptor stays open and its position unchanged.
    ///
    /// - Parameter name: The file's name in messages.
    package static func read(
        descriptor: Int32, name: String, limit: Int = ImagingLimits().fileBytes
    ) throws(ItemFailure) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw inputOutput(name, errno) }
        try checkRegular(status, name)
        let size = Int(status.st_size)
        guard size <= limit else { throw tooLarge(name, size, limit) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 1)
        // One more byte, to detect a file that has grown.
        var room = size + 1
        while true {
            var problem: Int32 = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                count = 0
                while count < room {
                    let got = pread(
                        descriptor, buffer.baseAddress?.advanced(by: count), room - count, off_t(bytes.count + count))
                    if got < 0 && errno == EINTR { continue }
                    if got < 0 { problem = errno }
                    if got <= 0 { break }
                    count += got
                }
            }
            guard problem == 0 else { throw inputOutput(name, problem) }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            if chunk.count < room { return bytes }
            guard bytes.count <= limit else { throw tooLarge(name, bytes.count, limit) }
            room = min(1 << 20, limit + 1 - bytes.count)
        }
    }

    private static func checkRegular(_ status: stat, _ name: String) throws(ItemFailure) {
        let kind: String
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: kind = "a directory"
        case S_IFLNK: kind = "a symbolic link"
        case S_IFIFO: kind = "a named pipe"
        case S_IFSOCK: kind = "a socket"
        case S_IFCHR, S_IFBLK: kind = "a device"
        default: kind = "no regular file"
        }
        throw notAFile(name, kind)
    }

    private static func failure(_ code: Int32, _ path: FilePathBytes) -> ItemFailure {
        let name = path.display
        switch code {
        case ENOENT, ENOTDIR:
            return ItemFailure(
                stage: .intake, code: .fileVanished, detail: "there is no file \(name)",
                hint: "check the name, or put the file there again", isTransient: true)
        case EACCES, EPERM:
            return ItemFailure(
                stage: .intake, code: .permissionDenied, detail: "\(name) may not be read",
                hint: "give this program's user the right to read it", isTransient: true)
        case ELOOP: return notAFile(name, "a symbolic link")
        case ENXIO: return notAFile(name, "a socket or a pipe")
        default: return inputOutput(name, code)
        }
    }

    private static func notAFile(_ name: String, _ kind: String) -> ItemFailure {
        ItemFailure(
            stage: .intake, code: .notAFile, detail: "\(name) is \(kind)", hint: "name or copy the photo's own file")
    }

    private static func tooLarge(_ name: String, _ size: Int, _ limit: Int) -> ItemFailure {
        ItemFailure(
            stage: .intake, code: .tooLarge, detail: "\(name) has \(size) bytes; at most \(limit) are read",
            hint: "send a smaller version of the photo")
    }

    private static func inputOutput(_ name: String, _ code: Int32) -> ItemFailure {
        ItemFailure(
            stage: .intake, code: .inputOutput, detail: "reading \(name): \(String(cString: strerror(code)))",
            hint: "check the disk or the network share it lies on", isTransient: true)
    }
}
