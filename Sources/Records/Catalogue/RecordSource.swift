internal import CZlib
import Glibc
import Core

/// Reads the records of a file of any length, plain or gzip.
///
/// Unchecked `Sendable`: one thread owns it. The import creates it and hands it to the thread of `ParsedBlocks`.
final class RecordSource: @unchecked Sendable {
    /// Start of the next record, in bytes of the uncompressed file.
    private(set) var offset: Int
    private let file: gzFile
    private let path: String
    /// True if quoted fields may contain line breaks (comma-separated files).
    private let isQuoted: Bool
    private var buffer: [UInt8] = []
    private var fresh = [UInt8](repeating: 0, count: RecordSource.chunk)
    private var isAtEnd = false

    /// A longer record is an error, because reading it would fill the memory.
    static let longestRecord = 8 << 20
    private static let chunk = 1 << 20

    /// - Parameter offset: where to start, in bytes of the uncompressed file; from an earlier run.
    /// - Throws: ``StartupError`` if the file cannot be opened or is shorter than `offset`.
    init(path: String, from offset: Int = 0, isQuoted: Bool = false) throws {
        guard let file = gzopen(path, "rb") else {
            throw StartupError(.noInput, "cannot open \(path): check the path and its permissions")
        }
        gzbuffer(file, 1 << 18)
        self.file = file
        self.path = path
        self.isQuoted = isQuoted
        self.offset = offset
        guard offset == 0 || gzseek(file, Int(offset), SEEK_SET) == offset else {
            throw StartupError(
                .badInput,
                "\(path) ends before byte \(offset), where the previous run stopped: "
                    + "remove the unfinished import and start again")
        }
    }

    deinit { gzclose(file) }

    /// Bytes of the file on disk that were read, for a progress bar.
    var consumed: Int { Int(gzoffset(file)) }

    /// The next complete records as one padded block of bytes, with the range of each; nil at the end.
    /// - Throws: ``StartupError`` if the file is damaged or cannot be read.
    func next() throws -> (bytes: [UInt8], records: [Range<Int>])? {
        while true {
            if isAtEnd, buffer.isEmpty { return nil }
            if !isAtEnd { try fill() }
            let (records, used) = split()
            if used == 0 {
                guard buffer.count <= Self.longestRecord else {
                    throw StartupError(
                        .badInput, "\(path): the record at byte \(offset) is longer than 8 MB: not a product list")
                }
                if isAtEnd { return nil }
                continue
            }
            // Parsers read a few bytes beyond a record.
            let block = Array(buffer[..<used]) + [UInt8](repeating: 0x20, count: JSONRecordReader.padding)
            buffer.removeFirst(used)
            offset += used
            return (block, records)
        }
    }

    private func fill() throws {
        let got = fresh.withUnsafeMutableBytes { gzread(file, $0.baseAddress, UInt32($0.count)) }
        if got > 0 { buffer.append(contentsOf: fresh[..<Int(got)]) }
        var status: Int32 = 0
        let message = gzerror(file, &status)
        if got < 0 || status == Z_BUF_ERROR {
            let what = message.map { String(cString: $0) } ?? ""
            throw StartupError(
                .badInput, "\(path) is damaged after byte \(offset) (\(what)): download it again and repeat the import")
        }
        isAtEnd = got == 0
    }

    /// The complete records without their line ends, and the number of bytes they take.
    private func split() -> (records: [Range<Int>], used: Int) {
        var records: [Range<Int>] = []
        var begin = 0
        var isInside = false
        if !isQuoted {
            begin = Self.lines(of: buffer, &records)
        } else {
            buffer.withUnsafeBufferPointer { bytes in
                for index in bytes.indices {
                    let byte = bytes[index]
                    if byte == UInt8(ascii: "\"") { isInside.toggle() }
                    guard byte == UInt8(ascii: "\n"), !isInside else { continue }
                    let end = index > begin && bytes[index - 1] == UInt8(ascii: "\r") ? index - 1 : index
                    if end > begin { records.append(begin..<end) }
                    begin = index + 1
                }
            }
        }
        if isAtEnd, begin < buffer.count {
            records.append(begin..<buffer.count)
            begin = buffer.count
        }
        return (records, begin)
    }

    /// Adds the ranges of lines without quoting rules; returns the index after the last line end.
    private static func lines(of buffer: [UInt8], _ records: inout [Range<Int>]) -> Int {
        buffer.withUnsafeBytes { bytes in
            var begin = 0
            while begin < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + begin, Int32(UInt8(ascii: "\n")), bytes.count - begin)
            {
                let at = UnsafeRawPointer(found) - base
                let end = at > begin && bytes[at - 1] == UInt8(ascii: "\r") ? at - 1 : at
                if end > begin { records.append(begin..<end) }
                begin = at + 1
            }
            return begin
        }
    }
}
