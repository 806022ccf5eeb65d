import Core
import Foundation
import HTTP
import HTTPTypes
import Hummingbird

/// Photos, what was read on them, and the history.
struct PhotoAPI {
    let cases: PhotoUseCases

    var routes: [Route] { photos + outcomes + pictures }

    // MARK: Photos

    private struct Photos: Codable { var images: [PhotoStatus] }

    private var photos: [Route] {
        let image = Schema(type: "string", contentMediaType: "image/*")
        let form = Schema(type: "object", properties: ["photo": Schema(type: "array", items: image)])
        return [
            Route(
                .post, "v1/images", for: .guest, "Sends one photo, or a form with photos",
                gives: [200: "All photos have outcomes already.", 202: "At least one photo waits."],
                refuses: [
                    408: "The body arrives too slowly.", 413: "The body is too large; `limitBytes` names the limit.",
                    415: "Not a photo; `formats` lists the accepted formats.",
                    422: "The Idempotency-Key was used for other bytes.",
                    429: "The queue is full, or there are too many uploads.", 503: "Not ready.",
                    507: "The disk is full.",
                ]
            ) { call in
                let photos = try await receive(call)
                let headers: HTTPFields = photos.first.map { [.location: "/v1/images/\($0.id)"] } ?? [:]
                let isNew = photos.contains { $0.state != .done }
                return Answered(isNew ? 202 : 200, Photos(images: photos), headers: headers)
            }
            .taking(
                header: "Idempotency-Key", "The same key with other bytes is refused.",
                schema: Schema(type: "string", minLength: 1, maxLength: Self.longestKey)
            )
            .taking(body: [("image/*", image), ("application/octet-stream", image), ("multipart/form-data", form)]),
            Route(
                .get, "v1/images/\(.photo)", for: .guest, "The state of an image", gives: [200: "The image."],
                refuses: [404: "There is nothing under this address."]
            ) { call in try await cases.photo(try call[.photo]) },
            Route(
                .delete, "v1/images/\(.photo)", for: .adult,
                "Deletes an uploaded image and everything derived from it",
                gives: [200: "What was deleted. Files in a watched folder stay."],
                refuses: [404: "There is nothing under this address."]
            ) { call in try await cases.delete(try call[.photo]) },
        ]
    }

    // MARK: Outcomes

    private var outcomes: [Route] {
        let link = (name: "Link", about: "The next page, rel=\"next\".", schema: Schema(type: "string"))
        return [
            Route(
                .get, "v1/history", for: .guest, "What was read, newest first", query: HistoryQuery.self,
                gives: [200: "A page."]
            ) { call, query in
                let found = try await cases.page(query)
                return Answered(200, found, headers: Self.link(call, found.next))
            }.giving(header: link.name, link.about, schema: link.schema, with: 200),
            Route(
                .get, "v1/outcomes", for: .guest, "Outcomes, newest first", query: HistoryQuery.self,
                gives: [200: "A page."]
            ) { call, query in
                let found = try await cases.outcomes(query)
                return Answered(200, found.list, headers: Self.link(call, found.next))
            }.giving(header: link.name, link.about, schema: link.schema, with: 200),
            Route(
                .get, "v1/outcomes/\(.photo)", for: .guest, "The outcome of an image, the same bytes as its sidecar",
                gives: [200: "The outcome."], refuses: [404: "There is nothing under this address."]
            ) { call in
                guard let json = try await cases.outcome(try call[.photo]) else {
                    throw Problem(404, "notFound", "no outcome for this content")
                }
                return StoredJSON<Outcome>(json)
            },
        ]
    }

    /// The address of the next page, with the other parameters unchanged.
    private static func link(_ call: Call, _ next: HistoryCursor?) -> HTTPFields {
        guard let next, let name = HTTPField.Name("Link") else { return [:] }
        let uri = call.request.uri
        let others = (uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("cursor=") }
        let query = (others.map(String.init) + ["cursor=\(next.text)"]).joined(separator: "&")
        return [name: "<\(uri.path)?\(query)>; rel=\"next\""]
    }

    // MARK: Pictures

    private struct PictureQuery: Decodable, Documented {
        var side: PictureSide?

        static let fields = ["side": Field("Longer side in pixels.", usual: "\(PictureSide.page.rawValue)")]
    }

    private var pictures: [Route] {
        let refusals = [404: "There is nothing under this address.", 503: "Not ready."]
        return [
            Route(
                .get, "v1/outcomes/\(.photo)/image", for: .guest, "The upright image as JPEG, without metadata",
                gives: ("image/jpeg", "JPEG."), refuses: refusals
            ) { call in
                let side = try call.query(as: PictureQuery.self).side ?? .page
                return try await picture(try call[.photo], side, to: call.request)
            }
            .taking(query: PictureQuery.self).giving(nil, with: 304, "The client has these bytes."),
            Route(
                .get, "v1/outcomes/\(.photo)/overlay.png", for: .guest, "The image with the results drawn over it",
                gives: ("image/png", "PNG."), refuses: refusals
            ) { call in
                .tagged(try await cases.overlay(try call[.photo]), as: "image/png", for: call.request)
            }
            .giving(nil, with: 304, "The client has these bytes."),
        ]
    }

    /// A content's picture never changes, so a known tag needs no work.
    private func picture(_ id: String, _ side: PictureSide, to request: Request) async throws -> Response {
        let tag = "\"\(id)-\(side.rawValue)\""
        if request.headers[.ifNoneMatch] == tag {
            _ = try await cases.photo(id)
            return Response(status: .notModified, headers: [.eTag: tag])
        }
        let bytes = try await cases.picture(id, side: side)
        return Response(
            status: .ok, headers: [.contentType: "image/jpeg", .eTag: tag, .cacheControl: "private, max-age=600"],
            body: .init(byteBuffer: .init(data: bytes)))
    }
}
