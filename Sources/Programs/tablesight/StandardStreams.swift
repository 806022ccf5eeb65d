import Foundation
import Glibc
import Kinds
import Core
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

    /// Text style for this output.
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
