import Core
import Foundation
import Queue
import Settings

/// The broker to which outcomes are published.
package struct MQTTSettings: Sendable, Hashable {
    /// The broker's name in the outbox. It stays the same when the address changes, so waiting events follow.
    static let receiver = "mqtt"

    /// Host without brackets, and port.
    package var host: String
    package var port: Int
    package var requiresTLS: Bool
    /// First words of the topics, without a slash at either end.
    package var prefix = "tablesight"
    package var user: String?
    package var password: String?
    /// File with certificates to trust; nil trusts those of the system.
    package var authorities: String?
    /// The daemon's name at the broker, which disconnects an older client of the same name.
    package var clientID = "tablesight"
    /// Home Assistant's discovery prefix; nil publishes no descriptions.
    package var discoveryPrefix: String? = "homeassistant"
    /// Longest time of one call.
    package var wait = Duration.seconds(10)

    /// - Throws: ``StartupError`` (78) unless the address is `mqtt://HOST:PORT` or `mqtts://HOST:PORT`.
    package init(address: String) throws(StartupError) {
        guard let parts = URLComponents(string: address), ["mqtt", "mqtts"].contains(parts.scheme),
            let host = parts.host, !host.isEmpty, ["", "/"].contains(parts.path), parts.query == nil
        else {
            throw StartupError(
                .configuration,
                "mqtt.url: \(address.withoutSecrets) is not an address such as mqtt://HOST:1883 or mqtts://HOST:8883")
        }
        guard parts.user == nil, parts.password == nil else {
            throw StartupError(
                .configuration,
                "mqtt.url must not hold a user name or a password: write them into a file and set mqtt.credentials")
        }
        self.host = host.trimmingCharacters(in: ["[", "]"])
        requiresTLS = parts.scheme == "mqtts"
        port = parts.port ?? (requiresTLS ? 8883 : 1883)
    }

    package init?(_ settings: Settings) throws(StartupError) {
        guard let address = settings.text("mqtt.url") else { return nil }
        try self.init(address: address)
        prefix = try Self.topic(settings.text("mqtt.prefix") ?? prefix, "mqtt.prefix")
        if let file = settings.text("mqtt.credentials") {
            guard case .user(let name, let password) = try QueueCredentials(file: file) else {
                throw StartupError(
                    .configuration, "mqtt.credentials: \(file) must hold user name and password, on two lines")
            }
            (user, self.password) = (name, password)
        }
        authorities = settings.text("mqtt.ca")
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw StartupError(.configuration, "mqtt.ca: cannot read \(authorities): check path and permissions")
        }
        clientID = settings.text("mqtt.clientId") ?? prefix
        let discovery = try Self.topic(settings.text("mqtt.discoveryPrefix") ?? "homeassistant", "mqtt.discoveryPrefix")
        discoveryPrefix = settings.flag("mqtt.discovery") ? discovery : nil
    }

    private static func topic(_ text: String, _ key: String) throws(StartupError) -> String {
        let words = text.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain =
            text.utf8.count <= 100
            && words.allSatisfy { word in
                !word.isEmpty
                    && word.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x23 && $0 != 0x2B && $0 != 0x24 }
            }
        guard isPlain else {
            throw StartupError(
                .configuration, "\(key): \(text) is not a topic: use at most 100 letters and digits, without # + $")
        }
        return text
    }

    /// For messages: `mqtts://broker.local:8883`.
    package var address: String {
        "\(requiresTLS ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// The topic below the prefix.
    func topic(_ name: String) -> String { prefix + "/" + name }
}
