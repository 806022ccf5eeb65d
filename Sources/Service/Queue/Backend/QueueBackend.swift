import Engine
import Store
import Core
import Foundation
import Logging
import Metrics
import ReadJobs

/// Reads photos on workers behind a queue, and first on idle workers of this machine.
///
/// The claim table in the database stays the truth: a job of the queue that is lost is published again, and a result
/// that comes late is ignored.
package actor QueueBackend: ReadingBackend {
    private let executor = ThreadExecutor(label: "queue")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// How a published job ended.
    enum End: Sendable {
        case answer(WorkerReading)
        case fault(QueueResult.Fault)
        /// Every delivery ended without a sign of life.
        case lost
        /// The job is gone from the queue, or its worker was stopped: publish it again.
        case again
        /// Taken back for an idle worker of this machine.
        case here
        case stopped
    }

    struct Waiting {
        var job: QueueJob
        var file: OpenPhoto
        var sequence: UInt64
        var continuation: CheckedContinuation<End, Never>
        let since = ContinuousClock.now
        /// Time since a worker got it.
        var delivered = Duration.zero
        /// Checks in a row that did not find it in the queue.
        var misses = 0
    }

    let settings: QueueSettings
    let limits: WorkerLimits
    let logger: Logger
    private let pool: WorkerPool
    /// Idle workers of the pool read, too.
    private let readsHere: Bool
    private let id = UUID().uuidString

    var waiting: [Int64: Waiting] = [:]
    private(set) var line: JobLine?
    private var connected: [CheckedContinuation<Void, Never>] = []
    private var places: Int
    private var queued: [CheckedContinuation<Void, Never>] = []
    private(set) var isStopped = false
    /// Results of jobs that an earlier run of the daemon published.
    var early: [String: WorkerReading] = [:]
    var figures = QueueFigures()
    var lastCheck = ContinuousClock.now
    private var since = ContinuousClock.now

    /// True while results of an earlier run may arrive.
    var isFresh: Bool { since.duration(to: .now) < .seconds(60) }

    /// - Parameters:
    ///   - pool: workers of this machine; they know the versions that are asked for.
    ///   - readsHere: false leaves all photos to the queue.
    ///   - limits: of every worker.
    package init(
        _ settings: QueueSettings, pool: WorkerPool, readsHere: Bool, limits: WorkerLimits, logger: Logger
    ) {
        self.settings = settings
        self.pool = pool
        self.readsHere = readsHere
        self.limits = limits
        self.logger = logger
        places = settings.mostOutstanding
    }

    package func readers() async -> String { await pool.readers() }

    /// Time after which the server delivers a job again: more than a job may take.
    var patience: Duration { limits.wallClock + .seconds(10) }

    // MARK: Reading

    package func read(
        _ job: ReadJob, of photo: PhotoToRead, noted: @escaping @Sendable (ReadAnswer) -> Void,
        beforeDispatch: @escaping @Sendable () async throws -> Void
    ) async throws -> WorkerReading {
        if readsHere,
            let answer = try await pool.performIfIdle(
                job, files: [photo.file.descriptor], noted: noted, beforeDispatch: beforeDispatch)
        {
            Task { await takeBack() }
            return answer
        }
        guard case .read(let domain, let pieceSet) = job.task, let content = photo.content else {
            throw WorkerFault.notStarted("the queue takes no such job")
        }
        await takePlace()
        defer { leavePlace() }
        await connection()
        let versions = ReaderVersions(readers: await readers())
        guard !isStopped else { throw WorkerFault.stopped }
        try await beforeDispatch()
        let queueJob = QueueJob(
            dispatch: 1, content: content.id, bytes: content.bytes, versions: versions, domain: domain,
            pieceSet: pieceSet, reduced: job.reduced, photoLimits: job.limits,
            limits: .init(
                wallClockMs: Int(limits.wallClock / .milliseconds(1)),
                processorSeconds: job.processorSeconds ?? limits.processorSeconds,
                residentBytes: limits.residentBytes),
            patienceMs: Int(patience / .milliseconds(1)), shared: shared(photo.file.path))
        guard let reading = try await dispatch(queueJob, photo.file) else {
            let reading = try await pool.read(job, of: photo, noted: noted, beforeDispatch: beforeDispatch)
            Task { await takeBack() }
            return reading
        }
        noted(.decoded)
        return reading
    }

    /// Takes back the oldest job that no worker of the queue got yet, if a worker of this machine is idle.
    ///
    /// A worker that gets it at the same moment reads it, too; its result is late, and ignored.
    func takeBack() async {
        guard readsHere, !waiting.isEmpty, let line, line.connection.isConnected, await pool.hasIdleWorker,
            let delivered = try? line.figures().delivered,
            let oldest = waiting.filter({ $0.value.sequence > delivered }).min(by: {
                $0.value.sequence < $1.value.sequence
            })
        else { return }
        end(oldest.key, .here, withdraws: true)
    }

    /// The path below the shared folder; nil outside it.
    private func shared(_ path: FilePathBytes) -> FilePathBytes? {
        settings.share.flatMap { path.resolved?.relative(to: $0) }
    }

    /// Publications of a job whose end is not the photo's fault, before the photo goes back to the database's queue.
    private static let mostPublications = 3

    /// - Returns: nil if a worker of this machine has to read it.
    private func dispatch(_ queueJob: QueueJob, _ file: OpenPhoto) async throws(WorkerFault) -> WorkerReading? {
        var job = queueJob
        var reason = ""
        for _ in 0..<Self.mostPublications {
            job.dispatch = Int64.random(in: 1..<(1 << 48))
            switch await publish(job, file) {
            case .answer(let reading): return reading
            case .here: return nil
            case .lost: throw .lost
            case .stopped: throw .stopped
            case .again: reason = "the job was lost in the queue"
            case .fault(let fault):
                switch fault.cause {
                case .crash: throw .died(fault.detail)
                case .timeout: throw .timedOut(.milliseconds(fault.value))
                case .memory: throw .outOfMemory(fault.value)
                case .garbled: throw .garbled(fault.detail)
                case .notStarted, .source, .hash: reason = fault.detail
                case .stopped: reason = "its worker was stopped"
                }
            }
        }
        throw .notStarted(reason)
    }

    /// Publishes a job and waits for its end, however often the connection is interrupted.
    private func publish(_ job: QueueJob, _ file: OpenPhoto) async -> End {
        while true {
            await connection()
            guard !isStopped else { return .stopped }
            guard let line else { continue }
            if let reading = early.removeValue(forKey: job.key) { return .answer(reading) }
            do {
                let sequence = try line.publish(job)
                figures.published += 1
                return await withCheckedContinuation {
                    waiting[job.dispatch] = Waiting(job: job, file: file, sequence: sequence, continuation: $0)
                }
            } catch {
                guard error.isPassing else { return .fault(.init(.notStarted, "the queue: \(error.detail)")) }
                // The same publication again: the server knows its id, should it have arrived.
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    func end(_ dispatch: Int64, _ end: End, withdraws: Bool) {
        guard let one = waiting.removeValue(forKey: dispatch) else { return }
        if withdraws { line?.withdraw(one.sequence) }
        one.continuation.resume(returning: end)
    }

    // MARK: Waiting

    private func takePlace() async {
        if places > 0 { places -= 1 } else { await withCheckedContinuation { queued.append($0) } }
    }

    private func leavePlace() {
        if queued.isEmpty { places += 1 } else { queued.removeFirst().resume() }
    }

    /// Waits until there is a connection, or the end.
    private func connection() async {
        if line == nil, !isStopped { await withCheckedContinuation { connected.append($0) } }
    }

    // MARK: Connection

    /// Connects; called again after the connection was lost for good.
    ///
    /// - Throws: ``StartupError`` for what a person must change, `QueueError` for what may pass by itself.
    func connect() async throws {
        let versions = ReaderVersions(readers: await readers())
        let made = try JobLine(
            settings.server, settings.names, versions,
            .init(slots: settings.slots, patience: patience), id: id)
        guard !isStopped else { return }
        line = made
        since = .now
        // Published before the connection was lost, and purged with it.
        for dispatch in waiting.keys { end(dispatch, .again, withdraws: false) }
        connected.forEach { $0.resume() }
        connected = []
    }

    func disconnect() { line = nil }

    package func stop() async {
        isStopped = true
        for dispatch in waiting.keys { end(dispatch, .stopped, withdraws: false) }
        connected.forEach { $0.resume() }
        connected = []
        if let line, line.connection.isConnected { line.withdrawAll() }
        await pool.stop()
    }

    /// The open file of a photo that a worker has to read; nil for other contents.
    func photo(_ content: String) -> (file: OpenPhoto, bytes: Int)? {
        waiting.values.first { $0.job.content == content }.map { ($0.file, $0.job.bytes) }
    }
}

extension QueueError {
    /// True if the same call may succeed later.
    var isPassing: Bool {
        switch kind {
        case .timeout, .unreachable, .closed, .missing, .noJetStream: true
        case .refused, .tls, .forbidden, .tooLarge, .noLibrary, .failed: false
        }
    }
}
