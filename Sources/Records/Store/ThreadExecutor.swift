import Dispatch
import Foundation
import CLinuxSupport
import Synchronization

/// Runs an actor on its own thread. Blocking calls must not occupy the threads that all tasks share. The kernel also
/// ends a worker together with the thread that started it.
package final class ThreadExecutor: SerialExecutor {
    private let jobs = Jobs()

    package init(label: String) {
        let jobs = jobs
        let thread = Thread {
            _ = ts_use_signal_stack()
            jobs.run()
        }
        thread.name = label
        thread.stackSize = 1 << 20
        thread.start()
    }

    deinit { jobs.end() }

    package func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job), asUnownedSerialExecutor()) }

    /// Jobs of the thread; outlives the executor until the running job ends.
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
