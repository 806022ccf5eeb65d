import Foundation
import HTTPAPI
import HTTPTypes
import Hummingbird

// The page that changes the password of an account.
extension WebRoutes {
    func addPassword(to routes: RouterGroup<APIContext>) {
        routes.get("me/password") { request, _ in
            try await shopPage(request, section: "me") { try passwordPage(request, $0) }
        }
        routes.post("me/password") { request, context in
            try await shopPage(request, section: "me") { shopper in
                let form = try await FormBody(request)
                do {
                    let token = try await changePassword(form, of: shopper.person, from: context.guesser(request))
                    return Self.seeOther("/me?done=password").keeping(session: token, for: request)
                } catch let problem as Problem where problem.status.code < 500 {
                    return try passwordPage(request, shopper, error: problem)
                }
            }
        }
    }

    /// - Returns: the token of the new session; all others of the person have ended.
    private func changePassword(
        _ form: FormBody, of person: String, from guesser: String
    ) async throws -> String {
        // A typing error must not lock its author out: nothing can restore a password.
        guard form.exact("new") == form.exact("again") else {
            throw Problem(400, "differ", "the two new passwords differ: type them again")
        }
        do {
            return try await groceries.changePassword(
                of: person, from: form.exact("password"), to: form.exact("new"), by: guesser)
        } catch let problem as Problem where problem.code == "refused" {
            throw Problem(403, "wrongPassword", "the current password is wrong")
        }
    }

    /// What was typed is not sent back: passwords stay out of pages.
    private func passwordPage(_ request: Request, _ shopper: Shopper, error: Problem? = nil) throws -> Response {
        let texts = try language(request).texts
        var values: Values = ["person": shopper.person]
        if let error { values["error"] = AddPage.refusal(error, texts) }
        return try page(
            request, "password", section: "me", heading: texts.text("password.head"), values,
            status: error?.status ?? .ok)
    }
}
