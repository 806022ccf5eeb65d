import Core
import Foundation

/// The site of nginx before the daemon: `models/proxy/nginx.conf` with the names and files of this house.
package struct ProxySite: Sendable {
    private let template: String

    /// - Throws: ``StartupError`` (69) if the template is missing.
    package init(from models: ModelFolder) throws(StartupError) {
        let file = models.url.appending(path: "proxy/nginx.conf")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw StartupError(.unavailable, "cannot read \(file.path): restore it from the repository")
        }
        template = text
    }

    /// The site's text.
    ///
    /// - Parameters:
    ///   - daemon: host and port at which nginx reaches the daemon.
    ///   - certificate: absolute path of a file with certificate and key.
    /// - Throws: ``StartupError`` (64) if nginx cannot name the file; (69) if the template lacks a part.
    package func text(
        for hosts: [CertifiedHost], daemon: String, certificate: String
    ) throws(StartupError) -> String {
        guard !certificate.contains(where: { "\"'\\$".contains($0) || $0.isNewline }) else {
            throw StartupError(
                .usage, "nginx cannot read files in \(certificate): use a --folder without quotes, $ and backslashes")
        }
        let head = "# Written by `tablesight household certificate`, which replaces this file: change a copy of it.\n"
        // The comment at the top of the template is for its readers.
        let lines = template.split(separator: "\n", omittingEmptySubsequences: false)
        var text = lines.drop { $0.hasPrefix("#") }.joined(separator: "\n")
        for (old, new) in [
            ("127.0.0.1:8765", daemon), ("tablesight.example", hosts.map(\.inAddress).joined(separator: " ")),
            ("/etc/ssl/certs/tablesight.pem", certificate), ("/etc/ssl/private/tablesight.key", certificate),
        ] {
            guard text.contains(old) else {
                throw StartupError(.unavailable, "models/proxy/nginx.conf lacks \(old): restore it from the repository")
            }
            text = text.replacing(old, with: new)
        }
        return head + text
    }
}
