import Foundation
import Glibc
import Vocabulary

/// One `tablesight-worker`: spawned when it is first needed, killed when it hangs, replaced when it dies.
///
/// Its calls block on a thread of their own.
actor WorkerProcess {
    private let executor = ThreadExecutor(label: "tablesight.worker")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let program: WorkerProgram
    private var running: (process: pid_t, socket: Int32)?

    init(_ program: WorkerProgram) { self.program = program }

    deinit {
        // The worker ends by itself when its socket closes; a busy one is not waited for.
        if let running {
            close(running.socket)
            kill(-running.process, SIGKILL)
            waitpid(running.process, nil, 0)
        }
    }

    /// Has one job done.
    ///
    /// - Parameter limit: wall clock for the whole job; then the worker is killed.
    /// - Throws: ``WorkerFault``; the next call gets a fresh worker.
    func perform(_ job: ReadJob, within limit: Duration) throws(WorkerFault) -> ReadAnswer {
        do throws(WorkerFault) {
            let worker = if let running { running } else { try program.start() }
            running = worker
            return try exchange(job, over: worker.socket, within: limit)
        } catch {
            let ending = dismiss()
            throw error == .died("") ? .died(ending) : error
        }
    }

    private func exchange(_ job: ReadJob, over socket: Int32, within limit: Duration) throws(WorkerFault) -> ReadAnswer
    {
        let deadline = ContinuousClock.now + limit
        try send(try understood { try JobFraming.frame(job) }, over: socket)
        let header = try receive(4, over: socket, until: deadline, limit)
        let length = try understood { try JobFraming.bodyLength(of: header) }
        let body = try receive(length, over: socket, until: deadline, limit)
        return try understood { try JSONCoding.decode(ReadAnswer.self, from: body) }
    }

    private func understood<Value>(_ coding: () throws -> Value) throws(WorkerFault) -> Value {
        do { return try coding() } catch { throw .garbled("\(error)") }
    }

    private func send(_ data: Data, over socket: Int32) throws(WorkerFault) {
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .died("") }
            rest = rest.dropFirst(count)
        }
    }

    private func receive(
        _ count: Int, over socket: Int32, until deadline: ContinuousClock.Instant, _ limit: Duration
    ) throws(WorkerFault) -> Data {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { throw .timedOut(limit) }
            var ready = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, Int32(min(left.rounded(.up), 60_000))) > 0 else { continue }
            let got = bytes.withUnsafeMutableBytes {
                recv(socket, $0.baseAddress.map { $0 + filled }, count - filled, 0)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw .died("") }
            filled += got
        }
        return Data(bytes)
    }

    /// Kills what is left of the worker, and says how it ended.
    private func dismiss() -> String {
        guard let (process, socket) = running else { return "" }
        running = nil
        close(socket)
        // A worker that died by itself has its own status already; SIGKILL does not change it.
        var status: Int32 = 0
        let waited = waitpid(process, &status, WNOHANG)
        if waited == 0 {
            usleep(20_000)
            if waitpid(process, &status, WNOHANG) == 0 {
                kill(-process, SIGKILL)  // its whole group, should it have started something
                waitpid(process, &status, 0)
            }
        }
        let signal = status & 0x7F
        return signal == 0
            ? "exit code \(status >> 8 & 0xFF)" : "signal \(signal) (\(String(cString: strsignal(signal))))"
    }
}

/// Why a worker gave no answer.
enum WorkerFault: Error, Sendable, Equatable {
    /// It could not be started.
    case notStarted(String)
    /// It ended before it answered, as told.
    case died(String)
    case timedOut(Duration)
    /// What it said is no answer.
    case garbled(String)
}
