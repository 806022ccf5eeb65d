import Foundation
import HTTP
import HTTPTypes
import Hummingbird

/// "Connect this phone": the page for a browser that nobody signed in.
struct ConnectPage {
    enum Trouble { case code, key }

    /// A code from the address; empty for none.
    var code = ""
    /// What was wrong with the last attempt.
    var trouble: Trouble?

    func values() -> Values {
        ["code": code, "hasCode": !code.isEmpty, "isWrong": trouble == .code, "isWrongKey": trouble == .key]
    }
}

extension WebRoutes {
    /// The routes that need no token.
    func addSignIn(to routes: RouterGroup<APIContext>) {
        routes.get("p/{code}") { request, context in
            try await connectPage(request, context, code: try context.parameters.require("code"))
        }
        routes.get("pair") { request, context in
            // Links of earlier versions have the code as a parameter.
            try await connectPage(request, context, code: FormBody(queryOf: request)["code"])
        }
        routes.post("pair") { request, context in
            try Self.requireOwnPage(request)
            let form = try await FormBody(request)
            var token: String?
            let isRight = try await guess(request, context) {
                token = try await household.pair(form["code"], name: Self.deviceName(request, form["name"]))
                return token != nil
            }
            guard isRight, let token else { return try connectPage(request, trouble: .code) }
            return signedIn(request, token: token)
        }
        routes.post("sign-in") { request, context in
            try Self.requireOwnPage(request)
            let form = try await FormBody(request)
            var token: String?
            let isRight = try await guess(request, context) {
                token = try await household.signIn(
                    key: form.exact("token"), device: Self.deviceName(request, form["name"]))
                return token != nil
            }
            guard isRight, let token else { return try connectPage(request, trouble: .key) }
            return signedIn(request, token: token)
        }
    }

    private static func requireOwnPage(_ request: Request) throws {
        guard HostGuard.isSameOrigin(request) else {
            throw Problem(403, "forbidden", "the form must come from this server's own page")
        }
    }

    /// The name that a client sent, or one that tells what it is.
    private static func deviceName(_ request: Request, _ sent: String) -> String {
        sent.isEmpty ? request.deviceName : String(sent.prefix(60))
    }

    /// Counts a pairing code or a key, unless it is right.
    private func guess(
        _ request: Request, _ context: APIContext, _ check: () async throws -> Bool
    ) async throws -> Bool {
        let guesser = context.guesser(request)
        try pairing.take(guesser)
        let isRight = try await check()
        if isRight { pairing.giveBack(guesser) }
        return isRight
    }

    // MARK: Pages

    /// The page with the code of a link. Opening a link does not use the code up: programs open links to show a preview.
    private func connectPage(_ request: Request, _ context: APIContext, code: String) async throws -> Response {
        guard !code.isEmpty else { return try connectPage(request) }
        guard try await guess(request, context, { try await household.isOpen(code) }) else {
            return try connectPage(request, trouble: .code)
        }
        return try connectPage(request, code: code)
    }

    private func connectPage(
        _ request: Request, code: String = "", trouble: ConnectPage.Trouble? = nil,
        status: HTTPResponse.Status? = nil
    ) throws -> Response {
        let texts = try language(request).texts
        return try page(
            request, "pair", section: "", heading: texts.text("pair.head"),
            ConnectPage(code: code, trouble: trouble).values(),
            status: status ?? (trouble == nil ? .ok : .unauthorized))
    }

    /// The page for a browser without a valid token.
    func signInPage(_ request: Request) -> Response {
        // A link with a wrong key says so; a device that was removed needs a new code like any other.
        let isWrong = request.uri.queryParameters["token"] != nil
        return (try? connectPage(request, trouble: isWrong ? .key : nil, status: .unauthorized))
            ?? Response(status: .unauthorized)
    }

    /// The answer to a link with the daemon's key, for which the caller made a device.
    ///
    /// A link from another program is a request of another site, so the browser would not send the new cookie with a
    /// redirection: this page leads on by itself.
    ///
    /// - Parameter token: the device's token.
    func signedInPage(_ request: Request, token: String) -> Response {
        let heading = (try? language(request).texts.text("sign.done")) ?? ""
        var response =
            (try? page(request, "sign", section: "", heading: heading, ["leads": "/who"])) ?? Response(status: .ok)
        response.setCookie("tablesight", token, seconds: Self.cookieSeconds, for: request)
        return response
    }

    /// The answer to a form of this server: "Who is it?" follows.
    private func signedIn(_ request: Request, token: String) -> Response {
        var response = Self.seeOther("/who")
        response.headers[.cacheControl] = "no-store"
        response.setCookie("tablesight", token, seconds: Self.cookieSeconds, for: request)
        return response
    }

    /// A year: a phone stays connected until its device is removed.
    private static let cookieSeconds = 31_536_000
}
