import Engine
import Foundation
import Glibc
import Core

/// The helper program that opens a video or a camera and prints its frames. One thread reads; any may stop it.
///
/// Unchecked `Sendable`: all parts are constant. `read` uses the descriptor alone, and `stop` only sends a signal.
package final class VideoProgram: @unchecked Sendable {
    private let process = Process()
    private let pipe = Pipe()
    private let source: String

    /// - Throws: ``StartupError``: 69 if the program is missing, 66 if the video cannot be read.
    package init(_ source: String) throws(StartupError) {
        self.source = source
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = HelperProgram.named("tablesight-frames", beside: own)
        guard access(program.path, X_OK) == 0 else {
            throw StartupError(
                .unavailable, "\(program.path) is missing: build it with `swift build --product tablesight-frames`")
        }
        guard access(source, R_OK) == 0 else {
            throw StartupError(.noInput, "cannot read \(source): \(String(cString: strerror(errno)))")
        }
        process.executableURL = program
        process.arguments = [source]
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch {
            throw StartupError(.unavailable, "cannot start \(program.path): \(error.localizedDescription)")
        }
    }

    deinit { if process.isRunning { process.terminate() } }

    /// The next available bytes; empty at the end.
    package func read() throws(StartupError) -> Data {
        var data = Data(count: 1 << 18)
        while true {
            let count = data.withUnsafeMutableBytes {
                Glibc.read(pipe.fileHandleForReading.fileDescriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw StartupError(.inputOutput, "cannot read \(source): \(String(cString: strerror(errno)))")
            }
            return data.prefix(count)
        }
    }

    /// Stops the program; a read that waits for it then ends.
    package func stop() { if process.isRunning { process.terminate() } }

    /// Ends the program after its last frame.
    ///
    /// - Throws: ``StartupError`` with the program's exit code if it failed; it printed the reason on standard error.
    package func end() throws(StartupError) {
        process.waitUntilExit()
        guard process.terminationStatus != 0 || process.terminationReason == .uncaughtSignal else { return }
        throw StartupError(
            .unavailable, "no frames from \(source): see the reason above; `tablesight doctor` lists missing parts")
    }
}
