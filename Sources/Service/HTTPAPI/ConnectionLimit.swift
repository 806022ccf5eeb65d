import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Keeps the number of open connections bounded. The one that has been idle longest makes room for a new one; one that is being
/// answered, an event stream for example, is never closed for another. Where all are, the new one is closed.
///
/// Without it a stranger who opens connections and says nothing takes the descriptors that photos and the database need.
final class ConnectionLimit: Sendable {
    /// One open connection.
    private struct Entry {
        var channel: any Channel
        /// Counts up; the smallest is the one that was idle first.
        var lastUse: UInt64
        var requests = 0
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var clock: UInt64 = 0
    }

    let most: Int
    private let state = Mutex(State())

    /// - Parameter most: connections that are open at the same time; at least 1.
    init(most: Int) { self.most = max(1, most) }

    /// How many are open.
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
            // Now, not when it is closed: the next connection may come before that.
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

    /// Tells the limit when its connection opens, closes, is asked and has answered. Used on its connection's event loop alone.
    private final class Handler: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        private let limit: ConnectionLimit

        init(limit: ConnectionLimit) { self.limit = limit }

        func handlerAdded(context: ChannelHandlerContext) { limit.opened(context.channel) }
        func handlerRemoved(context: ChannelHandlerContext) { limit.closed(context.channel) }

        func channelInactive(context: ChannelHandlerContext) {
            limit.closed(context.channel)
            context.fireChannelInactive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head = unwrapInboundIn(data) { limit.note(context.channel, requests: 1) }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .end = unwrapOutboundIn(data) { limit.note(context.channel, requests: -1) }
            context.write(data, promise: promise)
        }
    }
}
