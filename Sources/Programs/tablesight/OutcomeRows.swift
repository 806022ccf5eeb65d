import Foundation
import Glibc
import Core

final class OutcomeRows {
    /// Files that have a row already.
    let paths: Set<FilePathBytes>
    private let file: FileHandle

    /// The fields that are checked before a run resumes.
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

        /// People the row was judged for; nil if nothing was judged.
        var people: Set<String>? {
            let judged = (menu?.sections.flatMap(\.items) ?? []) + [label].compactMap(\.self) + (products ?? [])
            let verdicts = judged.compactMap(\.verdicts)
            return verdicts.isEmpty ? nil : Set(verdicts.flatMap(\.keys))
        }
    }

    /// - Parameters:
    ///   - keeping: true keeps complete rows and cuts off an incomplete last row; false requires that the file is
    ///     absent.
    ///   - people: people the run judges for; kept rows must name the same people.
    /// - Throws: ``StartupError``: 64 if rows would be lost or mixed, or the file is not a batch's output; 74 if the
    ///   file cannot be written. written.
    init(file name: String, keeping: Bool, people: Set<String>) throws {
        var kept = Data()
        var status = stat()
        let isThere = stat(name, &status) == 0
        // A pipe or a terminal, such as /dev/stdout, has no rows to lose.
        let isFile = isThere && status.st_mode & S_IFMT == S_IFREG
        if isFile {
            guard let data = FileManager.default.contents(atPath: name) else {
                throw StartupError(.inputOutput, "cannot read \(name): check its permissions")
            }
            guard keeping || data.isEmpty else {
                throw StartupError(
                    .usage, "\(name) exists: continue it with --resume, choose another --out, or remove it")
            }
            let end = data.lastIndex(of: 0x0A).map { data.index(after: $0) } ?? data.startIndex
            kept = data[..<end]
            // Cut off only the beginning of a row, never a photo that was named by mistake.
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
                    "\(name) was judged for \(others.sorted().joined(separator: ", ")): name the same people "
                        + "with --profile, or another --out")
            }
            paths.insert(path)
        }
        self.paths = paths
        let made = isThere ? true : FileManager.default.createFile(atPath: name, contents: nil)
        guard made, let file = FileHandle(forWritingAtPath: name) else {
            throw StartupError(.inputOutput, "cannot write \(name): check that its folder exists and is writable")
        }
        if isFile || !isThere { try file.truncate(atOffset: UInt64(kept.count)) }
        self.file = file
    }

    private static func noRows(_ name: String) -> StartupError {
        StartupError(.usage, "\(name) is not the output of a batch: choose another --out")
    }

    /// Appends the rows of one photo in a single write.
    func append(_ rows: String) throws {
        do { try file.write(contentsOf: Data(rows.utf8)) } catch {
            throw StartupError(.inputOutput, "cannot write a row to the output: \(error.localizedDescription)")
        }
    }
}
