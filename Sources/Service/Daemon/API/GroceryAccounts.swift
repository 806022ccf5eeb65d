import Accounts
import Baskets
import Core
import Foundation
import Groceries
import HTTPAPI

// Accounts and sessions.
extension GroceryService {
    private struct Credentials: Decodable {
        var name: String?
        var password: String
    }
    private struct NewPassword: Decodable {
        /// The current one.
        var password: String
        var newPassword: String
    }
    private struct AccountData: Encodable {
        var name: String
        var reputation: Reputation
    }
    private struct SessionData: Encodable {
        var name: String
        var token: String?
    }

    func account(
        _ operation: GroceryRequest.AccountOperation, _ request: GroceryRequest
    ) throws -> GroceryAnswer {
        switch operation {
        case .accounts:
            return try .json(
                try accounts.people().map { AccountData(name: $0, reputation: try groceries.reputation(of: $0)) })
        case .createAccount:
            let new: Credentials = try request.decoded()
            guard let name = new.name else { throw Problem(400, "badRequest", "name is missing") }
            try create(name, password: new.password, from: request.guesser)
            return try .json(SessionData(name: name), status: 201)
        case .openSession:
            let given: Credentials = try request.decoded()
            guard let name = given.name else { throw Problem(400, "badRequest", "name is missing") }
            let (person, token) = try guess(name, from: request.guesser) {
                try accounts.open(name, password: given.password)
            }
            return try .json(SessionData(name: person, token: token), status: 201, session: token)
        case .closeSession:
            if let token = request.session { try accounts.close(token) }
            return GroceryAnswer(status: 204, session: "")
        case .changePassword:
            let given: NewPassword = try request.decoded()
            let name = try person(request)
            let token = try guess(name, from: request.guesser) {
                try accounts.change(name, from: given.password, to: given.newPassword)
            }
            return try .json(SessionData(name: name, token: token), session: token)
        case .session: return try .json(SessionData(name: try person(request)))
        case .exportAccount: return try .json(try groceries.exported(try person(request)))
        case .eraseAccount:
            let given: Credentials = try request.decoded()
            try erase(try person(request), password: given.password, from: request.guesser)
            return GroceryAnswer(status: 204, session: "")
        case .account:
            let name = try person(request)
            return try .json(AccountData(name: name, reputation: try groceries.reputation(of: name)))
        }
    }

    /// Counts a password against the guesses of its source: at one name, and at all names.
    ///
    /// A hash takes memory and time, so unknown names and refused forms count too.
    func guess<Value>(_ name: String, from guesser: String, _ check: () throws -> Value) throws -> Value {
        let place = guesser + " " + Folding.words(of: String(name.prefix(240))).joined(separator: " ")
        try passwordsOfOne.take(place)
        try passwords.take(guesser)
        let value = try check()
        passwords.giveBack(guesser)
        passwordsOfOne.giveBack(place)
        return value
    }

    /// Makes an account. Each one counts, because its password is hashed.
    func create(_ name: String, password: String, from guesser: String) throws {
        try passwords.take(guesser)
        try accounts.create(name, password: password)
    }

    /// Asks for the password again: a borrowed phone must not erase a person.
    func erase(_ person: String, password: String, from guesser: String) throws {
        let name = try guess(person, from: guesser) { try accounts.check(person, password: password) }
        try groceries.erase(name, isAlone: false)
        _ = try accounts.remove(name)
    }
}
