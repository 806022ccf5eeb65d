import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes
import NIOSSL

/// Gives the client of one connection deadlines: for the head of each request, for its body, and for reading the answer.
/// Only then the next request is looked at. See ``Pace``.
///
/// Every route is protected by it, whether or not it reads its body. Used only on the connection's event loop.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limit: ConnectionLimit
    private var gate: RequestGate?
    private var timer: (task: Scheduled<Void>, due: NIODeadline)?

    /// Requests whose answer is not sent yet. There are several where a few bytes held several requests.
    private var unanswered = 0
    private var isAnswering: Bool { unanswered > 0 }
    /// True from the head of a request until its body is complete.
    private var isReceiving = false
    private var hasBegunAnswer = false
    /// Bytes of the body that were announced and are still to come.
    private var announced = 0
    private var body = Pace(at: .distantPast)

    /// Bytes of answers that the client's side of the connection has not taken yet.
    private var unread = 0
    private var reading: Pace?
    private var head = NIODeadline.distantFuture
    /// Set after the answer that the body is too slow: the client gets a moment to read it.
    private var last: NIODeadline?

    /// Bytes that pass the gate at once, of heads and of a body of unknown length.
    private static let (headSlice, bodySlice) = (64, 4096)
    /// Answers in a row while more requests waited. Each lengthens the break before the next one: without breaks such
    /// clients would leave the event loop no time for other connections.
    private var answersInRow: Int64 = 0
    private static let (step, longestBreak) = (TimeAmount.milliseconds(25), TimeAmount.milliseconds(500))
    private static let farewell = TimeAmount.seconds(5)

    init(limit: ConnectionLimit) { self.limit = limit }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
        limit.opened(context.channel)
        // More than one read at a time would only be held.
        context.channel.setOption(.maxMessagesPerRead, value: 1).whenFailure { _ in }
        let gate = RequestGate { [weak self] in self?.allowance ?? 0 }
        self.gate = gate
        let pipeline = context.pipeline.syncOperations
        // Bytes become requests after TLS only.
        let tls = try? pipeline.handler(type: NIOSSLServerHandler.self)
        do { try pipeline.addHandler(gate, position: tls.map { .after($0) } ?? .first) } catch {
            context.close(promise: nil)
        }
        awaitHead(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.task.cancel()
        limit.closed(context.channel)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.task.cancel()
        limit.closed(context.channel)
        context.fireChannelInactive()
    }

    // MARK: Requests and answers

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = context.eventLoop.now
        switch unwrapInboundIn(data) {
        case .head(let head):
            unanswered += 1
            (isReceiving, hasBegunAnswer) = (true, false)
            announced = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
            body = Pace(at: now)
        case .body(let bytes):
            announced -= bytes.readableBytes
            body.add(bytes.readableBytes, at: now)
        case .end:
            isReceiving = false
            // Where the answer was sent before.
            if !isAnswering { head = now + limit.headTime }
        }
        plan(context)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        hasBegunAnswer = true
        switch unwrapOutboundIn(data) {
        case .head: context.write(data, promise: promise)
        case .body(let bytes):
            unread += bytes.readableBytes
            context.write(data, promise: promise)
        case .end:
            let sent = promise ?? context.eventLoop.makePromise()
            // A failure closes the connection.
            sent.futureResult.assumeIsolated().whenSuccess { [weak self] in self?.hasAnswered(context) }
            context.write(data, promise: sent)
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        noteReading(context)
        plan(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        noteReading(context)
        plan(context)
        context.fireChannelWritabilityChanged()
    }

    /// Bytes that may pass the gate now.
    private var allowance: Int {
        if isReceiving { return max(announced, Self.bodySlice) }
        return isAnswering ? 0 : Self.headSlice
    }

    private func hasAnswered(_ context: ChannelHandlerContext) {
        unanswered -= 1
        guard !isAnswering else { return }
        (unread, reading) = (0, nil)
        awaitHead(context)
        answersInRow = gate?.isHolding == true ? answersInRow + 1 : 0
        guard answersInRow > 0 else { return }
        let pause = min(Self.step * answersInRow, Self.longestBreak)
        context.eventLoop.assumeIsolated().scheduleTask(in: pause) { [weak self] in self?.gate?.resume() }
    }

    private func awaitHead(_ context: ChannelHandlerContext) {
        head = context.eventLoop.now + limit.headTime
        plan(context)
    }

    /// Counts what the client has read since the last time.
    private func noteReading(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        let buffered = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        guard buffered > 0 else {
            (unread, reading) = (0, nil)
            return
        }
        if reading == nil { reading = Pace(at: now) }
        reading?.add(max(0, unread - buffered), at: now)
        unread = buffered
    }

    // MARK: Deadlines

    /// When the connection is closed unless the client acts; nil while the daemon is to act.
    private var due: NIODeadline? {
        if let last { return last }
        if !isAnswering { return head }
        return isReceiving ? body.due : reading?.due
    }

    private func plan(_ context: ChannelHandlerContext) {
        let due = due
        limit.note(context.channel, isIdle: !isAnswering, due: due)
        // A later deadline needs no new timer: this one looks again.
        guard let due, due < timer?.due ?? .distantFuture else { return }
        timer?.task.cancel()
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { [weak self] in
            self?.timer = nil
            self?.look(context)
        }
        timer = (task, due)
    }

    private func look(_ context: ChannelHandlerContext) {
        noteReading(context)
        guard let due, due <= context.eventLoop.now else { return plan(context) }
        guard isReceiving, isAnswering, !hasBegunAnswer, last == nil else { return context.close(promise: nil) }
        last = context.eventLoop.now + Self.farewell
        plan(context)
        // Whoever reads the body gets the error and answers with it.
        context.fireErrorCaught(
            Problem(408, "tooSlow", "the body arrives too slowly: try again on a better connection"))
    }
}

/// The deadline of a transfer that must not stop: each byte moves it, so a slow line has time and a client that stops has
/// little.
struct Pace {
    /// Bytes a second below which a transfer falls behind.
    static let slowest = 2048.0
    /// The time that a transfer has at its start, and the most that it can gain.
    static let (patience, mostCredit) = (TimeAmount.seconds(20), TimeAmount.seconds(60))

    /// When the transfer is too slow, unless more bytes arrive before.
    private(set) var due: NIODeadline

    init(at now: NIODeadline) { due = now + Self.patience }

    mutating func add(_ bytes: Int, at now: NIODeadline) {
        let gained = TimeAmount.nanoseconds(Int64(Double(min(bytes, 1 << 30)) / Self.slowest * 1e9))
        due = min(due + gained, now + Self.mostCredit)
    }
}
