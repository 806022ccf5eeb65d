import Core
import Foundation
import Logging
import Metrics
import ServiceLifecycle
import Synchronization

/// Keeps the connection of a ``QueueBackend``, fetches results and looks for lost jobs.
package struct QueueService: Service {
    private let backend: QueueBackend
    private let logger: Logger
    private let noteConnected: @Sendable (Bool) -> Void

    /// - Parameter noteConnected: called with the state of the connection, again and again.
    package init(
        _ backend: QueueBackend, logger: Logger, noteConnected: @escaping @Sendable (Bool) -> Void = { _ in }
    ) {
        self.backend = backend
        self.logger = logger
        self.noteConnected = noteConnected
    }

    package func run() async throws {
        try await cancelWhenGracefulShutdown { try await keep() }
    }

    /// - Throws: ``StartupError`` if the queue cannot be used as it is configured.
    func keep() async throws {
        var wasConnected = false
        var isFirst = await backend.line == nil
        while !Task.isCancelled {
            guard let line = await backend.line else {
                do {
                    try await backend.connect()
                    isFirst = false
                } catch {
                    if let error = error as? StartupError, isFirst { throw error }
                    note(connected: false, &wasConnected, "\(error)")
                    try? await Task.sleep(for: .seconds(1))
                }
                continue
            }
            let results = ResultThread(line, backend)
            defer { results.end() }
            while !Task.isCancelled, !line.connection.isClosed {
                note(connected: line.connection.isConnected, &wasConnected, "the connection was interrupted")
                if line.connection.isConnected {
                    await backend.look()
                    await backend.takeBack()
                }
                try? await Task.sleep(for: .seconds(1))
            }
            if !Task.isCancelled { await backend.disconnect() }
        }
    }

    private func note(connected: Bool, _ was: inout Bool, _ reason: String) {
        noteConnected(connected)
        Gauge(label: "tablesight_queue_connected").record(connected ? 1 : 0)
        guard connected != was else { return }
        was = connected
        if connected {
            logger.notice("the queue is connected")
        } else {
            logger.error(
                "the queue cannot be reached: photos wait, and workers of this machine continue",
                metadata: ["reason": "\(reason)"])
        }
    }
}

/// Fetches results on a thread of its own.
private final class ResultThread: Sendable {
    private let ended = Mutex(false)

    init(_ line: JobLine, _ backend: QueueBackend) {
        let thread = Thread { [self] in
            let taken = DispatchSemaphore(value: 0)
            while !ended.withLock({ $0 }) {
                let messages: [QueueMessage]
                do { messages = try line.fetch() } catch {
                    usleep(200_000)
                    continue
                }
                guard !messages.isEmpty else { continue }
                let results = messages.map { message in
                    Result { () throws(QueueResult.Refusal) in try QueueResult(message: message.data) }
                }
                Task {
                    await backend.take(results)
                    taken.signal()
                }
                // The next ones wait in the stream, so that a flood of results takes no memory here.
                taken.wait()
                messages.forEach { $0.acknowledge() }
            }
        }
        thread.name = "queue results"
        thread.start()
    }

    func end() { ended.withLock { $0 = true } }
}

extension QueueBackend {
    /// Interval of the look at jobs that may be lost.
    private static let checkInterval = Duration.seconds(5)
    /// Age from which a job's presence in the queue is checked.
    private static let presenceAge = Duration.seconds(20)

    /// Longest time from the first delivery of a job to its last result: two deliveries, each with its transfer.
    func lostAfter(_ job: QueueJob) -> Duration {
        (limits.wallClock + PhotoSource.limit(bytes: job.bytes)) * 2 + patience + .seconds(10)
    }

    /// Called every second while there is a connection: records figures, and looks for lost jobs from time to time.
    func look() {
        Gauge(label: "tablesight_queue_outstanding").record(waiting.count)
        let oldest = waiting.values.map(\.since).min()
        Gauge(label: "tablesight_queue_oldest_seconds").record(
            oldest.map { $0.duration(to: .now) / .seconds(1) } ?? 0)
        guard lastCheck.duration(to: .now) >= Self.checkInterval, let line else { return }
        let passed = min(lastCheck.duration(to: .now), Self.checkInterval * 2)
        lastCheck = .now
        if !isFresh { early = [:] }
        do throws(QueueError) {
            let queue = try line.figures()
            Gauge(label: "tablesight_queue_at_workers").record(queue.unacknowledged)
            for (dispatch, one) in waiting where one.sequence <= queue.delivered {
                waiting[dispatch]?.delivered += passed
                if one.delivered + passed > lostAfter(one.job) { end(dispatch, .lost, withdraws: true) }
            }
            // A job that no worker got yet is in the queue, unless the queue is empty.
            let isEmpty = queue.waiting == 0 && queue.unacknowledged == 0
            for (dispatch, one) in waiting
            where one.since.duration(to: .now) > Self.presenceAge && (isEmpty || one.sequence <= queue.delivered) {
                let isThere = try line.holds(one.sequence)
                waiting[dispatch]?.misses = isThere ? 0 : one.misses + 1
                // Its result may be on its way at the first miss.
                if !isThere, one.misses > 1 { end(dispatch, .again, withdraws: false) }
            }
        } catch {
            guard error.kind == .missing else { return }
            // The server lost its data: the claim table knows what is to do.
            logger.error("the queue's server lost its jobs: they are published again")
            try? line.repair()
            for dispatch in waiting.keys { end(dispatch, .again, withdraws: false) }
        }
    }
}
