import Foundation
import Glibc
import Core

/// Reads bytes from a file descriptor.
enum StandardInput {
    /// Stands for standard input where a command takes files.
    static let name = "-"

    /// Writes everything to a file of a new folder.
    ///
    /// - Returns: the file; the caller removes its folder.
    static func file() throws(StartupError) -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tablesight-\(UUID().uuidString)")
        let file = folder.appending(path: "standard-input")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            while true {
                let data = try read()
                guard !data.isEmpty else { return file }
                try handle.write(contentsOf: data)
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error as? StartupError
                ?? StartupError(.inputOutput, "cannot write \(file.path): \(error.localizedDescription)")
        }
    }

    /// Reads a file in the place of standard input.
    static func replace(with file: String) throws(StartupError) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StartupError(
                errno == ENOENT ? .noInput : .inputOutput, "cannot read \(file): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        guard dup2(descriptor, STDIN_FILENO) >= 0 else {
            throw StartupError(.inputOutput, "cannot read \(file): \(String(cString: strerror(errno)))")
        }
    }

    /// The next available bytes; empty at the end.
    static func read(from descriptor: Int32 = STDIN_FILENO) throws(StartupError) -> Data {
        var data = Data(count: 1 << 18)
        while true {
            let count = data.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw StartupError(.inputOutput, "cannot read the input: \(String(cString: strerror(errno)))")
            }
            return data.prefix(count)
        }
    }
}
