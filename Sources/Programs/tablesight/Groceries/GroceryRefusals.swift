import Core
import Groceries

extension GroceryProblem {
    /// What each refusal ends a command with.
    var commandError: StartupError {
        switch self {
        case .notFound, .noPhoto: StartupError(.noInput, message)
        case .noList: StartupError(.noInput, "\(message): add something, or name another --person or --database")
        case .bad, .noAdult, .changed, .own: StartupError(.badInput, message)
        }
    }
}
