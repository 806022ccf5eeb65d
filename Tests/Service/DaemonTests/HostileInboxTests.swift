import Foundation
import Glibc
import TestSupport
import Testing
import Core

/// Hostile photos that try to stop the daemon or to get another photo's answer. The daemon is a real process with the
/// test worker.
@Suite(.serialized) struct HostileInboxTests {
    private let folder: TemporaryFolder
    private let inbox: URL
    private let program = Program("tablesight")
    private let environment = [
        "TABLESIGHT_WORKER": Program("tablesight-test-worker").url.path, "TABLESIGHT_INTAKE_SETTLE_MILLISECONDS": "20",
        "TABLESIGHT_API_PORT": "0",
    ]

    init() throws {
        folder = try TemporaryFolder()
        inbox = folder.url.appending(path: "inbox")
        try FileManager.default.createDirectory(at: inbox, withIntermediateDirectories: true)
    }

    private var output: URL { folder.url.appending(path: "inbox.tablesight") }

    private func watch(_ more: String...) async throws -> Program.Result {
        try await program.finished(["watch", inbox.path, "--format", "json"] + more, environment: environment)
    }

    private func outcomes(_ result: Program.Result) throws -> [Outcome] {
        try result.output.split(separator: "\n").map { try JSONCoding.decode(Outcome.self, from: Data($0.utf8)) }
    }

    private func sidecars() throws -> [String] {
        let found = FileManager.default.enumerator(atPath: output.appending(path: "outcomes").path)
        return (found?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".json") && !isFolder($0) }.sorted()
    }

    private func isFolder(_ name: String) -> Bool {
        var isFolder: ObjCBool = false
        let path = output.appending(path: "outcomes").appending(path: name).path
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    @Test(arguments: [["x", "x.json/y.png"], ["x.json/y.png", "x"]])
    func `a photo in a folder named like a sidecar has its own path`(names: [String]) async throws {
        for name in names {
            try folder.write(Data("photo \(name)".utf8), to: "inbox/" + name)
            let result = try await watch("--once")
            #expect(result.exitCode == 0, "\(result.errors)")
        }
        try folder.write(Data("later".utf8), to: "inbox/later.png")
        let again = try await watch("--once")
        #expect(again.exitCode == 0, "\(again.errors)")
        #expect(try outcomes(again).count == 1)
        #expect(try sidecars().count == 3)
    }

    @Test func `a blocked sidecar path affects only that photo, until the next start`() async throws {
        try folder.write(Data("in the way".utf8), to: "inbox.tablesight/outcomes/inbox/a.png.json/file")
        for name in ["a.png", "b.png"] { try folder.write(Data(name.utf8), to: "inbox/" + name) }
        let first = try await watch("--once")
        #expect(first.exitCode == 0, "\(first.errors)")
        #expect(try outcomes(first).count == 2)
        #expect(first.errors.contains("a.png.json"))
        #expect(try sidecars() == ["inbox/b.png.json"])
        let second = try await watch("--once")
        #expect(second.exitCode == 0, "\(second.errors)")
    }

    @Test func `bytes swapped in while the worker reads give no reading to the hashed bytes`() async throws {
        // The first worker makes this file when it has read the photo, waits for forged bytes, writes one byte, and waits
        // until the forged ones are gone again.
        let mark = folder.url.appending(path: "mark")
        let words = "tablesight-test: swapped \(mark.path) "
        let (honest, forged) = (words + "honest", words + "forged")
        let photo = try folder.write(Data(honest.utf8), to: "inbox/a.png")
        let out = folder.url.appending(path: "out.ndjson")
        let daemon = try program.start(
            ["watch", inbox.path, "--format", "json"], output: out,
            environment: environment.merging(["TABLESIGHT_WORKERS_WALL_CLOCK_SECONDS": "3600"]) { $1 })
        defer { daemon.terminate() }
        func overwrite(_ text: String) throws {
            let file = open(photo.path, O_WRONLY)
            #expect(write(file, text, text.utf8.count) == text.utf8.count)
            close(file)
        }
        try #require(await eventually { FileManager.default.fileExists(atPath: mark.path) })
        try overwrite(forged)
        try #require(await eventually { try Data(contentsOf: mark).count == 1 })
        try overwrite(honest)
        #expect(try await eventually { try String(contentsOf: out, encoding: .utf8).contains("\n") })
        try folder.write(Data(honest.utf8), to: "inbox/copy.png")
        func outcomes() throws -> [Outcome] {
            try String(contentsOf: out, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast().map { try JSONCoding.decode(Outcome.self, from: Data($0.utf8)) }
        }
        #expect(try await eventually { try outcomes().contains { $0.source.path.hasSuffix("copy.png") } })
        // Forged bytes that stay long enough are separate content with its own outcome.
        let honestID = try #require(try outcomes().first { $0.source.path.hasSuffix("copy.png") }?.id)
        let seen = try outcomes().filter { $0.id == honestID }.map { $0.versions.models["test"] }
        #expect(seen.allSatisfy { $0 == honest }, "\(seen)")
    }

    @Test func `a content that crashes the daemon is tried twice, then quarantined alone`() async throws {
        try folder.write(Data("tablesight-test: segv".utf8), to: "inbox/poison.png")
        for number in 0..<4 { try folder.write(Data("photo \(number)".utf8), to: "inbox/\(number).png") }
        var results: [Program.Result] = []
        while results.count < 4, results.last?.exitCode != 1 { results.append(try await watch("--once")) }
        #expect(results.count == 3, "exit codes \(results.map(\.exitCode))")
        let all = try results.flatMap(outcomes)
        // An outcome may be stored but not announced when the daemon crashed.
        #expect(try sidecars().count == 5)
        #expect(all.filter { $0.status == .failed }.map(\.reason?.code) == ["workerCrashed"])
        #expect(all.first { $0.status == .failed }?.source.path.hasSuffix("poison.png") == true)
        let quarantine = try await program.finished(["quarantine", "list", "--output", output.path])
        #expect(quarantine.output.contains("poison.png"), "\(quarantine.output)")
    }

    @Test(arguments: [SIGIO, SIGPIPE, SIGXFSZ])
    func `harmless signals do not end the daemon`(signal: Int32) async throws {
        let daemon = try program.start(
            ["watch", inbox.path], output: folder.url.appending(path: "out"), environment: environment)
        defer { daemon.terminate() }
        let address = output.appending(path: "api-address").path
        #expect(try await eventually { FileManager.default.fileExists(atPath: address) })
        kill(daemon.processIdentifier, signal)
        try folder.write(Data("photo".utf8), to: "inbox/a.png")
        #expect(try await eventually { try sidecars().count == 1 })
        daemon.interrupt()
        #expect(try await eventually { !daemon.isRunning })
        #expect(daemon.terminationReason == .exit)
        #expect(daemon.terminationStatus == 0)
    }

    @Test func `a time after the year 2262 is accepted`() async throws {
        let photo = try folder.write(Data("photo".utf8), to: "inbox/a.png")
        var times = [timespec(tv_sec: 13_569_465_600, tv_nsec: 0), timespec(tv_sec: 13_569_465_600, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, photo.path, &times, 0) == 0)
        let result = try await watch("--once")
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(try outcomes(result).count == 1)
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "errors are injected with strace")
    )
    func `a failed sync ends the daemon with 74, also with busy runners`() async throws {
        for number in 0..<3 { try folder.write(Data("photo \(number)".utf8), to: "inbox/\(number).png") }
        let strace = Process()
        // Ends the daemon too; ending only strace would leave it running.
        strace.executableURL = URL(filePath: "/usr/bin/timeout")
        // Only the journal's thread calls it repeatedly, so one runner gets the error.
        strace.arguments = [
            "-s", "KILL", "600", "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e",
            "inject=fdatasync:error=EIO:when=6",
            program.url.path, "watch", inbox.path,
        ]
        strace.environment = Program.environment.merging(environment) { $1 }
        strace.standardOutput = FileHandle.nullDevice
        strace.standardError = FileHandle.nullDevice
        strace.standardInput = FileHandle.nullDevice
        try strace.run()
        for number in 3..<33 {
            try folder.write(Data("photo \(number)".utf8), to: "inbox/\(number).png")
            try await Task.sleep(for: .milliseconds(50))
        }
        await withCheckedContinuation { continuation in
            Thread {
                strace.waitUntilExit()
                continuation.resume()
            }.start()
        }
        #expect(strace.terminationStatus == 74, "137 means that it continued with fewer runners")
    }
}
