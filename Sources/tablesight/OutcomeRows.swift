import Foundation
import Vocabulary

/// The NDJSON file of a batch.
final class OutcomeRows {
    /// Files that have a row already.
    let paths: Set<FilePathBytes>
    private let file: FileHandle

    /// - Parameter keeping: keeps whole rows and cuts a torn last one off; else the file begins empty.
    /// - Throws: ``StartupError`` (74) where the file cannot be written.
    init(file name: String, keeping: Bool) throws {
        var kept = Data()
        if keeping, let data = FileManager.default.contents(atPath: name) {
            let end = data.lastIndex(of: 0x0A).map { data.index(after: $0) } ?? data.startIndex
            kept = data[..<end]
        }
        struct Row: Decodable {
            struct Source: Decodable {
                var path: String
                var pathBase64: Data?
            }
            var source: Source
        }
        paths = Set(
            kept.split(separator: 0x0A).compactMap { line in
                guard let row = try? JSONCoding.decode(Row.self, from: Data(line)) else { return nil }
                return row.source.pathBase64.flatMap { FilePathBytes($0) } ?? FilePathBytes(row.source.path)
            })
        let made =
            keeping && FileManager.default.fileExists(atPath: name)
            ? true : FileManager.default.createFile(atPath: name, contents: nil)
        guard made, let file = FileHandle(forWritingAtPath: name) else {
            throw StartupError(.inputOutput, "cannot write \(name): check that its folder is there and yours")
        }
        try file.truncate(atOffset: UInt64(kept.count))
        self.file = file
    }

    /// One row, whole.
    func append(_ outcome: Outcome) throws {
        do { try file.write(contentsOf: JSONCoding.encode(outcome) + [0x0A]) } catch {
            throw StartupError(.inputOutput, "cannot write a row: \(error.localizedDescription)")
        }
    }
}
