import Core
import Kinds
import TestSupport

/// The interpreters with the models of the repository, loaded once for all tests.
enum Shipped {
    static let interpreter = Result { try Interpreter(models: ModelFolder(Repository.models)) }
    static let products = Result { try ProductInterpreter(models: ModelFolder(Repository.models)) }
}
