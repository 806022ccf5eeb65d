import Core
import Foundation

/// Address of a NATS server: `nats://host:port`, or `tls://host:port`, which requires TLS.
package struct QueueAddress: Sendable, Hashable, CustomStringConvertible {
    package let host: String
    package let port: Int
    package let requiresTLS: Bool

    /// NATS' own port.
    private static let usualPort = 4222

    /// - Throws: ``StartupError`` (78) that says what is wrong with the address.
    package init(_ text: String) throws(StartupError) {
        func wrong(_ reason: String) -> StartupError {
            StartupError(.configuration, "the queue's address \(text) \(reason)")
        }
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, ["nats", "tls"].contains(scheme),
            let host = parts.host, !host.isEmpty
        else { throw wrong("is not an address such as nats://host:4222 or tls://host:4222") }
        // A command line is visible to every user of the machine.
        guard parts.user == nil, parts.password == nil else {
            throw StartupError(
                .configuration,
                "the queue's address must not hold a user name or a password: put them into a file, two lines, "
                    + "and name it with --queue-credentials")
        }
        guard ["", "/"].contains(parts.path), parts.query == nil else { throw wrong("has more than host and port") }
        self.host = host
        port = parts.port ?? Self.usualPort
        requiresTLS = scheme == "tls"
    }

    /// The address for the library.
    package var description: String { "\(requiresTLS ? "tls" : "nats")://\(host):\(port)" }

    /// True if only programs of this machine can reach the server.
    package var isLoopback: Bool {
        let name = host.trimmingCharacters(in: ["[", "]"]).lowercased()
        if name == "localhost" || name == "::1" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
