import Foundation
import Glibc
import Core

/// The NDJSON file of a batch.
final class OutcomeRows {
    /// Files that have a row already.
    let paths: Set<FilePathBytes>
    private let file: FileHandle

    /// What of a row is looked at before the run goes on.
    private struct Row: Decodable {
        struct Source: Decodable {
            var path: String
            var pathBase64: Data?
        }
        struct Judged: Decodable { var verdicts: [String: Skipped]? }
        struct Section: Decodable { var items: [Judged] }
        struct Menu: Decodable { var sections: [Section] }
        struct Skipped: Decodable { init(from decoder: any Decoder) throws {} }

        var source: Source
        var menu: Menu?
        var label: Judged?
        var products: [Judged]?

        /// Whom it was judged for; nil where nothing in it was judged.
        var people: Set<String>? {
            let judged = (menu?.sections.flatMap(\.items) ?? []) + [label].compactMap(\.self) + (products ?? [])
            let verdicts = judged.compactMap(\.verdicts)
            return verdicts.isEmpty ? nil : Set(verdicts.flatMap(\.keys))
        }
    }

    /// - Parameters:
    ///   - keeping: keeps whole rows and cuts a torn last one off; else there must be no such file yet.
    ///   - people: whom the run judges for: rows that are kept must be judged for the same.
    /// - Throws: ``StartupError``: 64 where rows would be lost or mixed, or the file holds something else; 74 where it cannot be
    ///   written.
    init(file name: String, keeping: Bool, people: Set<String>) throws {
        var kept = Data()
        var status = stat()
        let isThere = stat(name, &status) == 0
        // A pipe or a terminal, as /dev/stdout may be, holds nothing that could be lost.
        let isFile = isThere && status.st_mode & S_IFMT == S_IFREG
        if isFile {
            guard let data = FileManager.default.contents(atPath: name) else {
                throw StartupError(.inputOutput, "cannot read \(name): check that it is yours")
            }
            guard keeping || data.isEmpty else {
                throw StartupError(
                    .usage, "\(name) is there already: go on with --resume, name another --out, or remove it")
            }
            let end = data.lastIndex(of: 0x0A).map { data.index(after: $0) } ?? data.startIndex
            kept = data[..<end]
            // What is cut off must be the beginning of a row, never of a photo that was named by mistake.
            if let first = data.first, first != UInt8(ascii: "{") { throw Self.noRows(name) }
        }
        var paths: Set<FilePathBytes> = []
        for line in kept.split(separator: 0x0A) {
            guard let row = try? JSONCoding.decode(Row.self, from: Data(line)),
                let path = row.source.pathBase64.flatMap({ FilePathBytes($0) }) ?? FilePathBytes(row.source.path)
            else { throw Self.noRows(name) }
            if let others = row.people, others != people {
                throw StartupError(
                    .usage,
                    "\(name) was judged for \(others.sorted().joined(separator: ", ")): name the same with --profile, "
                        + "or another --out")
            }
            paths.insert(path)
        }
        self.paths = paths
        let made = isThere ? true : FileManager.default.createFile(atPath: name, contents: nil)
        guard made, let file = FileHandle(forWritingAtPath: name) else {
            throw StartupError(.inputOutput, "cannot write \(name): check that its folder is there and yours")
        }
        if isFile || !isThere { try file.truncate(atOffset: UInt64(kept.count)) }
        self.file = file
    }

    private static func noRows(_ name: String) -> StartupError {
        StartupError(.usage, "\(name) holds something else than rows of a batch: name another --out")
    }

    /// One row, whole.
    func append(_ outcome: Outcome) throws {
        do { try file.write(contentsOf: JSONCoding.encode(outcome) + [0x0A]) } catch {
            throw StartupError(.inputOutput, "cannot write a row: \(error.localizedDescription)")
        }
    }
}
