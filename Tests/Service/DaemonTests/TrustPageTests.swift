import Core
import Foundation
import TestSupport
import Testing

@testable import App
@testable import Daemon

/// HTTPS in the house as the app shows it.
@Suite struct TrustPageTests {
    private static let nobody = ["Authorization": "", "Accept": "text/html", "Accept-Language": "en"]
    private static let member = ["Accept": "text/html", "Accept-Language": "en"]

    @Test func `everybody reads how a device trusts the house, and gets its authority only`() async throws {
        let daemon = try await LiveDaemon(environment: ["TABLESIGHT_API_PUBLIC_ADDRESS": "https://Kitchen.local/"])
        defer { daemon.stop() }
        let none = try await daemon.call("GET", "/trust", nil, Self.nobody)
        #expect(none.status == 200 && none.text.contains("tablesight household certificate"))
        #expect(try await daemon.call("GET", "/trust/tablesight-ca.crt", nil, Self.nobody).status == 404)

        let made = try await Program("tablesight").finished(
            ["household", "certificate", "kitchen.local", "--output", daemon.results.path],
            environment: ["TABLESIGHT_API_PUBLIC_ADDRESS": "https://kitchen.local"])
        guard made.exitCode != 69 else { return print("not run without openssl") }
        #expect(made.exitCode == 0, "\(made.errors)")
        #expect(!made.output.contains("api.publicAddress"), "it is set: \(made.output)")
        let page = try await daemon.call("GET", "/trust", nil, Self.nobody)
        for text in ["iPhone", "Android", "Windows", "href=\"https://kitchen.local/\"", "/trust/tablesight-ca.crt"] {
            #expect(page.text.contains(text), "\(text)")
        }
        let german = try await daemon.call("GET", "/trust", nil, Self.nobody.merging(["Accept-Language": "de"]) { $1 })
        #expect(german.text.contains("HTTPS in diesem Haus"))
        let authority = try await daemon.call("GET", "/trust/tablesight-ca.crt", nil, Self.nobody)
        #expect(authority.status == 200 && authority.header("content-type") == "application/x-x509-ca-cert")
        #expect(authority.data == (try Data(contentsOf: daemon.results.appending(path: "https/authority.crt"))))
        let digest = try #require(made.output.firstMatch(of: /SHA-256 ([0-9A-F:]{95})/)).output.1
        #expect(page.text.contains(digest))
        for name in ["authority.key", "server.pem", "nginx.conf", "..%2Fapi-token"] {
            #expect(try await daemon.call("GET", "/trust/\(name)", nil, Self.nobody).status != 200, "\(name)")
        }

        // The code's address is the public one, whatever name this browser uses.
        let code = try await daemon.call(
            "POST", "/devices/code", Data(), Self.member.merging(["Origin": daemon.address]) { $1 })
        #expect(code.text.contains("https://kitchen.local/p/"))
        #expect(code.text.contains("http://kitchen.local/trust"))
        #expect(!code.text.contains("A phone cannot reach this address"))
    }

    @Test func `pages over plain HTTP say in one sentence what is missing`() async throws {
        let daemon = try await LiveDaemon(environment: ["TABLESIGHT_API_PUBLIC_ADDRESS": "http://kitchen.local"])
        defer { daemon.stop() }
        let sentence = "Without HTTPS, live pictures"
        let phone = Self.member.merging(["Host": "kitchen.local"]) { $1 }
        let plain = try await daemon.call("GET", "/scan", nil, phone)
        #expect(plain.status == 200 && plain.text.contains(sentence) && plain.text.contains("href=\"/trust\""))
        let encrypted = try await daemon.call("GET", "/scan", nil, phone.merging(["X-Forwarded-Proto": "https"]) { $1 })
        #expect(encrypted.status == 200 && !encrypted.text.contains(sentence))
        // Browsers treat the loopback as secure.
        #expect(try await !daemon.call("GET", "/scan", nil, Self.member).text.contains(sentence))
        #expect(try await daemon.call("GET", "/devices", nil, Self.member).text.contains(sentence))
        let other = try await daemon.call("GET", "/scan", nil, Self.member.merging(["Host": "other.local"]) { $1 })
        #expect(other.status == 403)
        let sign = try await daemon.call("GET", "/scan", nil, Self.nobody)
        #expect(sign.text.contains("href=\"/trust\""))
    }
}
