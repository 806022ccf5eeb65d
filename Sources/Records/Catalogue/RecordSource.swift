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
    /// Nil for a file of lines.
    private let dialect: TableDialect?
    private var buffer: [UInt8] = []
    private var fresh = [UInt8](repeating: 0, count: RecordSource.chunk)
    private var isAtEnd = false

    /// A longer record is an error, because reading it would fill the memory.
    static let longestRecord = 8 << 20
    private static let chunk = 1 << 20

    /// - Parameters:
    ///   - offset: where to start, in bytes of the uncompressed file; from an earlier run.
    ///   - dialect: of a table.
    init(path: String, from offset: Int = 0, dialect: TableDialect? = nil) throws {
        guard let file = gzopen(path, "rb") else {
            throw StartupError(.noInput, "cannot open \(path): check the path and its permissions")
        }
        gzbuffer(file, 1 << 18)
        self.file = file
        self.path = path
        self.dialect = dialect
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
        buffer.withUnsafeBufferPointer { bytes in
            let (rows, used) = (dialect ?? .lines).rows(of: bytes, isLast: isAtEnd)
            return (rows, used)
        }
    }
}
