import Foundation
import Hashing

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
