import Dispatch
import Foundation
import Interpretation
import Store
import Synchronization
import Core

/// Interpretation of stored readings, on all cores; the answers keep their order.
public struct Replay: Sendable {
    /// What a replay made of one stored photo.
    public struct Replayed: Sendable {
        /// Row of the photo.
        public var photo: Int64
        /// Verdicts that are others now.
        public var changes: [VerdictChange]
        /// The new outcome; nil where nothing of it differs, the versions included.
        public var outcome: Data?
        /// People that it was judged for and who are not stored any more: then it stays as it is.
        public var unknown: [String] = []
    }

    let interpreter: Interpreter
    /// Nil judges each photo for whom it was judged before.
    let profiles: [AllergenProfile]?
    /// People by their names, as they are now.
    let known: @Sendable (String) -> AllergenProfile?
    let reviews: @Sendable (String) -> [Review]

    /// - Parameters:
    ///   - profiles: whom to judge for; nil for whom each photo was judged before.
    ///   - known: people by their names; a photo of somebody who is not found any more stays as it is.
    ///   - reviews: what people said of a content: it stands, whatever is judged now.
    public init(
        interpreter: Interpreter, profiles: [AllergenProfile]?,
        known: @escaping @Sendable (String) -> AllergenProfile? = { _ in nil },
        reviews: @escaping @Sendable (String) -> [Review] = { _ in [] }
    ) {
        self.interpreter = interpreter
        self.profiles = profiles
        self.known = known
        self.reviews = reviews
    }

    /// Judges rows again; one of an older shape is passed over, the daemon reads its photo anew.
    public func replayed(_ rows: [StoredRow]) throws -> [Replayed] {
        let results = Mutex([Result<Replayed?, any Error>?](repeating: nil, count: rows.count))
        // A few rows at a time: a page of one thread must not outlast the others' by much.
        let share = 8
        let parts = stride(from: 0, to: rows.count, by: share).map { $0..<min(rows.count, $0 + share) }
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            let judged = parts[number].map { index in Optional(Result { try replayed(rows[index]) }) }
            results.withLock { $0.replaceSubrange(parts[number], with: judged) }
        }
        return try results.withLock { try $0.compactMap { try $0?.get() } }
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
            as: PhotoProcessor.Request.domain(asked: row.asked), for: people)
        outcome.processing = old.processing
        outcome.correct(by: reviews)
        let changes = VerdictChange.between(old, JudgedOutcome(outcome))
        let isNew = !changes.isEmpty || old.versions != outcome.versions
        return Replayed(photo: row.photo, changes: changes, outcome: isNew ? try JSONCoding.encode(outcome) : nil)
    }
}
