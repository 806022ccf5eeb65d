import Core
import Foundation
import HTTP
import HTTPTypes
import Hummingbird

// The pages with data: scan, photo, history, review.
extension WebRoutes {
    private static let (recentRows, reviewedPhotos) = (3, 60)

    func scan(_ request: Request, error: Problem? = nil) async throws -> Response {
        let texts = try language(request).texts
        var query = APIHistoryQuery()
        query.limit = Self.recentRows
        let recent = try await source.history(query)
        var values: Values = [
            "rows": recent.items.map { HistoryRow(item: $0, texts: texts).values() }, "isEmpty": recent.items.isEmpty,
            "isUnprotected": access.isUnprotected(request),
        ]
        if let error { values["error"] = error.detail }
        return try page(
            request, "scan", section: "scan", heading: texts.text("scan.head"), values, status: error?.status ?? .ok)
    }

    func photo(_ request: Request, _ id: String) async throws -> Response {
        let language = try language(request)
        guard let json = try await source.outcome(id) else {
            guard try await images.image(id) != nil else { throw ImageRoutes.unknown }
            return try page(
                request, "progress", section: "scan", heading: language.texts.text("progress.head"),
                ["id": id, "refresh": true])
        }
        let outcome = try JSONCoding.decode(Outcome.self, from: json)
        let result = ResultPage(
            outcome: outcome, id: id, people: source.people, language: language, release: release)
        var values = result.values()
        if !ResultPage.partsWithTables.contains(where: { values[$0] != nil }) { values["styles"] = ["result"] }
        if (values["product"] as? Values)?["risk"] != nil { values["styles"] = PageParts.styles("result") + ["risk"] }
        values["hasQuestions"] = !(try reviewQuestions.all(of: id, in: json)).isEmpty
        return try page(request, "result", section: "history", heading: result.title, values)
    }

    func history(_ request: Request) async throws -> Response {
        let texts = try language(request).texts
        let query = try APIHistoryQuery(request)
        let found = try await source.history(query)
        let page = HistoryPage(page: found, query: query, people: source.people, texts: texts)
        return try self.page(request, "history", section: "history", heading: texts.text("history.head"), page.values())
    }

    // MARK: Review

    /// Open questions of the newest photos, or of one photo.
    private func questions(of photo: String?) async throws -> [ReviewQuestion] {
        var ids = photo.map { [$0] } ?? []
        if photo == nil {
            var query = APIHistoryQuery()
            query.limit = Self.reviewedPhotos
            ids = try await source.history(query).items.filter { item in
                item.contradiction || ["CONTAINS", "LIKELY"].contains { item.worst[$0] != nil }
            }.compactMap(\.id)
        }
        var found: [ReviewQuestion] = []
        for id in ids {
            guard let json = try await source.outcome(id) else { continue }
            found += try reviewQuestions.all(of: id, in: json)
        }
        return found.enumerated().sorted {
            (ReviewQuestion.rank($0.element), -$0.offset) > (ReviewQuestion.rank($1.element), -$1.offset)
        }.map(\.element)
    }

    func review(_ request: Request) async throws -> Response {
        let language = try language(request)
        let place = ReviewPlace(FormBody(queryOf: request))
        let questions = try await questions(of: place.photo)
        let page = ReviewPage(
            questions: questions, index: min(place.index, max(0, questions.count - 1)), people: source.people,
            language: language, place: place, saved: try await saved(place.undo, language))
        return try self.page(
            request, "review", section: "review", heading: language.texts.text("review.head"), page.values())
    }

    private struct StoredReview: Decodable {
        var number: Int64
        var content, item, reviewer: String
        var allergen: Allergen?
        var value: String?
    }

    /// What the review with this number says; nil if there is none.
    private func saved(_ number: Int64?, _ language: PageLanguage) async throws -> String? {
        guard let number else { return nil }
        let all = try JSONCoding.decode([StoredReview].self, from: try await people.reviews(of: nil))
        guard let review = all.first(where: { $0.number == number }) else { return nil }
        guard let allergen = review.allergen else {
            return language.texts.text("review.saved.all", ["name": review.reviewer])
        }
        let kind: AllergenVerdict.Kind =
            review.value == "ABSENT" ? .notFoundInText : review.value == "MAY_CONTAIN" ? .mayContain : .contains
        return language.texts.text(
            "review.saved",
            [
                "item": review.item == "label" ? language.texts.text("untitled.label") : review.item,
                "x": language.wording.name(of: allergen), "verdict": language.texts.text("v.\(kind.rawValue)"),
                "name": review.reviewer,
            ])
    }

    func answer(_ request: Request, _ context: APIContext) async throws -> Response {
        let form = try await FormBody(request)
        var review = ["id": form["id"]]
        switch form["answer"] {
        case "accept": review["action"] = "accept"
        case "yes", "no", "edit":
            review["item"] = form["item"]
            review["allergen"] = form["allergen"]
            review["action"] = "edit"
            review["value"] =
                form["answer"] == "yes" ? "CONTAINS" : form["answer"] == "no" ? "ABSENT" : form["value"]
        default: throw Problem(400, "badRequest", "the answer must be yes, no, edit or accept")
        }
        let stored = try JSONCoding.decode(
            StoredReview.self, from: try await store(review, request, context))
        var place = ReviewPlace(form)
        place.undo = stored.number
        return Self.seeOther(place.address)
    }

    /// Has a photo's stored readings interpreted as the kind that the form names.
    func readAs(_ request: Request, _ context: APIContext, id: String) async throws -> Response {
        let kind = try await FormBody(request)["kind"]
        _ = try await store(["id": id, "action": "readAs", "value": kind], request, context)
        return Self.seeOther("/photos/\(id)")
    }

    /// Stores a review by whoever uses the device; in a house without people by the household.
    private func store(_ review: [String: String], _ request: Request, _ context: APIContext) async throws -> Data {
        let identity = try context.known()
        var review = review
        if identity.member == nil { review["by"] = try language(request).texts.text("review.household") }
        return try await people.review(try JSONCoding.encode(review), by: identity)
    }

    /// Withdraws the review that the form names, and asks its question again.
    func undoAnswer(_ request: Request) async throws -> Response {
        let form = try await FormBody(request)
        var place = ReviewPlace(form)
        guard let number = place.undo, try await people.withdrawReview(number) != nil else {
            throw Problem(404, "notFound", "this answer is not stored any more, so there is nothing to undo")
        }
        place.undo = nil
        return Self.seeOther(place.address)
    }
}
