import Core
import Foundation
import Glibc

/// A host name or an address of the house, as a certificate names it.
package struct CertifiedHost: Sendable, Hashable {
    /// Small letters; an IPv6 address is in its short form, without brackets.
    package let text: String
    package let isAddress: Bool

    package init(_ typed: String) throws(StartupError) {
        let name = typed.lowercased()
        if let address = Self.address(name.hasPrefix("[") ? name.trimmingCharacters(in: ["[", "]"]) : name) {
            (text, isAddress) = (address, true)
            return
        }
        if name.contains("/") || name.contains(":") {
            throw StartupError(
                .usage, "\(typed): give the name alone, such as kitchen.local, without https:// and port")
        }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName =
            name.utf8.count <= 253
            && labels.allSatisfy { $0.wholeMatch(of: /[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?/) != nil }
            && labels.last?.allSatisfy(\.isNumber) == false
        guard isName else {
            throw StartupError(
                .usage, "\(typed) is not a host name: letters a to z, digits, hyphens and dots; others as xn--…")
        }
        (text, isAddress) = (name, false)
    }

    /// As in an address of the web and in nginx: IPv6 has brackets.
    package var inAddress: String { text.contains(":") ? "[\(text)]" : text }

    private static func address(_ text: String) -> String? {
        for (family, length) in [(AF_INET, INET_ADDRSTRLEN), (AF_INET6, INET6_ADDRSTRLEN)] {
            var bytes = in6_addr()
            var shown = [CChar](repeating: 0, count: Int(length))
            if inet_pton(family, text, &bytes) == 1, inet_ntop(family, &bytes, &shown, socklen_t(length)) != nil {
                return String(decoding: shown.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
        return nil
    }
}

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
