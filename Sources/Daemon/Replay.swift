import Dispatch
import Foundation
import Pipeline
import Store
import Synchronization
import Vocabulary

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
    }

    let interpreter: Interpreter
    let profiles: [AllergenProfile]

    public init(interpreter: Interpreter, profiles: [AllergenProfile]) {
        self.interpreter = interpreter
        self.profiles = profiles
    }

    /// Judges rows again; one of an older shape is passed over, the daemon reads its photo anew.
    public func replayed(_ rows: [StoredRow], asOf date: Date) throws -> [Replayed] {
        let results = Mutex([Result<Replayed?, any Error>?](repeating: nil, count: rows.count))
        // A few rows at a time: a page of one thread must not outlast the others' by much.
        let share = 8
        let parts = stride(from: 0, to: rows.count, by: share).map { $0..<min(rows.count, $0 + share) }
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            let judged = parts[number].map { index in Optional(Result { try replayed(rows[index], date) }) }
            results.withLock { $0.replaceSubrange(parts[number], with: judged) }
        }
        return try results.withLock { try $0.compactMap { try $0?.get() } }
    }

    private func replayed(_ row: StoredRow, _ date: Date) throws -> Replayed? {
        guard let old = try? JSONCoding.decode(JudgedOutcome.self, from: row.outcome),
            let answer = try? JSONCoding.decode(ReadAnswer.self, from: row.answer)
        else { return nil }
        var outcome = interpreter.judge(
            answer, of: PhotoFacts(path: row.path, id: old.id, bytes: old.bytes), as: nil, for: profiles, asOf: date)
        outcome.processing = old.processing
        let changes = VerdictChange.between(old, JudgedOutcome(outcome))
        let isNew = !changes.isEmpty || old.versions != outcome.versions
        return Replayed(photo: row.photo, changes: changes, outcome: isNew ? try JSONCoding.encode(outcome) : nil)
    }
}
