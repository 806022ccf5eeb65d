import Foundation
import HTTP
import HTTPTypes
import Hummingbird

// Connecting a device, and trusting the certificate of the house: pages that need no token.
extension HouseholdRoutes {
    var signInRoutes: [Route] {
        [
            open(.get, "p/\(.code)") { visit in try await connectPage(visit, code: try visit.call[.code]) },
            open(.get, "pair") { visit in
                // Links of earlier versions have the code as a parameter.
                try await connectPage(visit, code: visit.call.query["code"])
            },
            open(.post, "pair") { visit in
                try await signIn(visit, or: .code) { form, name in
                    try await actions { try $0.pair(form["code"], name: name) }
                }
            },
            open(.post, "sign-in") { visit in
                try await signIn(visit, or: .key) { form, name in
                    try await actions.signIn(key: form.exact("token"), device: name)
                }
            },
            open(.get, "trust") { visit in
                try visit.show(TrustPage(access, isEncrypted: visit.call.request.isEncrypted, visit.texts))
            },
            .page(.get, "trust/tablesight-ca.crt", for: nil) { _ in
                guard let authority = access.authority() else {
                    throw Problem(404, "notFound", "this house has no certificate: tablesight household certificate")
                }
                return Response(
                    status: .ok,
                    headers: [.contentType: "application/x-x509-ca-cert", .cacheControl: "no-cache"],
                    body: .init(byteBuffer: .init(data: authority.certificate)))
            },
        ]
    }

    /// Answers a form with a secret that connects a device: "Who is it?" follows.
    ///
    /// - Parameters:
    ///   - trouble: what a wrong secret is.
    ///   - secret: gives the token of the new device, whose name is its parameter; nil for a wrong secret.
    private func signIn(
        _ visit: Visit, or trouble: ConnectPage.Trouble, _ secret: (FormBody, String) async throws -> String?
    ) async throws -> Response {
        let request = visit.call.request
        guard HostGuard.isSameOrigin(request) else {
            throw Problem(403, "forbidden", "the form must come from this server's own page")
        }
        let form = try await visit.call.form()
        // The name that a client sent, or one that says what it is.
        let name = form["name"].isEmpty ? request.deviceName : String(form["name"].prefix(60))
        guard let token = try await guess(visit.call, { try await secret(form, name) }) else {
            return try visit.show(ConnectPage(trouble: trouble), status: .unauthorized)
        }
        var response = Visit.next("/who")
        response.headers[.cacheControl] = "no-store"
        response.setCookie("tablesight", token, seconds: Self.cookieSeconds, for: request)
        return response
    }

    /// Counts a pairing code or a key, unless it is right.
    ///
    /// - Parameter check: gives nil for a wrong one.
    private func guess<Value>(_ call: Call, _ check: () async throws -> Value?) async throws -> Value? {
        let guesser = call.context.guesser(call.request)
        try guesses.take(guesser)
        let found = try await check()
        if found != nil { guesses.giveBack(guesser) }
        return found
    }

    /// The page with the code of a link. Opening a link does not use the code up: programs open links to show a
    /// preview.
    private func connectPage(_ visit: Visit, code: String) async throws -> Response {
        guard !code.isEmpty else { return try visit.show(ConnectPage()) }
        guard try await guess(visit.call, { try await actions { try $0.isPairing(code) } ? code : nil }) != nil else {
            return try visit.show(ConnectPage(trouble: .code), status: .unauthorized)
        }
        return try visit.show(ConnectPage(code: code))
    }

    // MARK: What the server shows by itself

    /// The page for a browser without a valid token.
    func signInPage(_ call: Call) throws -> Response {
        let visit = try shell.visit(call, in: .none)
        // A link with a wrong key says so; a device that was removed needs a new code like any other.
        let isWrong = call.request.uri.queryParameters["token"] != nil
        var response = try visit.show(ConnectPage(trouble: isWrong ? .key : nil), status: .unauthorized)
        response.clearStorage()
        return response
    }

    /// The answer to a link with the daemon's key, for which the caller made a device.
    ///
    /// A link from another program is a request of another site, so the browser would not send the new cookie with a
    /// redirection: this page leads on by itself.
    ///
    /// - Parameter token: the device's token.
    func signedInPage(_ call: Call, token: String) throws -> Response {
        let visit = try shell.visit(call, in: .none)
        var response = try visit.show(SignedInPage(heading: visit.texts.text("sign.done")))
        response.setCookie("tablesight", token, seconds: Self.cookieSeconds, for: call.request)
        return response
    }

    /// A year: a phone stays connected until its device is removed.
    private static let cookieSeconds = 31_536_000
}

extension PathParameter where Value == String {
    fileprivate static var code: Self { PathParameter("code", "A code that pairs a device.") }
}
