import Accounts
import Foundation
import Groceries
import Web

/// Lists and prices for the pages.
extension GroceryService: WebGroceries {
    func person(ofSession token: String) throws -> String? { try accounts.person(ofSession: token) }

    func people() throws -> [String] { try accounts.people() }

    func createAccount(_ name: String, password: String, from guesser: String) throws {
        try Self.explaining { try create(name, password: password, from: guesser) }
    }

    func openSession(_ name: String, password: String, from guesser: String) throws -> String {
        try Self.explaining {
            try guess(name, from: guesser) { try accounts.open(name, password: password).token }
        }
    }

    func closeSession(_ token: String) throws { try accounts.close(token) }

    func changePassword(of person: String, from old: String, to new: String, by guesser: String) throws -> String {
        try Self.explaining {
            try guess(person, from: guesser) { try accounts.change(person, from: old, to: new) }
        }
    }

    func eraseAccount(_ person: String, password: String, from guesser: String) async throws {
        try Self.explaining { try erase(person, password: password, from: guesser) }
        try await store.forgetDeleted()
    }

    func completed(_ product: NewProduct) -> NewProduct {
        var product = product
        complete(&product)
        return product
    }

    func picture(_ address: String) async -> Data? { await pictures?.picture(address) }

    func run<Value: Sendable>(_ work: @Sendable (Groceries) throws -> Value) throws -> Value {
        try Self.explaining { try work(groceries) }
    }
}
