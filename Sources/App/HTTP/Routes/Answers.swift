import Core
import CZlib
import Foundation
import Hashing
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

extension Response {
    /// These bytes with their entity tag; 304 if the client has them.
    package static func tagged(_ data: Data, as type: String, for request: Request) -> Response {
        let tag = "\"\(SHA256.hexadecimal(SHA256.digest(of: data).prefix(16)))\""
        if let known = request.headers[.ifNoneMatch], known == "*" || known.contains(tag) {
            return Response(status: .notModified, headers: [.eTag: tag])
        }
        return Response(
            status: .ok, headers: [.contentType: type, .eTag: tag, .cacheControl: "private, no-cache"],
            body: .init(byteBuffer: .init(data: data)))
    }
}

/// Texts in zlib's format, the content coding `deflate` of RFC 9110: a page on a slow network is a fifth as long.
package struct PackedText: Sendable {
    let plain: Data
    /// Nil for a text that is too short to gain anything.
    let packed: Data?

    /// Bytes from which a text is packed.
    private static let least = 1024

    package init(_ plain: Data) {
        self.plain = plain
        packed = plain.count < Self.least ? nil : Self.packed(plain)
    }

    private static func packed(_ plain: Data) -> Data? {
        var length = compressBound(uLong(plain.count))
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let code = plain.withUnsafeBytes {
            compress2(&bytes, &length, $0.bindMemory(to: UInt8.self).baseAddress, uLong(plain.count), 6)
        }
        guard code == Z_OK, Int(length) < plain.count else { return nil }
        return Data(bytes.prefix(Int(length)))
    }

    /// Puts the text into a response, packed for a client that takes that.
    package func write(into response: inout Response, for request: Request) {
        if let packed, Self.isTaken(by: request) {
            response.headers[.contentEncoding] = "deflate"
            response.body = .init(byteBuffer: .init(data: packed))
        } else {
            response.body = .init(byteBuffer: .init(data: plain))
        }
        let vary = response.headers[.vary]
        response.headers[.vary] = (vary.map { $0 + ", " } ?? "") + "Accept-Encoding"
    }

    /// True if `Accept-Encoding` names the coding and does not refuse it.
    private static func isTaken(by request: Request) -> Bool {
        (request.headers[.acceptEncoding] ?? "").lowercased().split(separator: ",").contains { part in
            let fields = part.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            return fields.first == "deflate" && !fields.dropFirst().contains { ["q=0", "q=0.0"].contains($0) }
        }
    }
}
