import Core
import Foundation
import HTTP
import HTTPTypes
import Household
import Hummingbird
import Kinds
import Foods
import Store

/// Photos, what was read on them, and the history, as JSON and as pages.
struct PhotoRoutes {
    let cases: PhotoActions
    let reviews: ReviewActions
    let people: PeopleActions
    let products: ProductUseCases
    let shell: PageShell
    /// Gives the sentences of the ingredient sheet in the reader's language.
    let release: EvidenceRelease?
    let access: DeviceAccess

    private static let recentRows = 3

    var routes: [Route] { photos + outcomes + saved + news + pictures + pages + corrections }

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
                let photos = try await PhotoReceipt(cases: cases).receive(call)
                let headers: HTTPFields = photos.first.map { [.location: "/v1/images/\($0.id)"] } ?? [:]
                let isNew = photos.contains { $0.state != .done }
                return Answered(isNew ? 202 : 200, Photos(images: photos), headers: headers)
            }
            .taking(
                header: "Idempotency-Key", "The same key with other bytes is refused.",
                schema: Schema(type: "string", minLength: 1, maxLength: PhotoReceipt.longestKey)
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
        let tag = "\"\(id)-\(side)\""
        if request.headers[.ifNoneMatch] == tag {
            _ = try await cases.photo(id)
            return Response(status: .notModified, headers: [.eTag: tag])
        }
        let bytes = try await cases.picture(id, side: side.rawValue)
        return Response(
            status: .ok, headers: [.contentType: "image/jpeg", .eTag: tag, .cacheControl: "private, max-age=600"],
            body: .init(byteBuffer: .init(data: bytes)))
    }

    // MARK: Pages

    private var pages: [Route] {
        [
            shell.page(.get, "/", for: .guest, in: .scan) { visit in
                try await people.isNewHousehold() ? Visit.next("/welcome") : try await scan(visit)
            },
            shell.page(.get, "scan", for: .guest, in: .scan) { visit in try await scan(visit) },
            shell.page(.post, "scan", for: .guest, in: .scan) { visit in
                try await visit.answer {
                    let found = try await PhotoReceipt(cases: cases).receive(visit.call)
                    var place = ResultPlace()
                    place.number = GTIN(typed: visit.call.query["gtin"])
                    return Visit.next(
                        found.count == 1 ? place.address(of: found[0].id) : SentPhoto.address(of: found.map(\.id)))
                } refused: {
                    try await scan($0)
                }
            },
            shell.page(.get, "photos/\(.photo)", for: .guest, in: .history) { visit in
                let id = try visit.call[.photo]
                guard let outcome = try await cases.result(id) else {
                    var waiting = visit
                    waiting.section = .scan
                    return try waiting.show(ProgressPage(photoID: id, visit.texts))
                }
                // An adult checks a receipt; everything else that was read is one link away.
                if outcome.isOnlyReceipt, visit.call.request.uri.query == nil,
                    visit.viewer.map({ $0.role >= .adult }) == true
                {
                    return Visit.next("/receipts/\(id)")
                }
                return try visit.show(try await result(outcome, id, visit))
            },
            shell.page(.get, "photos/\(.photo)/ingredients/\(.ingredient)", for: .guest, in: .history) { visit in
                let id = try visit.call[.photo]
                let number = Int(try visit.call[.ingredient])
                guard let outcome = try await cases.result(id), let found = try await assessment(of: outcome, visit),
                    let page = IngredientPage(number, in: found, of: id, release: release, visit.texts)
                else { throw PhotoProblem.noPhoto }
                return try visit.show(page)
            },
            shell.page(.post, "photos/\(.photo)/again", for: .guest, in: .history) { visit in
                let id = try visit.call[.photo]
                try await cases.readAgain(id)
                return Visit.next("/photos/\(id)")
            },
            shell.page(.post, "photos/\(.photo)/delete", for: .adult, in: .history) { visit in
                let id = try visit.call[.photo]
                let title = try await cases.result(id).map { visit.texts.title(of: $0) }
                return try visit.next(
                    "/history", deleting: title ?? visit.texts.text("delete.photo"), back: "/photos/\(id)",
                    Deletion(.photo, id))
            },
            shell.page(.get, "photos/\(.photo)/staff", for: .guest, in: .history) { visit in
                let id = try visit.call[.photo]
                let place = StaffPlace(visit.call.query)
                guard let outcome = try await cases.result(id), let menu = outcome.menu else {
                    throw PhotoProblem.noPhoto
                }
                var at = ResultPlace()
                (at.person, at.saved) = (place.person, place.saved)
                var shown = try await shown(outcome, id, at: at, visit)
                shown.earlier = try await reviews.earlier(for: menu, of: id)
                return try visit.show(StaffPage(shown, at: place))
            },
            shell.page(.get, "history", for: .guest, in: .history) { visit in
                if !visit.call.query["saved"].isEmpty { return try await savedPage(visit) }
                let query = try visit.call.query(as: HistoryQuery.self)
                var found = try await cases.page(query, joinsFrames: query.session == nil)
                let hidden = visit.undos.hidden(.photo)
                found.items.removeAll { $0.id.map(hidden.contains) ?? false }
                return try visit.show(
                    HistoryPage(found, query, people: cases.people, seenBy: visit.viewer?.member?.name, visit.texts))
            },
        ]
    }

    private var corrections: [Route] {
        [
            shell.page(.post, "photos/\(.photo)/correct", for: .adult, in: .history) { visit in
                let id = try visit.call[.photo]
                let form = try await visit.call.form()
                return try await save(try CorrectionForm.reviews(form, of: id), id, for: form["for"], visit)
            },
            shell.page(.post, "photos/\(.photo)/kind", for: .adult, in: .history) { visit in
                let id = try visit.call[.photo]
                let kind = try await visit.call.form()["kind"]
                return try await save([ReviewBody(id: id, action: .readAs, value: kind)], id, for: "", visit)
            },
            shell.page(.post, "photos/\(.photo)/staff", for: .adult, in: .history) { visit in
                let id = try visit.call[.photo]
                let form = try await visit.call.form()
                var place = StaffPlace(form)
                place.saved = []
                // The key Enter in the field of the name sends no answer.
                guard form.has("answer") else { return Visit.next(place.address(of: id)) }
                let answer = try StaffAnswer(form)
                guard let menu = try await cases.result(id)?.menu else { throw PhotoProblem.noPhoto }
                place.saved = try await reviews.add(answer, of: id, menu, visit).compactMap(\.number)
                return Visit.next(place.address(of: id) + "#r\(answer.row)")
            },
            shell.page(.post, "photos/\(.photo)/undo", for: .adult, in: .history) { visit in
                let id = try visit.call[.photo]
                let form = try await visit.call.form()
                _ = try await reviews.withdraw(
                    ResultPlace.numbers(form["undo"]), of: id, by: try visit.call.identity)
                if form["to"] == StaffPage.template { return Visit.next(StaffPlace(form).address(of: id)) }
                var place = ResultPlace()
                place.person = form.text("for")
                return Visit.next(place.address(of: id))
            },
        ]
    }

    private func save(_ bodies: [ReviewBody], _ id: String, for person: String, _ visit: Visit) async throws -> Response
    {
        var place = ResultPlace()
        place.person = person.isEmpty ? nil : person
        place.saved = try await reviews.add(bodies, visit).compactMap(\.number)
        return Visit.next(place.address(of: id) + "#saved")
    }

    private func result(_ outcome: Outcome, _ id: String, _ visit: Visit) async throws -> ResultPage {
        var shown = try await shown(outcome, id, at: ResultPlace(visit.call.query), visit)
        shown.assessment = try await assessment(of: outcome, visit)
        if let menu = outcome.menu {
            shown.earlier = try await reviews.earlier(for: menu, of: id)
        }
        if let viewer = visit.viewer, viewer.role >= .child, let member = viewer.member?.id {
            shown.savedKeys = Set(
                try await cases.saved(from: id, outcome, by: member).map { SaveButton.key($0.kind, $0.item) })
        }
        let open = shown.mayCorrect ? try await reviews.questions(of: id).count { !$0.isAnswered } : 0
        return ResultPage(shown, hasQuestions: open > 0)
    }

    /// The outcome with what the reader may do and has just said.
    private func shown(
        _ outcome: Outcome, _ id: String, at place: ResultPlace, _ visit: Visit
    ) async throws -> ShownOutcome {
        var shown = ShownOutcome(
            outcome: outcome, id: id, people: cases.people, language: visit.language, release: release)
        shown.place = place
        shown.mayCorrect = visit.viewer.map { $0.role >= .adult } ?? false
        if shown.mayCorrect {
            let saved = Set(shown.place.saved)
            let withdrawable = try await reviews.withdrawable(of: id, by: try visit.call.identity)
            shown.withdrawable = Set(withdrawable.compactMap(\.number))
            shown.saved = withdrawable.filter { $0.number.map(saved.contains) ?? false }
        }
        return shown
    }

    /// What is on file about the ingredients of the label, or of the scanned product without one.
    private func assessment(of outcome: Outcome, _ visit: Visit) async throws -> IngredientAssessment? {
        if let label = outcome.label { return label.assessment }
        guard let product = outcome.products?.first(where: { $0.ingredients != nil }), let gtin = GTIN(product.gtin)
        else { return nil }
        do {
            return try await products.assessment(
                gtin, jurisdiction: cases.people.jurisdiction.flatMap(Jurisdiction.init),
                language: AssessmentLanguage(rawValue: visit.texts.language) ?? .en)
        } catch let problem as Problem where problem.status == .notFound {
            // The record was removed after the photo was judged.
            return nil
        }
    }

    private func scan(_ visit: Visit) async throws -> Response {
        let sent = try await SentPhoto.all(of: visit.call, cases)
        if !sent.isEmpty { return try visit.show(ProgressPage(sent, visit.texts)) }
        let recent = try await cases.page(HistoryQuery(limit: Self.recentRows), joinsFrames: true)
        let hidden = visit.undos.hidden(.photo)
        return try visit.show(
            ScanPage(
                recent.items.filter { !($0.id.map(hidden.contains) ?? false) }, news: try await newsCard(visit),
                names: cases.people.map(\.name),
                viewer: visit.viewer?.member?.name, isUnprotected: access.isUnprotected(visit.call.request),
                visit.texts))
    }
}

extension PathParameter where Value == Int64 {
    fileprivate static var ingredient: Self {
        PathParameter(number: "ingredient", "Its number on the label's page, from 1.")
    }
}
