import Catalogue
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Groceries

/// Records the pauses instead of waiting.
private final class Pauses: Sendable {
    private let all = Mutex<[Double]>([])
    var seconds: [Double] { all.withLock { $0 } }

    func clock(spread: Double) -> RemoteClock {
        RemoteClock(
            now: { Date() }, sleep: { pause in self.all.withLock { $0.append(pause / .seconds(1)) } },
            spread: { spread })
    }
}

@Suite struct RemoteImagesTests {
    private let fixture: GroceryFixture
    private let pauses = Pauses()

    init() throws { fixture = try GroceryFixture() }

    private func images(spread: Double = 0, timeout: Duration = patience) -> RemoteImages {
        RemoteImages(
            fixture.groceries, transport: HTTPTransport(longest: 1000), clock: pauses.clock(spread: spread),
            timeout: timeout, allowsLoopback: true)
    }

    private func address(_ server: StubServer) -> String { "http://127.0.0.1:\(server.port)/a.png" }

    @Test(arguments: ["408", "425", "429", "500", "503"])
    func `a busy server is asked three times, with pauses of 0.6 and 1.2 seconds`(status: String) async throws {
        let server = try StubServer(.says(StubServer.answer("\(status) Busy", "")))
        guard case .failed = await images().image(address(server)) else {
            Issue.record("it has no picture")
            return
        }
        #expect(server.asked.count == 3)
        #expect(pauses.seconds.map { ($0 * 1000).rounded() } == [600, 1200])
    }

    @Test(arguments: [(-1.0, [480.0, 960.0]), (1.0, [720.0, 1440.0])])
    func `pauses vary by a fifth`(spread: Double, expected: [Double]) async throws {
        let server = try StubServer(.says(StubServer.answer("429 Busy", "")))
        _ = await images(spread: spread).image(address(server))
        #expect(pauses.seconds.map { ($0 * 1000).rounded() } == expected)
    }

    @Test func `a missing picture is asked for once, and again after a day`() async throws {
        let server = try StubServer(.says(StubServer.answer("404 Not Found", "")))
        let images = images()
        #expect(await images.image(address(server)) == .none)
        #expect(await images.image(address(server)) == .none)
        #expect(server.asked.count == 1)
        #expect(pauses.seconds.isEmpty)
        fixture.clock.pass(days: 1)
        #expect(await images.image(address(server)) == .none)
        #expect(server.asked.count == 2)
    }

    @Test func `a server that hangs ends after three tries`() async throws {
        let server = try StubServer(.stalls("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab"))
        guard case .failed = await images(timeout: .milliseconds(200)).image(address(server)) else {
            Issue.record("it has no picture")
            return
        }
        #expect(pauses.seconds.count == 2, "one after each try but the last")
    }

    @Test func `a picture is fetched once, and other bytes are none`() async throws {
        let server = try StubServer(.says(StubServer.answer("200 OK", "GIF89a picture")))
        let images = images()
        #expect(try images.cached(address(server)) == nil)
        #expect(await images.image(address(server)) == .bytes(Data("GIF89a picture".utf8)))
        #expect(await images.image(address(server)) == .bytes(Data("GIF89a picture".utf8)))
        #expect(server.asked.count == 1)
        let page = try StubServer(.says(StubServer.answer("200 OK", "<html>")))
        #expect(await images.image(address(page)) == .none)
        let large = try StubServer(.says(StubServer.answer("200 OK", String(repeating: "G", count: 2000))))
        guard case .failed = await images.image(address(large)) else {
            Issue.record("it is too long")
            return
        }
    }

    @Test(arguments: [
        "http://example.org/a.png", "https://127.0.0.1/a.png", "https://localhost/a.png", "https://[::1]/a.png",
        "https://user:secret@example.org/a.png", "https://example.org:8443/a.png", "https://192.168.0.1/a.png",
        "https://printer.local/a.png", "file:///etc/passwd", "https://2130706433/a.png", "gopher://example.org/",
    ])
    func `addresses of this network are refused`(text: String) {
        #expect(throws: GroceryProblem.self) { try RemoteImages.address(text) }
    }
}
