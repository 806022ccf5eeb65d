import Core
import Foundation
import Glibc

/// A host name or an address of the house, as a certificate names it.
package struct CertifiedHost: Sendable, Hashable {
    /// Small letters; an IPv6 address is in its short form, without brackets.
    package let text: String
    package let isAddress: Bool

    /// - Throws: ``StartupError`` (64) that says what is wrong with the name.
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
