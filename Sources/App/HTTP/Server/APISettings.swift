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
