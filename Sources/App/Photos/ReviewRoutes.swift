import Core
import Foundation
import HTTP
import Household

/// What people say of photos, as JSON and as pages that ask.
struct ReviewRoutes {
    let cases: ReviewActions
    let photos: PhotoActions
    let shell: PageShell

    var routes: [Route] { reviews + pages }

    // MARK: JSON

    private struct Query: Decodable, Documented {
        var id: String?

        static let fields = ["id": Field("The image (default: all).")]
    }

    private var reviews: [Route] {
        [
            Route(
                .get, "v1/reviews", for: .adult, "What people said about verdicts", query: Query.self,
                gives: [200: "Oldest first."]
            ) { _, query in try await cases.reviews(of: query.id) },
            Route(
                .post, "v1/reviews", for: .adult, "Stores what a person said and applies it", body: ReviewBody.self,
                gives: [201: "Stored."],
                refuses: [
                    404: "There is nothing under this address.",
                    413: "The body is too large; `limitBytes` names the limit.",
                ]
            ) { call, body in try await cases.add([body.review], by: body.by, for: try call.identity)[0] },
            Route(
                .delete, "v1/reviews/\(.review)", for: .adult,
                "Withdraws one's own review; its verdicts become the program's own again", gives: [200: "Withdrawn."],
                refuses: [403: "Another person said it.", 404: "There is nothing under this address."]
            ) { call in try await cases.withdraw(try call[.review], by: try call.identity) },
        ]
    }

    // MARK: Pages

    private var pages: [Route] {
        [
            shell.page(.get, "review", for: .adult, in: .review) { visit in
                let place = ReviewPlace(visit.call.query)
                guard let photo = place.photo else {
                    return try visit.show(ReviewQueuePage(try await cases.waiting(), visit.texts))
                }
                let questions = try await cases.questions(of: photo)
                let saved = try await saved(place, of: photo, visit)
                guard place.index < questions.count else {
                    let next = try await cases.waiting().first { $0.photo != photo }
                    return try visit.show(
                        ReviewEndPage(questions, of: photo, saved: saved, next: next, visit.language))
                }
                return try visit.show(
                    ReviewPage(questions, at: place, saved: saved, people: photos.people, visit.language))
            },
            shell.page(.post, "review", for: .adult, in: .review) { visit in
                let form = try await visit.call.form()
                var place = ReviewPlace(form)
                place.undo = try await cases.add([try Self.answer(form)], visit).first?.number
                place.index = Self.next(after: place.index, try await cases.questions(of: place.photo ?? form["id"]))
                return Visit.next(place.address)
            },
            shell.page(.post, "review/undo", for: .adult, in: .review) { visit in
                let form = try await visit.call.form()
                var place = ReviewPlace(form)
                let undone = try await cases.withdraw(place.undo ?? 0, by: try visit.call.identity)
                let questions = try await cases.questions(of: undone.content)
                place.undo = nil
                place.photo = undone.content
                place.index = questions.firstIndex { $0.isAsked(by: undone) } ?? 0
                return Visit.next(place.address)
            },
        ]
    }

    /// What was just saved; nil for what somebody else saved, because the page offers to take it back.
    private func saved(_ place: ReviewPlace, of photo: String, _ visit: Visit) async throws -> Review? {
        guard let number = place.undo else { return nil }
        return try await cases.withdrawable(of: photo, by: try visit.call.identity).first { $0.number == number }
    }

    /// The next question without an answer, from the one after `index` on; the number of questions if all have one.
    private static func next(after index: Int, _ questions: [ReviewQuestion]) -> Int {
        // The index is of a form and has any size.
        let order = Array(questions.indices.drop { $0 <= index }) + Array(questions.indices.prefix { $0 <= index })
        return order.first { !questions[$0].isAnswered } ?? questions.count
    }

    private static func answer(_ form: FormBody) throws -> ReviewBody {
        let place = Quad(rectangle: form["place"])
        guard let said = Review.Said(rawValue: form["answer"]), let allergen = Allergen(rawValue: form["allergen"])
        else {
            throw Problem(400, "badRequest", "an answer needs an allergen, and is CONTAINS, ABSENT or UNKNOWN")
        }
        return ReviewBody(
            id: form["id"], item: form["item"], allergen: allergen, action: .edit, value: said.rawValue, place: place)
    }
}

/// What the address of a page of review says. A step from one question to another keeps the photo.
struct ReviewPlace {
    /// The photo whose questions are asked; nil for the list of photos.
    var photo: String?
    /// Index of the question, from 0; after the last one comes the end.
    var index = 0
    /// The number of the review that was just saved and can be undone.
    var undo: Int64?

    var address: String { "/review".with(["photo": photo, "n": "\(index)", "undo": undo.map { "\($0)" }]) }
}

extension ReviewPlace {
    init(_ form: FormBody) {
        photo = form["photo"].isEmpty ? nil : form["photo"]
        index = max(0, Int(form["n"]) ?? 0)
        undo = Int64(form["undo"])
    }
}

extension PathParameter where Value == Int64 {
    fileprivate static var review: Self { PathParameter(number: "number", "The review's `number`.") }
}
