import Core
import ReadJobs

/// A fixed number of workers and one warm spare. A job waits until a worker is free.
package actor WorkerPool {
    /// Counters since the start.
    package struct Tally: Sendable, Hashable {
        /// Replaced workers by cause: crash, timeout, memory, garbled, notStarted, recycled.
        package var replaced: [String: Int] = [:]
        package var jobs = 0
        /// Parts of the confinement that the kernel refused; nil before the first greeting.
        package var refused: [String]?

        package init() {}
    }

    private let program: WorkerProgram
    private let limits: WorkerLimits
    private let crashJournal: CrashJournalFile?
    private var idle: [WorkerProcess]
    private var busy: [ObjectIdentifier: WorkerProcess] = [:]
    private var spare: WorkerProcess?
    private var waiting: [CheckedContinuation<WorkerProcess?, Never>] = []
    private var isStopped = false
    private var knownReaders: String?
    package private(set) var tally = Tally()
    private var lastJob = ContinuousClock.now
    /// True after idle workers ended: the spare, which runs, gets the next job.
    private var isResting = false

    /// - Parameters:
    ///   - size: number of workers; at least one is kept.
    ///   - crashJournal: for workers' notes when the daemon exits; nil without a journal.
    package init(
        size: Int, program: WorkerProgram, limits: WorkerLimits = WorkerLimits(), crashJournal: CrashJournalFile? = nil
    ) {
        idle = (0..<max(1, size)).map { _ in WorkerProcess(program, limits, crashJournal: crashJournal) }
        self.program = program
        self.limits = limits
        self.crashJournal = crashJournal
    }

    /// Starts a spare, so that a crash delays no photo, or checks that it still runs. Returns true if it runs.
    @discardableResult
    package func warmUp() async -> Bool {
        if isStopped { return false }
        let fresh = spare ?? WorkerProcess(program, limits, crashJournal: crashJournal)
        spare = fresh
        do throws(WorkerFault) {
            let greeting = try await fresh.warmUp()
            if let greeting {
                tally.refused = greeting.refused
                knownReaders = greeting.readers ?? "-"
            }
            return true
        } catch {
            tally.replaced[error.cause, default: 0] += 1
            if spare === fresh { spare = nil }
            return false
        }
    }

    /// A key of the networks and languages of the workers; `unknown` if none can be started. Known after the first
    /// greeting.
    package func readers() async -> String {
        if knownReaders == nil { await warmUp() }
        return knownReaders ?? "unknown"
    }

    /// Runs one attempt of a job.
    ///
    /// - Parameters:
    ///   - files: open files that are passed with the job.
    ///   - limits: of this job; nil uses the pool's. Address space and recycling stay the pool's.
    ///   - noted: called when the photo is decoded, and with its barcodes before its print is read.
    ///   - beforeDispatch: called when a worker is free and before it gets the job; if it throws, the job is not sent.
    /// - Throws: ``WorkerFault``, or what `beforeDispatch` throws.
    package func perform(
        _ job: ReadJob, files: [Int32], limits: WorkerLimits? = nil,
        noted: @escaping @Sendable (ReadAnswer) -> Void = { _ in },
        beforeDispatch: @Sendable () async throws -> Void = {}
    ) async throws -> ReadAnswer {
        try await reading(job, files: files, limits: limits, noted: noted, beforeDispatch: beforeDispatch).answer
    }

    /// As `perform`, with the key of the worker that answered: after new models were installed, some workers still have
    /// the old ones.
    func reading(
        _ job: ReadJob, files: [Int32], limits: WorkerLimits? = nil, noted: @escaping @Sendable (ReadAnswer) -> Void,
        beforeDispatch: @Sendable () async throws -> Void
    ) async throws -> WorkerReading {
        guard let worker = await take() else { throw WorkerFault.stopped }
        do {
            // Start the worker first: a failed start must not be charged to the photo.
            _ = try await worker.warmUp()
            try await beforeDispatch()
            guard !isStopped else { throw WorkerFault.stopped }
            let answer = try await worker.perform(job, files: files, limits: limits, noted: noted)
            let readers = await worker.readers
            tally.jobs += 1
            if await worker.isWornOut {
                replace(worker, because: "recycled")
            } else {
                giveBack(worker, for: worker)
            }
            return WorkerReading(answer: answer, readers: readers)
        } catch let fault as WorkerFault {
            replace(worker, because: isStopped ? WorkerFault.stopped.cause : fault.cause)
            throw isStopped ? WorkerFault.stopped : fault
        } catch {
            giveBack(worker, for: worker)
            throw error
        }
    }

    /// True if ``warmUp()`` or ``endIdle(since:)`` has something to do. Wakes no other thread.
    package func needsCare(since patience: Duration) -> Bool {
        spare?.isRunning != true || hasIdle(since: patience)
    }

    private func hasIdle(since patience: Duration) -> Bool {
        !isResting && busy.isEmpty && spare != nil && lastJob.duration(to: .now) >= patience
    }

    /// Ends idle workers if no job ran for a time. Only the spare stays, which has loaded no network.
    package func endIdle(since patience: Duration) async {
        guard hasIdle(since: patience) else { return }
        isResting = true
        for worker in idle { await worker.rest() }
    }

    package var hasIdleWorker: Bool { !idle.isEmpty && !isStopped }

    /// As `perform`, if a worker is idle; nil if none is.
    package func performIfIdle(
        _ job: ReadJob, files: [Int32], noted: @escaping @Sendable (ReadAnswer) -> Void,
        beforeDispatch: @Sendable () async throws -> Void
    ) async throws -> WorkerReading? {
        guard hasIdleWorker else { return nil }
        return try await reading(job, files: files, noted: noted, beforeDispatch: beforeDispatch)
    }

    /// Kills all workers; running and waiting jobs throw ``WorkerFault/stopped``.
    package func stop() {
        isStopped = true
        busy.values.forEach { $0.end() }
        waiting.forEach { $0.resume(returning: nil) }
        waiting = []
        idle = []
        spare = nil
    }

    private func take() async -> WorkerProcess? {
        if isStopped { return nil }
        let worker: WorkerProcess? =
            if let free = idle.popLast() { free } else { await withCheckedContinuation { waiting.append($0) } }
        guard let worker else { return nil }
        lastJob = .now
        if isResting, let warm = spare {
            isResting = false
            spare = nil
            busy[ObjectIdentifier(warm)] = warm
            Task { await warmUp() }
            return warm
        }
        busy[ObjectIdentifier(worker)] = worker
        return worker
    }

    /// Puts the spare in the worker's place and starts another spare in the background.
    private func replace(_ worker: WorkerProcess, because cause: String) {
        tally.replaced[cause, default: 0] += 1
        let next = spare ?? WorkerProcess(program, limits, crashJournal: crashJournal)
        let hadSpare = spare != nil
        spare = nil
        giveBack(next, for: worker)
        if hadSpare, !isStopped { Task { await warmUp() } }
    }

    private func giveBack(_ worker: WorkerProcess, for former: WorkerProcess) {
        busy[ObjectIdentifier(former)] = nil
        lastJob = .now
        guard !isStopped else { return }
        if waiting.isEmpty { idle.append(worker) } else { waiting.removeFirst().resume(returning: worker) }
    }
}

/// Limits after which a worker is killed or replaced.
package struct WorkerLimits: Sendable, Hashable {
    /// Wall-clock time of one job, measured by the daemon.
    package var wallClock = Duration.seconds(45) {
        // A machine on which a job takes long needs longer to start a worker, too.
        didSet { start = max(start, wallClock / 3) }
    }
    /// Processor time of one job.
    package var processorSeconds = 30
    /// Address space in bytes, a last resort: the text recognition engines reserve far more than they use. In practice
    /// ``residentBytes`` is the effective limit.
    package var addressBytes = 2 << 30
    /// Memory in use, in bytes, above which a job is killed.
    package var residentBytes = 768 << 20
    /// Memory in use after a job, in bytes, above which the worker is replaced.
    package var recycleBytes = 500 << 20
    /// Jobs after which the worker is replaced, because native libraries leak.
    package var recycleJobs = 200
    /// Maximum time from the start to the greeting.
    package var start = Duration.seconds(20)

    package init() {}
}
