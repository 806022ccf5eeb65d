import Engine
import Foundation
import Glibc
import HTTP
import Store

extension QueueBackend {
    /// The route on which workers fetch their photos with this token.
    package nonisolated func contents(for token: String) -> Route {
        let photos = ContentService(self)
        return ContentRoute(token: token) { await photos.content($0) }.route
    }
}

/// Serves the photos that workers of the queue have to read, on its own thread, because files block.
private actor ContentService {
    private let executor = ThreadExecutor(label: "contents")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let backend: QueueBackend

    init(_ backend: QueueBackend) { self.backend = backend }

    func content(_ id: String) async -> PhotoContent? {
        guard let (file, bytes) = await backend.photo(id) else { return nil }
        return PhotoContent(bytes: bytes) { [self] offset, count in await read(file, at: offset, count) }
    }

    private func read(_ file: OpenPhoto, at offset: Int, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            var result = pread(file.descriptor, buffer.baseAddress, count, off_t(offset))
            while result < 0, errno == EINTR {
                result = pread(file.descriptor, buffer.baseAddress, count, off_t(offset))
            }
            length = max(0, result)
        }
    }
}
