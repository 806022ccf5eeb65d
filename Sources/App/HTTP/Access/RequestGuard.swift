import Core
import Foundation
import Hashing
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Passes requests that use an allowed host name, come from no other site, and have a token; finds out whose it is.
///
/// A wrong host or origin gives 403, a missing or wrong token 401. `Authorization: Bearer` has the daemon's own key or the
/// token of a device; the cookie `tablesight` has that of a device only. For GET the token is also read from `?token=`,
/// because browsers' event streams cannot send headers. A request that changes something and has only the cookie needs an
/// `Origin` that is this server's own.
struct RequestGuard: RouterMiddleware {
    private let settings: APISettings
    private let logger: Logger
    private let digest: [UInt8]
    private let failures = GuessLimit(each: 60, all: 10_000)

    init(_ settings: APISettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        digest = SHA256.digest(of: settings.token.utf8)
    }

    private enum Place { case header, cookie, address }

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        try HostGuard(settings).check(request)
        guard let (token, place) = token(of: request), let identity = try identity(of: token, place, request) else {
            if let page = settings.signInPage, request.method == .get, request.accepts(html: true) {
                return try page(Call(request, context))
            }
            try failures.take(context.guesser(request))
            throw HTTPError(
                .unauthorized, headers: [.wwwAuthenticate: "Bearer"],
                message: "send the token as `Authorization: Bearer …`; see api-token in the output folder")
        }
        // A link with the daemon's own key signs the browser in: it gets a device of its own, and the key leaves the address
        // and never becomes a cookie. A link with the token of a device would share that device with whoever opens it.
        if let page = settings.signedInPage, identity.holder == .key, place != .header, request.accepts(html: true),
            let own = try settings.identities?.addDevice(named: request.deviceName)
        {
            return try page(Call(request, context), own)
        }
        if place == .cookie, ![.get, .head].contains(request.method), !HostGuard.isSameOrigin(request) {
            throw HTTPError(.forbidden, message: "a request with the cookie must come from this server's own page")
        }
        if identity.holder == .key, ![.get, .head].contains(request.method) {
            logger.notice(
                "a change with the daemon's own key",
                metadata: [
                    "method": "\(request.method)", "path": "\(request.uri.path)",
                    "member": "\(identity.member?.name ?? "none")",
                ])
        }
        var context = context
        context.identity = identity
        let identities = settings.identities
        let isKey = identity.holder == .key
        context.isStillKnown = { isKey || identities?.identity(ofToken: token) != nil }
        return try await next(request, context)
    }

    private func identity(of token: String, _ place: Place, _ request: Request) throws -> Identity? {
        guard SHA256.areEqual(SHA256.digest(of: token.utf8), digest) else {
            return settings.identities?.identity(ofToken: token)
        }
        // A browser that kept the key of an earlier version gets a token of its own with its next page.
        if place == .cookie, request.method != .get || !request.accepts(html: true) { return nil }
        let name = HTTPField.Name(Identity.header).flatMap { request.headers[$0]?.removingPercentEncoding }
        return try settings.identities?.identity(ofKeyFor: name) ?? .key
    }

    private func token(of request: Request) -> (String, Place)? {
        if let header = request.headers[.authorization], header.hasPrefix("Bearer ") {
            return (String(header.dropFirst(7)), .header)
        }
        if request.method == .get, let token = request.uri.queryParameters["token"] { return (String(token), .address) }
        return request.cookies["tablesight"].map { ($0.value, .cookie) }
    }
}

/// Passes requests that use an allowed host name and come from no other site. Sign-in page and style need no more.
package struct HostGuard: RouterMiddleware {
    private let settings: APISettings

    private static let loopback: Set = ["127.0.0.1", "localhost", "[::1]", "::1"]

    init(_ settings: APISettings) { self.settings = settings }

    package func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        try check(request)
        return try await next(request, context)
    }

    func check(_ request: Request) throws {
        guard let authority = request.head.authority, isAllowed(authority) else {
            throw HTTPError(.forbidden, message: "this host name is not allowed: add it to api.allowedHosts")
        }
        if let origin = request.headers[.origin], !isAllowed(origin: origin), !Self.isSameOrigin(request) {
            throw HTTPError(.forbidden, message: "requests from other sites are not allowed")
        }
    }

    /// True if the browser names this server, port included, as the page's origin.
    package static func isSameOrigin(_ request: Request) -> Bool {
        guard let origin = request.headers[.origin], let authority = request.head.authority,
            let range = origin.range(of: "://")
        else { return false }
        return origin[range.upperBound...].lowercased() == authority.lowercased()
    }

    /// True if the name leads every machine to itself.
    package static func isLoopback(_ authority: String) -> Bool { loopback.contains(name(of: authority).lowercased()) }

    /// A website that tricks a browser into calling this server uses a name. So an address in digits is allowed, where
    /// other machines may call at all.
    private func isAllowed(_ authority: String) -> Bool {
        let name = Self.name(of: authority).lowercased()
        return isNamed(name) || !Self.isLoopback(settings.host) && Self.isAddress(name)
    }

    private func isNamed(_ name: String) -> Bool {
        Self.loopback.contains(name) || settings.allowedHosts.contains { $0.lowercased() == name }
    }

    /// True for an IPv4 address, or an IPv6 address in brackets.
    private static func isAddress(_ name: String) -> Bool {
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        return (try? SocketAddress(ipAddress: isBracketed ? String(name.dropFirst().dropLast()) : name, port: 0))
            .map { isBracketed == ($0.protocol == .inet6) } ?? false
    }

    private func isAllowed(origin: String) -> Bool {
        guard let range = origin.range(of: "://"), ["http", "https"].contains(origin[..<range.lowerBound]) else {
            return false
        }
        return isNamed(Self.name(of: String(origin[range.upperBound...])).lowercased())
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
    /// A name for the browser that sends this, such as `Firefox, Android`; it distinguishes the devices of a list.
    package var deviceName: String {
        let agent = headers[.userAgent] ?? ""
        // The order counts: browsers name those that they descend from.
        let browser = ["Firefox", "Edg", "OPR", "Chrome", "Safari"].first { agent.contains($0) }
        let system = ["Android", "iPhone", "iPad", "Windows", "Macintosh", "Linux"].first { agent.contains($0) }
        let names = ["Edg": "Edge", "OPR": "Opera", "Macintosh": "Mac"]
        let found = [browser, system].compactMap { $0 }.map { names[$0] ?? $0 }
        return found.isEmpty ? "?" : found.joined(separator: ", ")
    }

    /// True if the client prefers a page, as a browser does when a person opens an address.
    package func accepts(html: Bool) -> Bool { headers[.accept]?.contains("text/html") == html }
}
