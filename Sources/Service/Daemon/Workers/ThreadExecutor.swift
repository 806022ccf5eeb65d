import Dispatch
import Foundation
import JobChannel
import Synchronization

/// Runs an actor on a thread of its own, for as long as the executor lives: blocking calls must not hold the few threads
/// that all tasks share, and the kernel ends a worker together with the very thread that started it.
final class ThreadExecutor: SerialExecutor {
    private let jobs = Jobs()

    init(label: String) {
        let jobs = jobs
        let thread = Thread {
            CrashJournal.prepareThread()
            jobs.run()
        }
        thread.name = label
        thread.stackSize = 1 << 20
        thread.start()
    }

    deinit { jobs.end() }

    func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job), asUnownedSerialExecutor()) }

    /// What waits for the thread; outlives the executor by the job that is running.
    private final class Jobs: Sendable {
        private typealias Entry = (job: UnownedJob, executor: UnownedSerialExecutor)
        private let waiting = Mutex<(entries: [Entry], ended: Bool)>(([], false))
        private let signal = DispatchSemaphore(value: 0)

        func add(_ job: UnownedJob, _ executor: UnownedSerialExecutor) {
            waiting.withLock { $0.entries.append((job, executor)) }
            signal.signal()
        }

        func end() {
            waiting.withLock { $0.ended = true }
            signal.signal()
        }

        func run() {
            while true {
                signal.wait()
                let next: Entry? = waiting.withLock { $0.entries.isEmpty ? nil : $0.entries.removeFirst() }
                if let next {
                    next.job.runSynchronously(on: next.executor)
                } else if waiting.withLock({ $0.ended }) {
                    return
                }
            }
        }
    }
}
