import CZlib
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import HTTP

/// Texts that are sent packed.
@Suite struct PackedTextTests {
    private let page = Data(String(repeating: "<p>Tomato soup</p>", count: 200).utf8)

    private func answer(_ text: Data, accepting coding: String?) async throws -> Response {
        var head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        if let coding { head.headerFields[.acceptEncoding] = coding }
        var response = Response(status: .ok, headers: [.vary: "Accept-Language"])
        PackedText(text).write(into: &response, for: Request(head: head, body: .init(buffer: ByteBuffer())))
        return response
    }

    private func bytes(_ response: Response) async throws -> [UInt8] {
        let writer = Collected()
        try await response.body.write(writer)
        return await writer.bytes.all
    }

    @Test func `a client that takes deflate gets fewer bytes, which unpack to the page`() async throws {
        let response = try await answer(page, accepting: "gzip, deflate;q=0.5, br")
        #expect(response.headers[.contentEncoding] == "deflate")
        #expect(response.headers[.vary] == "Accept-Language, Accept-Encoding")
        let packed = try await bytes(response)
        #expect(packed.count < page.count / 5)
        var plain = [UInt8](repeating: 0, count: page.count)
        var length = uLongf(plain.count)
        #expect(uncompress(&plain, &length, packed, uLong(packed.count)) == Z_OK)
        #expect(Data(plain) == page)
    }

    @Test(arguments: [nil, "gzip", "deflate;q=0", "identity"])
    func `other clients get the page as it is`(coding: String?) async throws {
        let response = try await answer(page, accepting: coding)
        #expect(response.headers[.contentEncoding] == nil)
        #expect(try await bytes(response) == Array(page))
    }

    @Test func `a short text is not packed`() async throws {
        let response = try await answer(Data("soup".utf8), accepting: "deflate")
        #expect(response.headers[.contentEncoding] == nil)
    }
}

/// The bytes of a body.
private struct Collected: ResponseBodyWriter {
    actor Bytes {
        var all: [UInt8] = []
        func add(_ buffer: ByteBuffer) { all += buffer.readableBytesView }
    }

    let bytes = Bytes()

    mutating func write(_ buffer: ByteBuffer) async throws { await bytes.add(buffer) }
    consuming func finish(_ trailers: HTTPFields?) async throws {}
}
