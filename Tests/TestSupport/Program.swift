import Foundation
import Glibc

/// Runs the programs that were built beside the tests, as real processes.
public struct Program: Sendable {
    /// What a finished run left.
    public struct Result: Sendable {
        public var exitCode: Int32
        public var output: String
        public var errors: String
    }

    public let url: URL

    /// An empty home folder of this run: what a person stored on this machine does not count.
    private static let home: URL = {
        let name = "tablesight-test-home-\(ProcessInfo.processInfo.processIdentifier)"
        let home = FileManager.default.temporaryDirectory.appending(path: name)
        atexit { try? FileManager.default.removeItem(at: Program.home) }
        return home
    }()

    /// The worker of every program that a test starts: the real one reads each photo once in this run of the tests.
    private static let worker: URL? = {
        let (real, keeping) = (Program("tablesight-worker").url.path, Program("tablesight-test-worker").url.path)
        let (answers, file) = (home.appending(path: "answers"), home.appending(path: "worker"))
        let line = "exec '\(keeping)' cached '\(real)' '\(answers.path)' '\(Repository.models.path)' \"$@\""
        do {
            try FileManager.default.createDirectory(at: answers, withIntermediateDirectories: true)
            // Another process writes it: if it were open here while another test spawns, it could not be run.
            let install = Process()
            install.executableURL = URL(filePath: "/bin/sh")
            let script = "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$2\" && chmod 755 \"$2\""
            install.arguments = ["-c", script, "sh", line, file.path]
            try install.run()
            install.waitUntilExit()
            return install.terminationStatus == 0 ? file : nil
        } catch { return nil }
    }()

    /// The environment of every program that a test starts.
    public static var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("XDG_") }
        environment["HOME"] = home.path
        environment["TABLESIGHT_WORKER"] = environment["TABLESIGHT_WORKER"] ?? worker?.path
        environment["TABLESIGHT_WORKERS_WALL_CLOCK_SECONDS"] = "3600"
        return environment
    }

    /// The build folder that holds the running test bundle holds the programs too.
    public init(_ name: String) {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map { URL(filePath: $0) }
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let candidates = [bundle ?? own, own].map { $0.deletingLastPathComponent().appending(path: name) }
        let built = Repository.root.appending(path: ".build/debug").appending(path: name)
        url = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? built
    }

    /// Starts it; the caller ends it.
    public func start(
        _ arguments: [String], output: URL? = nil, environment: [String: String] = [:]
    ) throws -> Process {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.environment = Self.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        if let output {
            try Data().write(to: output)
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = FileHandle.nullDevice
        }
        try process.run()
        return process
    }

    /// Runs it to its end, on a thread of its own: the few threads that all tests share stay free for them.
    public func finished(_ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
        try await onOwnThread { try run(arguments, environment: environment) }
    }

    /// Runs it to its end.
    public func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Result {
        let folder = try TemporaryFolder()
        let (output, errors) = (folder.url.appending(path: "out"), folder.url.appending(path: "err"))
        for file in [output, errors] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.environment = Self.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return Result(
            exitCode: process.terminationStatus, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}
