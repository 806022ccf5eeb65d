import Core
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// An error that people and clients see. Whoever answers a request turns it into its ``Problem``.
package protocol AppError: Error {
    var problem: Problem { get }
}

/// An error as problem details (RFC 9457), `application/problem+json`.
package struct Problem: AppError, HTTPResponseError, Sendable, Encodable, SelfDescribed {
    package var problem: Problem { self }

    package let status: HTTPResponse.Status
    /// A stable name of the kind of problem: `tooLarge`, `queueFull`, …
    package var code: String
    /// What happened, to what, and what to do.
    package var detail: String
    /// The limit that was exceeded, in bytes.
    package var limitBytes: Int?
    package var formats: [String]?
    /// Seconds to wait before the next attempt; also sent as `Retry-After`.
    package var retryAfter: Int?
    var headers: HTTPFields = [:]

    package init(
        _ status: Int, _ code: String, _ detail: String, limitBytes: Int? = nil, formats: [String]? = nil,
        retryAfter: Int? = nil
    ) {
        self.status = Self.phrased[status] ?? .init(integerLiteral: status)
        self.code = code
        self.detail = detail
        self.limitBytes = limitBytes
        self.formats = formats
        self.retryAfter = retryAfter
    }

    /// The problem of an error that a handler or the router threw. An unexpected error tells the client nothing.
    package init(_ error: any Error) {
        switch error {
        case let error as any AppError: self = error.problem
        case let error as HTTPError:
            let reason = error.status.reasonPhrase
            self.init(
                error.status.code, Self.codes[error.status.code] ?? "http\(error.status.code)",
                error.body ?? (error.status == .notFound ? "there is nothing under this address" : reason))
            headers = error.headers
        case let error as any HTTPResponseError:
            self.init(
                error.status.code, Self.codes[error.status.code] ?? "http\(error.status.code)",
                error.status.reasonPhrase)
        default: self.init(500, "internal", "the daemon could not answer; its log says why")
        }
    }

    /// Statuses with their reason phrases, which a number alone does not have.
    private static let phrased: [Int: HTTPResponse.Status] = {
        let all: [HTTPResponse.Status] = [
            .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .requestTimeout, .conflict, .gone,
            .contentTooLarge, .unsupportedMediaType, .unprocessableContent, .tooManyRequests, .internalServerError,
            .serviceUnavailable, .init(code: 507, reasonPhrase: "Insufficient Storage"),
        ]
        return Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
    }()

    private static let codes = [
        400: "badRequest", 401: "noToken", 403: "forbidden", 404: "notFound", 405: "badMethod", 408: "tooSlow",
        409: "conflict", 413: "tooLarge", 415: "badFormat", 422: "unprocessable", 429: "tooMany", 503: "notReady",
    ]

    private enum CodingKeys: String, CodingKey {
        case type, title, status, detail, code, limitBytes, formats, retryAfter
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("urn:tablesight:problem:" + code, forKey: .type)
        try container.encode(status.reasonPhrase, forKey: .title)
        try container.encode(status.code, forKey: .status)
        try container.encode(detail, forKey: .detail)
        try container.encode(code, forKey: .code)
        try container.encodeIfPresent(limitBytes, forKey: .limitBytes)
        try container.encodeIfPresent(formats, forKey: .formats)
        try container.encodeIfPresent(retryAfter, forKey: .retryAfter)
    }

    package static var sample: Problem { Problem(404, "notFound", "") }

    package static var schema: Schema {
        let text = Schema(type: "string")
        return Schema(
            type: "object", "RFC 9457.",
            properties: [
                "type": text, "title": text, "status": Schema(type: "integer"), "detail": text, "code": text,
                "limitBytes": Schema(type: "integer"), "formats": Schema(type: "array", items: text),
                "retryAfter": Schema(type: "integer"),
            ], required: ["code", "detail", "status", "title", "type"])
    }

    /// The body, one JSON object.
    package var body: Data { (try? JSONCoding.encode(self)) ?? Data("{}".utf8) }

    var response: Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        return Response(status: status, headers: headers, body: .init(byteBuffer: .init(data: body)))
    }

    package func response(from request: Request, context: some RequestContext) throws -> Response { response }
}

/// Turns every error into problem details and adds the security headers to every answer.
struct AnswerRules: RouterMiddleware {
    let logger: Logger
    let unknownPage: (@Sendable (Call) async throws -> Response)?

    /// No script, style or frame from anywhere else, and none inside a page.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        + "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            try Self.checkMarks(in: request)
            response = try await next(request, context)
        } catch {
            let problem = Problem(error)
            if problem.status.code >= 500 {
                logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "reason": "\(error)"])
            }
            response = await answer(to: problem, request, context)
        }
        response.headers[.contentSecurityPolicy] = Self.policy
        response.headers[.xContentTypeOptions] = "nosniff"
        for (name, value) in Self.others { response.headers[name] = value }
        return response
    }

    /// A page for a browser that asked for one at an address that does not exist; otherwise the problem as JSON.
    private func answer(to problem: Problem, _ request: Request, _ context: APIContext) async -> Response {
        guard problem.status == .notFound, request.method == .get, request.accepts(html: true),
            !request.uri.path.hasPrefix("/v1/"), let unknownPage
        else { return problem.response }
        return (try? await unknownPage(Call(request, context))) ?? problem.response
    }

    /// Refuses an address or a header that takes long to compare, before anything is compared; see ``StreamSafeText``.
    private static func checkMarks(in request: Request) throws {
        let headers = request.headers.lazy.map(\.value) + [request.head.authority ?? ""]
        guard StreamSafeText.holds((request.uri.string.removingPercentEncoding ?? "").unicodeScalars),
            headers.allSatisfy({ StreamSafeText.holds($0.unicodeScalars) })
        else { throw Problem(400, "badRequest", "the address has a letter with more than 30 accents") }
    }

    private static let others: [(HTTPField.Name, String)] = [
        ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}
