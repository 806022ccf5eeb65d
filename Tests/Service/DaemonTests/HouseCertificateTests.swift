import Core
import Foundation
import TestSupport
import Testing

@testable import App
@testable import Daemon

/// The certificate for HTTPS in the house.
@Suite struct HouseCertificateTests {
    private static let isPossible = ["/usr/bin/openssl", "/usr/local/bin/openssl"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func certificate() throws -> HouseCertificate {
        HouseCertificate(in: try #require(FilePathBytes(folder.url.appending(path: "https").path)))
    }

    private func hosts(_ names: String...) throws -> [CertifiedHost] { try names.map { try CertifiedHost($0) } }

    private func openssl(_ arguments: String...) throws -> String {
        try OpenSSL(in: folder.url.appending(path: "https")).check(arguments)
    }

    // MARK: Names

    @Test(arguments: [
        ("Kitchen.local", "kitchen.local"), ("kitchen", "kitchen"), ("192.168.1.20", "192.168.1.20"),
        ("FD00:0:0:0::1", "fd00::1"), ("[fd00::1]", "fd00::1"), ("xn--kche-0ra.local", "xn--kche-0ra.local"),
    ])
    func `names and addresses are read in any spelling`(typed: String, text: String) throws {
        #expect(try CertifiedHost(typed).text == text)
    }

    @Test(arguments: [
        "", "https://kitchen.local", "kitchen.local:8443", "küche.local", "a b", "-a.local", "a..b", "1.2.3", "*.local",
        "kitchen\nDNS.9 = bank.example", "a,b", String(repeating: "a", count: 64),
    ])
    func `what is no host name is refused`(typed: String) throws {
        #expect { try CertifiedHost(typed) } throws: { ($0 as? StartupError)?.exitCode == .usage }
    }

    // MARK: Certificates

    @Test(.enabled(if: isPossible))
    func `the first run makes an authority for the house, and keys that only their owner reads`() throws {
        let certificate = try certificate()
        let made = try certificate.make(for: hosts("kitchen.local", "192.168.1.20", "pantry.example"))
        #expect(made.isNewAuthority)
        let authority = try openssl("x509", "-in", "authority.crt", "-noout", "-text")
        for part in ["CA:TRUE, pathlen:0", "DNS:local", "DNS:pantry.example", "IP:192.168.0.0/255.255.0.0"] {
            #expect(authority.contains(part), "\(authority)")
        }
        let server = try openssl("x509", "-in", "server.pem", "-noout", "-text")
        for part in ["CA:FALSE", "DNS:kitchen.local", "IP Address:192.168.1.20", "TLS Web Server Authentication"] {
            #expect(server.contains(part), "\(server)")
        }
        #expect(try openssl("verify", "-CAfile", "authority.crt", "server.pem") == "server.pem: OK\n")
        let days = try #require(
            Calendar(identifier: .gregorian).dateComponents(
                [.day], from: Date(), to: try Date("\(made.ends)T00:00:00Z", strategy: .iso8601)
            ).day)
        #expect((395...397).contains(days))
        let shown = try openssl("x509", "-in", "authority.crt", "-noout", "-fingerprint", "-sha256")
        #expect(shown.contains(made.fingerprint) && made.fingerprint.count == 95)
        for name in ["authority.key", "server.pem", "authority.crt"] {
            let file = folder.url.appending(path: "https/\(name)").path
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "https").path)
        #expect(left.sorted() == ["authority.crt", "authority.key", "server.pem"])
    }

    @Test(.enabled(if: isPossible))
    func `a renewal keeps the authority and the hosts`() throws {
        let certificate = try certificate()
        let first = try certificate.make(for: hosts("kitchen.local", "fd00::1"))
        let again = try certificate.make(for: [])
        #expect(!again.isNewAuthority && again.fingerprint == first.fingerprint && again.hosts == first.hosts)
        #expect(try openssl("verify", "-CAfile", "authority.crt", "server.pem") == "server.pem: OK\n")
        #expect(certificate.validity()?.endsSoon == false)
        let new = try certificate.make(for: [], replacesAuthority: true)
        #expect(new.isNewAuthority && new.fingerprint != first.fingerprint)
    }

    @Test(.enabled(if: isPossible))
    func `the authority signs for no foreign name, and what was there stays`() throws {
        let certificate = try certificate()
        _ = try certificate.make(for: hosts("kitchen.local"))
        let before = try Data(contentsOf: folder.url.appending(path: "https/server.pem"))
        #expect {
            try certificate.make(for: hosts("bank.example"))
        } throws: { "\($0)".contains("--new-authority") && ($0 as? StartupError)?.exitCode == .usage }
        #expect(try Data(contentsOf: folder.url.appending(path: "https/server.pem")) == before)
        #expect(try certificate.make(for: hosts("kitchen.local", "10.0.0.7")).isNewAuthority == false)
    }

    @Test(.enabled(if: isPossible)) func `an authority without its key is not replaced silently`() throws {
        let certificate = try certificate()
        _ = try certificate.make(for: hosts("kitchen.local"))
        try FileManager.default.removeItem(at: folder.url.appending(path: "https/authority.key"))
        #expect { try certificate.make(for: []) } throws: { ($0 as? StartupError)?.exitCode == .configuration }
    }

    @Test func `without hosts and without a certificate the command asks for them`() throws {
        #expect {
            try certificate().make(for: [])
        } throws: { [.usage, .unavailable].contains(($0 as? StartupError)?.exitCode) }
    }

    @Test func `a file with a key is never served as the authority`() throws {
        let file = try folder.write(
            Data("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8), to: "authority.crt")
        let path = try #require(FilePathBytes(file.path))
        #expect(HouseCertificate.authority(at: path) == nil)
        let both = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        try folder.write(Data((both + "-----BEGIN PRIVATE KEY-----\nAAAA\n" + both).utf8), to: "authority.crt")
        #expect(HouseCertificate.authority(at: path) == nil)
    }

    @Test(.enabled(if: isPossible)) func `a certificate that ends within a month is reported`() throws {
        let certificate = try certificate()
        #expect(certificate.validity() == nil)
        _ = try certificate.make(for: hosts("kitchen.local"))
        let database = try folder.write(Data(), to: "tablesight.sqlite")
        func finding() throws -> Doctor.Finding {
            try #require(Doctor.certificateFindings(beside: database).first)
        }
        #expect(try finding().state == .present)
        _ = try openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-days", "5",
            "-subj",
            "/CN=kitchen.local", "-keyout", "server.pem", "-out", "server.pem")
        #expect(try finding().state == .missing && finding().isNeeded == false)
        #expect(try finding().remedy?.hasPrefix("tablesight household certificate") == true)
    }

    // MARK: nginx

    @Test func `the site has the names, the daemon and the files of the house`() throws {
        let site = try ProxySite(from: ModelFolder(Repository.models))
        let text = try site.text(
            for: hosts("kitchen.local", "192.168.1.20", "fd00::1"), daemon: "127.0.0.1:9000",
            certificate: "/srv/a b/server.pem")
        #expect(text.contains("server_name kitchen.local 192.168.1.20 [fd00::1];"))
        #expect(text.contains("server 127.0.0.1:9000;"))
        #expect(text.contains("ssl_certificate \"/srv/a b/server.pem\";"))
        #expect(text.contains("ssl_certificate_key \"/srv/a b/server.pem\";"))
        #expect(!text.contains("example"))
        #expect { try site.text(for: hosts("a"), daemon: "b", certificate: "/srv/$host/x") } throws: {
            ($0 as? StartupError)?.exitCode == .usage
        }
    }
}
