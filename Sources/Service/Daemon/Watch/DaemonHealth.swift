import Synchronization

/// How the daemon is, for those who ask from outside.
public final class DaemonHealth: Sendable {
    /// What is looked at.
    public struct State: Sendable {
        /// Nothing was tried yet: not ready, and not broken.
        public var databaseIsWritable = false
        public var diskHasRoom = true
        public var diskIsAboveMark = true
        public var watcherIsLive = false
        public var workerAnswers = false
        /// True after the first whole scan of the inboxes.
        public var hasScanned = false
        /// When the loop went round last.
        public var lastBeat = ContinuousClock.now
        /// True once results can no longer be kept: the daemon is about to end.
        public var hasFailed = false

        /// What keeps the daemon from taking work, in words; empty where it is ready.
        public var shortcomings: [String] {
            var list: [String] = []
            if hasFailed { list.append("results cannot be kept any more: the daemon ends") }
            if !hasScanned { list.append("the first scan is not done") }
            if !databaseIsWritable { list.append("the database cannot be written") }
            if !diskHasRoom || !diskIsAboveMark { list.append("the disk is full, or nearly so") }
            if !watcherIsLive { list.append("an inbox cannot be watched") }
            if !workerAnswers { list.append("no worker answers") }
            return list
        }
    }

    private let state = Mutex(State())

    public init() {}

    public var current: State { state.withLock { $0 } }

    /// Sets one value.
    ///
    /// - Returns: true where it was another before.
    @discardableResult
    public func set<Value: Equatable & Sendable>(_ part: WritableKeyPath<State, Value> & Sendable, _ value: Value)
        -> Bool
    {
        state.withLock { state in
            defer { state[keyPath: part] = value }
            return state[keyPath: part] != value
        }
    }

    public func beat() { set(\.lastBeat, .now) }

    /// True while the loop goes round.
    public var isAlive: Bool { current.lastBeat.duration(to: .now) < .seconds(10) }
}
