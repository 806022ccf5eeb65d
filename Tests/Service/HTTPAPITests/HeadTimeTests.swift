import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import HTTPAPI

/// The time that a client has for the head of a request.
@Suite struct HeadTimeTests {
    private func channel(_ seconds: Int64) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionLimit(most: 8, headTime: .seconds(seconds)).handler())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private let head = HTTPRequestPart.head(HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/"))

    @Test func `a client that never finishes its head is disconnected`() throws {
        let channel = try channel(30)
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
    }

    @Test func `an answer may take any time, and the next head has its own`() throws {
        let channel = try channel(30)
        try channel.writeInbound(head)
        channel.embeddedEventLoop.advanceTime(by: .hours(2))
        #expect(channel.isActive, "an event stream stays open")
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
    }
}
