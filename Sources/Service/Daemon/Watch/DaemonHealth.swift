import Core
import Logging
import ServiceLifecycle
import Synchronization

/// State of the daemon, for probes and metrics.
package final class DaemonHealth: Sendable {
    /// The checked conditions.
    package struct State: Sendable {
        /// False before the first write: not ready, but not failed.
        package var databaseIsWritable = false
        package var diskHasRoom = true
        package var diskIsAboveMark = true
        package var watcherIsLive = false
        package var workerAnswers = false
        /// False while a configured queue cannot be reached.
        package var queueIsConnected = true
        /// True after the first complete scan of the inboxes.
        package var hasScanned = false
        /// Time of the loop's last heartbeat.
        package var lastBeat = ContinuousClock.now
        /// True if results can no longer be kept; the daemon is about to exit.
        package var hasFailed = false

        /// Reasons why the daemon is not ready; empty if it is.
        package var shortcomings: [String] {
            var list: [String] = []
            if hasFailed { list.append("results can no longer be stored: the daemon is stopping") }
            if !hasScanned { list.append("the first scan is not complete") }
            if !databaseIsWritable { list.append("the database cannot be written") }
            if !diskHasRoom || !diskIsAboveMark { list.append("the disk is full or almost full") }
            if !watcherIsLive { list.append("an inbox cannot be watched") }
            if !workerAnswers { list.append("no worker answers") }
            if !queueIsConnected { list.append("the queue cannot be reached") }
            return list
        }
    }

    private let state = Mutex(State())

    package init() {}

    package var current: State { state.withLock { $0 } }

    /// Sets one value.
    ///
    /// - Returns: true if the value changed.
    @discardableResult
    package func set<Value: Equatable & Sendable>(_ part: WritableKeyPath<State, Value> & Sendable, _ value: Value)
        -> Bool
    {
        state.withLock { state in
            defer { state[keyPath: part] = value }
            return state[keyPath: part] != value
        }
    }

    package func beat() { set(\.lastBeat, .now) }

    /// True while heartbeats arrive.
    package var isAlive: Bool { current.lastBeat.duration(to: .now) < .seconds(10) }

    /// Waits for the next attempt after a write failed because the disk is full or another program uses the database.
    ///
    /// - Throws: any other error, and these two when the daemon stops.
    nonisolated(nonsending) func waitOut(_ error: any Error, _ logger: Logger) async throws {
        guard let error = error as? StartupError, !Task.isCancelled else { throw error }
        if error.isDiskFull, !Task.isShuttingDownGracefully {
            // Only the first wait is logged.
            if set(\.diskHasRoom, false) {
                logger.error("the disk is full: waiting for free space", metadata: ["reason": "\(error.message)"])
            }
            try? await Task.sleep(for: .seconds(1))
        } else if error.isBusy {
            logger.warning("another program is using the database", metadata: ["reason": "\(error.message)"])
            // The database has waited for the lock already; let other tasks run before the next attempt.
            await Task.yield()
        } else {
            throw error
        }
    }
}
