import Foundation
import Glibc

/// Writes all bytes at the file's position. A call that a signal interrupted is repeated. The descriptor stays open.
///
/// - Returns: false, with the reason in `errno`, if they cannot be written.
package func writeAll(_ bytes: some ContiguousBytes, to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
