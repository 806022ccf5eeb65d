/// The address under which phones and browsers reach the app, such as `https://kitchen.local`.
package struct PublicAddress: Sendable, Hashable {
    /// Scheme, host and port, without a slash at the end.
    package let text: String
    /// Host as in the header `Host`, without the port; an IPv6 address has brackets.
    package let host: String

    /// The port of HTTP beside it; nil for that of a proxy.
    package var plainPort: Int?

    package var isEncrypted: Bool { text.hasPrefix("https:") }

    /// - Returns: nil for a text that is not `http://` or `https://`, a host in ASCII and perhaps a port.
    package init?(_ typed: String) {
        let form = /(https?:\/\/)([a-z0-9][a-z0-9.-]*|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/?/
        guard typed.utf8.count <= 300, let parts = typed.lowercased().wholeMatch(of: form)?.output,
            parts.3.map({ (1...65535).contains(Int($0.dropFirst()) ?? 0) }) ?? true
        else { return nil }
        host = String(parts.2)
        text = "\(parts.1)\(parts.2)\(parts.3 ?? "")"
    }

    /// The page on which a phone learns to trust the certificate of the house. It is served without TLS.
    package var trustPage: String { "http://\(host)\(plainPort.map { ":\($0)" } ?? "")/trust" }
}
