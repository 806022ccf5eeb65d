import Foundation
import Groceries

/// What the pages of lists and prices need of the daemon. Errors are `Problem`s for people.
public protocol WebGroceries: Sendable {
    /// The person of a session; nil for an unknown or ended one.
    func person(ofSession token: String) async throws -> String?
    /// The names of all accounts.
    func people() async throws -> [String]
    /// - Parameter guesser: who guesses names or passwords.
    func createAccount(_ name: String, password: String, from guesser: String) async throws
    /// - Returns: the token of the new session.
    func openSession(_ name: String, password: String, from guesser: String) async throws -> String
    func closeSession(_ token: String) async throws
    /// Replaces a password and ends all sessions of the person.
    ///
    /// - Returns: the token of a new session.
    func changePassword(of person: String, from old: String, to new: String, by guesser: String) async throws -> String
    /// Erases a person with everything that lists and prices keep of them.
    func eraseAccount(_ person: String, password: String, from guesser: String) async throws
    /// A numbered product with the name that the imported catalogue knows.
    func completed(_ product: NewProduct) async throws -> NewProduct
    /// The picture at an address on another server as a JPEG; nil while it is fetched, and without one.
    func picture(_ address: String) async -> Data?
    /// Runs `work` on the database's own thread.
    func run<Value: Sendable>(_ work: @Sendable (Groceries) throws -> Value) async throws -> Value
}
