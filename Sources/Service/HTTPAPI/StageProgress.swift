import Synchronization

/// The latest stages of photos in work, for event streams. Stages are not stored: only outcomes must survive a restart.
public final class StageProgress: Sendable {
    private struct State {
        var entries: [(number: UInt64, body: String)] = []
        var latest: UInt64 = 0
    }

    private let state = Mutex(State())
    /// Number of kept stages; a stream that is further behind skips some.
    private static let kept = 512

    public init() {}

    var latest: UInt64 { state.withLock { $0.latest } }

    /// - Parameter body: one line of JSON.
    public func note(_ body: String) {
        state.withLock { state in
            state.latest += 1
            state.entries.append((state.latest, body))
            if state.entries.count > Self.kept { state.entries.removeFirst(state.entries.count - Self.kept) }
        }
    }

    func stages(after number: UInt64) -> [(UInt64, String)] {
        state.withLock { state in
            guard state.latest > number else { return [] }
            return state.entries.filter { $0.number > number }.map { ($0.number, $0.body) }
        }
    }
}
