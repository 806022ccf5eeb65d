import Foundation
import Hummingbird

extension APIDescription {
    /// `GET /openapi.json` and `/v1/openapi.json`. Their own declarations are part of what they answer.
    package static func routes(describing others: [Route]) throws -> [Route] {
        func routes(_ json: Data) -> [Route] {
            ["openapi.json", "v1/openapi.json"].map { path in
                Route(
                    .get, RoutePath(stringLiteral: path), for: .guest, "This document",
                    gives: ("application/json", "OpenAPI 3.1.")
                ) { call in .tagged(json, as: "application/json", for: call.request) }
            }
        }
        return routes(try APIDescription(others + routes(Data())).json)
    }
}
