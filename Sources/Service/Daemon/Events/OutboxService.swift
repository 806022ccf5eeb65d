import Foundation
import FoundationNetworking
import Logging
import Metrics
import ServiceLifecycle
import Store
import Synchronization
import Core

/// Sends the outbox to each receiver in order, with growing pauses between attempts, until it answers 2xx.
///
/// A receiver may get an event twice, but never misses one. Receivers use `webhook-id` to detect repetitions.
struct OutboxService: Service {
    let settings: WebhookSettings
    let journal: Journal
    let logger: Logger
    /// Returns the bytes of all addresses of a name.
    var lookUp: @Sendable (String) async -> [[UInt8]] = { await ReceiverAddress.resolvedAside($0) }

    /// Attempts before an event becomes a dead letter: with pauses of at most an hour, about two days.
    static let mostAttempts = 60
    private static let longestPause = 3600.0
    /// Events sent to one receiver before the loop continues with the others.
    private static let batch = 20

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await JobService.runAll(settings.receivers.map { receiver in { try await serve(receiver) } }) {}
        }
    }

    /// - Throws: ``StartupError`` if deliveries can no longer be recorded.
    private func serve(_ receiver: String) async throws {
        guard let url = URL(string: receiver) else { return }
        let sender = WebhookSender(settings, lookUp: lookUp)
        // The first attempt after a start is made at once, without the previous pause, and is not counted.
        var isEarly = true
        while !Task.isCancelled {
            let waiting: [WaitingDelivery]
            do { waiting = try await journal.waitingDeliveries(to: receiver, limit: Self.batch) } catch let error
                as StartupError where error.passesByItself
            { waiting = [] }
            var pause = waiting.isEmpty ? 0.5 : 0
            for delivery in waiting {
                let failure = await sender.send(delivery, to: url)
                if Task.isCancelled { return }
                let isCharged = !isEarly || delivery.attempts == 0
                isEarly = false
                let isLast = isCharged && delivery.attempts + 1 >= Self.mostAttempts
                try await journal.note(delivery, failure: failure, isCharged: isCharged, isLast: isLast)
                Counter(
                    label: "tablesight_webhooks_total",
                    dimensions: [("result", failure == nil ? "delivered" : "failed")]
                ).increment()
                if let failure {
                    logger.warning(
                        isLast ? "webhook failed for the last time and is now a dead letter" : "webhook failed",
                        metadata: ["event": "\(delivery.event.id)", "reason": "\(failure)"])
                    pause = Self.pause(after: delivery.attempts + (isCharged ? 1 : 0))
                    break
                }
            }
            if pause > 0 { try? await Task.sleep(for: .seconds(pause)) }
        }
    }

    /// Seconds after a failed attempt: 1, 2, 4 … up to an hour. Each is multiplied by a random factor from 0.5 to 1.5,
    /// so that a receiver that comes back does not get all requests at once.
    static func pause(after attempts: Int) -> Double {
        min(longestPause, pow(2, Double(min(max(attempts, 1), 20) - 1))) * .random(in: 0.5...1.5)
    }
}

/// Sends one message; does not follow redirections.
private final class WebhookSender: NSObject, URLSessionDataDelegate, Sendable {
    private let settings: WebhookSettings

    private let lookUp: @Sendable (String) async -> [[UInt8]]
    private let answers = Answers()

    init(_ settings: WebhookSettings, lookUp: @escaping @Sendable (String) async -> [[UInt8]]) {
        self.settings = settings
        self.lookUp = lookUp
    }

    /// - Returns: the reason of a failure; nil on success.
    func send(_ delivery: WaitingDelivery, to receiver: URL) async -> String? {
        let target: ReceiverAddress
        guard let name = ReceiverAddress.name(in: receiver) else { return "the address has no host" }
        let addresses = await lookUp(name)
        do throws(ReceiverAddress.Refusal) {
            target = try ReceiverAddress(
                of: receiver, name, addresses, allowsPrivate: settings.allowsPrivate, attempt: delivery.attempts)
        } catch {
            return error.reason
        }
        let event = delivery.event
        let message = WebhookMessage(id: event.id, timestamp: Int(Date().timeIntervalSince1970), body: event.body)
        var request = URLRequest(url: target.url, timeoutInterval: 10)
        request.httpMethod = "POST"
        request.httpBody = message.body
        for (name, value) in message.headers(secret: settings.secret) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        if let host = target.host { request.setValue(host, forHTTPHeaderField: "host") }
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: request)
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answers.wait(for: task.taskIdentifier, continuation)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
        switch answer {
        case .status(let status): return (200...299).contains(status) ? nil : "the receiver answered \(status)"
        case .failed(let reason): return reason
        }
    }

    fileprivate enum Answer: Sendable {
        case status(Int)
        case failed(String)
    }

    /// The callers that wait for an answer; only the first answer counts. URLSession calls it on its own threads.
    private final class Answers: Sendable {
        private let waiting = Mutex<[Int: CheckedContinuation<Answer, Never>]>([:])

        func wait(for task: Int, _ continuation: CheckedContinuation<Answer, Never>) {
            waiting.withLock { $0[task] = continuation }
        }

        func end(_ task: Int, _ answer: Answer) {
            waiting.withLock { $0.removeValue(forKey: task) }?.resume(returning: answer)
        }
    }

    /// The status is sufficient; the body is never received.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        answers.end(dataTask.taskIdentifier, .status((response as? HTTPURLResponse)?.statusCode ?? 0))
        completionHandler(.cancel)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        answers.end(task.taskIdentifier, .failed(error?.localizedDescription ?? "the receiver did not answer"))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
