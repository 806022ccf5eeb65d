import Core
import Foundation
import Glibc
import Intake

/// Where a worker gets the bytes of a job's photo, and proves them.
package struct PhotoSource: Sendable {
    package enum Origin: Sendable {
        /// A daemon's API, and the token for workers.
        case daemon(URL, token: String)
        case share(FilePathBytes)
    }

    /// A photo's open file, closed with this value.
    package final class Photo: Sendable {
        package let descriptor: Int32
        /// Time of the transfer; nil if the photo was in the cache.
        package let transfer: Duration?

        init(_ descriptor: Int32, transfer: Duration?) {
            self.descriptor = descriptor
            self.transfer = transfer
        }

        deinit { close(descriptor) }
    }

    private let origin: Origin
    private let cache: PhotoCache
    private let downloads = PhotoDownloads()

    package init(_ origin: Origin, cache: PhotoCache) {
        self.origin = origin
        self.cache = cache
    }

    /// Longest time of one transfer: 30 s, and a second for each MiB.
    package static func limit(bytes: Int) -> Duration { .seconds(30 + bytes >> 20) }

    /// The job's photo, with the bytes that the job names.
    ///
    /// - Throws: a fault with the cause `source` or `hash`.
    package func photo(for job: QueueJob) async throws(QueueResult.Fault) -> Photo {
        switch origin {
        case .share(let folder): return try await shared(job, in: folder)
        case .daemon(let address, let token):
            if let file = await cache.find(job.content, bytes: job.bytes) { return Photo(file, transfer: nil) }
            let start = ContinuousClock.now
            let new: NewPhoto
            do { new = try cache.begin() } catch {
                throw .init(.source, "the worker's cache cannot be written: \(error.localizedDescription)")
            }
            let url = address.appending(path: "v1/images/\(job.content)/content")
            let content = try await downloads.fetch(
                url, token: token, bytes: job.bytes, into: new, limit: Self.limit(bytes: job.bytes))
            guard content == job.content else {
                throw .init(.hash, "the bytes from \(address) have the hash \(content)")
            }
            return Photo(cache.keep(new, as: job.content), transfer: start.duration(to: .now))
        }
    }

    private func shared(_ job: QueueJob, in folder: FilePathBytes) async throws(QueueResult.Fault) -> Photo {
        guard let path = job.shared, path.bytes.first != UInt8(ascii: "/") else {
            throw .init(.source, "the photo does not lie in the daemon's shared folder: start the worker with --daemon")
        }
        let start = ContinuousClock.now
        let file = FolderAccess.open(folder.appending(path), below: folder)
        guard file >= 0 else {
            throw .init(.source, "\(path.display) in the shared folder: \(String(cString: strerror(-file)))")
        }
        let photo = Photo(file, transfer: start.duration(to: .now))
        guard let content = await PhotoCache.content(of: file, bytes: job.bytes), content == job.content else {
            throw .init(.hash, "\(path.display) in the shared folder has other bytes")
        }
        return photo
    }
}
extension QueueResult.Fault: Error {}
