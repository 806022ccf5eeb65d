import Core
import Foundation
import Hashing

/// Address of a NATS server: `nats://host:port`, or `tls://host:port`, which requires TLS.
package struct QueueAddress: Sendable, Hashable, CustomStringConvertible {
    package let host: String
    package let port: Int
    package let requiresTLS: Bool

    /// NATS' own port.
    private static let usualPort = 4222

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

    package var description: String { "\(requiresTLS ? "tls" : "nats")://\(host):\(port)" }

    /// True if only programs of this machine can reach the server.
    package var isLoopback: Bool {
        let name = host.trimmingCharacters(in: ["[", "]"]).lowercased()
        if name == "localhost" || name == "::1" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

/// The versions that decide what a worker reads in a photo: of the program, and of its networks, languages and tables.
package struct ReaderVersions: Sendable, Hashable, Codable {
    package var program = ProgramVersion.current
    package var readers: String

    /// A word of a subject.
    package var key: String {
        String(SHA256.hexadecimal(SHA256.digest(of: "\(program) \(readers)".utf8)).prefix(16))
    }
}

/// Names of one installation's streams and subjects. Each daemon needs a prefix of its own on a server.
package struct QueueNames: Sendable, Hashable {
    package let prefix: String

    /// - Throws: ``StartupError`` (78) if the prefix cannot be part of a name.
    package init(prefix: String) throws(StartupError) {
        let allowed = prefix.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard allowed, (1...32).contains(prefix.utf8.count) else {
            throw StartupError(
                .configuration,
                "queue.prefix is \(prefix), but must have 1 to 32 letters, digits, hyphens and underscores")
        }
        self.prefix = prefix
    }

    var jobs: String { "\(prefix)_jobs" }
    var jobSubjects: String { "\(prefix).jobs.>" }
    func jobSubject(_ versions: ReaderVersions) -> String { "\(prefix).jobs.\(versions.key)" }
    /// Workers of other versions bind to other consumers, so they never receive the job.
    func consumer(_ versions: ReaderVersions) -> String { "v-\(versions.key)" }
    var results: String { "\(prefix)_results" }
    var resultSubject: String { "\(prefix).results" }
    var resultConsumer: String { "daemon" }
    var daemonInbox: String { "\(prefix).inbox.daemon" }
    var workerInbox: String { "\(prefix).inbox.worker" }
    /// Whoever publishes jobs answers here.
    var owner: String { "\(prefix).owner" }
}

package struct QueueOwner: Sendable, Hashable, Codable {
    /// Drawn at each start.
    package var id: String
    package var versions: ReaderVersions
}
