import Foundation
import FoundationNetworking
import Logging
import Metrics
import ServiceLifecycle
import Store
import Synchronization
import Core

/// Brings events of the outbox to one receiver: an address of a webhook, or the broker.
protocol OutboxSender: Sendable {
    var receiver: String { get }
    /// What the log calls a message to it.
    var message: String { get }
    /// Name of the counter of its messages, without `tablesight_`.
    var counter: String { get }
    /// Events that are sent before the first of them is acknowledged.
    var window: Int { get }
    /// Attempts before an event becomes a dead letter; nil never gives up.
    var mostAttempts: Int? { get }
    /// Longest pause after failed attempts, seconds.
    var longestPause: Double { get }

    /// Sends at most ``window`` events in order.
    ///
    /// - Returns: for each event the reason of its failure; nil if the receiver has acknowledged it.
    func send(_ deliveries: [WaitingDelivery]) async -> [String?]

    /// Called about twice a second while nothing waits.
    ///
    /// - Returns: why the receiver cannot be reached; nil if it can, or if nobody asked it.
    func idle() async -> String?

    func close() async
}

extension OutboxSender {
    func idle() async -> String? { nil }
    func close() async {}
}

/// Sends the outbox to each receiver in order, with growing pauses between attempts, until it acknowledges.
///
/// A receiver may get an event twice, but never misses one. Receivers use the event's id to detect repetitions.
struct OutboxService: Service {
    let senders: [any OutboxSender]
    let journal: Journal
    let logger: Logger

    /// Attempts before an event to a webhook becomes a dead letter: with pauses of at most an hour, about two days.
    static let mostAttempts = 60
    /// Events read for one receiver at once.
    private static let batch = 20

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await JobService.runAll(senders.map { sender in { try await serve(sender) } }) {}
        }
    }

    /// - Throws: ``StartupError`` if deliveries can no longer be recorded.
    private func serve(_ sender: any OutboxSender) async throws {
        do {
            try await send(through: sender)
            await sender.close()
        } catch {
            await sender.close()
            throw error
        }
    }

    private func send(through sender: any OutboxSender) async throws {
        // The first attempt after a start is made at once, without the previous pause, and is not counted.
        var isEarly = true
        // Attempts to reach a receiver for which nothing waits.
        var (idleFailures, idleReason) = (0, String?.none)
        while !Task.isCancelled {
            let waiting: [WaitingDelivery]
            do { waiting = try await journal.waitingDeliveries(to: sender.receiver, limit: Self.batch) } catch let error
                as StartupError where error.passesByItself
            { waiting = [] }
            var pause = 0.0
            if waiting.isEmpty {
                let reason = await sender.idle()
                if let reason, reason != idleReason, !Task.isCancelled {
                    logger.warning("no connection for a \(sender.message)", metadata: ["reason": "\(reason)"])
                }
                (idleFailures, idleReason) = (reason == nil ? 0 : idleFailures + 1, reason)
                pause = reason == nil ? 0.5 : Self.pause(after: idleFailures, longest: sender.longestPause)
            }
            var next = 0
            while next < waiting.count, pause == 0 {
                let sent = Array(waiting[next..<min(next + sender.window, waiting.count)])
                next += sent.count
                for (delivery, failure) in zip(sent, await sender.send(sent)) {
                    if Task.isCancelled { return }
                    // Of a window that failed only the first event is charged; later ones may have arrived.
                    if failure != nil, pause > 0 { continue }
                    let isCharged = !isEarly || delivery.attempts == 0
                    isEarly = false
                    let isLast = isCharged && sender.mostAttempts.map { delivery.attempts + 1 >= $0 } == true
                    try await journal.note(delivery, failure: failure, isCharged: isCharged, isLast: isLast)
                    Counter(
                        label: "tablesight_\(sender.counter)",
                        dimensions: [("result", failure == nil ? "delivered" : "failed")]
                    ).increment()
                    guard let failure else { continue }
                    logger.warning(
                        isLast
                            ? "\(sender.message) failed for the last time and is now a dead letter"
                            : "\(sender.message) failed",
                        metadata: ["event": "\(delivery.event.id)", "reason": "\(failure)"])
                    pause = Self.pause(
                        after: delivery.attempts + (isCharged ? 1 : 0), longest: sender.longestPause)
                }
            }
            if pause > 0 { try? await Task.sleep(for: .seconds(pause)) }
        }
    }

    /// Seconds after a failed attempt: 1, 2, 4 … up to `longest`. Each is multiplied by a random factor from 0.5 to
    /// 1.5, so that a receiver that comes back does not get all requests at once.
    static func pause(after attempts: Int, longest: Double = 3600) -> Double {
        min(longest, pow(2, Double(min(max(attempts, 1), 20) - 1))) * .random(in: 0.5...1.5)
    }
}

extension OutboxService {
    /// - Parameters:
    ///   - lookUp: returns the bytes of all addresses of a name.
    ///   - broker: nil for none.
    init(
        settings: WebhookSettings, journal: Journal, logger: Logger,
        lookUp: @escaping @Sendable (String) async -> [[UInt8]] = { await ReceiverAddress.resolvedAside($0) },
        broker: (any OutboxSender)? = nil
    ) {
        let webhooks = settings.receivers.compactMap { WebhookSender($0, settings, lookUp: lookUp) }
        self.init(senders: webhooks + (broker.map { [$0] } ?? []), journal: journal, logger: logger)
    }
}

/// Sends one message; does not follow redirections.
private final class WebhookSender: OutboxSender {
    let receiver: String
    let message = "webhook"
    let counter = "webhooks_total"
    let window = 1
    let mostAttempts: Int? = OutboxService.mostAttempts
    let longestPause = 3600.0
    private let url: URL
    private let settings: WebhookSettings
    private let lookUp: @Sendable (String) async -> [[UInt8]]

    init?(_ receiver: String, _ settings: WebhookSettings, lookUp: @escaping @Sendable (String) async -> [[UInt8]]) {
        guard let url = URL(string: receiver) else { return nil }
        self.receiver = receiver
        self.url = url
        self.settings = settings
        self.lookUp = lookUp
    }

    func send(_ deliveries: [WaitingDelivery]) async -> [String?] {
        var failures: [String?] = []
        for delivery in deliveries { failures.append(await send(delivery, to: url)) }
        return failures
    }

    /// - Returns: the reason of a failure; nil on success.
    private func send(_ delivery: WaitingDelivery, to receiver: URL) async -> String? {
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
        let waiting = WebhookAnswer()
        let session = URLSession(configuration: .ephemeral, delegate: waiting, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: request)
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.wait(continuation)
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
}

/// The answer to one message; only the first one counts. URLSession calls it on its own threads, the last time after the
/// caller has gone on.
private final class WebhookAnswer: NSObject, URLSessionDataDelegate {
    enum Answer: Sendable {
        case status(Int)
        case failed(String)
    }

    private let waiting = Mutex<CheckedContinuation<Answer, Never>?>(nil)

    func wait(_ continuation: CheckedContinuation<Answer, Never>) { waiting.withLock { $0 = continuation } }

    private func end(_ answer: Answer) {
        waiting.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }?.resume(returning: answer)
    }

    /// The status is sufficient; the body is never received.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        end(.status((response as? HTTPURLResponse)?.statusCode ?? 0))
        completionHandler(.cancel)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end(.failed(error?.localizedDescription ?? "the receiver did not answer"))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
