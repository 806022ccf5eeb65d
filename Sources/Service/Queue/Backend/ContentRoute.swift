import HTTP
import HTTPTypes
import Hashing
import Hummingbird

/// A photo's bytes.
package struct PhotoContent: Sendable {
    var bytes: Int
    /// At most this many bytes from this offset; fewer only at the end.
    var read: @Sendable (Int, Int) async -> [UInt8]
}

/// `GET /v1/images/{id}/content`: the stored bytes of a photo, for workers of the queue. Their token opens nothing else.
package struct ContentRoute {
    /// The token for workers.
    let token: String
    /// The photo, while a worker has to read it; nil otherwise.
    let content: @Sendable (_ id: String) async -> PhotoContent?

    private let failures = GuessLimit(each: 60, all: 10_000)

    private static let id = PathParameter(
        "id", "`sha256:` and the hash of the content.",
        schema: Schema(type: "string", pattern: "^sha256:[0-9a-f]{64}$")
    ) { $0 }

    /// Bytes of one chunk.
    private static let chunk = 256 << 10

    package init(token: String, content: @escaping @Sendable (_ id: String) async -> PhotoContent?) {
        self.token = token
        self.content = content
    }

    package var route: Route {
        Route(
            .get, "v1/images/\(Self.id)/content", for: nil, "The stored bytes of an image, for workers of a queue",
            gives: ("application/octet-stream", "The bytes."),
            refuses: [
                401: "The token is missing or wrong.", 403: "Wrong host, or the request comes from another site.",
                404: "No worker has to read this image.",
            ]
        ) { call in
            try check(call)
            let id = try call[Self.id]
            guard let content = await content(id) else {
                throw Problem(404, "notFound", "no worker has to read this photo")
            }
            return Self.response(content)
        }
    }

    private func check(_ call: Call) throws {
        guard let header = call.request.headers[.authorization], header.hasPrefix("Bearer "),
            SHA256.areEqual(SHA256.digest(of: header.dropFirst(7).utf8), SHA256.digest(of: token.utf8))
        else {
            try failures.take(call.context.guesser(call.request))
            throw HTTPError(
                .unauthorized, headers: [.wwwAuthenticate: "Bearer"],
                message: "send the token for workers; see worker-token in the output folder")
        }
    }

    private static func response(_ content: PhotoContent) -> Response {
        var headers: HTTPFields = [.contentType: "application/octet-stream"]
        headers[.cacheControl] = "no-store"
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody(contentLength: content.bytes) { writer in
                var offset = 0
                while offset < content.bytes {
                    let bytes = await content.read(offset, min(chunk, content.bytes - offset))
                    // Shorter than announced: the client notices the cut.
                    guard !bytes.isEmpty else { throw Problem(500, "internal", "the photo was cut") }
                    try await writer.write(.init(bytes: bytes))
                    offset += bytes.count
                }
                try await writer.finish(nil)
            })
    }
}
