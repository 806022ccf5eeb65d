import Foundation
import Hashing
import HTTPTypes
import Hummingbird
import Synchronization

/// Passes requests that use an allowed host name, come from no other site, and have the token.
///
/// A wrong host or origin gives 403, a missing or wrong token 401. The token is read from `Authorization: Bearer` or
/// the cookie `tablesight`; for GET also from `?token=`, because browsers' event streams cannot send headers. A request
/// that changes something and has only the cookie needs an `Origin` that is this server's own.
struct RequestGuard: RouterMiddleware {
    private let settings: APISettings
    private let digest: [UInt8]
    private let failures = GuessLimit(each: 60, all: 10_000)

    init(_ settings: APISettings) {
        self.settings = settings
        digest = SHA256.digest(of: settings.token.utf8)
    }

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        try HostGuard(settings).check(request)
        guard let (token, isCookie) = token(of: request), let holder = holder(of: token) else {
            if let page = settings.signInPage, request.method == .get, request.accepts(html: true) {
                return page(request)
            }
            try failures.take(context.guesser(request))
            throw HTTPError(
                .unauthorized, headers: [.wwwAuthenticate: "Bearer"],
                message: "send the token as `Authorization: Bearer …`; see api-token in the output folder")
        }
        // A link with a token, such as that of a QR code, signs the browser in; the token leaves the address.
        if let page = settings.signedInPage, request.uri.queryParameters["token"] != nil, request.accepts(html: true) {
            return page(request, token)
        }
        if isCookie, ![.get, .head].contains(request.method), !HostGuard.isSameOrigin(request) {
            throw HTTPError(.forbidden, message: "a request with the cookie must come from this server's own page")
        }
        var context = context
        context.holder = holder
        return try await next(request, context)
    }

    private func holder(of token: String) -> TokenHolder? {
        if SHA256.areEqual(SHA256.digest(of: token.utf8), digest) { return .key }
        return settings.device?(token).map { .device($0) }
    }

    private func token(of request: Request) -> (String, isCookie: Bool)? {
        if let header = request.headers[.authorization], header.hasPrefix("Bearer ") {
            return (String(header.dropFirst(7)), false)
        }
        if let cookie = request.cookies["tablesight"]?.value { return (cookie, true) }
        return request.method == .get ? request.uri.queryParameters["token"].map { (String($0), false) } : nil
    }
}

/// Passes requests that use an allowed host name and come from no other site. Sign-in page and style need no more.
public struct HostGuard: RouterMiddleware {
    private let settings: APISettings

    private static let loopback: Set = ["127.0.0.1", "localhost", "[::1]", "::1"]

    init(_ settings: APISettings) { self.settings = settings }

    public func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        try check(request)
        return try await next(request, context)
    }

    func check(_ request: Request) throws {
        guard let authority = request.head.authority, isAllowed(authority) else {
            throw HTTPError(.forbidden, message: "this host name is not allowed: add it to api.allowedHosts")
        }
        if let origin = request.headers[.origin], !isAllowed(origin: origin) {
            throw HTTPError(.forbidden, message: "requests from other sites are not allowed")
        }
    }

    /// True if the browser names this server, port included, as the page's origin.
    public static func isSameOrigin(_ request: Request) -> Bool {
        guard let origin = request.headers[.origin], let authority = request.head.authority,
            let range = origin.range(of: "://")
        else { return false }
        return origin[range.upperBound...].lowercased() == authority.lowercased()
    }

    /// True if the name leads every machine to itself.
    public static func isLoopback(_ authority: String) -> Bool { loopback.contains(name(of: authority).lowercased()) }

    private func isAllowed(_ authority: String) -> Bool {
        let name = Self.name(of: authority).lowercased()
        return Self.loopback.contains(name) || settings.allowedHosts.contains { $0.lowercased() == name }
    }

    private func isAllowed(origin: String) -> Bool {
        guard let range = origin.range(of: "://"), ["http", "https"].contains(origin[..<range.lowerBound]) else {
            return false
        }
        return isAllowed(String(origin[range.upperBound...]))
    }

    /// The host name without the port; the whole text where something else than a port follows the name.
    private static func name(of authority: String) -> String {
        let end =
            authority.hasPrefix("[")
            ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : authority.firstIndex(of: ":")
        guard let end, authority[end...].wholeMatch(of: /(:[0-9]{0,5})?/) != nil else { return authority }
        return String(authority[..<end])
    }
}

extension Request {
    /// True if the client prefers a page, as a browser does when a person opens an address.
    public func accepts(html: Bool) -> Bool { headers[.accept]?.contains("text/html") == html }
}
