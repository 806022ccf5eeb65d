import App
import HTTP
import Hashing
import HTTPTypes
import Hummingbird

/// A photo's bytes.
struct APIContent: Sendable {
    var bytes: Int
    /// At most this many bytes from this offset; fewer only at the end.
    var read: @Sendable (Int, Int) async -> [UInt8]

    init(bytes: Int, read: @escaping @Sendable (Int, Int) async -> [UInt8]) {
        self.bytes = bytes
        self.read = read
    }
}

/// What the route needs of the daemon.
protocol APIContents: Sendable {
    /// The photo, while a worker has to read it; nil otherwise.
    func content(_ id: String) async -> APIContent?
}

/// `GET /v1/images/{id}/content`: the stored bytes of a photo, for workers of the queue. Their token opens nothing else.
struct ContentRoutes: APIRoutes {
    private let contents: any APIContents
    private let digest: [UInt8]
    private let failures = GuessLimit(each: 60, all: 10_000)

    /// Bytes of one chunk.
    private static let chunk = 256 << 10

    /// - Parameter token: the token for workers.
    init(_ contents: any APIContents, token: String) {
        self.contents = contents
        digest = SHA256.digest(of: token.utf8)
    }

    func add(to routes: RouterGroup<APIContext>) {}

    func addOpen(to routes: RouterGroup<APIContext>) {
        routes.get("v1/images/{id}/content") { request, context in
            guard let header = request.headers[.authorization], header.hasPrefix("Bearer "),
                SHA256.areEqual(SHA256.digest(of: header.dropFirst(7).utf8), digest)
            else {
                try failures.take(context.guesser(request))
                throw HTTPError(
                    .unauthorized, headers: [.wwwAuthenticate: "Bearer"],
                    message: "send the token for workers; see worker-token in the output folder")
            }
            let id = try context.parameters.imageID()
            guard let content = await contents.content(id) else {
                throw Problem(404, "notFound", "no worker has to read this photo")
            }
            var headers: HTTPFields = [.contentType: "application/octet-stream"]
            headers[.cacheControl] = "no-store"
            return Response(
                status: .ok, headers: headers,
                body: ResponseBody(contentLength: content.bytes) { writer in
                    var offset = 0
                    while offset < content.bytes {
                        let bytes = await content.read(offset, min(Self.chunk, content.bytes - offset))
                        // Shorter than announced: the client notices the cut.
                        guard !bytes.isEmpty else { throw Problem(500, "internal", "the photo was cut") }
                        try await writer.write(.init(bytes: bytes))
                        offset += bytes.count
                    }
                    try await writer.finish(nil)
                })
        }
    }
}
