import Core
import Foundation
import HTTPTypes
import Hashing
import Hummingbird

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

extension Response {
    package static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: .init(data: try JSONCoding.encode(value))))
    }
}
