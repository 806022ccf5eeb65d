import Foundation
import Core
import Settings

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
