import Daemon
import Foundation
import TestSupport
import Testing
import Vocabulary

/// Workers that crash, hang or talk nonsense cost one job each, never the pool. The worker here is a script.
@Suite struct WorkerPoolTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func pool(script: String, limit: Duration = .seconds(20)) throws -> WorkerPool {
        let text = try folder.write(Data("#!/bin/bash\n\(script)\n".utf8), to: "script")
        let file = folder.url.appending(path: "worker")
        // Another process writes the executable: were it open here while another test spawns, it would be "text file busy".
        let copy = Process()
        copy.executableURL = URL(filePath: "/usr/bin/install")
        copy.arguments = ["-m", "755", text.path, file.path]
        try copy.run()
        copy.waitUntilExit()
        let program = try WorkerProgram(
            beside: folder.url.appending(path: "tablesight"), models: ModelFolder(Repository.models),
            environment: ["TABLESIGHT_WORKER": file.path, "PATH": "/usr/bin:/bin"])
        return WorkerPool(size: 1, program: program, jobLimit: limit)
    }

    private func job() throws -> ReadJob {
        ReadJob(path: try #require(FilePathBytes("/x.jpg")), task: .read(domain: nil, pieceSet: nil))
    }

    @Test func `an exit without an answer is a crash, code 0 included, and is tried once more`() async throws {
        let pool = try pool(script: "echo . >> '\(folder.url.path)/starts'; exit 0")
        let (answer, attempts) = await pool.perform(try job())
        #expect(answer.failure?.code == .workerCrashed)
        #expect(answer.failure?.detail.contains("exit code 0") == true)
        #expect(attempts == 2)
        let starts = try String(contentsOf: folder.url.appending(path: "starts"), encoding: .utf8)
        #expect(starts.split(separator: "\n").count == 2)
    }

    @Test func `a worker that dies by a signal is named by it`() async throws {
        let answer = await (try pool(script: "kill -SEGV $$")).perform(try job()).answer
        #expect(answer.failure?.detail.contains("signal 11") == true)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a worker that hangs is killed at its limit, and the next job gets a fresh one`() async throws {
        let pool = try pool(script: "exec sleep 600", limit: .milliseconds(300))
        for _ in 1...2 {
            let (answer, attempts) = await pool.perform(try job())
            #expect(answer.failure?.code == .workerTimeout)
            #expect(attempts == 1)
        }
    }

    @Test func `an answer longer than any photo's is refused, not believed`() async throws {
        let answer = await (try pool(script: #"printf '\xff\xff\xff\xff' >&0; exec sleep 5"#)).perform(try job()).answer
        #expect(answer.failure?.code == .workerCrashed)
        #expect(answer.failure?.detail.contains("understood") == true)
    }

    @Test func `a worker that cannot be started is a missing part, said with the command that mends it`() async throws {
        let file = try folder.write(Data("#!/no/such/interpreter\n".utf8), to: "worker")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        let program = try WorkerProgram(
            beside: folder.url.appending(path: "tablesight"), models: ModelFolder(Repository.models),
            environment: ["TABLESIGHT_WORKER": file.path])
        let answer = await WorkerPool(size: 1, program: program).perform(try job()).answer
        #expect(answer.failure?.code == .workerUnavailable)
        #expect(answer.failure?.hint.contains("doctor") == true)
    }

    @Test func `a worker that is not there ends the program at start`() throws {
        #expect {
            try WorkerProgram(
                beside: folder.url.appending(path: "tablesight"), models: ModelFolder(Repository.models),
                environment: [:])
        } throws: { ($0 as? StartupError)?.exitCode == .unavailable }
    }
}
