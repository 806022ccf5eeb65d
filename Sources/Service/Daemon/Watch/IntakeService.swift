import Logging
import ServiceLifecycle

/// Scans the inboxes after events, and regularly without events.
struct IntakeService: Service {
    let watch: InboxWatch
    /// Rung by events and timers.
    let wakeUp: WakeUp
    /// Rung when files were queued.
    let jobs: [WakeUp]
    /// Rung when files were queued: an idle daemon checks its people and workers at once.
    let pulse: WakeUp
    let once: Bool

    func run() async throws {
        wakeUp.ring()
        var timer: Task<Void, Never>?
        try await withGracefulShutdownHandler {
            for await _ in wakeUp.rings {
                let began = ContinuousClock.now
                let next = try await watch.inspect()
                if next.hasQueued { (jobs + [pulse]).forEach { $0.ring() } }
                if once, next.isSettled { break }
                timer?.cancel()
                timer = ring(after: next.pause)
                // A growing file sends an event per write, so gather events and spend at most a third of the time on
                // scans.
                try? await Task.sleep(for: max(Self.gathering, next.hasQueued ? .zero : (.now - began) * 2))
            }
        } onGracefulShutdown: {
            wakeUp.end()
        }
        timer?.cancel()
        jobs.forEach { $0.end() }
    }

    private static let gathering = Duration.milliseconds(50)

    private func ring(after pause: Duration) -> Task<Void, Never> {
        Task {
            // A cancelled sleep means that a newer timer was set.
            if (try? await Task.sleep(for: pause)) != nil { wakeUp.ring() }
        }
    }
}
