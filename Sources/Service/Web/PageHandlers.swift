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
        // Only a product's page has tables.
        if values["isProduct"] == nil { values["styles"] = ["result"] }
        if values["risk"] != nil { values["styles"] = PageParts.styles("result") + ["risk"] }
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
        let parameters = request.uri.queryParameters
        let questions = try await questions(of: parameters["photo"].map { String($0) })
        let wanted = parameters["n"].flatMap { Int($0) } ?? 0
        let page = ReviewPage(
            questions: questions, index: min(max(0, wanted), max(0, questions.count - 1)),
            people: await source.people, language: language,
            reviewer: parameters["by"].flatMap { String($0).removingPercentEncoding },
            saved: parameters["saved"].flatMap { String($0).removingPercentEncoding }.map { String($0.prefix(200)) })
        return try self.page(
            request, "review", section: "review", heading: language.texts.text("review.head"), page.values())
    }

    func answer(_ request: Request) async throws -> Response {
        let language = try language(request)
        let form = try await FormBody(request)
        let by = form["by"].isEmpty ? language.texts.text("review.household") : form["by"]
        var review = ["id": form["id"], "by": by]
        var word = AllergenVerdict.Kind.contains
        switch form["answer"] {
        case "accept": review["action"] = "accept"
        case "yes", "no", "edit":
            let value = form["answer"] == "yes" ? "CONTAINS" : form["answer"] == "no" ? "ABSENT" : form["value"]
            review["item"] = form["item"]
            review["allergen"] = form["allergen"]
            review["action"] = "edit"
            review["value"] = value
            word = value == "ABSENT" ? .notFoundInText : value == "MAY_CONTAIN" ? .mayContain : .contains
        default: throw Problem(400, "badRequest", "the answer must be yes, no, edit or accept")
        }
        _ = try await household.review(try JSONCoding.encode(review))
        var saved = ""
        if let allergen = Allergen(rawValue: form["allergen"]) {
            saved = language.texts.text(
                "review.saved",
                [
                    "item": form["item"], "x": language.wording.name(of: allergen),
                    "verdict": language.texts.text("v.\(word.rawValue)"), "name": by,
                ])
        }
        let allowed = CharacterSet.alphanumerics
        func escaped(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
        let number = Int(form["index"]) ?? 0
        return Self.seeOther("/review?n=\(max(0, number))&by=\(escaped(by))&saved=\(escaped(saved))")
    }

    // MARK: People

    func people(
        _ request: Request, name: String? = nil, message: String? = nil, error: Problem? = nil,
        draft: AllergenProfile? = nil
    ) async throws -> Response {
        let language = try language(request)
        let stored = try await source.storedPeople()
        let wanted = name ?? request.uri.queryParameters["name"].flatMap { String($0).removingPercentEncoding }
        let person = draft ?? stored.first { $0.name == wanted }
        let regime = person?.regime ?? "eu14"
        let page = PeoplePage(
            stored: stored, person: person, regime: regime, allergens: try await source.allergens(of: regime),
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
    }

    func savePerson(_ request: Request) async throws -> Response {
        let texts = try language(request).texts
        let form = try await FormBody(request)
        let name = form["name"]
        let regime = form["regime"].isEmpty ? "eu14" : form["regime"]
        do {
            guard (1...60).contains(name.count) else {
                throw Problem(400, "badRequest", "a name has 1 to 60 characters")
            }
            // The form shows the allergens of the law chosen before; another law may not have all of them.
            let known = Set((try? await source.allergens(of: regime))?.map(\.rawValue) ?? [])
            let person = Person(
                regime: regime, allergens: form.all("a.").filter { known.contains($0.key) },
                language: form["language"].isEmpty ? nil : form["language"],
                words: form["words"].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
            _ = try await household.save(name, try JSONCoding.encode(person))
        } catch let problem as Problem where problem.status.code < 500 {
            return try await people(request, name: name, error: problem)
        }
        return try await people(request, name: name, message: texts.text("people.saved", ["name": name]))
    }

    func removePerson(_ request: Request) async throws -> Response {
        let texts = try language(request).texts
        let name = try await FormBody(request)["name"]
        guard try await household.remove(name) else { return try await people(request) }
        return try await people(request, message: texts.text("people.removed", ["name": name]))
    }
}
