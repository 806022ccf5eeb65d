import ArgumentParser
import Core
import Household

extension PhotoProblem: CommandRefusal {
    /// What each refusal ends a command with.
    var commandError: any Error {
        switch self {
        case .badReview(let detail): StartupError(.usage, detail)
        case .noReviewed(let detail): StartupError(.noInput, detail)
        case .badReviewer(let detail): ValidationError(detail)
        case .noReview(let number):
            StartupError(.noInput, "no review \(number): `tablesight review list` shows their numbers")
        // No command asks for these.
        case .noPhoto, .notShown, .tooManySaved, .notSaved, .noNews, .otherReviewer, .saidBy: self
        }
    }
}
