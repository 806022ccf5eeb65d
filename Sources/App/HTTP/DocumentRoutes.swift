import Foundation
import Hummingbird

/// `GET /v1/openapi.json` and `/openapi.json`: the description of the API, OpenAPI 3.1.
public struct DocumentRoutes: APIRoutes {
    private let document: Data

    public init(_ document: Data) { self.document = document }

    public func add(to routes: RouterGroup<APIContext>) {
        for path in ["openapi.json", "v1/openapi.json"] {
            routes.get("\(path)") { request, _ in Response.tagged(document, as: "application/json", for: request) }
        }
    }
}
