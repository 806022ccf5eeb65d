import NIOCore

/// Passes the bytes of a request to the parser only when the answer of the request before it is sent.
///
/// A client may send many requests at once. As bytes they are small; as parsed requests they took 4 MB for each
/// connection of a client that read no answer.
///
/// It is the first handler of a connection, and used on its event loop only.
final class RequestGate: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Bytes that may pass now; 0 while an answer is awaited.
    private let allowance: () -> Int
    private var context: ChannelHandlerContext?
    private var held: ByteBuffer?
    private var wantsRead = false
    private var inputEnded = false
    private var isPassing = false

    /// More bytes of later requests end the connection. A closing client's last bytes arrive all at once.
    private static let mostHeld = 256 << 10

    /// True while bytes of later requests wait.
    var isHolding: Bool { held != nil }

    init(allowance: @escaping () -> Int) { self.allowance = allowance }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { (self.context, held) = (nil, nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if held == nil { held = bytes } else { held?.writeBuffer(&bytes) }
        pass(context)
        if let held, held.readableBytes > Self.mostHeld { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        held = nil
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The parser would miss requests that are still held.
        if case .inputClosed? = event as? ChannelEvent, held != nil {
            inputEnded = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func read(context: ChannelHandlerContext) {
        if held == nil { context.read() } else { wantsRead = true }
    }

    /// Call it when the allowance may have changed.
    func resume() {
        guard let context, held != nil else { return }
        if pass(context) { context.fireChannelReadComplete() }
        guard held == nil else { return }
        if inputEnded {
            inputEnded = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if wantsRead {
            wantsRead = false
            context.read()
        }
    }

    /// - Returns: true if bytes have passed.
    @discardableResult private func pass(_ context: ChannelHandlerContext) -> Bool {
        guard !isPassing else { return false }
        isPassing = true
        defer { isPassing = false }
        var hasPassed = false
        while let count = held?.readableBytes, count > 0, case let most = allowance(), most > 0,
            let slice = held?.readSlice(length: min(count, most))
        {
            context.fireChannelRead(wrapInboundOut(slice))
            hasPassed = true
        }
        if held?.readableBytes == 0 { held = nil }
        return hasPassed
    }
}
