import Foundation
import Hashing
import Hummingbird

/// Passes requests that use an allowed host name, come from no other site, and have the token.
///
/// A wrong host or origin gives 403, a missing or wrong token 401. The token is read from `Authorization: Bearer` or
/// the cookie `tablesight`; for GET also from `?token=`, because browsers' event streams cannot send headers.
struct RequestGuard: RouterMiddleware {
    private let settings: APISettings
    private let digest: [UInt8]

    private static let loopback: Set = ["127.0.0.1", "localhost", "[::1]", "::1"]

    init(_ settings: APISettings) {
        self.settings = settings
        digest = SHA256.digest(of: settings.token.utf8)
    }

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let authority = request.head.authority, isAllowed(authority) else {
            throw HTTPError(.forbidden, message: "this host name is not allowed: add it to api.allowedHosts")
        }
        if let origin = request.headers[.origin], !isAllowed(origin: origin) {
            throw HTTPError(.forbidden, message: "requests from other sites are not allowed")
        }
        guard let token = token(of: request), SHA256.areEqual(SHA256.digest(of: token.utf8), digest) else {
            throw HTTPError(
                .unauthorized, headers: [.wwwAuthenticate: "Bearer"],
                message: "send the token as `Authorization: Bearer …`; see api-token in the output folder")
        }
        return try await next(request, context)
    }

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

    /// The host name without the port.
    private static func name(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
        return String(authority.split(separator: ":", omittingEmptySubsequences: false).first ?? "")
    }

    private func token(of request: Request) -> String? {
        if let header = request.headers[.authorization], header.hasPrefix("Bearer ") {
            return String(header.dropFirst(7))
        }
        if let cookie = request.cookies["tablesight"]?.value { return cookie }
        return request.method == .get ? request.uri.queryParameters["token"].map { String($0) } : nil
    }
}
