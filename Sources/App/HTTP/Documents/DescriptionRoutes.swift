import Core
import Foundation
import Hummingbird

extension APIDescription {
    /// `GET /openapi.json` and `/v1/openapi.json`. Their own declarations are part of what they answer. The document is made
    /// for the first request: it takes longer than the rest of the start.
    package static func routes(describing others: [Route]) -> [Route] {
        @Sendable func routes(_ json: @escaping @Sendable () throws -> Data) -> [Route] {
            ["openapi.json", "v1/openapi.json"].map { path in
                Route(
                    .get, RoutePath(stringLiteral: path), for: .guest, "This document",
                    gives: ("application/json", "OpenAPI 3.1.")
                ) { call in .tagged(try json(), as: "application/json", for: call.request) }
            }
        }
        let document = Once<Data>()
        return routes { try document.get { try APIDescription(others + routes { Data() }).json } }
    }
}
