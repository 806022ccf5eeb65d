import HTTPTypes
import Hummingbird

/// What each role may do: the least role of every route behind the guard. A route that is not here is refused for
/// everybody.
///
/// What belongs to one person, such as a diary, is checked beyond this by whoever answers.
public enum Rights {
    /// Routes by method and pattern.
    public static let all: [String: Identity.Role] = {
        var rights: [String: Identity.Role] = [:]
        for (role, routes) in [(Identity.Role.guest, guest), (.child, child), (.adult, adult)] {
            for route in routes.split(separator: "\n").map({ $0.trimmingPrefix(" ") }) where !route.isEmpty {
                // `GET|PUT path` is two routes.
                let parts = route.split(separator: " ")
                for method in parts[0].split(separator: "|") { rights["\(method) \(parts[1])"] = role }
            }
        }
        return rights
    }()

    /// Photos and what they say, the names of the household, play; who uses the device. Routes that ended say so to
    /// everybody.
    private static let guest = """
        GET|PUT|DELETE|POST /v1/session
        GET /v1/members
        GET|POST /v1/accounts
        GET|DELETE /v1/accounts/me
        GET /v1/accounts/me/export
        PUT /v1/accounts/me/password
        POST /v1/people/{name}/diary/keys
        POST /v1/people/{name}/diary/codes

        GET|POST /who
        GET|POST /who/pin
        GET|POST /who/add
        POST /who/guest
        POST /who/leave
        """

    private static let child = """
        POST /who/removal/cancel
        """

    /// Everything of the household. Diaries and PINs of others are refused by whoever answers.
    private static let adult = """

        GET /v1/people
        GET|PUT|DELETE /v1/people/{name}
        GET /v1/profiles
        GET|PUT|DELETE /v1/profiles/{name}
        POST|DELETE /v1/people/{name}/pin/removal
        PUT|DELETE /v1/me/pin
        GET /v1/devices
        POST /v1/devices/codes
        DELETE /v1/devices/{id}
        GET|POST /people
        POST /people/delete
        GET /devices
        POST /devices/code
        POST /devices/remove

        GET /welcome
        POST /welcome/sample
        GET|POST /who/newpin
        POST /who/removal
        """
}

/// Passes requests whose role may do what they ask; see ``Rights``.
struct RightsGuard: RouterMiddleware {
    /// The answer to a page that a person may not see.
    let refusalPage: (@Sendable (Request, APIContext) async throws -> Response)?

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let least = Rights.all["\(request.method) \(context.endpointPath ?? "")"]
        guard let identity = context.identity, let least, identity.role >= least else {
            if request.method == .get, request.accepts(html: true), let refusalPage {
                return try await refusalPage(request, context)
            }
            throw Problem(403, "forbidden", context.identity.map { Self.reason($0) } ?? "this needs an adult")
        }
        return try await next(request, context)
    }

    private static func reason(_ identity: Identity) -> String {
        identity.member == nil
            ? "say who uses this device: PUT /v1/session with {\"member\":\"…\"}"
            : "this needs an adult of the household"
    }
}
