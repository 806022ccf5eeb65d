import Core
import Engine
import Foundation
import ReadJobs
import Logging
import ServiceLifecycle

actor WorkSession {
    private let settings: QueueWorker.Settings
    private let versions: ReaderVersions
    private let pool: WorkerPool
    private let source: PhotoSource
    private let logger: Logger
    private var running: [Int64: Task<Void, Never>] = [:]
    private var free: Int
    private var waiting: CheckedContinuation<Void, Never>?
    /// True while jobs would fail for a reason that is not the photo's.
    private var isTroubled = false

    init(
        _ settings: QueueWorker.Settings, _ versions: ReaderVersions, _ pool: WorkerPool, _ source: PhotoSource,
        _ logger: Logger
    ) {
        self.settings = settings
        self.versions = versions
        self.pool = pool
        self.source = source
        self.logger = logger
        free = settings.slots
    }

    /// Tells the daemon which jobs an earlier run of this worker left behind, so that they are not waited for: after a
    /// kill from outside no photo is charged, after a crash the photo is.
    func report(_ notes: CrashJournal, on line: WorkLine) async {
        for dispatch in notes.begun {
            let fault: QueueResult.Fault =
                notes.isSuspect(dispatch)
                ? .init(.crash, "the end of its machine's worker program as well") : .init(.stopped)
            let result = QueueResult(
                dispatch: dispatch, key: "", content: "", versions: versions, worker: settings.name, fault: fault)
            await publish(result, on: line)
        }
        if !notes.begun.isEmpty {
            logger.notice("reported the jobs of an interrupted run", metadata: ["jobs": "\(notes.begun.count)"])
        }
    }

    /// Fetches jobs and starts them, until the connection is lost, the daemon wants other versions, or the end.
    func work(_ line: WorkLine, _ jobs: QueuePull) async throws {
        var idle = 0
        while !Task.isShuttingDownGracefully, !line.connection.isClosed {
            if isTroubled {
                try? await Task.sleep(for: .seconds(2))
                isTroubled = false
            }
            // Below zero where the server still answered an earlier request.
            while free <= 0 { await withCheckedContinuation { waiting = $0 } }
            guard !Task.isShuttingDownGracefully else { return }
            let most = free
            let messages = try await OwnThread.run { try jobs.fetch(most, wait: .seconds(2)) }
            for message in messages { start(message, line) }
            idle = messages.isEmpty ? idle + 1 : 0
            // Nothing to do: somebody may want other versions by now, or the consumer may be gone.
            if idle >= 3, running.isEmpty { return }
        }
    }

    func finish() async { for task in running.values { await task.value } }

    private func start(_ message: QueueMessage, _ line: WorkLine) {
        guard let job = QueueJob(message: message.data), job.versions == versions else {
            // Not acknowledged: the daemon notices that it gets no answer.
            logger.error("refused a message of the queue: it is no job for these versions")
            return
        }
        free -= 1
        running[job.dispatch] = Task {
            await run(job, message, line)
            running[job.dispatch] = nil
            free += 1
            waiting?.resume()
            waiting = nil
        }
    }

    private func run(_ job: QueueJob, _ message: QueueMessage, _ line: WorkLine) async {
        let alive = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(job.patienceMs / 3))
                if !Task.isCancelled { message.extend() }
            }
        }
        defer { alive.cancel() }
        var result = QueueResult(
            dispatch: job.dispatch, key: job.key, content: job.content, versions: versions, worker: settings.name,
            deliveries: min(message.deliveries, 1000))
        do {
            let photo = try await source.photo(for: job)
            result.transferMs = photo.transfer.map { $0 / .milliseconds(1) }
            result.answer = try await read(job, photo)
        } catch let fault as QueueResult.Fault {
            result.fault = fault
            isTroubled = true
            logger.error(
                "cannot read a photo of the queue",
                metadata: ["photo": "\(job.content)", "reason": "\(fault.detail.printable)"])
        } catch let fault as WorkerFault {
            result.fault = .init(fault)
            if case .notStarted = fault { isTroubled = true }
        } catch {
            result.fault = .init(.notStarted, "\(error)")
        }
        // Without its result the job must be delivered again.
        if await publish(result, on: line) { message.acknowledge() }
    }

    private func read(_ job: QueueJob, _ photo: PhotoSource.Photo) async throws -> ReadAnswer {
        var limits = WorkerLimits()
        limits.wallClock = .milliseconds(job.limits.wallClockMs)
        limits.processorSeconds = job.limits.processorSeconds
        limits.residentBytes = job.limits.residentBytes
        // The photo's name stays with the daemon.
        guard let name = FilePathBytes(job.content) else { throw WorkerFault.notStarted("a job without content") }
        return try await pool.perform(
            ReadJob(
                path: name, task: .read(domain: job.domain, pieceSet: job.pieceSet), number: job.dispatch,
                limits: job.photoLimits, reduced: job.reduced, processorSeconds: job.limits.processorSeconds),
            files: [photo.descriptor], limits: limits)
    }

    /// Publishes a result, however long the connection is interrupted. After a stop request it is tried for a moment.
    ///
    /// - Returns: false if it was not published, and another worker has to do the work.
    @discardableResult
    private func publish(_ full: QueueResult, on line: WorkLine) async -> Bool {
        var result = full
        while true {
            do {
                let message = try result.message()
                if message.count > line.connection.mostBytes { throw QueueError(.tooLarge, "") }
                let final = result
                let isFirst = try await OwnThread.run { try line.publish(final, message: message) }
                if !isFirst {
                    logger.notice("another worker was faster", metadata: ["photo": "\(result.content)"])
                }
                return true
            } catch {
                if (error as? QueueError)?.kind == .tooLarge || error is QueueResult.Refusal {
                    guard result.answer != nil else { return false }
                    result.answer = ReadAnswer(failure: .resultTooLong(line.connection.mostBytes))
                    continue
                }
                if line.connection.isClosed || Task.isShuttingDownGracefully {
                    logger.warning(
                        "a result could not be published; another worker gets the job", metadata: ["reason": "\(error)"]
                    )
                    return false
                }
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}

extension QueueResult.Fault {
    init(_ fault: WorkerFault) {
        switch fault {
        case .notStarted(let reason): self.init(.notStarted, reason.limited)
        case .died(let ending): self.init(.crash, ending.limited)
        case .timedOut(let limit): self.init(.timeout, value: Int(limit / .milliseconds(1)))
        case .outOfMemory(let bytes): self.init(.memory, value: bytes)
        case .garbled(let what): self.init(.garbled, what.limited)
        // The name of the type keeps the compiler from this initializer, which also takes a `.stopped`.
        case .lost, .stopped: self.init(QueueResult.Fault.Cause.stopped)
        }
    }
}

extension String {
    fileprivate var limited: String { String(decoding: utf8.prefix(900), as: UTF8.self) }
}

extension ItemFailure {
    fileprivate static func resultTooLong(_ bytes: Int) -> ItemFailure {
        ItemFailure(
            stage: .recognition, code: .tooLarge,
            detail: "the recognised text is longer than a message of the queue, \(bytes >> 10) KiB",
            hint: "set max_payload in the configuration of nats-server, or photograph a part of it")
    }
}
