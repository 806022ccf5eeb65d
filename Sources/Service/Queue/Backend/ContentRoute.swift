import Engine
import Foundation
import Glibc
import Hashing
import HTTP
import HTTPTypes
import Hummingbird
import Store

/// A photo's bytes.
package struct PhotoContent: Sendable {
    var bytes: Int
    /// At most this many bytes from this offset; fewer only at the end.
    var read: @Sendable (Int, Int) async -> [UInt8]
}

/// `GET /v1/images/{id}/content`: the stored bytes of a photo, for workers of the queue. Their token opens nothing else.
package struct ContentRoute {
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

extension QueueBackend {
    /// The route on which workers fetch their photos with this token.
    package nonisolated func contents(for token: String) -> Route {
        let photos = ContentService(self)
        return ContentRoute(token: token) { await photos.content($0) }.route
    }
}

/// Serves the photos that workers of the queue have to read, on its own thread, because files block.
private actor ContentService {
    private let executor = ThreadExecutor(label: "contents")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let backend: QueueBackend

    init(_ backend: QueueBackend) { self.backend = backend }

    func content(_ id: String) async -> PhotoContent? {
        guard let (file, bytes) = await backend.photo(id) else { return nil }
        return PhotoContent(bytes: bytes) { [self] offset, count in await read(file, at: offset, count) }
    }

    private func read(_ file: OpenPhoto, at offset: Int, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            var result = pread(file.descriptor, buffer.baseAddress, count, off_t(offset))
            while result < 0, errno == EINTR {
                result = pread(file.descriptor, buffer.baseAddress, count, off_t(offset))
            }
            length = max(0, result)
        }
    }
}
