import Core
import Foundation
import HTTPTypes
import Hummingbird

/// What a handler returns besides plain values that become JSON.
protocol SpecialAnswer {
    /// The type that the body has; nil for no body.
    static var bodyType: Any.Type? { get }
    /// Nil for the route's only status.
    var status: Int? { get }
    var headers: HTTPFields { get }
    /// JSON; nil for no body.
    func body() throws -> Data?
}

extension SpecialAnswer {
    var headers: HTTPFields { [:] }
}

/// No body: status 204.
package struct Nothing: Encodable, Sendable, SpecialAnswer {
    package init() {}
    static var bodyType: Any.Type? { nil }
    var status: Int? { nil }
    func body() throws -> Data? { nil }
}

/// A value with one of the statuses that the route declares, and with headers.
package struct Answered<Value: Encodable & Sendable>: Encodable, Sendable, SpecialAnswer {
    let status: Int?
    let value: Value
    let headers: HTTPFields

    package init(_ status: Int, _ value: Value, headers: HTTPFields = [:]) {
        self.status = status
        self.value = value
        self.headers = headers
    }

    static var bodyType: Any.Type? {
        if let special = Value.self as? any SpecialAnswer.Type { return special.bodyType }
        return Value.self
    }

    func body() throws -> Data? {
        if let special = value as? any SpecialAnswer { return try special.body() }
        return try JSONCoding.encode(value)
    }

    package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// JSON of a value that is stored as bytes and sent unchanged.
package struct StoredJSON<Value>: Encodable, Sendable, SpecialAnswer {
    let data: Data

    package init(_ data: Data) { self.data = data }

    static var bodyType: Any.Type? { Value.self }
    var status: Int? { nil }
    func body() throws -> Data? { data }
    package func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(data, .init(codingPath: [], debugDescription: "stored JSON is sent as it is"))
    }
}

extension Response {
    /// A value as JSON.
    ///
    /// - Parameter usual: the status of a value that names none.
    static func answer(_ value: some Encodable, usual: Int, to request: Request) throws -> Response {
        let special = value as? any SpecialAnswer
        let status = special?.status ?? usual
        var response = Response(status: .init(code: status))
        if let body = try special.map({ try $0.body() }) ?? JSONCoding.encode(value) {
            if status == 200, request.method == .get {
                response = .tagged(body, as: "application/json", for: request)
            } else {
                response.headers[.contentType] = "application/json"
                response.body = .init(byteBuffer: .init(data: body))
            }
        }
        for field in special?.headers ?? [:] { response.headers[field.name] = field.value }
        return response
    }
}
