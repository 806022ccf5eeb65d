import Core
import Engine
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// The loop of a worker: connects, compares versions, fetches jobs and runs them.
struct QueueWorkerService: Service {
    let settings: QueueWorker.Settings
    let pool: WorkerPool
    let source: PhotoSource
    let journal: CrashJournalFile
    let logger: Logger

    /// Maximum time for running jobs after a stop request; afterwards other workers get them.
    private static let grace = Duration.seconds(6)

    func run() async throws {
        guard await pool.warmUp() else {
            throw StartupError(
                .unavailable, "no worker process can be started: `tablesight doctor` lists what is missing")
        }
        if let refused = await pool.tally.refused, !refused.isEmpty {
            logger.error(
                "WORKERS ARE NOT FULLY CONFINED: the kernel refuses a part",
                metadata: ["refused": "\(refused.joined(separator: "; "))"])
        }
        let versions = ReaderVersions(readers: await pool.readers())
        let spare = Task {
            while !Task.isCancelled {
                await pool.warmUp()
                journal.trim()
                try? await Task.sleep(for: .seconds(1))
            }
        }
        defer { spare.cancel() }
        try await withGracefulShutdownHandler {
            try await work(versions)
        } onGracefulShutdown: {
            Task {
                try? await Task.sleep(for: Self.grace)
                await pool.stop()
            }
        }
        await pool.stop()
    }

    private func work(_ versions: ReaderVersions) async throws {
        var isFirst = true
        var said = ""
        /// Says a state once.
        func say(_ text: String, _ level: Logger.Level = .notice) {
            if text != said { logger.log(level: level, "\(text)") }
            said = text
        }
        let session = WorkSession(settings, versions, pool, source, logger)
        while !Task.isShuttingDownGracefully {
            do {
                let line = try await OwnThread.run {
                    try WorkLine(settings.server, settings.names, versions, name: settings.name)
                }
                if isFirst { await session.report(journal.notes, on: line) }
                isFirst = false
                while !line.connection.isClosed, !Task.isShuttingDownGracefully {
                    let (owner, jobs) = try await OwnThread.run { (try line.owner(), try line.jobs()) }
                    if let owner, owner.versions != versions {
                        say(mismatch(own: versions, wanted: owner.versions), .error)
                        await pause(10)
                        continue
                    }
                    guard let jobs else {
                        say("no daemon publishes jobs with the prefix \(settings.names.prefix) yet: waiting for one")
                        await pause(2)
                        continue
                    }
                    say(
                        "reading photos of the queue \(settings.server.address) with \(settings.slots) slots as "
                            + settings.name)
                    try await session.work(line, jobs)
                }
            } catch {
                if let error = error as? StartupError, isFirst { throw error }
                say("the queue \(settings.server.address) cannot be reached: \(error); trying again", .warning)
                await pause(1)
            }
        }
        await session.finish()
    }

    /// What a person must install.
    private func mismatch(own: ReaderVersions, wanted: ReaderVersions) -> String {
        let what =
            own.program == wanted.program
            ? "other networks, languages or tables (\(own.readers), not \(wanted.readers))"
            : "tablesight \(own.program), not \(wanted.program)"
        return "this worker has \(what) than the daemon wants: it takes no jobs, and leaves them to other workers. "
            + "Install the same version and the same networks and languages on both machines"
    }

    private func pause(_ seconds: Int) async {
        for _ in 0..<(seconds * 10) where !Task.isShuttingDownGracefully {
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}

/// Runs a call that blocks on a thread of its own.
enum OwnThread {
    static func run<Value: Sendable>(_ call: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { done in
            Thread { done.resume(with: Result { try call() }) }.start()
        }
    }
}
