import Hummingbird

/// Address and access rules of the API.
package struct APISettings: Sendable {
    /// Address to listen on; a loopback address by default.
    package var host: String
    /// Port; 0 uses any free one.
    package var port: Int
    /// Access token; every route except health requires it.
    package var token: String
    /// The household's devices and people; nil accepts the token above only.
    package var identities: (any APIIdentities)?
    /// Host names accepted in addition to the loopback's. A website that tricks a browser into calling this address
    /// uses another name.
    package var allowedHosts: [String]
    /// The address that people use, if it is not the one that the request names.
    package var publicAddress: PublicAddress?
    /// Port and certificate of HTTPS; nil serves HTTP only.
    package var encrypted: (port: Int, certificate: ServerCertificate)?
    /// Maximum open connections; the one that was idle longest is closed for a new one.
    package var mostConnections = 512
    /// Seconds after which an idle connection is closed, and in which the head of a request must be complete.
    package var idleSeconds: Int64 = 30

    /// Where it listens.
    package var ports: String {
        "\(host):\(port)" + (encrypted.map { " and \($0.port)" } ?? "")
    }

    /// The page for a browser without a valid token; nil answers 401.
    package var signInPage: (@Sendable (Call) throws -> Response)?
    /// The answer to a browser that opened a link with a valid token: it keeps the token of its device as a cookie.
    package var signedInPage: (@Sendable (Call, String) throws -> Response)?
    /// The answer to a browser whose user may not see the page.
    package var refusalPage: (@Sendable (Call) async throws -> Response)?

    /// The answer to a browser at an address that does not exist.
    package var unknownPage: (@Sendable (Call) async throws -> Response)?

    package init(
        host: String = "127.0.0.1", port: Int = 8765, token: String, allowedHosts: [String] = [],
        publicAddress: PublicAddress? = nil
    ) {
        self.host = host
        self.port = port
        self.token = token
        self.allowedHosts = allowedHosts + [publicAddress?.host].compactMap(\.self)
        self.publicAddress = publicAddress
    }
}

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
