import HTTP
import Foundation
import Groceries

/// What the pages of lists and prices need of the daemon. Errors are `Problem`s for people.
protocol WebGroceries: Sendable {
    /// The names of the household's adults, with whom lists can be shared.
    func people() async throws -> [String]
    /// A numbered product with the name that the imported catalogue knows.
    func completed(_ product: NewProduct) async throws -> NewProduct
    /// The picture at an address on another server as a JPEG; nil while it is fetched, and without one.
    var picture: @Sendable (_ address: String) async -> Data? { get }
    /// Runs `work` on the database's own thread.
    func run<Value: Sendable>(_ work: @Sendable (Groceries) throws -> Value) async throws -> Value
}
