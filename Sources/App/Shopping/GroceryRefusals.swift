import Groceries
import HTTP

/// What the pages and the API make of each refusal.
extension GroceryProblem: AppError {
    package var problem: Problem {
        switch self {
        case .notFound, .noPhoto, .noList, .noAdult: Problem(404, "notFound", message)
        case .bad: Problem(400, "badRequest", message)
        case .changed, .own: Problem(409, "conflict", message)
        }
    }
}
