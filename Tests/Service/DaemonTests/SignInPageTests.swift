import Foundation
import TestSupport
import Testing

/// Signing in with a browser.
@Suite struct SignInPageTests {
    @Test func `a wrong token is called wrong, and the page says where the right one is`() async throws {
        let daemon = try await LiveDaemon()
        defer { daemon.stop() }
        let browser = ["Accept": "text/html,*/*", "Accept-Language": "en"]
        let wrong = "This key is not right"
        let first = try await daemon.call("GET", "/", nil, browser.merging(["Authorization": ""]) { $1 })
        #expect(first.status == 401)
        #expect(!first.text.contains(wrong), "nobody gave a key yet")
        let removed = try await daemon.call("GET", "/", nil, browser.merging(["Cookie": "tablesight=wrong"]) { $1 })
        #expect(removed.status == 401)
        #expect(!removed.text.contains(wrong), "a removed device needs a new code, not a key")
        let link = try await daemon.call("GET", "/?token=wrong", nil, browser.merging(["Authorization": ""]) { $1 })
        #expect(link.status == 401)
        #expect(link.text.contains(wrong) && link.text.contains("api-token"))
        let right = try await daemon.call(
            "GET", "/?token=\(daemon.token)", nil, browser.merging(["Authorization": ""]) { $1 })
        #expect(right.status == 200)
        let cookie = try #require(right.header("Set-Cookie")?.split(separator: ";").first.map(String.init))
        #expect(!cookie.contains(daemon.token), "the daemon's own key is no cookie")
        #expect(try await daemon.call("GET", "/v1/session", nil, ["Cookie": cookie]).json["role"] as? String == "adult")
    }
}
