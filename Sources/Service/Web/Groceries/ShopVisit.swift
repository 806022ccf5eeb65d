import Foundation
import HTTPAPI
import HTTPTypes
import Hummingbird

/// Who uses the shop's pages.
struct Shopper {
    var person: String
    var token: String
}

extension WebRoutes {
    /// A page of lists and prices; without a session the page that opens one.
    func shopPage(
        _ request: Request, section: String, _ body: (Shopper) async throws -> Response
    ) async throws -> Response {
        try await orPage(request, section: section) {
            guard let token = GroceryRoutes.session(of: request),
                let person = try await groceries.person(ofSession: token)
            else {
                guard request.method == .get else { return Self.seeOther("/me/open") }
                return try accountPage(request)
            }
            return try await body(Shopper(person: person, token: token))
        }
    }

    /// A form of a page.
    ///
    /// - Parameters:
    ///   - again: the page with the reason, when the form is refused.
    ///   - body: does it, and gives the address of the next page.
    func shopForm(
        _ request: Request, section: String, again: (Shopper, FormBody, Problem) async throws -> Response,
        _ body: (Shopper, FormBody) async throws -> String
    ) async throws -> Response {
        try await shopPage(request, section: section) { shopper in
            let form = try await FormBody(request)
            do { return Self.seeOther(try await body(shopper, form)) } catch let problem as Problem
                where problem.status.code < 500
            {
                return try await again(shopper, form, problem)
            }
        }
    }

    // MARK: Account

    /// The page that opens a session, or makes an account.
    func accountPage(
        _ request: Request, name: String = "", next: String? = nil, isNew: Bool = false, error: Problem? = nil
    ) throws -> Response {
        let texts = try language(request).texts
        let asked = request.uri.path + (request.uri.query.map { "?\($0)" } ?? "")
        var values: Values = [
            "name": name, "next": next ?? (request.uri.path == "/me/open" ? "/list" : asked), "isNew": isNew,
        ]
        if let error { values["error"] = AddPage.refusal(error, texts) }
        return try page(
            request, "account", section: "me", heading: texts.text("account.head"), values,
            status: error?.status ?? .ok)
    }

    /// The address of a page of this server, one slash and a letter; the list for anything else.
    static func localPage(_ text: String) -> String {
        text.wholeMatch(of: /\/[a-z][A-Za-z0-9\/?=&%._-]*/) == nil ? "/list" : text
    }

    private func open(_ request: Request, _ context: APIContext, isNew: Bool) async throws -> Response {
        let form = try await FormBody(request)
        let next = Self.localPage(form["next"])
        do {
            let (guesser, password) = (context.guesser(request), form.exact("password"))
            if isNew { try await groceries.createAccount(form["name"], password: password, from: guesser) }
            let token = try await groceries.openSession(form["name"], password: password, from: guesser)
            return Self.seeOther(next).keeping(session: token, for: request)
        } catch let problem as Problem where problem.status.code < 500 {
            return try accountPage(request, name: form["name"], next: next, isNew: isNew, error: problem)
        }
    }

    func addAccount(to routes: RouterGroup<APIContext>) {
        routes.get("me/open") { request, _ in try accountPage(request) }
        routes.post("me/open") { request, context in
            try await orPage(request, section: "me") { try await open(request, context, isNew: false) }
        }
        routes.post("me/new") { request, context in
            try await orPage(request, section: "me") { try await open(request, context, isNew: true) }
        }
        routes.post("me/close") { request, _ in
            try await shopPage(request, section: "me") { shopper in
                try await groceries.closeSession(shopper.token)
                return Self.seeOther("/me/open").keeping(session: "", for: request)
            }
        }
    }
}
