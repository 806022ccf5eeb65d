import Foundation
import Testing
import Core

@testable import App
@testable import Daemon
@testable import Settings

@Suite struct WebhookTests {
    @Test func `a signature equals the specification's example`() throws {
        // The example of the Standard Webhooks libraries.
        let secret = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let message = WebhookMessage(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Data(#"{"test": 2432232314}"#.utf8))
        #expect(message.signature(secret: secret) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(message.headers(secret: secret)["webhook-timestamp"] == "1614265330")
        #expect(message.headers(secret: Data())["webhook-signature"] == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", false), ("10.1.2.3", false), ("172.16.0.1", false), ("172.32.0.1", true), ("192.168.1.1", false),
        ("169.254.169.254", false), ("100.64.0.1", false), ("0.0.0.0", false), ("224.0.0.1", false), ("8.8.8.8", true),
    ])
    func `private addresses are distinguished from public ones`(address: String, isPublic: Bool) {
        let bytes = address.split(separator: ".").compactMap { UInt8($0) }
        #expect(ReceiverAddress.isPublic(bytes) == isPublic)
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes
        #expect(ReceiverAddress.isPublic(mapped) == isPublic, "as an IPv6 address")
    }

    @Test func `only global unicast IPv6 addresses are public`() {
        func address(_ start: [UInt8], _ end: UInt8 = 1) -> [UInt8] {
            start + [UInt8](repeating: 0, count: 15 - start.count) + [end]
        }
        #expect(!ReceiverAddress.isPublic(address([])), "::1")
        #expect(!ReceiverAddress.isPublic(address([0xFE, 0x80])), "link-local")
        #expect(!ReceiverAddress.isPublic(address([0xFD])), "unique local")
        #expect(ReceiverAddress.isPublic(address([0x26, 0x06, 0x47])))
        #expect(!ReceiverAddress.isPublic(address([0x20, 0x02, 127, 0, 0, 1])), "6to4 around 127.0.0.1")
        #expect(!ReceiverAddress.isPublic(address([0x20, 0x01, 0, 0])), "Teredo")
        #expect(!ReceiverAddress.isPublic(address([0x20, 0x01, 0x0D, 0xB8])), "documentation")
        #expect(ReceiverAddress.isPublic(address([0x20, 0x01, 0x48, 0x60])))
        #expect(!ReceiverAddress.isPublic([192, 0, 2, 1]) && !ReceiverAddress.isPublic([192, 88, 99, 1]))
    }

    @Test(arguments: ["http://127.0.0.1:9/x", "http://[::1]/", "http://localhost/"])
    func `a receiver on this machine is refused by default`(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: ReceiverAddress.Refusal.self) { try ReceiverAddress(of: url, allowsPrivate: false) }
        #expect(throws: Never.self) { try ReceiverAddress(of: url, allowsPrivate: true) }
    }

    @Test func `a name with one private address is refused`() throws {
        let url = try #require(URL(string: "http://example.org/x"))
        #expect(throws: ReceiverAddress.Refusal.self) {
            try ReceiverAddress(of: url, allowsPrivate: false) { _ in [[93, 184, 216, 34], [10, 0, 0, 1]] }
        }
    }

    @Test func `http connects to the checked address, https to the certificate's name`()
        throws
    {
        let plain = try #require(URL(string: "http://example.org:8080/x?y=1"))
        let addresses: [[UInt8]] = [[93, 184, 216, 34], [0x26, 0x06] + [UInt8](repeating: 0, count: 13) + [1]]
        let first = try ReceiverAddress(of: plain, allowsPrivate: false, attempt: 0) { _ in addresses }
        #expect(first.url.absoluteString == "http://93.184.216.34:8080/x?y=1")
        #expect(first.host == "example.org:8080")
        let second = try ReceiverAddress(of: plain, allowsPrivate: false, attempt: 1) { _ in addresses }
        #expect(second.url.absoluteString == "http://[2606::1]:8080/x?y=1", "each address is used in turn")
        let secure = try #require(URL(string: "https://example.org/x"))
        let named = try ReceiverAddress(of: secure, allowsPrivate: false) { _ in addresses }
        #expect(named.url == secure)
        #expect(named.host == nil)
    }

    @Test(arguments: [
        ["TABLESIGHT_WEBHOOKS_URLS": "ftp://x/"], ["TABLESIGHT_WEBHOOKS_SECRET": "hush"],
        ["TABLESIGHT_WEBHOOKS_SECRET": "whsec_c2hvcnQ="],
    ])
    func `invalid receivers and secrets are refused at the start`(environment: [String: String]) async throws {
        let settings = try await Settings(environment: environment)
        #expect { try WebhookSettings(settings) } throws: { ($0 as? StartupError)?.exitCode == .configuration }
    }
}
