import Dispatch
import Foundation
import Pipeline
import Store
import Synchronization
import Vocabulary

/// Interpretation of stored readings, on all cores; the answers keep their order.
public struct Replay: Sendable {
    let interpreter: Interpreter
    let profiles: [AllergenProfile]

    public init(interpreter: Interpreter, profiles: [AllergenProfile]) {
        self.interpreter = interpreter
        self.profiles = profiles
    }

    public func judge(_ readings: [StoredReading], asOf date: Date) -> [Outcome] {
        let outcomes = Mutex(readings.map(\.outcome))
        let share = 64
        let parts = stride(from: 0, to: readings.count, by: share).map { $0..<min(readings.count, $0 + share) }
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            let judged = parts[number].map { index in
                var outcome = interpreter.judge(
                    readings[index].answer,
                    of: PhotoFacts(
                        path: readings[index].path, id: readings[index].outcome.id,
                        bytes: readings[index].outcome.source.bytes),
                    as: nil, for: profiles, asOf: date)
                outcome.processing = readings[index].outcome.processing
                return outcome
            }
            outcomes.withLock { $0.replaceSubrange(parts[number], with: judged) }
        }
        return outcomes.withLock { $0 }
    }
}
