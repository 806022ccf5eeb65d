import Foundation
import HTTP
import HTTPTypes
import Hummingbird

/// Who uses the shop's pages.
struct Shopper {
    var person: String
}

extension WebRoutes {
    /// A page of lists and prices; while nobody uses the device, the page that asks who it is.
    func shopPage(
        _ request: Request, _ context: APIContext, section: String, _ body: (Shopper) async throws -> Response
    ) async throws -> Response {
        try await orPage(request, section: section) {
            guard let member = try context.known().member else { return Self.seeOther(Self.whoPage(for: request)) }
            return try await body(Shopper(person: member.name))
        }
    }

    /// A form of a page.
    ///
    /// - Parameters:
    ///   - again: the page with the reason, when the form is refused.
    ///   - body: does it, and gives the address of the next page.
    func shopForm(
        _ request: Request, _ context: APIContext, section: String,
        again: (Shopper, FormBody, Problem) async throws -> Response,
        _ body: (Shopper, FormBody) async throws -> String
    ) async throws -> Response {
        try await shopPage(request, context, section: section) { shopper in
            let form = try await FormBody(request)
            do { return Self.seeOther(try await body(shopper, form)) } catch let problem as Problem
                where problem.status.code < 500
            {
                return try await again(shopper, form, problem)
            }
        }
    }
}
