import App
import Core
import Engine
import Foundation
import Hashing
import Kinds
import Logging
import Store

/// Keeps the stored photos judged for the people of now, whichever program added, changed or removed somebody. Runs on its
/// own thread, because SQLite and judging block.
actor StoredPhotosJudge: JudgedPhotos {
    private let executor = ThreadExecutor(label: "judge again")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let store: OutcomeStore
    private let engine: TablesightEngine
    private let live: LiveConfiguration
    private let journal: Journal
    private let logger: Logger
    private var isJudging = false
    private var mustJudgeAgain = false
    /// The people whom the pass that runs judges for.
    private var judgingFor: [AllergenProfile] = []
    private var failure: StartupError?
    /// True after a pass that a full or held database ended; the next beat tries again.
    private var isBehind = false

    private static let pageRows = 32

    private let load: @Sendable () throws -> [AllergenProfile]

    /// - Parameter load: the people to judge for, after a change.
    init(
        _ store: OutcomeStore, engine: TablesightEngine, live: LiveConfiguration, journal: Journal, logger: Logger,
        load: @escaping @Sendable () throws -> [AllergenProfile]
    ) {
        self.load = load
        self.store = store
        self.engine = engine
        self.live = live
        self.journal = journal
        self.logger = logger
    }

    /// New photos are judged for these people from now on, and stored photos again if they were judged for others.
    func take(_ people: [AllergenProfile]) throws {
        if people != live.current.profiles {
            live.setProfiles(people)
            let names = people.map(\.name).joined(separator: ", ")
            logger.notice("people changed", metadata: ["people": "\(names)"])
        }
        guard !isJudging else {
            // What is noted in the store is from before this pass, so it says nothing of people who changed during it.
            mustJudgeAgain = mustJudgeAgain || people != judgingFor
            return
        }
        guard try store.judgedFor() != Self.digest(of: people) else { return }
        isJudging = true
        Task { await judgeAgain() }
    }

    /// Says nothing of who they are.
    private static func digest(of people: [AllergenProfile]) throws -> Data {
        Data(SHA256.digest(of: try JSONCoding.encode(people)))
    }

    /// Tries a pass again that a full or held database ended.
    ///
    /// - Throws: ``StartupError`` if the disk failed while stored photos were judged again: what was not synced may be lost,
    ///   so the daemon must end.
    func beat() throws {
        if let failure { throw failure }
        guard isBehind, !isJudging else { return }
        isJudging = true
        Task { await judgeAgain() }
    }

    private func judgeAgain() async {
        repeat {
            mustJudgeAgain = false
            let people = live.current.profiles
            judgingFor = people
            do {
                try await judgeAll()
                if !mustJudgeAgain { try store.setJudgedFor(try Self.digest(of: people)) }
                isBehind = false
            } catch {
                let passes = (error as? StartupError)?.passesByItself == true
                if let error = error as? StartupError, !passes { failure = error }
                if !isBehind {
                    logger.error("stored photos could not be judged again", metadata: ["reason": "\(error)"])
                }
                isBehind = passes
            }
        } while mustJudgeAgain
        isJudging = false
    }

    /// Interprets stored readings for the people of now.
    nonisolated func replay() throws -> Replay {
        Replay(
            interpreter: try engine.interpreter(), profiles: live.current.profiles, comparesBytes: true,
            reviews: { [store] in (try? store.reviews(of: $0)) ?? [] }, kitchen: KitchenDishes(store))
    }

    private func judgeAll() async throws {
        var last: Int64 = 0
        while !mustJudgeAgain {
            let (rows, end) = try store.storedRows(after: last, limit: Self.pageRows)
            guard let end else { return }
            last = end
            var outcomes: [(Int64, Data)] = []
            var events: [NewEvent] = []
            // The models are loaded only where there is something to judge.
            for judged in try replay().replayed(rows) {
                guard let json = judged.outcome else { continue }
                outcomes.append((judged.photo, json))
                guard !judged.changes.isEmpty else { continue }
                events.append(try OutcomeEvent.changed(try JSONCoding.decode(Outcome.self, from: json), judged.changes))
            }
            if !outcomes.isEmpty { try await journal.replace(outcomes, publishing: events) }
            // Let a change of people, or a request, in between pages.
            await Task.yield()
        }
    }

    // MARK: For the app

    nonisolated var people: [AllergenProfile] { live.current.profiles }

    func takeHousehold() async throws { try take(try load()) }

    func judgeAgain(_ content: String) async throws {
        let again = try replay().again(content, in: store)
        try await journal.replace(again.outcomes, publishing: again.events)
    }
}
