import Foundation
import FoundationNetworking
import Synchronization

package struct RemoteReply: Sendable {
    package var status: Int
    /// Seconds of the pause that the server asks for.
    package var retryAfter: Double?
    package var body: Data

    package init(status: Int, retryAfter: Double? = nil, body: Data = Data()) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// Sends one request and returns its answer.
package protocol RemoteTransport: Sendable {
    /// - Parameter timeout: limit for the whole answer, also if it arrives slowly.
    func get(_ url: URL, userAgent: String, timeout: Duration) async throws(RemoteFailure) -> RemoteReply
}

/// HTTP with the system's trusted certificates. Redirections to other hosts are refused.
package struct HTTPTransport: RemoteTransport {
    private let longest: Int
    private let accepts: String

    /// - Parameters:
    ///   - longest: maximum bytes of an answer; the rest is not fetched.
    ///   - accepts: the media types that the server is asked for.
    package init(longest: Int = RemoteSettings.longestAnswer, accepts: String = "application/json") {
        self.longest = longest
        self.accepts = accepts
    }

    package func get(_ url: URL, userAgent: String, timeout: Duration) async throws(RemoteFailure) -> RemoteReply {
        var request = URLRequest(url: url, timeoutInterval: max(0.1, timeout / .seconds(1)))
        request.setValue(userAgent, forHTTPHeaderField: "User-Agent")
        request.setValue(accepts, forHTTPHeaderField: "Accept")
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        let exchange = Exchange(host: url.host ?? "", longest: longest)
        let session = URLSession(configuration: configuration, delegate: exchange, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: request)
        // A separate timer: the session's timeout restarts with every byte that arrives.
        let watch = Task {
            try await Task.sleep(for: timeout)
            exchange.end(.failure(.unreachable("no complete answer within \(timeout)")))
        }
        defer { watch.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.begin(continuation)
                task.resume()
            }
        } onCancel: {
            exchange.end(.failure(.unreachable("cancelled")))
        }
        return try result.get()
    }

    private final class Exchange: NSObject, URLSessionDataDelegate, Sendable {
        private struct State {
            var continuation: CheckedContinuation<Result<RemoteReply, RemoteFailure>, Never>?
            var result: Result<RemoteReply, RemoteFailure>?
            var reply = RemoteReply(status: 0)
        }

        private let host: String
        private let longest: Int
        private let state = Mutex(State())

        init(host: String, longest: Int) {
            self.host = host
            self.longest = longest
        }

        func begin(_ continuation: CheckedContinuation<Result<RemoteReply, RemoteFailure>, Never>) {
            let early = state.withLock { state in
                if state.result == nil { state.continuation = continuation }
                return state.result
            }
            if let early { continuation.resume(returning: early) }
        }

        /// Only the first result counts.
        func end(_ result: Result<RemoteReply, RemoteFailure>) {
            let waiting = state.withLock { state -> CheckedContinuation<Result<RemoteReply, RemoteFailure>, Never>? in
                guard state.result == nil else { return nil }
                state.result = result
                defer { state.continuation = nil }
                return state.continuation
            }
            waiting?.resume(returning: result)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
        ) {
            let answer = response as? HTTPURLResponse
            let seconds = answer?.value(forHTTPHeaderField: "Retry-After").flatMap { Double($0) }
            state.withLock {
                $0.reply = RemoteReply(status: answer?.statusCode ?? 0, retryAfter: seconds)
            }
            let isTooLong = response.expectedContentLength > Int64(longest)
            if isTooLong { end(.failure(.tooLong)) }
            completionHandler(isTooLong ? .cancel : .allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            let isTooLong = state.withLock { state in
                state.reply.body.append(data)
                return state.reply.body.count > longest
            }
            if isTooLong {
                end(.failure(.tooLong))
                dataTask.cancel()
            }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            if let error { return end(.failure(.unreachable(error.localizedDescription))) }
            end(.success(state.withLock { $0.reply }))
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
        ) {
            let goal = request.url
            let isDowngrade = response.url?.scheme == "https" && goal?.scheme != "https"
            if goal?.host == host, !isDowngrade { return completionHandler(request) }
            end(.failure(.redirected(goal?.host ?? "?")))
            completionHandler(nil)
        }
    }
}
