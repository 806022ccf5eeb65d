import Core
import Documents
import TestSupport

/// The readers with the models of the repository, loaded once for all tests.
enum Shipped {
    static let documents = Result { try DocumentReader(from: ModelFolder(Repository.models)) }
    static let menus = Result { try MenuReader(from: ModelFolder(Repository.models)) }
}
