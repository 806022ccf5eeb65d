import Dispatch
import Foundation
import Kinds
import Store
import Synchronization
import Core

/// Interprets stored readings again on all cores; results keep their order.
package struct Replay: Sendable {
    package struct Replayed: Sendable {
        package var photo: Int64
        package var changes: [VerdictChange]
        /// Ingredients about which the evidence release says something else.
        package var assessments: [AssessmentChange] = []
        /// The new outcome; nil if nothing changed, versions included.
        package var outcome: NewOutcome?
        /// Former people of the photo who are no longer stored; the photo is left unchanged then.
        package var unknown: [String] = []
        /// Why the photo could not be judged; it is left unchanged then.
        package var failure: (any Error)?
    }

    let interpreter: Interpreter
    /// Nil judges each photo for its former people.
    let profiles: [AllergenProfile]?
    /// Finds a person by name.
    let known: @Sendable (String) -> AllergenProfile?
    let reviews: @Sendable (String) -> [Review]
    let kitchen: KitchenDishes
    /// True also replaces an outcome with the same verdicts if its bytes differ, for example in the risk.
    let comparesBytes: Bool

    /// - Parameters:
    ///   - profiles: people to judge for; nil for each photo's former people.
    ///   - comparesBytes: also replaces outcomes with the same verdicts whose bytes differ.
    ///   - known: finds people by name; a photo with an unknown person stays unchanged.
    ///   - reviews: returns people's reviews of a content; they override the new verdicts.
    ///   - kitchen: the dishes of each photo's kitchen with known allergens.
    package init(
        interpreter: Interpreter, profiles: [AllergenProfile]?, comparesBytes: Bool = false,
        known: @escaping @Sendable (String) -> AllergenProfile? = { _ in nil },
        reviews: @escaping @Sendable (String) -> [Review] = { _ in [] }, kitchen: KitchenDishes = KitchenDishes()
    ) {
        self.interpreter = interpreter
        self.profiles = profiles
        self.known = known
        self.reviews = reviews
        self.kitchen = kitchen
        self.comparesBytes = comparesBytes
    }

    /// Judges rows again. A row in an older format is skipped; the daemon reads its photo again.
    package func replayed(_ rows: [StoredRow]) -> [Replayed] {
        let results = Mutex([Replayed?](repeating: nil, count: rows.count))
        let parts = stride(from: 0, to: rows.count, by: Self.share).map { $0..<min(rows.count, $0 + Self.share) }
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            let judged = parts[number].map { index in
                do { return try replayed(rows[index]) } catch {
                    return Replayed(photo: rows[index].photo, changes: [], failure: error)
                }
            }
            results.withLock { $0.replaceSubrange(parts[number], with: judged) }
        }
        return results.withLock { $0.compactMap(\.self) }
    }

    /// Rows that one thread judges. A small number, so that all threads end at about the same time.
    package static let share = 8

    /// Judges all photos of a content again, after a person said something of it or took it back.
    ///
    /// A daemon that has the database open announces the event.
    ///
    /// - Returns: what changed.
    package func readAgain(_ content: String, in store: OutcomeStore) throws -> [VerdictChange] {
        let again = try again(content, in: store)
        try store.replace(again.outcomes, publishing: again.events)
        return again.changes
    }

    /// The new outcomes of all photos of a content, with the event that announces them.
    package func again(
        _ content: String, in store: OutcomeStore
    ) throws -> (outcomes: [NewOutcome], events: [NewEvent], changes: [VerdictChange]) {
        let replayed = replayed(try store.storedRows(of: content))
        if let failure = replayed.compactMap(\.failure).first { throw failure }
        let outcomes = replayed.compactMap(\.outcome)
        guard let first = outcomes.first else { return ([], [], []) }
        let changes = replayed.flatMap(\.changes)
        let outcome = try JSONCoding.decode(Outcome.self, from: first.json)
        return (outcomes, [try OutcomeEvent.changed(outcome, changes)], changes)
    }

    private func replayed(_ row: StoredRow) throws -> Replayed? {
        guard let old = try? JSONCoding.decode(JudgedOutcome.self, from: row.outcome),
            let answer = try? JSONCoding.decode(ReadAnswer.self, from: row.answer)
        else { return nil }
        let unknown = profiles == nil ? old.profiles.sorted().filter { known($0) == nil } : []
        guard unknown.isEmpty else { return Replayed(photo: row.photo, changes: [], outcome: nil, unknown: unknown) }
        let people = profiles ?? old.profiles.sorted().compactMap(known)
        var outcome = interpreter.judge(
            answer, of: PhotoFacts(path: row.path, id: old.id, bytes: old.bytes),
            as: PhotoProcessor.Request.domain(asked: row.asked), for: people, reviews: old.id.map(reviews) ?? [],
            house: { kitchen.dishes(of: row.path, content: old.id) })
        outcome.processing = old.processing
        outcome.mark(unanswered: old.unanswered)
        let new = JudgedOutcome(outcome)
        let changes = VerdictChange.between(old, new)
        let assessments = AssessmentChange.between(old, new)
        let isNew = !changes.isEmpty || old.versions != outcome.versions
        // Of a person who is no longer judged for, such as a removed one, nothing is reported.
        let told = changes.filter { change in people.contains { $0.name == change.profile } }
        guard isNew || comparesBytes else { return Replayed(photo: row.photo, changes: told, outcome: nil) }
        let json = try JSONCoding.encode(outcome)
        var replaced = NewOutcome(photo: row.photo, json: json)
        if old.versions != outcome.versions {
            // Without a new version, people changed what they want to be warned of, or said something of the photo.
            replaced.missed = Dictionary(grouping: VerdictChange.missed(told, since: old), by: \.profile)
                .mapValues { $0.map { .init(item: $0.item, allergen: $0.allergen, before: $0.before) } }
        }
        return Replayed(
            photo: row.photo, changes: told, assessments: assessments,
            outcome: isNew || json != row.outcome ? replaced : nil)
    }
}
