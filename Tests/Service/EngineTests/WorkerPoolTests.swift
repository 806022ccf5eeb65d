import Foundation
import Glibc
import ReadJobs
import TestSupport
import Testing
import Core

@testable import Engine

/// Workers that crash, hang, grow or send invalid answers affect one job each, never the pool. Uses the test worker.
@Suite struct WorkerPoolTests {
    private let folder: TemporaryFolder
    private let request = PhotoProcessor.Request(profiles: [])

    init() throws { folder = try TemporaryFolder() }

    private func program(_ script: String) throws -> WorkerProgram {
        let text = try folder.write(Data("#!/bin/bash\n\(script)\n".utf8), to: "script")
        let file = folder.url.appending(path: "worker")
        // Another process writes the executable. If it were open here while another test spawns, exec would fail with
        // ETXTBSY. busy".
        let copy = Process()
        copy.executableURL = URL(filePath: "/usr/bin/install")
        copy.arguments = ["-m", "755", text.path, file.path]
        try copy.run()
        copy.waitUntilExit()
        return try WorkerProgram(
            beside: folder.url.appending(path: "tablesight"), models: ModelFolder(Repository.models),
            environment: ["TABLESIGHT_WORKER": file.path, "PATH": "/usr/bin:/bin"])
    }

    /// Limits that no test reaches by accident, however busy the machine is.
    private static let patient: WorkerLimits = {
        var limits = WorkerLimits()
        (limits.wallClock, limits.start) = (patience, patience)
        return limits
    }()

    /// A processor whose worker runs `verb` for every photo.
    private func processor(
        _ verb: String, before: String = "", limits: WorkerLimits = Self.patient,
        crashJournal: CrashJournalFile? = nil
    ) throws -> PhotoProcessor {
        let worker = Program("tablesight-test-worker").url.path
        let pool = WorkerPool(
            size: 1, program: try program("\(before)\nexec '\(worker)' \(verb)"), limits: limits,
            crashJournal: crashJournal)
        return PhotoProcessor(
            interpreter: try .init(models: ModelFolder(Repository.models)),
            reading: PhotoReading(workers: pool, processorSeconds: limits.processorSeconds))
    }

    private func read(
        _ processor: PhotoProcessor, number: Int64 = -1, attempts: Int = 0
    ) async throws -> PhotoReading.Reading {
        let photo = try folder.write(Data("photo".utf8), to: "x.jpg")
        return try await processor.reading.read(
            try OpenPhoto.open(try #require(FilePathBytes(photo.path))), request, number: number, attempts: attempts
        ) { _ in }
    }

    @Test func `a worker inherits no open file of its daemon`() throws {
        var pipe: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        defer { pipe.forEach { close($0) } }
        func file(_ descriptor: String, of process: String) throws -> String {
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(descriptor)")
        }
        let ours = try file("\(pipe[1])", of: "self")
        let worker = try program("exec sleep 600").start(addressBytes: nil, crashJournal: nil)
        defer {
            kill(worker.process, SIGKILL)
            waitpid(worker.process, nil, 0)
            close(worker.socket)
        }
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker.process)/fd")
        #expect(descriptors.contains("0"))
        // One may be closed while this looks.
        #expect(!descriptors.compactMap { try? file($0, of: "\(worker.process)") }.contains(ours))
    }

    @Test func `an exit without an answer is a crash, also with code 0, and is retried once`() async throws {
        let processor = try processor("exit", before: "echo . >> '\(folder.url.path)/starts'")
        let reading = try await read(processor)
        #expect(reading.answer.failure?.code == .workerCrashed)
        #expect(reading.answer.failure?.detail.contains("exit code 0") == true)
        #expect(reading.attempts == 2)
        let starts = try String(contentsOf: folder.url.appending(path: "starts"), encoding: .utf8)
        #expect(starts.split(separator: "\n").count == 2)
        #expect(await processor.workers.tally.replaced == ["crash": 2])
    }

    @Test(arguments: [("crash", "signal 11"), ("abort", "signal 6")])
    func `the fault of a killed worker names the signal`(verb: String, signal: String) async throws {
        let reading = try await read(try processor(verb))
        #expect(reading.answer.failure?.detail.contains(signal) == true)
    }

    @Test func `earlier attempts count`() async throws {
        let reading = try await read(try processor("crash"), attempts: 1)
        #expect(reading.attempts == 2)
        #expect(try await read(try processor("crash"), attempts: 2).answer.failure?.code == .workerCrashed)
    }

    @Test func `a hanging worker is killed, and the photo is retried at half size`() async throws {
        var limits = Self.patient
        limits.wallClock = .milliseconds(400)
        let hung = try await read(try processor("hang", limits: limits))
        #expect(hung.answer.failure?.code == .workerTimeout)
        #expect(hung.attempts == 2)
        // Processor time, which a busy machine does not use up: the second try has to be in time.
        (limits.wallClock, limits.processorSeconds) = (patience, 1)
        let reduced = try await read(try processor("reduced", limits: limits))
        #expect(reduced.answer.failure == nil)
        #expect(reduced.answer.models["test"] == "reduced")
        #expect(reduced.answer.models["size"] == "half")
    }

    @Test func `processor time has its own limit`() async throws {
        var limits = Self.patient
        limits.processorSeconds = 1
        let failure = try await read(try processor("spin", limits: limits)).answer.failure
        #expect(failure?.code == .workerTimeout)
        #expect(failure?.detail.contains("1.0 s") == true)
    }

    @Test func `a worker that uses too much memory is killed`() async throws {
        var limits = Self.patient
        limits.residentBytes = 200 << 20
        #expect(try await read(try processor("grow", limits: limits)).answer.failure?.code == .workerMemory)
    }

    @Test func `an answer that is too long is refused`() async throws {
        let answer = try await read(try processor("nonsense")).answer
        #expect(answer.failure?.code == .workerCrashed)
        #expect(answer.failure?.detail.contains("understood") == true)
    }

    @Test func `a job with an answer is no suspect, whatever its worker does next`() async throws {
        let place = try #require(FilePathBytes(folder.url.appending(path: "journal").path))
        let journal = try CrashJournalFile(at: place)
        var limits = Self.patient
        limits.recycleJobs = 2
        let processor = try processor("read", limits: limits, crashJournal: journal)
        for number in Int64(1)...3 { #expect(try await read(processor, number: number).answer.failure == nil) }
        let file = try Data(contentsOf: folder.url.appending(path: "journal"))
        let notes = CrashJournal(
            daemon: file, workers: [0: try Data(contentsOf: folder.url.appending(path: "journal-0"))])
        #expect(notes.begun == [1, 2, 3])
        #expect([1, 2, 3].filter(notes.isSuspect).isEmpty)
    }

    @Test func `workers are replaced after their maximum number of jobs`() async throws {
        var limits = Self.patient
        limits.recycleJobs = 2
        let processor = try processor("read", limits: limits)
        for _ in 1...5 { #expect(try await read(processor).answer.failure == nil) }
        #expect(await processor.workers.tally.replaced == ["recycled": 2])
        #expect(await processor.workers.tally.jobs == 5)
    }

    @Test func `a reading has the key of the worker that made it, also after new models`() async throws {
        let key = try folder.write(Data("old".utf8), to: "key")
        let processor = try processor("answer", before: "export TABLESIGHT_TEST_READERS=$(cat '\(key.path)')")
        #expect(try await read(processor).readers == "old")
        try folder.write(Data("new".utf8), to: "key")
        #expect(await processor.workers.warmUp(), "the spare has the new models")
        #expect(await processor.workers.readers() == "new")
        #expect(try await read(processor).readers == "old", "its worker runs on with the old ones")
    }

    @Test func `stopping the pool ends running jobs without charging them`() async throws {
        let processor = try processor("hang")
        let reading = Task { try await read(processor) }
        // The worker usually gets the job before the pool stops; the other order gives the same result.
        await processor.workers.warmUp()
        await processor.workers.stop()
        let (attempts, fault) = (try await reading.value.attempts, try await reading.value.fault)
        #expect(fault == .stopped)
        #expect(attempts == 0)
    }

    @Test func `a confined worker can read only its own files`() async throws {
        let photo = try folder.write(Data("tablesight-test: try".utf8), to: "x.png")
        let processor = try processor("confined")
        let answer = try await processor.reading.read(
            try OpenPhoto.open(try #require(FilePathBytes(photo.path))), request
        ) { _ in }.answer
        await processor.workers.warmUp()
        let refused = await processor.workers.tally.refused ?? []
        withKnownIssue("this kernel refuses a part of the confinement", isIntermittent: true) {
            #expect(refused.isEmpty)
        }
        guard refused.isEmpty else { return }
        for call in [
            "socket", "unix socket", "connect", "kill", "spawn", "chmod", "chmod by path", "priority",
            "limits of the parent",
            "shared memory", "memory file", "processors of the parent", "signals to the parent", "process group",
        ] {
            #expect(answer.models[call] == "Operation not permitted", "\(call)")
        }
        for call in ["read /etc/passwd", "write /tmp"] {
            #expect(answer.models[call] == "Permission denied", "\(call)")
        }
        #expect(answer.models["core"] == "0")
        #expect(answer.models["null"] == "granted")
        #expect(answer.models["own processors"] == "granted")
        #expect(answer.models["word lists"] == "granted", "word repair needs the system's word lists")
    }

    @Test(arguments: ["huge", "far"])
    func `implausible numbers are refused`(verb: String) async throws {
        let failure = try await read(try processor(verb)).answer.failure
        #expect(failure?.code == .workerCrashed)
        #expect(failure?.detail.contains("understood") == true, "\(failure?.detail ?? "")")
    }

    @Test func `an answer nested 500 levels deep is refused`() async throws {
        let reading = try await read(try processor("deep"))
        #expect(reading.answer.failure == nil || reading.answer.failure?.code == .workerCrashed)
    }

    @Test func `descriptors sent with an answer are closed`() async throws {
        let processor = try processor("files")
        _ = try await read(processor)
        // The worker sent descriptors of its own program.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
            return target?.hasSuffix("/tablesight-test-worker") == true
        }
        #expect(open.isEmpty)
    }

    @Test func `idle workers end after a time, and the spare reads the next photo`() async throws {
        let processor = try processor("read", before: "echo $$ >> '\(folder.url.path)/pids'")
        func pids() throws -> [pid_t] {
            try String(contentsOf: folder.url.appending(path: "pids"), encoding: .utf8).split(separator: "\n")
                .compactMap { pid_t($0) }
        }
        #expect(try await read(processor).answer.failure == nil)
        await processor.workers.warmUp()
        let (worker, spare) = (try #require(pids().first), try #require(pids().last))
        #expect(worker != spare)
        await processor.workers.endIdle(since: .seconds(3600))
        #expect(kill(worker, 0) == 0, "it was idle for less than an hour")
        await processor.workers.endIdle(since: .zero)
        #expect(kill(worker, 0) != 0)
        #expect(kill(spare, 0) == 0)
        #expect(try await read(processor).answer.failure == nil)
        #expect(await processor.workers.tally.jobs == 2)
        #expect(await processor.workers.tally.replaced.isEmpty)
        #expect(kill(spare, 0) == 0, "the spare took the job and stays")
    }

    @Test func `an idle worker that ends does not affect the next photo`() async throws {
        let processor = try processor("read", before: "echo $$ >> '\(folder.url.path)/pids'")
        #expect(try await read(processor).answer.failure == nil)
        for line in try String(contentsOf: folder.url.appending(path: "pids"), encoding: .utf8).split(separator: "\n") {
            let worker = try #require(pid_t(line))
            kill(worker, SIGKILL)
            // The process has ended but is not reaped yet; its socket is closed by now.
            while try String(contentsOfFile: "/proc/\(worker)/stat", encoding: .utf8).contains(") Z ") == false {
                sched_yield()
            }
        }
        let reading = try await read(processor)
        #expect(reading.answer.failure == nil)
        #expect(reading.attempts == 1)
    }

    @Test func `a worker that cannot be started is reported with the command to fix it`() async throws {
        let file = try folder.write(Data("#!/no/such/interpreter\n".utf8), to: "worker")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        let program = try WorkerProgram(
            beside: folder.url.appending(path: "tablesight"), models: ModelFolder(Repository.models),
            environment: ["TABLESIGHT_WORKER": file.path])
        let processor = PhotoProcessor(
            interpreter: try .init(models: ModelFolder(Repository.models)),
            reading: PhotoReading(workers: WorkerPool(size: 1, program: program)))
        let reading = try await read(processor)
        #expect(reading.answer.failure?.code == .workerUnavailable)
        #expect(reading.answer.failure?.hint.contains("doctor") == true)
        #expect(reading.attempts == 0)
    }

    @Test func `a worker that ends before its greeting counts as not started`() async throws {
        #expect(try await read(try processor("silent")).answer.failure?.code == .workerUnavailable)
    }

    @Test func `a missing worker ends the program at the start`() throws {
        #expect {
            try WorkerProgram(
                beside: folder.url.appending(path: "tablesight"), models: ModelFolder(Repository.models),
                environment: [:])
        } throws: { ($0 as? StartupError)?.exitCode == .unavailable }
    }

    @Test func `a worker's environment has no secrets`() throws {
        let program = try program("exit 0")
        let other = try WorkerProgram(
            beside: folder.url.appending(path: "tablesight"), models: ModelFolder(Repository.models),
            environment: [
                "TABLESIGHT_WORKER": program.executable.path, "TABLESIGHT_API_TOKEN": "t", "HOME": "/root",
            ])
        #expect(Set(other.environment.keys) == ["TABLESIGHT_MODELS", "OMP_THREAD_LIMIT", "SWIFT_BACKTRACE"])
    }
}
