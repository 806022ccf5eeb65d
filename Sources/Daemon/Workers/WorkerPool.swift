import Vocabulary

/// A fixed number of workers; a job waits until one is free.
public actor WorkerPool {
    /// Wall clock of one job; then its worker is killed.
    public static let jobLimit = Duration.seconds(60)

    private var idle: [WorkerProcess]
    private var waiting: [CheckedContinuation<WorkerProcess, Never>] = []
    private let jobLimit: Duration

    /// - Parameter size: at least one worker is kept.
    public init(size: Int, program: WorkerProgram, jobLimit: Duration = WorkerPool.jobLimit) {
        idle = (0..<max(1, size)).map { _ in WorkerProcess(program) }
        self.jobLimit = jobLimit
    }

    /// Has a photo read or drawn. A worker that dies over it is replaced, and the job tried once more on a fresh one.
    ///
    /// - Returns: the worker's answer, or an answer that holds the failure; and how many tries it took.
    public func perform(_ job: ReadJob) async -> (answer: ReadAnswer, attempts: Int) {
        let worker = await take()
        defer { giveBack(worker) }
        for attempt in 1...2 {
            do throws(WorkerFault) {
                return (try await worker.perform(job, within: jobLimit), attempt)
            } catch {
                if attempt == 2 || !error.isWorthAnotherTry {
                    return (ReadAnswer(failure: ItemFailure(error)), attempt)
                }
            }
        }
        return (ReadAnswer(failure: ItemFailure(.garbled("no attempt was made"))), 0)
    }

    private func take() async -> WorkerProcess {
        if let worker = idle.popLast() { return worker }
        return await withCheckedContinuation { waiting.append($0) }
    }

    private func giveBack(_ worker: WorkerProcess) {
        if waiting.isEmpty { idle.append(worker) } else { waiting.removeFirst().resume(returning: worker) }
    }
}

extension WorkerFault {
    /// A crash may have been another photo's leak; a photo that took a minute will take another.
    fileprivate var isWorthAnotherTry: Bool {
        switch self {
        case .died, .garbled: true
        case .notStarted, .timedOut: false
        }
    }
}

extension ItemFailure {
    init(_ fault: WorkerFault) {
        switch fault {
        case .notStarted(let reason):
            self.init(
                stage: .recognition, code: .workerUnavailable, detail: "no worker could be started: \(reason)",
                hint: "run `tablesight doctor`", isTransient: true)
        case .died("exit code 127"):
            self.init(
                stage: .recognition, code: .workerUnavailable, detail: "the worker misses a library it is linked with",
                hint: "run `tablesight doctor`", isTransient: true)
        case .died(let ending):
            self.init(
                stage: .recognition, code: .workerCrashed,
                detail: "two workers died over this photo, the last with \(ending)",
                hint: "save the photo again in another program, or photograph it again")
        case .timedOut(let limit):
            self.init(
                stage: .recognition, code: .workerTimeout, detail: "reading took more than \(limit / .seconds(1)) s",
                hint: "send a smaller or simpler photo", isTransient: true)
        case .garbled(let what):
            self.init(
                stage: .recognition, code: .workerCrashed, detail: "the worker's message cannot be understood: \(what)",
                hint: "build tablesight and tablesight-worker from the same checkout")
        }
    }
}
