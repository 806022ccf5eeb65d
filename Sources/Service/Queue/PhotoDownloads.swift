import Foundation
import FoundationNetworking
import Hashing
import Synchronization

/// Fetches photos over HTTP and hashes them while they arrive. Connections stay open for the next photo.
final class PhotoDownloads: Sendable {
    /// One photo on its way.
    ///
    /// Unchecked `Sendable`: complete before it is stored in `running`, then changed on the session's serial delegate queue
    /// alone. Who removes it from `running`, under its lock, resumes the continuation.
    private final class Download: @unchecked Sendable {
        let photo: NewPhoto
        let bytes: Int
        let hasher = SHA256Stream()
        var arrived = 0
        var continuation: CheckedContinuation<Result<String, QueueResult.Fault>, Never>?

        init(_ photo: NewPhoto, bytes: Int) {
            self.photo = photo
            self.bytes = bytes
        }
    }

    private let running = Mutex<[Int: Download]>([:])
    private let session = Mutex<URLSession?>(nil)

    deinit { session.withLock { $0?.invalidateAndCancel() } }

    /// - Returns: the content of what arrived.
    func fetch(
        _ url: URL, token: String, bytes: Int, into photo: NewPhoto, limit: Duration
    ) async throws(QueueResult.Fault) -> String {
        var request = URLRequest(url: url, timeoutInterval: limit / .seconds(1))
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let task = started().dataTask(with: request)
        let number = task.taskIdentifier
        let download = Download(photo, bytes: bytes)
        // The session's own limit starts again with every byte that arrives.
        let watch = Task {
            try await Task.sleep(for: limit)
            self.end(number, .failure(.init(.source, "\(url.host ?? "") sent no complete photo within \(limit)")))
            task.cancel()
        }
        defer { watch.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                download.continuation = continuation
                running.withLock { $0[number] = download }
                task.resume()
            }
        } onCancel: {
            self.end(number, .failure(.init(.stopped, "the worker was stopped")))
            task.cancel()
        }
        return try result.get()
    }

    private func started() -> URLSession {
        session.withLock { session in
            if let session { return session }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            configuration.httpMaximumConnectionsPerHost = 64
            let made = URLSession(configuration: configuration, delegate: Relay(self), delegateQueue: nil)
            session = made
            return made
        }
    }

    private func end(_ number: Int, _ result: Result<String, QueueResult.Fault>) {
        running.withLock { $0.removeValue(forKey: number) }?.continuation?.resume(returning: result)
    }

    private func found(_ number: Int) -> Download? { running.withLock { $0[number] } }

    fileprivate func receive(_ response: URLResponse, _ number: Int) -> Bool {
        guard let status = (response as? HTTPURLResponse)?.statusCode, status == 200 else {
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            let reason =
                switch status {
                case 401: "does not accept the token for workers: copy worker-token from its output folder again"
                case 403: "does not allow this host name: add it to api.allowedHosts"
                case 404: "does not need the photo any more"
                default: "answered \(status)"
                }
            end(number, .failure(.init(.source, "the daemon \(reason)")))
            return false
        }
        return true
    }

    fileprivate func receive(_ data: Data, _ number: Int) -> Bool {
        guard let download = found(number) else { return false }
        download.arrived += data.count
        guard download.arrived <= download.bytes else {
            end(number, .failure(.init(.hash, "the daemon sent more than the photo's \(download.bytes) bytes")))
            return false
        }
        data.withUnsafeBytes { download.hasher.update($0) }
        do { try download.photo.write(data) } catch {
            end(
                number,
                .failure(.init(.source, "the worker's cache cannot be written: \(error.localizedDescription)")))
            return false
        }
        return true
    }

    fileprivate func complete(_ error: (any Error)?, _ number: Int) {
        guard let download = found(number) else { return }
        if let error {
            let reason = (error as? URLError).map { "\($0.localizedDescription)" } ?? "\(error)"
            return end(number, .failure(.init(.source, "the daemon cannot be reached: \(reason)")))
        }
        guard download.arrived == download.bytes else {
            let reason = "the daemon sent \(download.arrived) bytes of \(download.bytes)"
            return end(number, .failure(.init(.source, reason)))
        }
        end(number, .success("sha256:" + SHA256.hexadecimal(download.hasher.finish())))
    }
}

/// A session keeps its delegate; it must not keep what owns the session.
private final class Relay: NSObject, URLSessionDataDelegate {
    private weak let downloads: PhotoDownloads?

    init(_ downloads: PhotoDownloads) { self.downloads = downloads }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(downloads?.receive(response, dataTask.taskIdentifier) == true ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if downloads?.receive(data, dataTask.taskIdentifier) != true { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        downloads?.complete(error, task.taskIdentifier)
    }

    /// The token is for this daemon only.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
