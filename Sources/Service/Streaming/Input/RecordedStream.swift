import Foundation
import Kinds
import Core

/// Reads a recorded stream line by line: frames, hints and resets. Lines of other kinds are skipped.
package struct RecordedStream {
    private let read: () throws -> Data
    private var buffer: Data
    private var isAtEnd = false
    private var line = 0

    /// Maximum bytes of a line.
    private static let longest = 64 << 20

    /// - Parameters:
    ///   - beginning: bytes that were already read.
    ///   - read: returns the next available bytes; empty at the end.
    package init(beginning: Data = Data(), read: @escaping () throws -> Data) {
        buffer = beginning
        self.read = read
    }

    /// The next input; nil at the end.
    ///
    /// - Throws: ``StartupError`` (65) that names the invalid line.
    package mutating func next() throws -> GameInput? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let bytes = Data(buffer[..<end])
                buffer = Data(buffer[buffer.index(after: end)...])
                if let input = try input(bytes) { return input }
            } else if isAtEnd {
                let bytes = buffer
                buffer = Data()
                return bytes.isEmpty ? nil : try input(bytes)
            } else {
                let fresh = try read()
                isAtEnd = fresh.isEmpty
                buffer += fresh
                guard buffer.count < Self.longest else {
                    throw StartupError(.badInput, "line \(line + 1) is too long: record the stream again")
                }
            }
        }
    }

    private mutating func input(_ bytes: Data) throws -> GameInput? {
        line += 1
        do { return try GameInput.recorded(in: bytes).first } catch let error as StartupError {
            throw StartupError(error.exitCode, error.message.replacing("line 1 ", with: "line \(line) "))
        }
    }
}
