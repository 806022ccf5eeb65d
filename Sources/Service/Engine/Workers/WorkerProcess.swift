import Store
import Foundation
import Glibc
import ReadJobs
import Synchronization
import Core

internal import CLinuxSupport

/// One `tablesight-worker` process. It gets one job at a time, is killed when it exceeds a limit, and ends with this
/// value.
///
/// Calls block on the actor's own thread.
actor WorkerProcess {
    private let executor = ThreadExecutor(label: "worker")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let program: WorkerProgram
    private let limits: WorkerLimits
    private let crashJournal: CrashJournalFile?
    private var notes: WorkerNotes?
    private var running: WorkerProgram.Started?
    private var jobs = 0
    /// The key of the networks and languages that this process has loaded; `-` if it names none, nil before
    /// its greeting.
    private(set) var readers: String?
    /// Identifies the process even if its number is reused.
    private let pidfd = Mutex<Int32>(-1)

    init(_ program: WorkerProgram, _ limits: WorkerLimits, crashJournal: CrashJournalFile? = nil) {
        self.program = program
        self.limits = limits
        self.crashJournal = crashJournal
    }

    deinit {
        guard let running else { return }
        // The worker exits when its socket closes; do not wait for a busy one.
        close(running.socket)
        kill(-running.process, SIGKILL)
        waitpid(running.process, nil, 0)
        pidfd.withLock { if $0 >= 0 { close($0) } }
    }

    /// True if the process was started and has not ended. Does not wait for the actor's thread.
    nonisolated var isRunning: Bool {
        pidfd.withLock { descriptor in
            var ending = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // A pidfd is readable when its process has ended.
            return descriptor >= 0 && poll(&ending, 1, 0) == 0
        }
    }

    /// Starts the process and waits for its greeting; does nothing if it runs. A process that ended while idle is
    /// started again, and no photo is charged.
    @discardableResult
    func warmUp() throws(WorkerFault) -> WorkerGreeting? {
        if let running {
            // An idle worker sends nothing, so readable data means that it ended.
            if !JobSocket(running.socket).isReadable(until: .now) { return nil }
            _ = dismiss()
        }
        notes = crashJournal?.worker()
        let worker = try program.start(addressBytes: limits.addressBytes, crashJournal: notes?.descriptor)
        running = worker
        jobs = 0
        let descriptor = ts_pidfd_open(worker.process)
        pidfd.withLock { $0 = descriptor }
        do throws(JobSocket.Failure) {
            let greeting = try JobSocket(worker.socket).receive(
                WorkerGreeting.self, until: .now + limits.start, takesFiles: false)
            if let greeting {
                readers = greeting.message.readers ?? "-"
                return greeting.message
            }
        } catch {
            if error == .late {
                _ = dismiss()
                throw .notStarted("it did not report within \(limits.start / .seconds(1)) s")
            }
        }
        let ending = dismiss().ending
        throw .notStarted(
            ending == "exit code 127" ? "a library that it is linked with is missing" : "it ended with \(ending)")
    }

    private static let mostNotes = 2

    /// Runs one job.
    ///
    /// - Parameters:
    ///   - files: open files that are passed with the job; they stay open.
    ///   - own: limits of this job; nil uses those of the process.
    ///   - noted: called with the worker's notes: that the photo is decoded, and its barcodes.
    /// - Throws: ``WorkerFault``; the next call starts a new process.
    func perform(
        _ job: ReadJob, files: [Int32], limits own: WorkerLimits? = nil,
        noted: @Sendable (ReadAnswer) -> Void = { _ in }
    ) throws(WorkerFault) -> ReadAnswer {
        try warmUp()
        let limits = own ?? limits
        guard let running else { throw .notStarted("the process has ended") }
        do throws(WorkerFault) {
            let socket = JobSocket(running.socket)
            let deadline = ContinuousClock.now + limits.wallClock
            notes?.give(job.number)
            do throws(JobSocket.Failure) { try socket.send(job, descriptors: files) } catch { throw fault(error) }
            var answer = try receive(from: socket, running.process, until: deadline, limits)
            for _ in 0..<Self.mostNotes where answer.isNote == true {
                noted(answer)
                answer = try receive(from: socket, running.process, until: deadline, limits)
            }
            guard answer.isNote == nil else { throw .garbled("another note") }
            jobs += 1
            return answer
        } catch {
            let end = dismiss()
            throw error == .died("") ? end.fault(limits) : error
        }
    }

    /// True if the process has reached its limit of jobs or memory; false if it does not run.
    var isWornOut: Bool {
        guard let running else { return false }
        return jobs >= limits.recycleJobs || Self.residentBytes(of: running.process) > limits.recycleBytes
    }

    /// Ends an idle process; the next job starts another.
    func rest() { _ = dismiss() }

    /// Kills the process from any thread; a running call then throws.
    nonisolated func end() {
        pidfd.withLock { if $0 >= 0 { _ = ts_pidfd_kill($0, SIGKILL) } }
    }

    private func receive(
        from socket: JobSocket, _ process: pid_t, until deadline: ContinuousClock.Instant, _ limits: WorkerLimits
    ) throws(WorkerFault) -> ReadAnswer {
        while !socket.isReadable(until: min(deadline, .now + Self.memoryCheckInterval)) {
            guard .now < deadline else { throw .timedOut(limits.wallClock) }
            if Self.residentBytes(of: process) > limits.residentBytes { throw .outOfMemory(limits.residentBytes) }
        }
        do throws(JobSocket.Failure) {
            guard let answer = try socket.receive(ReadAnswer.self, until: deadline, takesFiles: false) else {
                throw .closed
            }
            if let fault = answer.message.implausibility { throw .garbled(fault) }
            return answer.message
        } catch {
            throw error == .late ? .timedOut(limits.wallClock) : fault(error)
        }
    }

    private static let memoryCheckInterval = Duration.milliseconds(50)

    private func fault(_ failure: JobSocket.Failure) -> WorkerFault {
        switch failure {
        case .closed, .late: .died("")
        case .garbled(let what): .garbled(what)
        }
    }

    /// Memory in use by this process; 0 if it has ended.
    private static func residentBytes(of process: pid_t) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Kills the rest of the process group and returns how the worker ended.
    private func dismiss() -> WorkerEnd {
        guard let worker = running else { return WorkerEnd(status: 0, peakBytes: 0) }
        running = nil
        close(worker.socket)
        var status: Int32 = 0
        var usage = rusage()
        // A worker that exits closes its socket first, so wait a moment for its status.
        var waited = wait4(worker.process, &status, WNOHANG, &usage)
        if waited == 0 {
            usleep(20_000)
            waited = wait4(worker.process, &status, WNOHANG, &usage)
        }
        if waited == 0 {
            end()
            kill(-worker.process, SIGKILL)  // its whole group, should it have started something
            while wait4(worker.process, &status, 0, &usage) < 0, errno == EINTR {}
        }
        pidfd.withLock {
            if $0 >= 0 { close($0) }
            $0 = -1
        }
        notes = nil
        return WorkerEnd(status: status, peakBytes: usage.ru_maxrss << 10)
    }
}

private struct WorkerEnd {
    /// Status of waitpid(2).
    var status: Int32
    /// Peak memory in bytes.
    var peakBytes: Int

    private var signal: Int32 { status & 0x7F }

    var ending: String {
        signal == 0
            ? "exit code \(status >> 8 & 0xFF)" : "signal \(signal) (\(String(cString: strsignal(signal))))"
    }

    func fault(_ limits: WorkerLimits) -> WorkerFault {
        if signal == SIGXCPU { return .timedOut(.seconds(limits.processorSeconds)) }
        // The daemon did not send SIGKILL: the kernel kills the largest process when memory runs out.
        if signal == SIGKILL, peakBytes > limits.residentBytes / 2 { return .outOfMemory(peakBytes) }
        return .died(ending)
    }
}
