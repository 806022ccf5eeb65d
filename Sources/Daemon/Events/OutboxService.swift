import Foundation
import FoundationNetworking
import Logging
import Metrics
import ServiceLifecycle
import Store
import Vocabulary

/// Sends what waits in the outbox: to each receiver in order, again and again with growing pauses, until it answers 2xx.
///
/// A receiver may get an event twice, never not at all: whoever is told keeps to `webhook-id`.
struct OutboxService: Service {
    let settings: WebhookSettings
    let journal: Journal
    let logger: Logger

    /// Tries of one event before it is a dead letter: with pauses of at most an hour, about two days.
    private static let mostAttempts = 60
    private static let longestPause = 3600.0
    /// Events that are sent to one receiver before the loop looks at the others.
    private static let batch = 20

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for receiver in settings.receivers { group.addTask { await serve(receiver) } }
            }
        }
    }

    private func serve(_ receiver: String) async {
        guard let url = URL(string: receiver) else { return }
        let sender = WebhookSender(settings)
        var failures = 0
        while !Task.isCancelled {
            let waiting = (try? await journal.waitingDeliveries(to: receiver, limit: Self.batch)) ?? []
            var failure: String?
            for delivery in waiting {
                failure = await sender.send(delivery.event, to: url)
                if Task.isCancelled { return }
                let isLast = delivery.attempts + 1 >= Self.mostAttempts
                try? await journal.note(delivery, failure: failure, isLast: isLast)
                Counter(
                    label: "tablesight_webhooks_total",
                    dimensions: [("result", failure == nil ? "delivered" : "failed")]
                ).increment()
                if let failure {
                    logger.warning(
                        isLast ? "webhook given up: a dead letter" : "webhook failed",
                        metadata: ["event": "\(delivery.event.id)", "reason": "\(failure)"])
                    break
                }
            }
            failures = failure == nil ? 0 : failures + 1
            try? await Task.sleep(for: .seconds(waiting.isEmpty ? 0.5 : pause(after: failures)))
        }
    }

    /// 0 after a success; else 1 s, 2 s, 4 s … up to an hour, each between half and one and a half of it, so that receivers
    /// that come back are not met by everyone at once.
    private func pause(after failures: Int) -> Double {
        guard failures > 0 else { return 0 }
        return min(Self.longestPause, pow(2, Double(min(failures, 20) - 1))) * .random(in: 0.5...1.5)
    }
}

/// Sends one message; follows no redirection.
private final class WebhookSender: NSObject, URLSessionTaskDelegate, Sendable {
    private let settings: WebhookSettings

    init(_ settings: WebhookSettings) { self.settings = settings }

    /// - Returns: why it did not arrive; nil where it did.
    func send(_ event: StoredEvent, to url: URL) async -> String? {
        if let objection = ReceiverAddress.objection(to: url, allowsPrivate: settings.allowsPrivate) {
            return objection
        }
        let message = WebhookMessage(id: event.id, timestamp: Int(Date().timeIntervalSince1970), body: event.body)
        var request = URLRequest(url: url, timeoutInterval: 10)
        request.httpMethod = "POST"
        request.httpBody = message.body
        for (name, value) in message.headers(secret: settings.secret) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        do {
            let (_, response) = try await session.data(for: request)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            return (200...299).contains(status) ? nil : "it answered \(status)"
        } catch {
            return error.localizedDescription
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
