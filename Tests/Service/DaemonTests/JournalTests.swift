import Allergens
import Foundation
import Household
import GRDB
import Intake
import Logging
import Store
import TestSupport
import Testing
import Core

@testable import App
@testable import Daemon

@Suite struct JournalTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "tablesight.sqlite")
    }

    private func journal(_ health: DaemonHealth) throws -> Journal {
        Journal(
            try OutcomeStore(at: file, patience: 0.2), known: KnownFiles(), health: health,
            logger: Logger(label: "test"))
    }

    @Test func `a permanent write error of the heartbeat ends the daemon`() async throws {
        let journal = try journal(DaemonHealth())
        _ = try await journal.heartbeat()
        try await DatabaseQueue(path: file.path).write { try $0.execute(sql: "DROP TABLE pulse") }
        await #expect(throws: StartupError.self) { try await journal.heartbeat() }
    }

    @Test func `a locked database makes the daemon unready until the lock is released`() async throws {
        let health = DaemonHealth()
        let journal = try journal(health)
        _ = try await journal.heartbeat()
        #expect(health.current.databaseIsWritable)
        var configuration = GRDB.Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: file.path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        _ = try await journal.heartbeat()
        #expect(!health.current.databaseIsWritable)
        // A second heartbeat, which knows of the other program's change, ends nothing either.
        _ = try await journal.heartbeat()
        try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        _ = try await journal.heartbeat()
        #expect(health.current.databaseIsWritable)
    }

    @Test func `the heartbeat notices people that another program stores, and not its own writes`() async throws {
        let journal = try journal(DaemonHealth())
        let before = try await journal.heartbeat()
        let same = try await journal.heartbeat()
        #expect(same.people == before.people)
        #expect(!same.isChanged)
        let anna = AllergenProfile(name: "Anna", allergens: [.milk: .severe])
        let household = Household(try OutcomeStore(at: file))
        var member = try household.add(NewMember("Anna", profile: anna))
        let after = try await journal.heartbeat()
        #expect(after.people != before.people)
        #expect(after.isChanged)
        // The change is at the end of a long profile and leaves its length.
        func save(last: Allergen) throws {
            member.profile.allergens = [.celery: .severe, .eggs: .severe, .fish: .severe, .gluten: .severe]
            member.profile.allergens[last] = .severe
            try household.save(member)
        }
        try save(last: .mustard)
        let mustard = try await journal.heartbeat()
        try save(last: .peanuts)
        #expect(try await journal.heartbeat().people != mustard.people)
    }
}
