import Foundation

/// Runs the programs that were built beside the tests, as real processes.
public struct Program: Sendable {
    /// What a finished run left.
    public struct Result: Sendable {
        public var exitCode: Int32
        public var output: String
        public var errors: String
    }

    public let url: URL

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
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
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
        try await withCheckedThrowingContinuation { continuation in
            Thread {
                continuation.resume(with: Swift.Result { try run(arguments, environment: environment) })
            }.start()
        }
    }

    /// Runs it to its end.
    public func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Result {
        let folder = try TemporaryFolder()
        let (output, errors) = (folder.url.appending(path: "out"), folder.url.appending(path: "err"))
        for file in [output, errors] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
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
