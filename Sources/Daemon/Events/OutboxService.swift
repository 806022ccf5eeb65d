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
    /// Bytes of all addresses of a name.
    var lookUp: @Sendable (String) -> [[UInt8]] = { ReceiverAddress.resolved($0) }

    /// Tries of one event before it is a dead letter: with pauses of at most an hour, about two days.
    static let mostAttempts = 60
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
        let sender = WebhookSender(settings, lookUp: lookUp)
        // After a start a try is made at once, whatever pause the last one asked for: it costs none of the tries.
        var isEarly = true
        while !Task.isCancelled {
            let waiting = (try? await journal.waitingDeliveries(to: receiver, limit: Self.batch)) ?? []
            var pause = waiting.isEmpty ? 0.5 : 0
            for delivery in waiting {
                let failure = await sender.send(delivery, to: url)
                if Task.isCancelled { return }
                let isCharged = !isEarly || delivery.attempts == 0
                isEarly = false
                let isLast = isCharged && delivery.attempts + 1 >= Self.mostAttempts
                try? await journal.note(delivery, failure: failure, isCharged: isCharged, isLast: isLast)
                Counter(
                    label: "tablesight_webhooks_total",
                    dimensions: [("result", failure == nil ? "delivered" : "failed")]
                ).increment()
                if let failure {
                    logger.warning(
                        isLast ? "webhook given up: a dead letter" : "webhook failed",
                        metadata: ["event": "\(delivery.event.id)", "reason": "\(failure)"])
                    pause = Self.pause(after: delivery.attempts + (isCharged ? 1 : 0))
                    break
                }
            }
            if pause > 0 { try? await Task.sleep(for: .seconds(pause)) }
        }
    }

    /// 1 s after the first failed try of an event, then 2 s, 4 s … up to an hour, each between half and one and a half of it, so
    /// that receivers that come back are not met by everyone at once.
    static func pause(after attempts: Int) -> Double {
        min(longestPause, pow(2, Double(min(max(attempts, 1), 20) - 1))) * .random(in: 0.5...1.5)
    }
}

/// Sends one message; follows no redirection.
private final class WebhookSender: NSObject, URLSessionTaskDelegate, Sendable {
    private let settings: WebhookSettings

    private let lookUp: @Sendable (String) -> [[UInt8]]

    init(_ settings: WebhookSettings, lookUp: @escaping @Sendable (String) -> [[UInt8]]) {
        self.settings = settings
        self.lookUp = lookUp
    }

    /// - Returns: why it did not arrive; nil where it did.
    func send(_ delivery: WaitingDelivery, to receiver: URL) async -> String? {
        let target: ReceiverAddress
        do throws(ReceiverAddress.Refusal) {
            target = try ReceiverAddress(
                of: receiver, allowsPrivate: settings.allowsPrivate, attempt: delivery.attempts, lookUp: lookUp)
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
