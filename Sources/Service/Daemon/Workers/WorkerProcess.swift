import Foundation
import Glibc
import JobChannel
import Synchronization
import Core

internal import CLinuxSupport

/// One `tablesight-worker`: started, given one job at a time, ended when it takes too much, gone when this value is.
///
/// Its calls block on a thread of their own.
actor WorkerProcess {
    private let executor = ThreadExecutor(label: "worker")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let program: WorkerProgram
    private let limits: WorkerLimits
    private let crashJournal: Int32?
    private var running: WorkerProgram.Started?
    private var jobs = 0
    /// Stands for the process where its number could have gone to another one.
    private let pidfd = Mutex<Int32>(-1)

    init(_ program: WorkerProgram, _ limits: WorkerLimits, crashJournal: Int32? = nil) {
        self.program = program
        self.limits = limits
        self.crashJournal = crashJournal
    }

    deinit {
        guard let running else { return }
        // The worker ends by itself when its socket closes; a busy one is not waited for.
        close(running.socket)
        kill(-running.process, SIGKILL)
        waitpid(running.process, nil, 0)
        pidfd.withLock { if $0 >= 0 { close($0) } }
    }

    /// Starts it and waits for its greeting; does nothing where it runs. One that ended while it was idle is started anew:
    /// that is no photo's doing.
    @discardableResult
    func warmUp() throws(WorkerFault) -> WorkerGreeting? {
        if let running {
            // An idle worker has nothing to say: what can be received is its end.
            if !JobSocket(running.socket).isReadable(until: .now) { return nil }
            _ = dismiss()
        }
        let worker = try program.start(addressBytes: limits.addressBytes, crashJournal: crashJournal)
        running = worker
        jobs = 0
        let descriptor = ts_pidfd_open(worker.process)
        pidfd.withLock { $0 = descriptor }
        do throws(JobSocket.Failure) {
            let greeting = try JobSocket(worker.socket).receive(
                WorkerGreeting.self, until: .now + limits.start, takesFiles: false)
            if let greeting { return greeting.message }
        } catch {
            if error == .late {
                _ = dismiss()
                throw .notStarted("it did not greet within \(limits.start / .seconds(1)) s")
            }
        }
        let ending = dismiss().ending
        throw .notStarted(
            ending == "exit code 127" ? "it misses a library that it is linked with" : "it ended with \(ending)")
    }

    /// Has one job done.
    ///
    /// - Parameter files: open files that travel with the job; they stay open.
    /// - Throws: ``WorkerFault``; the next call gets a fresh process.
    func perform(_ job: ReadJob, files: [Int32]) throws(WorkerFault) -> ReadAnswer {
        try warmUp()
        guard let running else { throw .notStarted("it is gone") }
        do throws(WorkerFault) {
            let answer = try exchange(job, files, over: JobSocket(running.socket), running.process)
            jobs += 1
            return answer
        } catch {
            let end = dismiss()
            throw error == .died("") ? end.fault(limits) : error
        }
    }

    /// True after as many jobs, or with as much memory, as a worker may have. One that is not running is not worn out.
    var isWornOut: Bool {
        guard let running else { return false }
        return jobs >= limits.recycleJobs || Self.residentBytes(of: running.process) > limits.recycleBytes
    }

    /// Ends the process from any thread; the call that waits for its answer sees it die.
    nonisolated func end() {
        pidfd.withLock { if $0 >= 0 { _ = ts_pidfd_kill($0, SIGKILL) } }
    }

    private func exchange(
        _ job: ReadJob, _ files: [Int32], over socket: JobSocket, _ process: pid_t
    ) throws(WorkerFault) -> ReadAnswer {
        let deadline = ContinuousClock.now + limits.wallClock
        do throws(JobSocket.Failure) { try socket.send(job, descriptors: files) } catch { throw fault(error) }
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

    /// How often a busy worker's memory is looked at.
    private static let memoryCheckInterval = Duration.milliseconds(50)

    private func fault(_ failure: JobSocket.Failure) -> WorkerFault {
        switch failure {
        case .closed, .late: .died("")
        case .garbled(let what): .garbled(what)
        }
    }

    /// Memory in use by this process; 0 where it is gone.
    private static func residentBytes(of process: pid_t) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Kills what is left of the worker, and says how it ended.
    private func dismiss() -> WorkerEnd {
        guard let worker = running else { return WorkerEnd(status: 0, peakBytes: 0) }
        running = nil
        close(worker.socket)
        var status: Int32 = 0
        var usage = rusage()
        // A worker that ends by itself has its own status; it is given a moment, as its socket closes before it is gone.
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
        return WorkerEnd(status: status, peakBytes: usage.ru_maxrss << 10)
    }
}

/// How a worker ended, as the kernel tells.
private struct WorkerEnd {
    /// As of waitpid(2).
    var status: Int32
    /// The most memory it had in use.
    var peakBytes: Int

    private var signal: Int32 { status & 0x7F }

    var ending: String {
        signal == 0
            ? "exit code \(status >> 8 & 0xFF)" : "signal \(signal) (\(String(cString: strsignal(signal))))"
    }

    func fault(_ limits: WorkerLimits) -> WorkerFault {
        if signal == SIGXCPU { return .timedOut(.seconds(limits.processorSeconds)) }
        // Nobody here sent it: the kernel itself ends the process that takes the most when memory runs out.
        if signal == SIGKILL, peakBytes > limits.residentBytes / 2 { return .outOfMemory(peakBytes) }
        return .died(ending)
    }
}
