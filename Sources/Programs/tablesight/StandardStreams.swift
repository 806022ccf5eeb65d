import Core
import Foundation
import Glibc
import Kinds
import Store

/// Standard output, for data: outcomes and frames.
enum StandardOutput {
    /// Columns of the terminal; nil if the output is a file or a pipe.
    static let columns: Int? = {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }()

    static let style = TextStyle(terminalColumns: columns)

    /// Writes all bytes in one call, so that lines of two writers are not mixed.
    static func write(_ data: Data) throws(StartupError) {
        guard writeAll(data, to: STDOUT_FILENO) else {
            throw StartupError(.inputOutput, "cannot write the output: \(String(cString: strerror(errno)))")
        }
    }

    static func write(_ text: String) throws(StartupError) { try write(Data(text.utf8)) }

    /// Writes one JSON object on its own line.
    static func writeLine(_ value: some Encodable) throws {
        try write(JSONCoding.encode(value) + [0x0A])
    }
}

/// Standard error, for progress, warnings and errors. Output that cannot be written is dropped.
enum StandardError {
    static let isTerminal = isatty(STDERR_FILENO) == 1

    static func write(_ text: String) { _ = writeAll(Data(text.utf8), to: STDERR_FILENO) }
}

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

/// Reads standard input in chunks and splits it into lines.
struct InputLines {
    private var buffer = Data()
    private var isAtEnd = false

    private mutating func fill() {
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { isAtEnd = true } else { buffer.append(contentsOf: chunk[..<count]) }
            return
        }
    }

    /// The first byte that is not white space, without consuming it, or nil.
    mutating func firstPrintedByte() -> UInt8? {
        while true {
            if let byte = buffer.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return byte }
            if isAtEnd { return nil }
            fill()
        }
    }

    /// The complete lines received so far; nil at the end.
    mutating func lines() -> [Data]? {
        while true {
            if let last = buffer.lastIndex(of: 0x0A) {
                let whole = Array(buffer[buffer.startIndex..<last])
                let lines = whole.split(separator: 0x0A, omittingEmptySubsequences: false).map { Data($0) }
                buffer = Data(buffer[(last + 1)...])
                return lines
            }
            if isAtEnd {
                guard !buffer.isEmpty else { return nil }
                defer { buffer = Data() }
                return [buffer]
            }
            fill()
        }
    }

    mutating func rest() -> Data {
        while !isAtEnd { fill() }
        return buffer
    }
}
