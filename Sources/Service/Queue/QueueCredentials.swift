import Core
import Foundation
import Glibc
import Hashing

/// What a client proves itself with to a NATS server. All of it lies in files that only their owner may read.
package enum QueueCredentials: Sendable, Hashable {
    case none
    case user(String, password: String)
    /// The public key, and the file with its seed.
    case nkey(String, seedFile: String)
    /// A file with a JWT and its seed, as `nsc` makes it.
    case jwt(file: String)

    /// Reads a file of one of three kinds: two lines with user name and password, an NKey seed (`SU…`), or a
    /// credentials file of `nsc`.
    ///
    /// - Throws: ``StartupError`` (78) if the file cannot be read, has another format, or others may read it.
    package init(file: String) throws(StartupError) {
        try Self.checkOwner(of: file)
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw StartupError(
                .configuration, "cannot read the queue's credentials \(file): check path and permissions")
        }
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        if text.contains("-----BEGIN NATS USER JWT-----") {
            self = .jwt(file: file)
        } else if let first = lines.first, first.hasPrefix("SU"), first.count == NKey.length {
            guard let key = NKey.publicKey(ofSeed: first) else {
                throw StartupError(.configuration, "\(file) holds an NKey seed that is damaged: copy it again")
            }
            self = .nkey(key, seedFile: file)
        } else if lines.count == 2 {
            self = .user(lines[0], password: lines[1])
        } else {
            throw StartupError(
                .configuration,
                "\(file) holds no credentials: write user name and password on two lines, or an NKey seed (SU…), "
                    + "or use a .creds file")
        }
    }

    /// - Throws: ``StartupError`` (78) if other users may read the file.
    package static func checkOwner(of file: String) throws(StartupError) {
        var status = stat()
        guard stat(file, &status) == 0 else {
            throw StartupError(
                .configuration, "\(file): \(String(cString: strerror(errno))): name a file that exists")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw StartupError(.configuration, "\(file) can be read by others: chmod 600 \(file)")
        }
    }
}

package struct QueueServer: Sendable, Hashable {
    package var address: QueueAddress
    package var credentials: QueueCredentials
    /// Certificates to trust; nil trusts those of the system.
    package var authorities: String?
    /// The client's own certificate and key.
    package var certificate: (file: String, key: String)?
    /// Longest time of one call.
    package var wait = Duration.seconds(5)

    package init(
        address: QueueAddress, credentials: QueueCredentials = .none, authorities: String? = nil,
        certificate: (file: String, key: String)? = nil
    ) {
        self.address = address
        self.credentials = credentials
        self.authorities = authorities
        self.certificate = certificate
    }

    package static func == (one: QueueServer, other: QueueServer) -> Bool {
        one.address == other.address && one.credentials == other.credentials && one.authorities == other.authorities
            && one.certificate?.file == other.certificate?.file && one.certificate?.key == other.certificate?.key
            && one.wait == other.wait
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(address)
        hasher.combine(credentials)
    }
}
