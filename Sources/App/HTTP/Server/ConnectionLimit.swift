import Hummingbird
import NIOCore
import Synchronization

/// Limits the number of open connections. For a new one another is closed: the one that was idle longest, else the one
/// whose request arrives, or whose answer is read, most slowly, else one that has just been opened. A connection that
/// waits for the daemon is never closed for another, nor is an event stream whose client reads; if there are only such
/// ones, the new one is closed.
///
/// Without it, untrusted clients could use up the descriptors of photos and database.
final class ConnectionLimit: Sendable {
    private struct Entry {
        var channel: any Channel
        let opened: NIODeadline
        /// True before the first request.
        var isUnused = true
        /// True between two requests.
        var isIdle = true
        /// When the connection is closed unless its client acts; nil while the daemon is to act.
        var due: NIODeadline?

        /// Whether this one is closed before another one.
        func goes(before other: Entry, at now: NIODeadline) -> Bool {
            let (rank, others) = (rank(at: now), other.rank(at: now))
            return rank == others ? due ?? .distantFuture < other.due ?? .distantFuture : rank < others
        }

        /// Idle ones go first, but a client has a moment to send its request: else many clients that open connections
        /// again and again would keep out everybody who asks something.
        private func rank(at now: NIODeadline) -> Int {
            if !isIdle { return 1 }
            return isUnused && now - opened < .seconds(1) ? 2 : 0
        }
    }

    let most: Int
    /// Time from the opening of a connection, or the end of an answer, to the whole head of the next request.
    let headTime: TimeAmount
    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// - Parameter most: maximum open connections; at least 1.
    init(most: Int, headTime: TimeAmount = .seconds(30)) {
        self.most = max(1, most)
        self.headTime = headTime
    }

    var count: Int { entries.withLock { $0.count } }

    func handler() -> any RemovableChannelHandler { ConnectionHandler(limit: self) }

    func opened(_ channel: any Channel) {
        let now = channel.eventLoop.now
        let surplus = entries.withLock { entries -> (any Channel)? in
            entries[ObjectIdentifier(channel)] = Entry(channel: channel, opened: now, due: now + headTime)
            guard entries.count > most else { return nil }
            let others = entries.values.filter { $0.channel !== channel && $0.due != nil }
            let closing = others.min { $0.goes(before: $1, at: now) }?.channel ?? channel
            // Remove it now, because the next connection may arrive before this one is closed.
            entries[ObjectIdentifier(closing)] = nil
            return closing
        }
        surplus?.close(promise: nil)
    }

    func closed(_ channel: any Channel) { entries.withLock { $0[ObjectIdentifier(channel)] = nil } }

    /// - Parameters:
    ///   - isIdle: true between two requests.
    ///   - due: when the connection is closed unless its client acts; nil while the daemon is to act.
    func note(_ channel: any Channel, isIdle: Bool, due: NIODeadline?) {
        entries.withLock { entries in
            entries[ObjectIdentifier(channel)]?.isIdle = isIdle
            if !isIdle { entries[ObjectIdentifier(channel)]?.isUnused = false }
            entries[ObjectIdentifier(channel)]?.due = due
        }
    }
}
