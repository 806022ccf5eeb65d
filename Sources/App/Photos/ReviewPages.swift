import Core
import Foundation
import HTTP
import Store

/// The pages on which people decide unsure verdicts, and say what a photo shows.
struct ReviewPages {
    let cases: ReviewUseCases
    let photos: PhotoUseCases
    let shell: PageShell

    var routes: [Route] {
        [
            shell.page(.get, "review", for: .adult, in: .review) { visit in
                let place = ReviewPlace(visit.call.query)
                let saved = if let number = place.undo { try await cases.review(number) } else { Review?.none }
                return try visit.show(
                    ReviewPage(
                        try await cases.questions(of: place.photo), at: place, saved: saved, people: photos.people,
                        visit.language))
            },
            shell.page(.post, "review", for: .adult, in: .review) { visit in
                let form = try await visit.call.form()
                var place = ReviewPlace(form)
                place.undo = try await add(try Self.answer(form), visit).number
                return Visit.next(place.address)
            },
            shell.page(.post, "review/undo", for: .adult, in: .review) { visit in
                var place = ReviewPlace(try await visit.call.form())
                _ = try await cases.withdraw(place.undo ?? 0)
                place.undo = nil
                return Visit.next(place.address)
            },
            shell.page(.post, "photos/\(.photo)/kind", for: .adult, in: .history) { visit in
                let id = try visit.call[.photo]
                let kind = try await visit.call.form()["kind"]
                _ = try await add(ReviewBody(id: id, action: .readAs, value: kind), visit)
                return Visit.next("/photos/\(id)")
            },
        ]
    }

    private static func answer(_ form: FormBody) throws -> ReviewBody {
        let value: String
        switch form["answer"] {
        case "accept": return ReviewBody(id: form["id"], action: .accept)
        case "yes": value = "CONTAINS"
        case "no": value = "ABSENT"
        case "edit": value = form["value"]
        default: throw Problem(400, "badRequest", "the answer must be yes, no, edit or accept")
        }
        guard let allergen = Allergen(rawValue: form["allergen"]) else {
            throw Problem(400, "badRequest", "the allergen is missing or unknown")
        }
        return ReviewBody(id: form["id"], item: form["item"], allergen: allergen, action: .edit, value: value)
    }

    /// Stores a review by whoever uses the device; in a house without people by the household.
    private func add(_ body: ReviewBody, _ visit: Visit) async throws -> Review {
        let identity = try visit.call.identity
        var body = body
        if identity.member == nil { body.by = visit.texts.text("review.household") }
        return try await cases.add(body, by: identity)
    }
}

/// What the address of a page of review says. A step from one question to another keeps the photo.
struct ReviewPlace {
    /// The questions are those of this photo only; nil for all photos.
    var photo: String?
    /// Index of the question, from 0.
    var index = 0
    /// The number of the review that was just saved and can be undone.
    var undo: Int64?

    var address: String {
        let parts = [("photo", photo), ("n", "\(index)"), ("undo", undo.map { "\($0)" })]
        return "/review?"
            + parts.compactMap { name, value in value.map { "\(name)=\($0.escaped)" } }
            .joined(separator: "&")
    }
}

extension ReviewPlace {
    init(_ form: FormBody) {
        photo = form["photo"].isEmpty ? nil : form["photo"]
        index = max(0, Int(form["n"]) ?? 0)
        undo = Int64(form["undo"])
    }
}
