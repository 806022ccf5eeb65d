import Foundation
import TestSupport
import Testing

@testable import Catalogue

/// Requests over a real socket, to servers that answer, send wrong data, stall or redirect.
@Suite struct HTTPTransportTests {
    private func ask(
        _ manner: StubServer.Manner, timeout: Duration = patience, longest: Int = 1000
    ) async throws -> (Result<RemoteReply, RemoteFailure>, [String]) {
        let server = try StubServer(manner)
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/api/v2/product/1"))
        let transport = HTTPTransport(longest: longest)
        do throws(RemoteFailure) {
            return (.success(try await transport.get(url, userAgent: "Test/1 (x)", timeout: timeout)), server.asked)
        } catch {
            return (.failure(error), server.asked)
        }
    }

    @Test func `an answer has status and body, and the request names the program`() async throws {
        let (result, asked) = try await ask(.says(StubServer.answer("200 OK", "{}")))
        let reply = try result.get()
        #expect(reply.status == 200)
        #expect(reply.body == Data("{}".utf8))
        #expect(asked.first?.lowercased().contains("user-agent: test/1 (x)") == true)
    }

    @Test(arguments: [404, 429, 503])
    func `other answers keep their status, with the pause that a busy server requests`(status: Int) async throws {
        let reply = try await ask(.says(StubServer.answer("\(status) Busy", "", "Retry-After: 7\r\n"))).0.get()
        #expect(reply.status == status)
        #expect(reply.retryAfter == 7)
    }

    @Test func `redirections to another host are refused`() async throws {
        let elsewhere = StubServer.answer("302 Found", "", "Location: http://elsewhere.invalid/\r\n")
        let (result, asked) = try await ask(.says(elsewhere))
        #expect(throws: RemoteFailure.redirected("elsewhere.invalid")) { try result.get() }
        #expect(asked.count == 1)
    }

    @Test(arguments: [true, false])
    func `an answer that is too long is refused, with or without a length header`(isAnnounced: Bool) async throws {
        let body = String(repeating: "x", count: 5000)
        let text =
            isAnnounced
            ? StubServer.answer("200 OK", body) : "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body
        let (result, _) = try await ask(.says(text))
        #expect(throws: RemoteFailure.tooLong) { try result.get() }
    }

    @Test(arguments: [
        StubServer.Manner.stalls(""), .stalls("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"),
        .drips("HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n"),
    ])
    func `a server that does not answer, or does not finish, times out`(manner: StubServer.Manner)
        async throws
    {
        let (result, _) = try await ask(manner, timeout: .milliseconds(300), longest: 1_000_000)
        #expect {
            try result.get()
        } throws: { if case .unreachable = $0 as? RemoteFailure { true } else { false } }
    }

    @Test(arguments: [
        "", "not HTTP at all\n", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\nConnection: close\r\n\r\nhalf",
    ])
    func `an incomplete answer is an error`(text: String) async throws {
        let (result, _) = try await ask(.says(text))
        #expect {
            let reply = try result.get()
            // Some clients accept bytes without a header as an HTTP/0.9 answer; it must not count as a success.
            if reply.status != 200 { throw RemoteFailure.status(reply.status) }
        } throws: { $0 is RemoteFailure }
    }
}
