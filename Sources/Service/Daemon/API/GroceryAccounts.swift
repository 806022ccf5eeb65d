import Accounts
import Baskets
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

    func account(_ request: GroceryRequest) throws -> GroceryAnswer {
        switch request.operation {
        case .accounts:
            return try .json(
                try accounts.people().map { AccountData(name: $0, reputation: try groceries.reputation(of: $0)) })
        case .createAccount:
            let new: Credentials = try request.decoded()
            guard let name = new.name else { throw Problem(400, "badRequest", "name is missing") }
            try accounts.create(name, password: new.password)
            return try .json(SessionData(name: name), status: 201)
        case .openSession:
            let given: Credentials = try request.decoded()
            guard let name = given.name else { throw Problem(400, "badRequest", "name is missing") }
            let (person, token) = try accounts.open(name, password: given.password)
            return try .json(SessionData(name: person, token: token), status: 201, session: token)
        case .closeSession:
            if let token = request.session { try accounts.close(token) }
            return GroceryAnswer(status: 204, session: "")
        case .changePassword:
            let given: NewPassword = try request.decoded()
            let name = try person(request)
            let token = try accounts.change(name, from: given.password, to: given.newPassword)
            return try .json(SessionData(name: name, token: token), session: token)
        case .session: return try .json(SessionData(name: try person(request)))
        case .exportAccount: return try .json(try groceries.exported(try person(request)))
        case .eraseAccount:
            let given: Credentials = try request.decoded()
            try erase(try person(request), password: given.password)
            return GroceryAnswer(status: 204, session: "")
        default:
            let name = try person(request)
            return try .json(AccountData(name: name, reputation: try groceries.reputation(of: name)))
        }
    }

    /// Asks for the password again: a borrowed phone must not erase a person.
    func erase(_ person: String, password: String) throws {
        let name = try accounts.check(person, password: password)
        try groceries.erase(name, isAlone: false)
        _ = try accounts.remove(name)
    }
}
