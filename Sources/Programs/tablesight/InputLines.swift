import Foundation
import Glibc

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
