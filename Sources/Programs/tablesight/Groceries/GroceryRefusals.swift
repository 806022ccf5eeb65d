import Core
import Groceries

extension GroceryProblem: CommandRefusal {
    /// What each refusal ends a command with.
    var commandError: any Error {
        switch self {
        case .notFound, .noPhoto: StartupError(.noInput, message)
        case .noList: StartupError(.noInput, "\(message): add something, or name another --person or --database")
        case .bad, .noAdult, .changed, .own: StartupError(.badInput, message)
        }
    }
}
