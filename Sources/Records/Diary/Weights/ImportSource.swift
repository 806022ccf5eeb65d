import Foundation
import Glibc

/// Reads a file once, from its beginning.
struct ImportSource {
    /// Bytes of a part.
    static let partBytes = 64 << 10

    private let descriptor: Int32
    private let total: Int
    private let progress: (Int, Int) -> Void
    private var read = 0
    private var shown = 0
    /// The rest of a file in memory.
    private var memory: ArraySlice<UInt8> = []
    /// The beginning, until the first part is taken.
    private var head: [UInt8]?

    /// - Parameters:
    ///   - descriptor: open for reading, at the beginning of the file; stays open.
    ///   - progress: receives the bytes that were read and the bytes of the file, 0 if unknown.
    init(_ descriptor: Int32, progress: @escaping (Int, Int) -> Void) throws(DiaryProblem) {
        self.descriptor = descriptor
        self.progress = progress
        var status = stat()
        total = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
        head = try readPart()
    }

    init(_ data: Data) {
        (descriptor, total, progress) = (-1, data.count, { _, _ in })
        memory = Array(data)[...]
        head = takePart()
    }

    /// The first bytes, at most ``partBytes``.
    var beginning: [UInt8] { head ?? [] }

    /// The next bytes; nil at the end.
    mutating func next() throws(DiaryProblem) -> [UInt8]? {
        let part: [UInt8]
        if let begun = head {
            (part, head) = (begun, nil)
        } else {
            part = descriptor < 0 ? takePart() : try readPart()
        }
        read += part.count
        if read - shown >= 4 << 20 {
            shown = read
            progress(read, total)
        }
        return part.isEmpty ? nil : part
    }

    /// The whole file.
    ///
    /// - Throws: ``DiaryProblem`` if it has more bytes than `most`.
    mutating func all(upTo most: Int) throws(DiaryProblem) -> Data {
        var data = Data()
        while let part = try next() {
            guard data.count + part.count <= most else {
                throw .badFile("a file of this format may have \(most >> 20) MiB: divide it")
            }
            data += part
        }
        return data
    }

    private mutating func takePart() -> [UInt8] {
        let part = Array(memory.prefix(Self.partBytes))
        memory = memory.dropFirst(part.count)
        return part
    }

    private func readPart() throws(DiaryProblem) -> [UInt8] {
        var fault: Int32 = 0
        let part = [UInt8](unsafeUninitializedCapacity: Self.partBytes) { buffer, count in
            while count < buffer.count {
                let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { fault = errno }
                guard got > 0 else { break }
                count += got
            }
        }
        guard fault == 0 else {
            throw .badFile("the file cannot be read: \(String(cString: strerror(fault)))")
        }
        return part
    }
}
