import Core
import Foundation
import Hashing
import Settings

/// A message of the Standard Webhooks specification 1.0: `webhook-id`, `webhook-timestamp`, `webhook-signature`.
struct WebhookMessage: Sendable {
    var id: String
    /// Time of this attempt in seconds since 1970; receivers reject old messages.
    var timestamp: Int
    var body: Data

    /// The headers, with a signature if there is a secret.
    func headers(secret: Data) -> [String: String] {
        var headers = [
            "content-type": "application/json", "webhook-id": id, "webhook-timestamp": "\(timestamp)",
            "user-agent": "tablesight",
        ]
        if !secret.isEmpty { headers["webhook-signature"] = signature(secret: secret) }
        return headers
    }

    /// `v1,` and the base64 of HMAC-SHA-256 over id, timestamp and body, joined by dots.
    func signature(secret: Data) -> String {
        let signed = Data("\(id).\(timestamp).".utf8) + body
        let code = SHA256.authenticationCode(of: signed, key: secret)
        return "v1," + Data(code).base64EncodedString()
    }
}

/// Receivers of webhooks, and the signature's secret.
package struct WebhookSettings: Sendable, Hashable {
    package var receivers: [String] = []
    /// Bytes of the secret; empty sends no signature.
    package var secret = Data()
    /// True also sends to private, loopback and link-local addresses.
    package var allowsPrivate = false

    package init() {}

    /// - Throws: ``StartupError`` (78) for an invalid address, or a secret that is not `whsec_` and base64.
    package init(_ settings: Settings) throws(StartupError) {
        receivers = settings.list("webhooks.urls")
        allowsPrivate = settings.flag("webhooks.allowPrivate")
        for receiver in receivers {
            guard let url = URL(string: receiver), ["http", "https"].contains(url.scheme), url.host != nil else {
                throw StartupError(
                    .configuration, "webhooks.urls: \(receiver.withoutSecrets) is not an http or https address")
            }
        }
        guard let text = settings.text("webhooks.secret") else { return }
        guard text.hasPrefix("whsec_"), let bytes = Data(base64Encoded: String(text.dropFirst(6))), bytes.count >= 16
        else {
            throw StartupError(
                .configuration,
                "webhooks.secret must be whsec_ and the base64 of at least 16 bytes: "
                    + "create it with `openssl rand -base64 32`")
        }
        secret = bytes
    }
}
