import HTTP
import Foundation
import HTTPTypes
import Hummingbird

/// An image of the API.
package struct APIImage: Sendable, Codable {
    /// `sha256:` and the hash of the content.
    package var id: String
    /// `queued`, `reading` or `done`.
    package var state: String
    /// The outcome's address; nil before there is one.
    package var outcome: String?
    /// The files with this content.
    package var paths: [String]

    package init(id: String, state: String, outcome: String?, paths: [String]) {
        self.id = id
        self.state = state
        self.outcome = outcome
        self.paths = paths
    }
}

/// The result of a deletion.
package struct APIDeletion: Sendable, Codable {
    package var id: String
    /// Files that were deleted.
    package var deleted: [String]
    /// Files that a person keeps in a watched folder; they are not read again until they change.
    package var kept: [String]

    package init(id: String, deleted: [String], kept: [String]) {
        self.id = id
        self.deleted = deleted
        self.kept = kept
    }
}

/// One upload in progress.
package protocol APIUpload: Sendable {
    /// - Throws: ``Problem`` 413 above the limit, 507 on a full disk.
    func write(_ bytes: [UInt8]) async throws
    /// Stores the photo durably and queues it.
    ///
    /// - Parameter key: idempotency key of the request.
    /// - Throws: ``Problem`` 415 for bytes that are no photo, 422 if the key named other bytes.
    func finish(key: String?) async throws -> APIImage
    /// Deletes what was written.
    func cancel() async
}

/// What the image routes need of the daemon.
package protocol APIImages: Sendable {
    /// The largest photo, bytes.
    var mostBytes: Int { get async }
    /// - Parameter person: the adult who sends the photo, whose prices it may hold; nil for others.
    /// - Throws: ``Problem`` 429 while the queue is full, 503 without a folder for uploads.
    func begin(by person: String?) async throws -> any APIUpload
    func image(_ id: String) async throws -> APIImage?
    /// Deletes everything that was derived from an image, and its uploaded file. Nil if nothing is known of it.
    func delete(_ id: String) async throws -> APIDeletion?
    /// The upright image as JPEG without metadata, with a longer side of at most `side` pixels.
    func picture(_ id: String, side: Int) async throws -> Data?
    /// The image with the results drawn over it, as PNG.
    func overlay(_ id: String) async throws -> Data?
}

/// `POST /v1/images`, `GET|DELETE /v1/images/{id}`, `GET /v1/outcomes/{id}/image`, `…/overlay.png`.
struct ImageRoutes: APIRoutes {
    private let images: any APIImages

    init(_ images: any APIImages) { self.images = images }

    /// Sides of pictures that can be requested, in pixels: a thumbnail and a page.
    static let sides = [160, 1600]

    func add(to routes: RouterGroup<APIContext>) {
        routes.post("v1/images") { request, context in
            let images = try await receive(request, context)
            let isNew = images.contains { $0.state != "done" }
            var response = try Response.json(Uploaded(images: images), status: isNew ? .accepted : .ok)
            if let first = images.first { response.headers[.location] = "/v1/images/\(first.id)" }
            return response
        }
        routes.get("v1/images/{id}") { _, context in
            guard let image = try await images.image(try id(context)) else { throw Self.unknown }
            return try Response.json(image)
        }
        routes.delete("v1/images/{id}") { _, context in
            guard let deletion = try await images.delete(try id(context)) else { throw Self.unknown }
            return try Response.json(deletion)
        }
        routes.get("v1/outcomes/{id}/image") { request, context in
            let side = request.uri.queryParameters["side"].map { Int($0) ?? 0 } ?? 1600
            guard Self.sides.contains(side) else {
                let sides = Self.sides.map(String.init).joined(separator: ", ")
                throw Problem(400, "badRequest", "side must be one of \(sides)")
            }
            let id = try id(context)
            return try await tagged(request, "\(id)-\(side)", "image/jpeg") { try await images.picture(id, side: side) }
        }
        routes.get("v1/outcomes/{id}/overlay.png") { request, context in
            let id = try id(context)
            guard let data = try await images.overlay(id) else { throw Self.unknown }
            return Response.tagged(data, as: "image/png", for: request)
        }
    }

    private struct Uploaded: Codable { var images: [APIImage] }

    static let unknown = Problem(404, "notFound", "no such image: GET /v1/history lists them")

    private func id(_ context: APIContext) throws -> String { try context.parameters.imageID() }

    /// A content's picture never changes, so a known tag needs no work.
    private func tagged(
        _ request: Request, _ tag: String, _ type: String, _ data: () async throws -> Data?
    ) async throws -> Response {
        let quoted = "\"\(tag)\""
        if request.headers[.ifNoneMatch] == quoted, try await images.image(String(tag.prefix(71))) != nil {
            return Response(status: .notModified, headers: [.eTag: quoted])
        }
        guard let bytes = try await data() else { throw Self.unknown }
        return Response(
            status: .ok, headers: [.contentType: type, .eTag: quoted, .cacheControl: "private, max-age=600"],
            body: .init(byteBuffer: .init(data: bytes)))
    }

    /// Uploads of a form, or the body as one photo.
    func receive(_ request: Request, _ context: APIContext) async throws -> [APIImage] {
        let key = request.headers.first { $0.name.canonicalName == "idempotency-key" }?.value
        if let key, key.isEmpty || key.utf8.count > 200 {
            throw Problem(400, "badRequest", "Idempotency-Key must have 1 to 200 bytes")
        }
        // Guests and children add no prices.
        let person = context.identity.flatMap { $0.role >= .adult ? $0.member?.name : nil }
        let type = request.headers[.contentType] ?? "application/octet-stream"
        if type.lowercased().hasPrefix("multipart/") {
            guard let reader = MultipartReader(contentType: type) else {
                throw Problem(400, "badRequest", "Content-Type must be multipart/form-data with a boundary")
            }
            try await refuse(request, above: Self.mostPhotos)
            return try await receive(request, reader, key, person)
        }
        guard type.lowercased().hasPrefix("image/") || type.lowercased().hasPrefix("application/octet-stream") else {
            throw Problem(
                415, "badFormat", "send a photo, or a form with photos; \(type) is neither", formats: PhotoFormats.all)
        }
        try await refuse(request, above: 1)
        let upload = try await images.begin(by: person)
        do {
            for try await chunk in request.body {
                try await upload.write(Array(chunk.readableBytesView))
            }
            return [try await upload.finish(key: key)]
        } catch {
            await upload.cancel()
            throw error
        }
    }

    /// Photos of the largest size that one form may announce.
    private static let mostPhotos = 4

    /// Refuses a body by its announced length, before any of it is read.
    private func refuse(_ request: Request, above photos: Int) async throws {
        guard let announced = request.headers[.contentLength].flatMap({ Int($0) }) else { return }
        let most = await images.mostBytes
        // The form's own lines come in addition to its photos.
        guard announced > most * photos + 65_536 else { return }
        throw Problem(
            413, "tooLarge", "a photo has at most \(most >> 20) MiB: send a smaller version", limitBytes: most)
    }

    private func receive(
        _ request: Request, _ reader: MultipartReader, _ key: String?, _ person: String?
    ) async throws -> [APIImage] {
        var reader = reader
        var upload: (any APIUpload)?
        var found: [APIImage] = []
        do {
            for try await chunk in request.body {
                for event in try reader.read(chunk.readableBytesView) {
                    switch event {
                    // A form sends an empty file name for a field without a file.
                    case .part(_, let name?) where !name.isEmpty: upload = try await images.begin(by: person)
                    case .part: upload = nil
                    case .data(let bytes): try await upload?.write(bytes)
                    case .endOfPart:
                        if let done = upload {
                            let own = key.map { found.isEmpty ? $0 : "\($0)#\(found.count)" }
                            found.append(try await done.finish(key: own))
                        }
                        upload = nil
                    }
                }
            }
            guard reader.isComplete else { throw Problem(400, "badRequest", "the form data ends too early") }
        } catch {
            await upload?.cancel()
            throw error
        }
        guard !found.isEmpty else { throw Problem(400, "badRequest", "the form has no photo: choose a file") }
        return found
    }
}

extension Parameters {
    /// `sha256:` and 64 lower-case hexadecimal digits.
    ///
    /// - Throws: ``Problem`` (404) for anything else.
    package func imageID() throws -> String {
        let id = try require("id").removingPercentEncoding ?? ""
        guard id.hasPrefix("sha256:"), id.utf8.count == 71,
            id.utf8.dropFirst(7).allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { throw Problem(404, "notFound", "an id is sha256: and 64 hexadecimal digits") }
        return id
    }
}

/// The formats that the worker can decode.
package enum PhotoFormats {
    package static let all = [
        "image/jpeg", "image/png", "image/webp", "image/tiff", "image/bmp", "image/gif", "image/heic", "image/avif",
    ]
}

extension PathParameter where Value == String {
    /// The id of a photo: `sha256:` and 64 lower-case hexadecimal digits.
    package static var photo: Self {
        PathParameter(
            "id", "`sha256:` and the hash of the content.",
            schema: Schema(type: "string", pattern: "^sha256:[0-9a-f]{64}$")
        ) { id in
            guard id.hasPrefix("sha256:"), id.utf8.count == 71,
                id.utf8.dropFirst(7).allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
            else { throw Problem(404, "notFound", "an id is sha256: and 64 hexadecimal digits") }
            return id
        }
    }
}
