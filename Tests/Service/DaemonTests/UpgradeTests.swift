import Catalogue
import Core
import Engine
import Foundation
import GRDB
import HTTP
import Hashing
import Household
import Intake
import Kinds
import Logging
import ReadJobs
import TestSupport
import Testing

@testable import App
@testable import Daemon
@testable import Engine
@testable import Store

/// A daemon that starts with a newer vocabulary over the photos of an older one.
@Suite struct UpgradeTests {
    private let folder: TemporaryFolder
    private let store: OutcomeStore
    private let household: Household
    private let engine: TablesightEngine

    init() throws {
        folder = try TemporaryFolder()
        store = try OutcomeStore(at: folder.url.appending(path: "tablesight.sqlite"))
        household = Household(store)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "inbox"), withIntermediateDirectories: true)
        let models = ModelFolder(Repository.models)
        engine = TablesightEngine(
            models: models, catalogue: Catalogue(folder: folder.url.appending(path: "catalogue"), models: models),
            program: folder.url.appending(path: "tablesight"))
        let gluten = AllergenProfile(name: "", allergens: [.gluten: .severe])
        try household.add(NewMember("Ada", profile: gluten))
        try household.add(NewMember("Ben", profile: AllergenProfile(name: "", allergens: [.milk: .severe])))
    }

    /// Stores a label as an older vocabulary judged it.
    ///
    /// - Parameter change: what the older vocabulary said otherwise.
    /// - Returns: the id of the photo.
    @discardableResult
    private func storeLabel(
        _ name: String = "oats.jpg", _ line: String = "Ingredients: water, oats, sugar",
        change: (inout Outcome) -> Void
    ) throws -> String {
        let path = try folder.path(below: "inbox/\(name)")
        let found = FoundFile(
            path: path, relativePath: path,
            identity: FileIdentity(device: 1, inode: UInt64(name.utf8.count), size: 1, modified: 1, changed: 1))
        try store.enqueue([found]) { $0.path.appending(suffix: ".json") }
        let photo = try #require(try store.nextQueued(after: Data(), leavingOut: []))
        let answer = ReadAnswer(
            image: .init(format: "jpeg", width: 2000, height: 600, orientation: 1),
            readings: Readings(text: .printed([line], language: "en")))
        let id = "sha256:\(name)"
        var outcome = try engine.interpreter().judge(
            answer, of: PhotoFacts(path: path, id: id, bytes: 1), as: .label, for: try store.profiles())
        outcome.versions.lexicon = "en@1"
        change(&outcome)
        try store.finish(
            photo,
            FinishedPhoto(
                content: id, asked: "0.1.0 label - -", answer: answer, status: outcome.status,
                json: try JSONCoding.encode(outcome), summary: OutcomeSummary(outcome)))
        return id
    }

    private static let nothing = AllergenVerdict(verdict: .notFoundInText, risk: .low, probability: 0.02)

    /// The older vocabulary had no oats.
    private static func silent(_ outcome: inout Outcome) { outcome.label?.verdicts["Ada"]?[.gluten] = nothing }

    private func verdict(_ photo: String, _ person: String, _ allergen: Allergen) throws -> AllergenVerdict.Kind? {
        let json = try #require(try store.outcomeJSON(forContent: photo))
        return try JSONCoding.decode(Outcome.self, from: json).label?.verdicts[person]?[allergen]?.verdict
    }

    /// A daemon that was started.
    private struct Daemon {
        let judge: StoredPhotosJudge
        let journal: Journal
    }

    private func daemon() throws -> Daemon {
        let live = LiveConfiguration(
            try WatchConfiguration(
                inboxes: [folder.url.appending(path: "inbox").path], output: folder.url.appending(path: "out").path,
                profiles: try store.profiles()))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let journal = Journal(store, known: KnownFiles(), health: DaemonHealth(), logger: logger)
        let judge = StoredPhotosJudge(store, engine: engine, live: live, journal: journal, logger: logger) {
            live.current.profiles
        }
        return Daemon(judge: judge, journal: journal)
    }

    /// What the heartbeat of a started daemon does, until stored photos are judged.
    private func start() async throws {
        let judge = try daemon().judge
        try await judge.take(try store.profiles())
        #expect(try await eventually { await !judge.isJudging })
        #expect(try store.judgedFor() != nil)
    }

    /// Notes what a daemon before vocabularies had versions noted: that all photos are judged for these people.
    private func noteJudged() throws {
        try store.setJudgedFor(Data(SHA256.digest(of: try JSONCoding.encode(store.profiles()))))
    }

    private func news(of name: String) throws -> [News] {
        let member = try #require(try household.member(named: name))
        return try store.news(of: member.id, andChildren: false, limit: 10)
    }

    // MARK: News

    @Test func `a missed warning is news once to the person whom it concerns`() async throws {
        let photo = try storeLabel(change: Self.silent)
        try noteJudged()
        #expect(try verdict(photo, "Ada", .gluten) == .notFoundInText)
        try await start()
        #expect(try verdict(photo, "Ada", .gluten) == .contains)
        let json = try #require(try store.outcomeJSON(forContent: photo))
        #expect(try JSONCoding.decode(Outcome.self, from: json).versions.lexicon != "en@1")
        let found = try news(of: "Ada")
        #expect(found.map(\.photo) == [photo])
        #expect(found.first?.missed == [.init(item: "label", allergen: .gluten, before: .notFoundInText)])
        #expect(try news(of: "Ben").isEmpty)

        try await start()
        #expect(try news(of: "Ada") == found, "a second start adds nothing")
        let ada = try #require(try household.member(named: "Ada")).id
        let number = try #require(found.first).number
        #expect(try !store.dismissNews(number, of: ada + 1, andChildren: true), "somebody else's")
        #expect(try store.dismissNews(number, of: ada, andChildren: false))
        try await start()
        #expect(try news(of: "Ada").isEmpty)
    }

    @Test func `news go with their photo, and with their member`() async throws {
        let (one, two) = (try storeLabel("a.jpg", change: Self.silent), try storeLabel("bb.jpg", change: Self.silent))
        try noteJudged()
        try await start()
        #expect(try news(of: "Ada").map(\.photo) == [two, one])
        _ = try store.erase(one, isAlone: true)
        #expect(try news(of: "Ada").map(\.photo) == [two])
        let ada = try #require(try household.member(named: "Ada")).id
        _ = try household.remove(ada)
        #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM news") } == 0)
    }

    @Test func `verdicts that only fall are no news`() async throws {
        let photo = try storeLabel("rice.jpg", "Ingredients: water, rice, sugar") { outcome in
            for person in ["Ada", "Ben"] {
                for allergen in [Allergen.gluten, .milk] {
                    outcome.label?.verdicts[person]?[allergen]?.verdict = .contains
                }
            }
        }
        try noteJudged()
        try await start()
        #expect(try verdict(photo, "Ada", .gluten)?.isWarning == false)
        #expect(try news(of: "Ada").isEmpty && news(of: "Ben").isEmpty)
    }

    @Test func `a change of people is no news`() async throws {
        let photo = try storeLabel { outcome in outcome.label?.verdicts["Ada"] = [.milk: Self.nothing] }
        try await start()
        #expect(try verdict(photo, "Ada", .gluten) == .contains)
        #expect(try news(of: "Ada").isEmpty, "Ada was not judged for gluten before")
    }

    @Test func `nothing is told of a person who was removed`() async throws {
        let photo = try storeLabel { outcome in outcome.label?.verdicts["Nora"] = [.milk: Self.nothing] }
        try await start()
        #expect(try verdict(photo, "Nora", .milk) == nil)
        let bodies = try store.events(after: 0, limit: 9).map { String(decoding: $0.body, as: UTF8.self) }
        #expect(!bodies.contains { $0.contains("Nora") }, "\(bodies)")
    }

    // MARK: The pass

    @Test func `a pass goes on after a restart, and leaves a photo that ended the daemon`() async throws {
        let ids = try ["a.jpg", "bb.jpg", "ccc.jpg"].map { try storeLabel($0, change: Self.silent) }
        let old = try store.storedRows(after: 0, limit: 9).rows
        try await start()
        let digest = try #require(try store.judgedFor())
        try store.replace(old.map { NewOutcome(photo: $0.photo, json: $0.outcome) })
        #expect(try store.beginJudging(for: digest) == (0, 0))
        try store.replace([], judgedUpTo: old[0].photo)
        // The second photo ended the daemon, three times.
        try store.setJudgingTries(3)
        #expect(try store.beginJudging(for: digest) == (old[0].photo, 3))
        try await start()
        #expect(
            try ids.map { try verdict($0, "Ada", .gluten) } == [.notFoundInText, .notFoundInText, .contains])
        #expect(try store.beginJudging(for: Data("other people".utf8)) == (0, 0))
    }

    @Test func `an outcome that cannot be read does not stop the others`() async throws {
        let ids = try ["a.jpg", "bb.jpg"].map { try storeLabel($0, change: Self.silent) }
        let first = try #require(try store.storedRows(of: ids[0]).first)
        try store.replace([NewOutcome(photo: first.photo, json: Data("no JSON".utf8))])
        try noteJudged()
        try await start()
        #expect(try verdict(ids[1], "Ada", .gluten) == .contains)
    }

    @Test func `streams announce only what got worse, and receivers get nothing`() async throws {
        try storeLabel("a.jpg", change: Self.silent)
        try storeLabel("bb.jpg") { $0.label?.verdicts["Ben"]?[.milk]?.verdict = .contains }
        try noteJudged()
        try await start()
        let events = try store.events(after: 0, limit: 9)
        #expect(events.map(\.kind) == ["verdictChanged"])
        #expect(events.first.map { String(decoding: $0.body, as: UTF8.self).contains("a.jpg") } == true)
        #expect(try store.outboxFigures().waiting == 0)
    }

    @Test func `photos that arrive pass first`() async throws {
        let photo = try storeLabel(change: Self.silent)
        try noteJudged()
        let path = try folder.path(below: "inbox/new.jpg")
        let identity = FileIdentity(device: 1, inode: 99, size: 1, modified: 1, changed: 1)
        let found = FoundFile(path: path, relativePath: path, identity: identity)
        try store.enqueue([found]) { $0.path.appending(suffix: ".json") }
        let daemon = try daemon()
        let new = try #require(try await daemon.journal.next())
        try await daemon.judge.take(try store.profiles())
        try await Task.sleep(for: .milliseconds(300))
        #expect(try verdict(photo, "Ada", .gluten) == .notFoundInText)
        await daemon.journal.leave(new)
        #expect(try await eventually { await !daemon.judge.isJudging })
        #expect(try verdict(photo, "Ada", .gluten) == .contains)
    }
}
