import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Limits the number of open connections. The one that was idle longest is closed for a new one. A connection with a
/// running answer, such as an event stream, is never closed for another; if all are busy, the new one is closed.
///
/// A client has a limited time to send the head of a request, however slowly its bytes arrive.
///
/// Without it, idle connections of an untrusted client could use up the descriptors of photos and database.
final class ConnectionLimit: Sendable {
    /// One open connection.
    private struct Entry {
        var channel: any Channel
        /// Ascending number of the last use; the smallest has been idle longest.
        var lastUse: UInt64
        var requests = 0
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var clock: UInt64 = 0
    }

    let most: Int
    /// Time from the opening of a connection, or the end of an answer, to the whole head of the next request.
    let headTime: TimeAmount
    private let state = Mutex(State())

    /// - Parameter most: maximum open connections; at least 1.
    init(most: Int, headTime: TimeAmount = .seconds(30)) {
        self.most = max(1, most)
        self.headTime = headTime
    }

    /// Number of open connections.
    var count: Int { state.withLock { $0.entries.count } }

    /// A handler for one new connection.
    func handler() -> any RemovableChannelHandler { Handler(limit: self) }

    fileprivate func opened(_ channel: any Channel) {
        let surplus = state.withLock { state -> (any Channel)? in
            state.clock += 1
            state.entries[ObjectIdentifier(channel)] = Entry(channel: channel, lastUse: state.clock)
            guard state.entries.count > most else { return nil }
            let idle = state.entries.values.filter { $0.requests == 0 }.min { $0.lastUse < $1.lastUse }
            let chosen = idle?.channel ?? channel
            // Remove it now, because the next connection may arrive before this one is closed.
            state.entries[ObjectIdentifier(chosen)] = nil
            return chosen
        }
        surplus?.close(promise: nil)
    }

    fileprivate func closed(_ channel: any Channel) {
        state.withLock { $0.entries[ObjectIdentifier(channel)] = nil }
    }

    fileprivate func note(_ channel: any Channel, requests change: Int) {
        state.withLock { state in
            state.clock += 1
            let clock = state.clock
            state.entries[ObjectIdentifier(channel)]?.requests += change
            state.entries[ObjectIdentifier(channel)]?.lastUse = clock
        }
    }

    /// Reports when its connection opens, closes, gets a request and has answered. Used only on the connection's event
    /// loop.
    private final class Handler: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        private let limit: ConnectionLimit
        private var deadline: Scheduled<Void>?

        init(limit: ConnectionLimit) { self.limit = limit }

        func handlerAdded(context: ChannelHandlerContext) {
            limit.opened(context.channel)
            awaitHead(context.channel)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            deadline?.cancel()
            limit.closed(context.channel)
        }

        private func awaitHead(_ channel: any Channel) {
            deadline?.cancel()
            deadline = channel.eventLoop.scheduleTask(in: limit.headTime) { channel.close(promise: nil) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            deadline?.cancel()
            limit.closed(context.channel)
            context.fireChannelInactive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head = unwrapInboundIn(data) {
                deadline?.cancel()
                limit.note(context.channel, requests: 1)
            }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .end = unwrapOutboundIn(data) {
                limit.note(context.channel, requests: -1)
                awaitHead(context.channel)
            }
            context.write(data, promise: promise)
        }
    }
}
