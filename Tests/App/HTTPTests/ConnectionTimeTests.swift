import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import HTTP

/// The time that a client has for each part of a request and for reading its answer.
@Suite struct ConnectionTimeTests {
    @Test func `a client that never finishes its head is disconnected`() throws {
        let client = try Client()
        client.wait(seconds: 29)
        #expect(client.isConnected)
        client.wait(seconds: 2)
        #expect(!client.isConnected)
    }

    @Test func `the daemon may take any time, and the next head has its own`() throws {
        let client = try Client()
        try client.send("G")
        client.wait(seconds: 7200)
        #expect(client.isConnected, "an event stream stays open")
        client.answer()
        client.wait(seconds: 29)
        #expect(client.isConnected)
        client.wait(seconds: 2)
        #expect(!client.isConnected)
    }

    @Test func `a body of a byte every ten seconds ends with an error that its reader sees`() throws {
        let client = try Client()
        try client.send("P")
        for _ in 0..<3 {
            client.wait(seconds: 10)
            try client.send("b")
        }
        #expect(client.failures.map(\.status.code) == [408])
        client.wait(seconds: 6)
        #expect(!client.isConnected)
    }

    @Test func `a photo of 12 MB over a line of 5 kB a second arrives, with a break of half a minute`() throws {
        let client = try Client()
        try client.send("P")
        for second in 0..<2400 {
            try client.send(body: 5000)
            client.wait(seconds: second == 1000 ? 30 : 1)
        }
        try client.send("e")
        #expect(client.failures.isEmpty)
        #expect(client.isConnected)
    }

    @Test func `a body that comes after its answer keeps the connection no longer than a head`() throws {
        let client = try Client()
        try client.send("P")
        client.answer()
        for _ in 0..<8 {
            client.wait(seconds: 5)
            try? client.send("b")
        }
        #expect(!client.isConnected)
    }

    @Test func `the next request is looked at when the answer is sent, and none is lost`() throws {
        let client = try Client()
        try client.send(String(repeating: "G", count: 50_000))
        var most = 0
        while client.heads > client.answers {
            most = max(most, client.heads - client.answers)
            client.answer()
        }
        #expect(client.heads == 50_000)
        // A few bytes may hold more than one request.
        #expect(most <= 64)
    }

    @Test func `a few requests at once are answered soon, and many ever more slowly`() throws {
        let client = try Client()
        let request = "G" + String(repeating: "-", count: 63)
        try client.send(String(repeating: request, count: 200))
        func answered(in milliseconds: Int64) -> Int {
            let before = client.answers
            for _ in 0..<milliseconds {
                if client.heads > client.answers { client.answer(thenWaiting: 0) }
                client.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            }
            return client.answers - before
        }
        #expect(answered(in: 1000) >= 8)
        _ = answered(in: 15_000)
        #expect((19...20).contains(answered(in: 10_000)))
    }

    @Test func `a client that closes its half after its requests gets all answers`() throws {
        let client = try Client()
        try client.send(String(repeating: "G", count: 3000))
        client.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!client.hasClosedInput)
        while client.heads > client.answers { client.answer() }
        #expect(client.heads == 3000)
        #expect(client.hasClosedInput)
    }

    @Test func `a client that sends requests without end is disconnected`() throws {
        let client = try Client()
        for _ in 0..<20 { try? client.send(String(repeating: "G", count: 64 << 10)) }
        #expect(!client.isConnected)
        #expect(client.heads <= 128)
    }

    @Test func `a client that does not read its answer is disconnected`() throws {
        let client = try Client()
        try client.send("G")
        client.write(bytes: 20_000)
        client.wait(seconds: 19)
        #expect(client.isConnected)
        client.wait(seconds: 2)
        #expect(!client.isConnected)
    }

    @Test func `a client that reads an event stream stays, and one that stops reading does not`() throws {
        let client = try Client()
        try client.send("G")
        for _ in 0..<100 {
            client.write(bytes: 200)
            client.read()
            client.wait(seconds: 15)
        }
        #expect(client.isConnected)
        client.write(bytes: 200)
        client.wait(seconds: 21)
        #expect(!client.isConnected)
    }

    @Test func `for a new connection idle ones go first, then slow ones, never one that waits for the daemon`()
        throws
    {
        let limit = ConnectionLimit(most: 4)
        let clients = try (0..<4).map { _ in try Client(limit) }
        let (idle, slow, fast, waiting) = (clients[0], clients[1], clients[2], clients[3])
        try idle.send("G")
        idle.answer()
        try waiting.send("G")
        try slow.send("P")
        try fast.send("P")
        try fast.send(body: 50_000)
        let new = try (0..<3).map { _ in
            let client = try Client(limit)
            try client.send("G")
            return client
        }
        #expect(!idle.isConnected && !slow.isConnected && !fast.isConnected)
        #expect(waiting.isConnected && new.allSatisfy(\.isConnected))
        let refused = try Client(limit)
        #expect(!refused.isConnected)
        #expect(limit.count == 4)
    }

    @Test func `a client that has just connected has a moment before others take its place`() throws {
        let limit = ConnectionLimit(most: 3)
        let (slow, fresh, unread) = (try Client(limit), try Client(limit), try Client(limit))
        try slow.send("P")
        try unread.send("G")
        unread.write(bytes: 20_000)
        let stalled = try (0..<2).map { _ in
            let client = try Client(limit)
            try client.send("P")
            try client.send(body: 4000)
            return client
        }
        #expect(fresh.isConnected && !slow.isConnected && !unread.isConnected)
        #expect(stalled.filter { !$0.isConnected }.isEmpty)
    }

    @Test func `the slowest of two goes`() throws {
        let limit = ConnectionLimit(most: 2)
        let (fast, slow) = (try Client(limit), try Client(limit))
        try fast.send("P")
        try slow.send("P")
        try slow.send(body: 10)
        try fast.send(body: 4000)
        _ = try Client(limit)
        #expect(fast.isConnected && !slow.isConnected)
    }
}

/// A client of one connection. Its requests are letters: `G` is a whole GET, `P` the head of a POST, `b` a byte of its
/// body, and `e` its end. Others are parts of the request before.
private final class Client {
    let channel = EmbeddedChannel()
    private let recorder = Recorder()
    private(set) var answers = 0

    init(_ limit: ConnectionLimit = ConnectionLimit(most: 8)) throws {
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.pipeline.syncOperations.addHandler(LetterCodec())
        try channel.pipeline.syncOperations.addHandler(recorder)
        try channel.pipeline.syncOperations.addHandler(limit.handler(), position: .before(recorder))
        channel.embeddedEventLoop.run()
    }

    deinit { _ = try? channel.finish(acceptAlreadyClosed: true) }

    var isConnected: Bool { channel.isActive }
    var heads: Int { recorder.heads }
    var failures: [Problem] { recorder.failures }
    var hasClosedInput: Bool { recorder.hasClosedInput }

    func send(_ letters: String) throws { try channel.writeInbound(ByteBuffer(string: letters)) }

    func send(body count: Int) throws { try send(String(repeating: "b", count: count)) }

    /// The daemon answers, and the client reads it.
    func answer(thenWaiting milliseconds: Int64 = 500) {
        channel.write(HTTPResponsePart.head(.init(status: .ok)), promise: nil)
        channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
        answers += 1
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(milliseconds))
    }

    /// The daemon writes a part of an answer. The client has not read it before ``read()``.
    func write(bytes: Int) {
        channel.write(HTTPResponsePart.body(ByteBuffer(repeating: 1, count: bytes)), promise: nil)
        channel.pipeline.fireChannelWritabilityChanged()
    }

    func read() { channel.flush() }

    func wait(seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }
}

/// Counts what reaches the routes.
private final class Recorder: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart

    var heads = 0
    var failures: [Problem] = []
    var hasClosedInput = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { heads += 1 }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let problem = error as? Problem { failures.append(problem) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { hasClosedInput = true }
    }
}

/// Stands in for the parser of HTTP.
private final class LetterCodec: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        func pass(_ part: HTTPRequestPart) { context.fireChannelRead(wrapInboundOut(part)) }
        func head(_ method: HTTPRequest.Method) {
            pass(.head(HTTPRequest(method: method, scheme: "http", authority: "a", path: "/")))
        }
        // As an array: in debug builds each byte of a view of NIO's takes a microsecond, and a photo has 12 million.
        let letters = Array(unwrapInboundIn(data).readableBytesView)
        for letter in letters.filter({ $0 != UInt8(ascii: "b") }) {
            switch letter {
            case UInt8(ascii: "G"):
                head(.get)
                pass(.end(nil))
            case UInt8(ascii: "P"): head(.post)
            case UInt8(ascii: "e"): pass(.end(nil))
            default: break
            }
        }
        let count = letters.count { $0 == UInt8(ascii: "b") }
        if count > 0 { pass(.body(ByteBuffer(repeating: 1, count: count))) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = if case .body(let bytes) = unwrapOutboundIn(data) { bytes } else { ByteBuffer() }
        context.write(wrapOutboundOut(bytes), promise: promise)
    }
}
