import Accounts
import Baskets
import Catalogue
import Core
import Foundation
import Groceries
import Store
import TestSupport
import Testing

@testable import Daemon
@testable import HTTPAPI

/// Passwords that somebody guesses.
@Suite struct PasswordGuessTests {
    private let folder: TemporaryFolder
    private let service: GroceryService
    private let clock = TestClock()

    init() throws {
        folder = try TemporaryFolder()
        let store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        let models = ModelFolder(Repository.models)
        let engine = TablesightEngine(
            models: models, catalogue: Catalogue(folder: folder.url.appending(path: "catalogue")),
            program: Program("tablesight").url)
        let rules = try models.load(GroceryRules.self, from: "groceries/rules.json")
        let accounts = Accounts(store, parameters: .init(cost: 4, blockSize: 8, lanes: 1)) { [clock] in clock.date }
        service = GroceryService(
            Groceries(store, rules: rules), store, engine: engine, pictures: nil, accounts: accounts,
            limitClock: { [clock] in clock.now })
    }

    private func send(
        _ operation: GroceryRequest.AccountOperation, _ name: String, _ password: String, from guesser: String
    ) async throws -> (status: Int, retryAfter: Int?) {
        let body = try JSONEncoder().encode(["name": name, "password": password])
        let request = GroceryRequest(
            operation: .account(operation), session: nil, path: [:], query: [:], body: body, guesser: guesser)
        do { return (try await service.answer(request).status, nil) } catch let problem as Problem {
            return (problem.status.code, problem.retryAfter)
        }
    }

    @Test func `wrong passwords at a name keep their source out for a minute, and nobody else`() async throws {
        #expect(try await send(.createAccount, "Ada", "correct horse", from: "owner").status == 201)
        var answers: [Int] = []
        for _ in 0..<6 { answers.append(try await send(.openSession, "Ada", "wrong horse", from: "guest").status) }
        #expect(answers == [403, 403, 403, 403, 403, 429])
        clock.pass(seconds: 20)
        let refused = try await send(.openSession, "Ada", "correct horse", from: "guest")
        #expect(refused.status == 429 && refused.retryAfter == 40, "the right one too, and it says how long")
        #expect(try await send(.openSession, "Ada", "correct horse", from: "owner").status == 201)
        clock.pass(seconds: 40)
        #expect(try await send(.openSession, "Ada", "correct horse", from: "guest").status == 201)
    }

    @Test func `a source has sixty wrong passwords a minute at all names together`() async throws {
        var answers: [Int: Int] = [:]
        for number in 0..<70 {
            let status = try await send(.openSession, "Name \(number)", "wrong horse", from: "guest").status
            answers[status, default: 0] += 1
        }
        #expect(answers == [403: 60, 429: 10])
        #expect(try await send(.openSession, "Nobody", "wrong horse", from: "owner").status == 403)
    }
}
