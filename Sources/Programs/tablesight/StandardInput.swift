import Foundation
import Glibc
import Core

/// Reads bytes from a file descriptor.
enum StandardInput {
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
