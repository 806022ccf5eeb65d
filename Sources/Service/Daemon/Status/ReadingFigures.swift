import Synchronization
import App

/// The photos of the last hour by minute, in memory: how many were answered, how long each took, and how many waited.
final class ReadingFigures: Sendable {
    private struct Minute {
        /// Minutes since the start.
        var number: Int
        var photos = 0
        /// Milliseconds; a bounded sample.
        var times: [Double] = []
        /// The longest queue.
        var waiting = 0
    }

    private struct State {
        /// Minutes with figures, oldest first.
        var minutes: [Minute] = []
    }

    private let state = Mutex(State())
    private let start: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Minutes that are kept.
    static let kept = 60
    /// Times kept of one minute. Of more photos only the first ones count, which is enough for a plot.
    private static let mostTimes = 2000

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        start = now()
    }

    func note(answered time: Duration) {
        change { minute in
            minute.photos += 1
            if minute.times.count < Self.mostTimes { minute.times.append(max(0, time / .milliseconds(1))) }
        }
    }

    func note(waiting: Int) { change { $0.waiting = max($0.waiting, waiting) } }

    private var number: Int { Int(start.duration(to: now()) / .seconds(60)) }

    private func change(_ body: (inout Minute) -> Void) {
        let number = number
        state.withLock { state in
            if state.minutes.last?.number != number { state.minutes.append(Minute(number: number)) }
            body(&state.minutes[state.minutes.count - 1])
            state.minutes.removeAll { $0.number <= number - Self.kept }
        }
    }

    /// The last hour, or the time since the start, oldest first; the last entry is the current minute.
    var lastHour: [DaemonStatus.Minute] {
        let number = number
        let known = state.withLock { state in
            Dictionary(state.minutes.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        }
        return (max(0, number - Self.kept + 1)...number).map { minute in
            guard let found = known[minute] else { return DaemonStatus.Minute() }
            let times = found.times.sorted()
            return DaemonStatus.Minute(
                photos: found.photos, waiting: found.waiting, median: Self.share(0.5, of: times),
                p95: Self.share(0.95, of: times), p99: Self.share(0.99, of: times))
        }
    }

    /// The nearest-rank percentile; nil without values.
    private static func share(_ share: Double, of sorted: [Double]) -> Double? {
        guard !sorted.isEmpty else { return nil }
        return sorted[min(sorted.count - 1, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
    }
}
