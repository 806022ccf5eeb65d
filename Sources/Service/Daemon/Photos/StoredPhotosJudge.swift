import Core
import Engine
import Foundation
import Hashing
import Kinds
import Logging
import Metrics
import Store

/// Keeps the stored photos judged for the people of now, whichever program added, changed or removed somebody, and by the
/// rules of now, after an upgrade. Runs on its own thread, because SQLite and judging block.
///
/// A change of people by somebody who waits for it is as fast as the machine. Otherwise photos that arrive pass first. A
/// restart continues where a pass ended.
actor StoredPhotosJudge: JudgedPhotos {
    private let executor = ThreadExecutor(label: "judge again")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let store: OutcomeStore
    private let engine: TablesightEngine
    private let live: LiveConfiguration
    private let journal: Journal
    private let logger: Logger
    private(set) var isJudging = false
    private var mustJudgeAgain = false
    /// The people whom the pass that runs judges for.
    private var judgingFor: [AllergenProfile] = []
    private var failure: StartupError?
    /// True after a pass that a full or held database ended; the next beat tries again.
    private var isBehind = false
    /// True if people changed while the daemon runs, so that somebody waits for the pass.
    private var isUrgent = false

    /// Rows of a page for which somebody waits, and of a page that one thread judges in the background.
    private static let (urgentRows, quietRows) = (32, Replay.share)
    /// Starts of the daemon that a photo may end while it is judged again.
    private static let mostTries = 3
    /// Photos that a pass in the background announces to streams, all of which got worse.
    private static let mostAnnounced = 100
    /// The longest time for which a page waits for photos that arrive: they may never end.
    private static let longestWait = Duration.seconds(10)

    /// How often other people were taken, by whoever changed them.
    private(set) var turns = 0

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
            turns += 1
            let names = people.map(\.name).joined(separator: ", ")
            logger.notice("people changed", metadata: ["people": "\(names)"])
            isUrgent = true
        }
        guard !isJudging else {
            // What is noted in the store is from before this pass, so it says nothing of people who changed during it.
            mustJudgeAgain = mustJudgeAgain || people != judgingFor
            return
        }
        guard try store.judgedFor() != digest(of: people) else { return }
        isJudging = true
        Task { await judgeAgain() }
    }

    /// Of the people and the versions that judge for them. Says nothing of who they are.
    private func digest(of people: [AllergenProfile]) throws -> Data {
        struct Judged: Encodable {
            var people: [AllergenProfile]
            var rules: Outcome.Versions
        }
        let judged = Judged(people: people, rules: try engine.interpreter().rules)
        return Data(SHA256.digest(of: try JSONCoding.encode(judged)))
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
                let digest = try digest(of: people)
                try await judgeAll(for: digest)
                if !mustJudgeAgain { try store.setJudgedFor(digest) }
                isBehind = false
            } catch {
                // The pass ended, but no photo ended the daemon.
                try? store.setJudgingTries(0)
                let passes = (error as? StartupError)?.passesByItself == true
                if let error = error as? StartupError, !passes { failure = error }
                if !isBehind {
                    logger.error("stored photos could not be judged again", metadata: ["reason": "\(error)"])
                }
                isBehind = passes
            }
        } while mustJudgeAgain
        (isJudging, isUrgent) = (false, false)
    }

    /// Interprets stored readings for the people of now.
    nonisolated func replay() throws -> Replay {
        Replay(
            interpreter: try engine.interpreter(), profiles: live.current.profiles, comparesBytes: true,
            reviews: { [store] in (try? store.reviews(of: $0)) ?? [] }, kitchen: KitchenDishes(store))
    }

    /// What became of the photos of a pass.
    private struct Tally {
        var unchanged = 0
        var changed = 0
        /// Those that are news to somebody.
        var worse = 0
        var failed = 0

        var metadata: Logger.Metadata {
            [
                "unchanged": "\(unchanged)", "changed": "\(changed)", "worse": "\(worse)", "failed": "\(failed)",
            ]
        }

        mutating func count(_ path: WritableKeyPath<Self, Int>, _ result: String) {
            self[keyPath: path] += 1
            Counter(label: "tablesight_photos_judged_again_total", dimensions: [("result", result)]).increment()
        }
    }

    private func judgeAll(for digest: Data) async throws {
        var (last, tries) = try store.beginJudging(for: digest)
        var tally = Tally()
        var worked = Duration.zero
        while !mustJudgeAgain {
            await rest(after: worked)
            let began = ContinuousClock.now
            // A photo that ended the daemon is found alone, and is left as it is.
            let limit = tries > 0 ? 1 : isUrgent ? Self.urgentRows : Self.quietRows
            let (rows, end) = try store.storedRows(after: last, limit: limit)
            guard let end else { break }
            if tries < Self.mostTries {
                try store.setJudgingTries(tries + 1)
                try await judge(rows, upTo: end, &tally)
            } else {
                logger.error("judging a stored photo again ended the daemon", metadata: ["job": "\(end)"])
                tally.count(\.failed, "failed")
                try await journal.replace([], publishing: [], judgedUpTo: end)
            }
            (last, tries) = (end, 0)
            worked = began.duration(to: .now)
        }
        guard tally.changed + tally.worse + tally.failed > 0 else { return }
        logger.notice("stored photos were judged again", metadata: tally.metadata)
    }

    /// Judges a page, and stores what changed with the news of it.
    private func judge(_ rows: [StoredRow], upTo end: Int64, _ tally: inout Tally) async throws {
        var outcomes: [NewOutcome] = []
        var events: [NewEvent] = []
        // The models are loaded only where there is something to judge.
        for judged in try replay().replayed(rows) {
            if let failure = judged.failure {
                tally.count(\.failed, "failed")
                logger.error(
                    "a stored photo could not be judged again",
                    metadata: ["job": "\(judged.photo)", "reason": "\(failure)"])
            }
            let isWorse = judged.outcome?.missed.isEmpty == false
            if isWorse {
                tally.count(\.worse, "worse")
            } else if !judged.changes.isEmpty {
                tally.count(\.changed, "changed")
            } else if judged.failure == nil {
                tally.count(\.unchanged, "unchanged")
            }
            guard let outcome = judged.outcome else { continue }
            outcomes.append(outcome)
            // After an upgrade thousands may change at once, and streams keep a limited number of events.
            let isAnnounced = isUrgent ? !judged.changes.isEmpty : isWorse && tally.worse <= Self.mostAnnounced
            guard isAnnounced else { continue }
            events.append(
                try OutcomeEvent.changed(try JSONCoding.decode(Outcome.self, from: outcome.json), judged.changes))
        }
        try await journal.replace(outcomes, publishing: events, judgedUpTo: end)
    }

    /// Lets photos that arrive pass between pages, and leaves half of a core to others. A change of people, or a request,
    /// gets in between.
    private func rest(after work: Duration) async {
        guard !isUrgent else { return await Task.yield() }
        let end = ContinuousClock.now + Self.longestWait
        while !mustJudgeAgain, ContinuousClock.now < end, await journal.hasWork {
            try? await Task.sleep(for: .milliseconds(500))
        }
        try? await Task.sleep(for: work)
    }

    // MARK: For the app

    nonisolated var people: [AllergenProfile] { live.current.profiles }

    func takeHousehold() async throws { try take(try load()) }

    func judgeAgain(_ content: String) async throws {
        let again = try replay().again(content, in: store)
        try await journal.replace(again.outcomes, publishing: again.events)
    }
}
