import HTTP
import Household
import Store

/// What the pages and the API make of each refusal.
extension PhotoProblem: AppError {
    package var problem: Problem {
        switch self {
        case .noPhoto: Problem(404, "notFound", "no such image: GET /v1/history lists them")
        case .notShown(let kind): Problem(404, "notFound", "the photo shows no such \(kind.rawValue)")
        case .tooManySaved:
            Problem(
                409, "tooManySaved",
                "you have saved \(OutcomeStore.mostSaved) items, which is the most: take one off first")
        case .notSaved: Problem(404, "notFound", "you have no saved item of this number: GET /v1/saved lists them")
        case .noNews: Problem(404, "notFound", "you have no news of this number: GET /v1/news lists them")
        case .badReview(let detail): Problem(400, "badReview", detail)
        case .noReviewed(let detail): Problem(404, "badReview", detail)
        case .badReviewer(let detail): Problem(400, "badRequest", "by is the reviewer's name: \(detail)")
        case .otherReviewer(let person):
            Problem(403, "forbidden", "this device reviews for \(person): leave `by` out")
        case .noReview:
            Problem(404, "notFound", "no review of this number is stored, so there is nothing to undo")
        case .saidBy(let name):
            Problem(
                403, "forbidden",
                "\(name.printable) said that: ask for it to be undone, or say what you think instead")
        }
    }
}
