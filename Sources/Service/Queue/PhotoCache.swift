import Core
import Foundation
import Glibc
import Hashing
import Store
import Synchronization

/// Fetched photos in a folder, by content. The photos that were used longest ago give way to new ones.
package final class PhotoCache: Sendable {
    private let folder: URL
    private let mostBytes: Int
    /// Bytes of all photos in the folder.
    private let size = Mutex(0)
    /// Hashing blocks.
    private static let queue = DispatchQueue(label: "tablesight.cache", attributes: .concurrent)

    /// - Parameter mostBytes: size of all photos, bytes. A larger photo is fetched, read and deleted.
    /// - Throws: ``StartupError`` (74) if the folder cannot be made.
    package init(folder: URL, mostBytes: Int) throws(StartupError) {
        self.folder = folder
        self.mostBytes = mostBytes
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".part") {
                unlink(folder.appending(path: name).path)
            }
        } catch {
            throw StartupError(.inputOutput, "cannot use the folder \(folder.path) for photos: \(error)")
        }
        shrink()
    }

    private func place(of content: String) -> String { folder.appending(path: String(content.dropFirst(7))).path }

    /// The open photo, proved again; nil if it is not here. The caller closes it.
    func find(_ content: String, bytes: Int) async -> Int32? {
        let path = place(of: content)
        return await withCheckedContinuation { done in
            Self.queue.async {
                let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
                guard file >= 0 else { return done.resume(returning: nil) }
                if Self.hash(file, bytes: bytes) == content {
                    futimens(file, nil)
                    return done.resume(returning: file)
                }
                close(file)
                unlink(path)
                done.resume(returning: nil)
            }
        }
    }

    /// The content of an open file of this size; nil for another size. The daemon and a worker hash the same way.
    static func hash(_ file: Int32, bytes: Int) -> String? {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == bytes else {
            return nil
        }
        let hasher = SHA256Stream()
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var total = 0
        while total < bytes {
            let count = buffer.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(total)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            total += count
        }
        return "sha256:" + SHA256.hexadecimal(hasher.finish())
    }

    /// The same for a file that may be large, off the shared threads.
    static func content(of file: Int32, bytes: Int) async -> String? {
        await withCheckedContinuation { done in queue.async { done.resume(returning: hash(file, bytes: bytes)) } }
    }

    func begin() throws -> NewPhoto {
        let path = folder.appending(path: UUID().uuidString + ".part").path
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return NewPhoto(path: path, file: file)
    }

    /// Keeps a proved photo under its name.
    ///
    /// - Returns: the open photo; the caller closes it.
    func keep(_ photo: NewPhoto, as content: String) -> Int32 {
        let bytes = photo.bytes
        let file = photo.release()
        if rename(photo.path, place(of: content)) != 0 { unlink(photo.path) }
        let isFull = size.withLock { size in
            size += bytes
            return size > mostBytes
        }
        if isFull { shrink() }
        return file
    }

    /// Deletes the oldest photos above the limit, and a tenth more, so that this is rare. Photos in work stay readable:
    /// they are open.
    private func shrink() {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys))
        var photos = (files ?? []).filter { $0.lastPathComponent.count == 64 }.compactMap { url in
            (try? url.resourceValues(forKeys: keys)).map {
                (url, $0.fileSize ?? 0, $0.contentModificationDate ?? .distantPast)
            }
        }.sorted { $0.2 < $1.2 }[...]
        var total = photos.reduce(0) { $0 + $1.1 }
        if total > mostBytes {
            while total > mostBytes - mostBytes / 10, let oldest = photos.popFirst() {
                unlink(oldest.0.path)
                total -= oldest.1
            }
        }
        let left = total
        size.withLock { $0 = left }
    }
}

/// A photo that arrives. Deleted unless it is kept.
///
/// Unchecked `Sendable`: the session's serial delegate queue writes it until the download ends; after that only the task
/// that waited for the download uses it.
final class NewPhoto: @unchecked Sendable {
    let path: String
    private var file: Int32
    private(set) var bytes = 0

    init(path: String, file: Int32) {
        self.path = path
        self.file = file
    }

    deinit {
        guard file >= 0 else { return }
        close(file)
        unlink(path)
    }

    func write(_ data: Data) throws {
        guard writeAll(data, to: file) else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        bytes += data.count
    }

    fileprivate func release() -> Int32 {
        defer { file = -1 }
        return file
    }
}
