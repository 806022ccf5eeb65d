import HTTPTypes
import Hummingbird

extension Response {
    /// Sets a cookie that no script reads and no other site sends. It is the one place that makes cookies.
    ///
    /// - Parameters:
    ///   - value: empty deletes the cookie.
    ///   - seconds: how long the browser keeps it.
    ///   - request: behind TLS the cookie is sent over TLS only.
    package mutating func setCookie(_ name: String, _ value: String, seconds: Int, for request: Request) {
        headers[values: .setCookie].append(
            "\(name)=\(value); Path=/; Max-Age=\(value.isEmpty ? 0 : seconds); HttpOnly; SameSite=Strict"
                + (request.isEncrypted ? "; Secure" : ""))
    }

    /// Has the browser delete what scripts and workers of this server stored in it. Cookies stay.
    package mutating func clearStorage() {
        guard let name = HTTPField.Name("Clear-Site-Data") else { return }
        headers[name] = "\"storage\""
    }
}

extension Request {
    /// True if the browser's connection has TLS here or ends at a proxy with TLS. A client that sends the header itself only gets a cookie
    /// and addresses that it cannot use without TLS.
    package var isEncrypted: Bool {
        Self.scheme.flatMap { headers[$0] }?.lowercased() == "https"
    }

    /// The request of a connection with TLS.
    var encrypted: Request {
        guard let name = Self.scheme else { return self }
        var head = head
        head.headerFields[name] = "https"
        return Request(head: head, body: body)
    }

    private static let scheme = HTTPField.Name("X-Forwarded-Proto")
}
