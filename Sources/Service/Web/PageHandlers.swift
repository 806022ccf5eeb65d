import Core
import Foundation
import HTTPAPI
import HTTPTypes
import Hummingbird

// The pages with data: scan, photo, history, review, people.
extension WebRoutes {
    private static let (recentRows, reviewedPhotos) = (3, 60)

    func scan(_ request: Request, error: Problem? = nil) async throws -> Response {
        let texts = try language(request).texts
        var query = APIHistoryQuery()
        query.limit = Self.recentRows
        let recent = try await source.history(query)
        var values: Values = [
            "rows": recent.items.map { HistoryRow(item: $0, texts: texts).values() }, "isEmpty": recent.items.isEmpty,
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
            outcome: outcome, id: id, people: await source.people, language: language, release: release)
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
        let page = HistoryPage(page: found, query: query, people: await source.people, texts: texts)
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
            questions: questions, index: min(place.index, max(0, questions.count - 1)), people: await source.people,
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

    // MARK: People

    func peoplePage(
        _ request: Request, name: String? = nil, message: String? = nil, error: Problem? = nil,
        draft: AllergenProfile? = nil
    ) async throws -> Response {
        let language = try language(request)
        let stored = try await source.storedPeople()
        let wanted = name ?? request.uri.queryParameters["name"].flatMap { String($0).removingPercentEncoding }
        let chosen = stored.first { one in wanted.map { DisplayName.areEqual($0, one.profile.name) } ?? false }
        let person = draft ?? chosen?.profile
        let regime = person?.regime ?? "eu14"
        let page = PeoplePage(
            stored: stored, role: chosen?.role, colour: chosen?.colour, chosen: try await source.peopleChosenElsewhere(), person: person, regime: regime,
            allergens: try await source.allergens(of: regime),
            languages: languages, language: language, message: message, error: error?.detail)
        return try self.page(
            request, "people", section: "people", heading: language.texts.text("people.head"), page.values(),
            status: error?.status ?? .ok)
    }

    private struct Person: Encodable {
        var regime: String
        var allergens: [String: String]
        var language: String?
        var words: [String]
        var role: String?
        var colour: Int?
    }

    func savePerson(_ request: Request, _ context: APIContext) async throws -> Response {
        let texts = try language(request).texts
        let form = try await FormBody(request)
        let name = form["name"]
        let regime = form["regime"].isEmpty ? "eu14" : form["regime"]
        do {
            // The form shows the allergens of the law chosen before; another law may not have all of them.
            let known = Set((try? await source.allergens(of: regime))?.map(\.rawValue) ?? [])
            let person = Person(
                regime: regime, allergens: form.all("a.").filter { known.contains($0.key) },
                language: form["language"].isEmpty ? nil : form["language"],
                words: form["words"].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) },
                role: form["role"].isEmpty ? nil : form["role"], colour: Int(form["colour"]))
            _ = try await people.save(name, try JSONCoding.encode(person))
            let identity = try context.known()
            if identity.member == nil, identity.device != nil, form["role"] != "child" {
                // Whoever adds the first person is this person.
                _ = try await household.choose(name, secret: nil, keys: [], for: identity)
            }
        } catch let problem as Problem where problem.status.code < 500 {
            return try await peoplePage(request, name: name, error: problem)
        }
        return try await peoplePage(request, name: name, message: texts.text("people.saved", ["name": name]))
    }

    func removePerson(_ request: Request) async throws -> Response {
        let texts = try language(request).texts
        let name = try await FormBody(request)["name"]
        guard try await people.remove(name) != nil else { return try await peoplePage(request) }
        return try await peoplePage(request, message: texts.text("people.removed", ["name": name]))
    }
}
