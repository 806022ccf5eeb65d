import NIOCore
import TestSupport
import Testing

@testable import HTTP

/// Wrong guesses of one kind of secret.
@Suite struct GuessLimitTests {
    private let clock = TestClock()

    private func limit(each: Int, all: Int) -> GuessLimit { GuessLimit(each: each, all: all) { [clock] in clock.now } }

    private func isAllowed(_ source: String, by limit: GuessLimit) -> Bool { (try? limit.take(source)) != nil }

    @Test func `a source that guesses wrong uses up its own guesses only, for a minute`() {
        let limit = limit(each: 3, all: 100)
        #expect((0..<5).map { _ in isAllowed("stranger", by: limit) } == [true, true, true, false, false])
        #expect(isAllowed("owner", by: limit))
        clock.pass(seconds: 59)
        #expect(!isAllowed("stranger", by: limit))
        clock.pass(seconds: 1)
        #expect(isAllowed("stranger", by: limit))
    }

    @Test func `right guesses do not count`() {
        let limit = limit(each: 3, all: 3)
        for _ in 0..<50 {
            #expect(isAllowed("owner", by: limit))
            limit.giveBack("owner")
        }
    }

    @Test func `many sources together are limited too, and the answer says how long`() {
        let limit = limit(each: 3, all: 10)
        let allowed = (0..<50).filter { isAllowed("source \($0)", by: limit) }
        #expect(allowed.count == 10)
        clock.pass(seconds: 20)
        #expect(throws: Problem.self) { try limit.take("another") }
        do { try limit.take("another") } catch { #expect(error.status.code == 429 && error.retryAfter == 40) }
    }

    @Test(
        arguments: [
            ("192.0.2.7", nil, "192.0.2.7"), ("192.0.2.7", "198.51.100.1", "192.0.2.7"),
            ("127.0.0.1", nil, "127.0.0.1"), ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
            ("127.0.0.1", "no address", "127.0.0.1"), ("::1", "198.51.100.1", "198.51.100.1"),
            ("2001:db8:1:2:3::4", nil, "20:1:d:b8:0:1:0:2"), ("2001:db8:1:2:5::6", nil, "20:1:d:b8:0:1:0:2"),
            ("::ffff:192.0.2.7", nil, "192.0.2.7"),
        ] as [(String, String?, String)])
    func `a machine is one source, whatever it claims and however many addresses it has`(
        peer: String, forwarded: String?, source: String
    ) throws {
        let address = try SocketAddress(ipAddress: peer, port: 5000)
        #expect(GuessLimit.source(of: address, forwarded: forwarded) == source)
    }
}
