import Core
import Engine
import Foundation
import Glibc
import Hashing
import Store

/// The certificate authority of one house and the certificate of its app, made by Debian's openssl.
///
/// Phones trust the authority once. It signs names and addresses of the house only (name constraints), so that a stolen
/// key opens no bank.
package struct HouseCertificate: Sendable {
    package struct Made: Sendable {
        package var hosts: [CertifiedHost]
        /// Days in ISO 8601.
        package var ends, authorityEnds: String
        /// SHA-256 of the authority, as phones show it.
        package var fingerprint: String
        /// True if phones have to trust a new authority.
        package var isNewAuthority: Bool
    }

    package let folder: FilePathBytes

    /// Days, as browsers accept them: at most 398 for a server, any number for an authority that a person trusts.
    static let days = 397
    static let authorityDays = 3650

    /// - Parameter folder: relative to the current folder, or absolute; it may be missing.
    package init(in folder: FilePathBytes) {
        let isAbsolute = folder.bytes.first == UInt8(ascii: "/")
        let current = FilePathBytes(FileManager.default.currentDirectoryPath)
        self.folder = isAbsolute ? folder : current?.appending(folder) ?? folder
    }

    /// Where the daemon of this output folder looks for its authority.
    package static func usualFolder(in output: FilePathBytes) -> FilePathBytes { output.appending(names: "https") }

    /// What phones trust.
    package var authority: FilePathBytes { folder.appending(names: "authority.crt") }
    /// New files until they are complete.
    private var work: FilePathBytes { folder.appending(names: ".making-\(getpid())") }
    private var authorityKey: FilePathBytes { folder.appending(names: "authority.key") }
    /// Certificate and key of the app in one file, so that they are replaced together.
    package var server: FilePathBytes { folder.appending(names: "server.pem") }

    // MARK: Making

    /// Makes a certificate for the hosts, and the authority if it is missing.
    ///
    /// - Parameters:
    ///   - hosts: none keeps those of the present certificate.
    ///   - replacesAuthority: phones must trust the new one.
    package func make(for hosts: [CertifiedHost], replacesAuthority: Bool = false) throws(StartupError) -> Made {
        guard folder.base64IfNotUTF8 == nil else {
            throw StartupError(
                .usage, "openssl and nginx need a folder whose name is valid UTF-8: use another --folder")
        }
        try OutputFolder.make(folder)
        try? FileManager.default.removeItem(atPath: work.display)
        guard work.withCString({ mkdir($0, 0o700) }) == 0 else {
            throw StartupError(
                .inputOutput, "cannot make the folder \(work.display): \(String(cString: strerror(errno)))")
        }
        defer { try? FileManager.default.removeItem(atPath: work.display) }
        let openssl = try OpenSSL(in: URL(filePath: work.display))
        let hosts = hosts.isEmpty ? try presentHosts(openssl) : hosts
        guard !hosts.isEmpty else {
            throw StartupError(
                .usage, "name the host names and addresses that phones use, such as kitchen.local 192.168.1.20")
        }
        let known = try authorityState(openssl)
        let isNew = replacesAuthority || known == .missing
        if !isNew, known == .endsSoon {
            throw StartupError(
                .configuration,
                "the authority \(authority.display) ends within \(Self.days) days: make a new one with "
                    + "--new-authority; each phone must then trust it")
        }
        try write(Self.settings(for: hosts), to: work.appending(names: "openssl.cnf"))
        if isNew { try makeAuthority(openssl, name: hosts[0]) }
        let place = isNew ? work : folder
        try makeServer(openssl, name: hosts[0], authority: place)
        // The key first: an authority without its key would be in the way of the next run.
        if isNew {
            try move(work.appending(names: "authority.key"), to: authorityKey)
            try move(work.appending(names: "authority.crt"), to: authority)
        }
        try move(work.appending(names: "server.pem"), to: server)
        return Made(
            hosts: hosts, ends: try Self.end(of: server, openssl), authorityEnds: try Self.end(of: authority, openssl),
            fingerprint: Self.authority(at: authority)?.fingerprint ?? "", isNewAuthority: isNew)
    }

    private enum AuthorityState { case missing, endsSoon, present }

    private func authorityState(_ openssl: OpenSSL) throws(StartupError) -> AuthorityState {
        let (hasKey, hasCertificate) = (Self.exists(authorityKey), Self.exists(authority))
        // A run that was ended between the two files leaves the key alone.
        guard hasCertificate else { return .missing }
        guard hasKey else {
            throw StartupError(
                .configuration,
                "\(authorityKey.display) is missing: put it back, or make a new authority with --new-authority; "
                    + "each phone must then trust it")
        }
        let seconds = "\(Self.days * 86_400)"
        let lasts = try openssl.run(["x509", "-in", authority.display, "-noout", "-checkend", seconds]).isRight
        return lasts ? .present : .endsSoon
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"]

    private func makeAuthority(_ openssl: OpenSSL, name: CertifiedHost) throws(StartupError) {
        try openssl.check(
            ["req", "-x509"] + Self.newKey + [
                "-sha256", "-days", "\(Self.authorityDays)", "-config", "openssl.cnf", "-extensions", "authority",
                "-subj", "/O=Tablesight/CN=Tablesight \(name.text.prefix(50))", "-keyout", "authority.key", "-out",
                "authority.crt",
            ])
    }

    /// Makes `server.pem` in openssl's folder.
    private func makeServer(
        _ openssl: OpenSSL, name: CertifiedHost, authority place: FilePathBytes
    ) throws(StartupError) {
        let (certificate, key) = (place.appending(names: "authority.crt"), place.appending(names: "authority.key"))
        try openssl.check(
            ["req"] + Self.newKey + [
                "-config", "openssl.cnf", "-subj", "/CN=\(name.text.prefix(64))", "-keyout", "server.key", "-out",
                "server.csr",
            ])
        let number = (0..<2).map { _ in "\(UInt64.random(in: 1...UInt64.max))" }.joined()
        try openssl.check([
            "x509", "-req", "-in", "server.csr", "-sha256", "-days", "\(Self.days)", "-CA", certificate.display,
            "-CAkey", key.display, "-set_serial", number, "-extfile", "openssl.cnf", "-extensions", "server",
            "-out", "server.crt",
        ])
        let verified = try openssl.run(["verify", "-CAfile", certificate.display, "server.crt"])
        guard verified.isRight else {
            guard (verified.output + verified.errors).contains("subtree") else {
                throw StartupError(.unavailable, "the new certificate is not valid: \(verified.errors)")
            }
            throw StartupError(
                .usage,
                "the authority was made for other names and may not sign for all of these: make a new one with "
                    + "--new-authority; each phone must then trust it")
        }
        let parts = [work.appending(names: "server.crt"), work.appending(names: "server.key")]
        var text = ""
        for part in parts {
            guard let own = try? String(contentsOfFile: part.display, encoding: .utf8) else {
                throw StartupError(.inputOutput, "cannot read \(part.display)")
            }
            text += own
        }
        try write(text, to: work.appending(names: "server.pem"))
    }

    private func write(_ text: String, to file: FilePathBytes) throws(StartupError) {
        try SidecarFile.write(Data(text.utf8), to: file)
    }

    private func move(_ file: FilePathBytes, to target: FilePathBytes) throws(StartupError) {
        // Keys are for their owner, whatever the umask was.
        let isMoved = file.withCString { from in
            chmod(from, 0o600) == 0 && target.withCString { rename(from, $0) == 0 }
        }
        guard isMoved else {
            throw StartupError(
                .inputOutput, "cannot write \(target.display): \(String(cString: strerror(errno)))")
        }
    }

    // MARK: openssl's settings

    /// Names that belong to houses (RFC 6762, RFC 8375, ICANN's `internal`, and what routers use), and private addresses.
    private static let privateNames = ["local", "home.arpa", "internal", "lan"]
    private static let privateAddresses = [
        "10.0.0.0/255.0.0.0", "172.16.0.0/255.240.0.0", "192.168.0.0/255.255.0.0", "169.254.0.0/255.255.0.0",
        "127.0.0.0/255.0.0.0", "fc00::/fe00::", "fe80::/ffc0::",
    ]

    /// `openssl.cnf` for both certificates.
    static func settings(for hosts: [CertifiedHost]) -> String {
        let (names, addresses) = (hosts.filter { !$0.isAddress }, hosts.filter(\.isAddress))
        let foreign = names.map(\.text).filter { name in
            !privateNames.contains { name == $0 || name.hasSuffix(".\($0)") }
        }
        let single = addresses.map { host in
            "\(host.text)/" + (host.text.contains(":") ? "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff" : "255.255.255.255")
        }
        func list(_ prefix: String, _ kind: String, _ values: [String]) -> [String] {
            values.enumerated().map { "\(prefix)\(kind).\($0.offset + 1) = \($0.element)" }
        }
        let lines =
            [
                // The names of the certificates are on the command line.
                "[req]", "distinguished_name = none", "[none]", "[authority]",
                "basicConstraints = critical, CA:true, pathlen:0",
                "keyUsage = critical, keyCertSign, cRLSign", "subjectKeyIdentifier = hash",
                "nameConstraints = critical, @allowed", "[allowed]",
            ] + list("permitted;", "DNS", privateNames + foreign)
            + list("permitted;", "IP", privateAddresses + single) + [
                "[server]", "basicConstraints = critical, CA:false", "keyUsage = critical, digitalSignature",
                "extendedKeyUsage = serverAuth", "subjectKeyIdentifier = hash", "authorityKeyIdentifier = keyid",
                "subjectAltName = @names", "[names]",
            ] + list("", "DNS", names.map(\.text)) + list("", "IP", addresses.map(\.text))
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Reading

    /// The hosts of the present certificate; none without one.
    private func presentHosts(_ openssl: OpenSSL) throws(StartupError) -> [CertifiedHost] {
        guard Self.exists(server) else { return [] }
        let text = try openssl.check(["x509", "-in", server.display, "-noout", "-ext", "subjectAltName"])
        var hosts: [CertifiedHost] = []
        for match in text.matches(of: /(?:DNS|IP Address):([^,\s]+)/) {
            hosts.append(try CertifiedHost(String(match.1)))
        }
        return hosts
    }

    /// The last day of a certificate.
    private static func end(of file: FilePathBytes, _ openssl: OpenSSL) throws(StartupError) -> String {
        let text = try openssl.check(["x509", "-in", file.display, "-noout", "-enddate", "-dateopt", "iso_8601"])
        return String(text.split(separator: "=").last?.prefix(10) ?? "")
    }

    private static func exists(_ file: FilePathBytes) -> Bool { file.withCString { access($0, F_OK) } == 0 }

    /// The authority's certificate (PEM) and the SHA-256 of its bytes, in the form in which phones show it; nil if the file
    /// is missing or holds something else.
    package static func authority(at file: FilePathBytes) -> (certificate: Data, fingerprint: String)? {
        guard let data = try? Data(contentsOf: URL(filePath: file.display)), data.count < 16_384 else { return nil }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        // The daemon serves this file to everybody: a file with a key in it is not served.
        guard lines.first == "-----BEGIN CERTIFICATE-----", lines.last == "-----END CERTIFICATE-----",
            let bytes = Data(base64Encoded: lines.dropFirst().dropLast().joined()), !bytes.isEmpty
        else { return nil }
        let digest = SHA256.digest(of: bytes).map { byte in
            let hex = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "0" + hex : hex
        }
        return (data, digest.joined(separator: ":"))
    }

    /// The last day of the app's certificate, and if it is less than 30 days away; nil without a certificate or openssl.
    package func validity() -> (ends: String, endsSoon: Bool)? {
        guard Self.exists(server), let openssl = try? OpenSSL(in: URL(filePath: folder.display)),
            let ends = try? Self.end(of: server, openssl),
            let check = try? openssl.run(["x509", "-in", server.display, "-noout", "-checkend", "\(30 * 86_400)"])
        else { return nil }
        return (ends, !check.isRight)
    }
}
