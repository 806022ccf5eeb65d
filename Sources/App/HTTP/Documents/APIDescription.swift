import Core
import Foundation
import HTTPTypes
import Hummingbird

/// The description of the API, OpenAPI 3.1, made from the declarations of the routes.
package struct APIDescription: Sendable {
    /// One JSON object, sorted, with a line for each value.
    package let json: Data

    /// - Throws: an error that names the type without a schema.
    package init(_ routes: [Route]) throws {
        let reader = SchemaReader()
        var paths: [String: [String: Operation]] = [:]
        for route in routes where route.summary != nil {
            paths["/" + route.path.pattern, default: [:]][route.method.rawValue.lowercased()] = try Operation(
                route, reader)
        }
        _ = try reader.schema(of: Problem.self)
        let document = Document(
            paths: paths, components: .init(schemas: reader.components, securitySchemes: Document.keys))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        json = try encoder.encode(document) + Data("\n".utf8)
    }

    private struct Document: Encodable {
        var openapi = "3.1.0"
        var info = Info()
        var servers = [["url": "http://127.0.0.1:8765"]]
        var security: [[String: [String]]] = [["token": []], ["cookie": []]]
        var paths: [String: [String: Operation]]
        var components: Components

        struct Info: Encodable {
            var title = "Tablesight"
            var version = "1"
            var description =
                "Reads photos of menus, packets and play pieces. Text can prove presence, never absence."
            var license = ["name": "Apache-2.0", "identifier": "Apache-2.0"]
        }

        struct Components: Encodable {
            var schemas: [String: Schema]
            var securitySchemes: [String: [String: String]]
        }

        static let keys = [
            "token": [
                "type": "http", "scheme": "bearer",
                "description":
                    "The daemon's own key, or the token of a device. With the key, the header Tablesight-Member says for whom.",
            ],
            "cookie": [
                "type": "apiKey", "in": "cookie", "name": "tablesight",
                "description": "A request that changes something also needs this server's own Origin.",
            ],
        ]
    }

    private struct Parameter: Encodable {
        var name: String
        var place: String
        var description: String?
        var required: Bool?
        var schema: Schema

        private enum CodingKeys: String, CodingKey { case name, place = "in", description, required, schema }
    }

    private struct Content: Encodable { var schema: Schema }

    private struct Body: Encodable {
        var required: Bool
        var content: [String: Content]
    }

    private struct Answer: Encodable {
        struct Header: Encodable {
            var description: String?
            var schema: Schema
        }

        var description: String
        var content: [String: Content]?
        var headers: [String: Header]?
    }

    private struct Operation: Encodable {
        var summary: String?
        var operationId: String
        var deprecated: Bool?
        var security: [[String: [String]]]?
        var parameters: [Parameter]?
        var requestBody: Body?
        var responses: [String: Answer]

        init(_ route: Route, _ reader: SchemaReader) throws {
            summary = route.summary
            let words = "/\(route.path.pattern)".split { !$0.isLetter && !$0.isNumber }
            operationId =
                route.method.rawValue.lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            deprecated = route.isDeprecated ? true : nil
            // The role is the least one that may use the route; an empty list says that no token is needed.
            security = route.least.map { role in ["token", "cookie"].map { [$0: ["\(role)"]] } } ?? []
            var all = route.path.parameters.map {
                Parameter(name: $0.name, place: "path", description: $0.about, required: true, schema: $0.schema)
            }
            if let query = route.query as? any Decodable.Type {
                let (properties, required, _) = try reader.properties(of: query)
                all += properties.sorted { $0.key < $1.key }.map { name, schema in
                    var plain = schema
                    plain.description = nil
                    return Parameter(
                        name: name, place: "query", description: schema.description,
                        required: required.contains(name) ? true : nil, schema: plain)
                }
            }
            all += route.headers.map {
                Parameter(name: $0.name, place: "header", description: $0.about, schema: $0.schema)
            }
            parameters = all.isEmpty ? nil : all
            requestBody = try route.body.map { body in
                Body(
                    required: body.isRequired,
                    content: try Dictionary(
                        uniqueKeysWithValues: body.content.map { type, schema in
                            (type, Content(schema: try schema ?? reader.schema(of: body.type ?? String.self)))
                        }))
            }
            responses = try Self.responses(route, reader)
        }

        private static func responses(_ route: Route, _ reader: SchemaReader) throws -> [String: Answer] {
            var responses: [String: Answer] = [:]
            for (status, answer) in route.answers {
                let schema = try answer.type.map { try reader.schema(of: $0) }
                let content = answer.contentType.map { type in
                    [type: Content(schema: schema ?? Schema(type: type == "application/json" ? "object" : "string"))]
                }
                let others = answer.otherTypes.map { ($0, Content(schema: Schema(type: "string"))) }
                let headers = answer.headers.map { ($0.name, Answer.Header(description: $0.about, schema: $0.schema)) }
                responses["\(status)"] = Answer(
                    description: answer.about,
                    content: content?.merging(others) { $1 },
                    headers: headers.isEmpty ? nil : Dictionary(uniqueKeysWithValues: headers))
            }
            var problems = route.refusals
            if route.least != nil {
                problems[401] = problems[401] ?? "The token is missing or wrong."
                problems[403] =
                    problems[403] ?? "Wrong host, the request comes from another site, or the person may not do this."
            }
            problems[500] = problems[500] ?? "The daemon could not answer."
            if route.body != nil || route.query != nil || !route.path.parameters.isEmpty {
                problems[400] = problems[400] ?? "A parameter or the body is wrong."
            }
            if route.body != nil { problems[413] = problems[413] ?? "The body is too large." }
            if route.isStored, route.method == .get, route.answers[200]?.contentType == "application/json" {
                responses["304"] = Answer(description: "The client has these bytes.")
            }
            let problem = Content(schema: try reader.schema(of: Problem.self))
            for (status, about) in problems {
                responses["\(status)"] = Answer(
                    description: about, content: ["application/problem+json": problem],
                    headers: status == 429
                        ? ["Retry-After": .init(description: "Seconds to wait.", schema: Schema(type: "integer"))] : nil
                )
            }
            return responses
        }
    }
}

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

/// The JSON Schema (2020-12) of what the program writes to files and streams, made from the type that it writes.
package enum FileSchema {
    /// - Parameter title: the name of the form, with its version: `tablesight.outcome/1`.
    /// - Returns: one JSON object, sorted, with a line for each value.
    /// - Throws: an error that names the type without a schema.
    package static func json(of type: any Decodable.Type, title: String) throws -> Data {
        let reader = SchemaReader()
        let root = try reader.schema(of: type)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        let text = String(decoding: try encoder.encode(Document(title, root, reader.components)), as: UTF8.self)
        // References of the API's description lead to its components.
        return Data((text.replacing("#/components/schemas/", with: "#/$defs/") + "\n").utf8)
    }

    private struct Document: Encodable {
        let schema = "https://json-schema.org/draft/2020-12/schema"
        let title: String
        let reference: String?
        let definitions: [String: Schema]

        init(_ title: String, _ root: Schema, _ definitions: [String: Schema]) {
            (self.title, self.definitions) = (title, definitions)
            reference = root.reference.map { "#/$defs/\($0)" }
        }

        private enum CodingKeys: String, CodingKey {
            case schema = "$schema", title, reference = "$ref", definitions = "$defs"
        }
    }
}
