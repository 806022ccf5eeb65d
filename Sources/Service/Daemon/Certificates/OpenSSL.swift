import Core
import Foundation

/// Debian's program `openssl`, run in one folder.
struct OpenSSL {
    private let program: URL
    private let folder: URL

    /// - Throws: ``StartupError`` (69) if it is not installed.
    init(
        in folder: URL, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(StartupError) {
        let places = (environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/bin"]
        let found = places.map { URL(filePath: $0).appending(path: "openssl") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else {
            throw StartupError(.unavailable, "openssl is not installed: sudo apt-get install openssl")
        }
        (program, self.folder) = (found, folder)
    }

    /// Runs one command to its end. Its output is a few lines, which a pipe holds.
    func run(_ arguments: [String]) throws(StartupError) -> (isRight: Bool, output: String, errors: String) {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch {
            throw StartupError(.unavailable, "\(program.path) cannot be started: \(error.localizedDescription)")
        }
        func text(_ pipe: Pipe) -> String {
            String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        let said = (text(output), text(errors))
        process.waitUntilExit()
        return (process.terminationStatus == 0, said.0, said.1)
    }

    /// - Throws: ``StartupError`` (69) with what openssl says if the command fails.
    @discardableResult
    func check(_ arguments: [String]) throws(StartupError) -> String {
        let result = try run(arguments)
        guard result.isRight else {
            let said = result.errors.split(separator: "\n").suffix(2).joined(separator: "; ")
            throw StartupError(.unavailable, "openssl \(arguments.first ?? "") failed: \(said)")
        }
        return result.output
    }
}
