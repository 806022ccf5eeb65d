import Foundation
import Core

/// Imports one file of products into a catalogue folder. The source's previous import stays in use until the new file
/// is complete; then it is replaced in one step.
package struct CatalogueImport {
    private let folder: URL
    private let format: ImportFormat

    /// Rows per transaction: large enough that commits are cheap, small enough that a kill loses little.
    private static let rowsPerWrite = 40_000
    /// Number of blocks, about a megabyte each, that are parsed ahead of the writer.
    private static let blocksAhead = 8

    /// - Parameter folder: the catalogue folder; created if it is missing.
    package init(folder: URL, format: ImportFormat) {
        self.folder = folder
        self.format = format
    }

    /// Imports the whole file, or continues an interrupted import of the same file.
    ///
    /// - Parameter progress: called after each transaction with the bytes read, the total bytes and the state.
    package func run(_ path: String, progress: (Int, Int, ImportState) -> Void) throws -> ImportState {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path), let size = facts[.size] as? Int
        else {
            throw StartupError(.noInput, "the file \(path) does not exist: check the path")
        }
        let changed = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        let origin = "\(URL(filePath: path).lastPathComponent), \(size) bytes, changed \(Int(changed))"
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let unfinished = folder.appending(path: ".\(format.source).importing")
        var (writer, state) = try open(unfinished, origin)
        let isResumed = state.offset > 0
        let header = format.isJSON ? nil : try header(of: path)
        let source = try RecordSource(path: path, from: state.offset, dialect: header?.dialect)
        let parser = BlockParser(format: format, header: header, isResumed: isResumed)

        // Another thread reads and parses, this one writes.
        let blocks = ParsedBlocks(capacity: Self.blocksAhead) { try parser.next(from: source) }
        defer { blocks.stop() }
        var pending: [CatalogueProduct] = []
        while let block = try blocks.take() {
            pending += block.products
            state.add(block)
            guard pending.count >= Self.rowsPerWrite else { continue }
            try writer.write(pending, state)
            pending.removeAll(keepingCapacity: true)
            progress(block.consumed, size, state)
        }
        try writer.write(pending, state)
        progress(size, size, state)
        guard state.accepted > 0 else {
            throw StartupError(
                .badInput,
                "\(path) has no products as \(format.rawValue): name its format with --format (\(state.summary))")
        }
        state.isComplete = true
        state.completed = Int64(Date().timeIntervalSince1970)
        try writer.finish(state)
        try swap(unfinished)
        return state
    }

    /// Opens the unfinished import of the same file, or creates a new one.
    private func open(_ unfinished: URL, _ origin: String) throws -> (CatalogueWriter, ImportState) {
        let fresh = ImportState(origin: origin, format: format.rawValue)
        if let writer = try? CatalogueWriter(path: unfinished.path) {
            let state = try? writer.state()
            if state == nil { return (writer, fresh) }
            if let state, state.origin == origin, state.format == format.rawValue, !state.isComplete {
                return (writer, state)
            }
        }
        for suffix in ["", "-journal", "-wal", "-shm"] {
            let path = unfinished.path + suffix
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
        return (try CatalogueWriter(path: unfinished.path), fresh)
    }

    /// Uses rename(2): open connections keep the old file, new ones get the new file.
    private func swap(_ unfinished: URL) throws {
        let target = folder.appending(path: "\(format.source).sqlite")
        guard rename(unfinished.path, target.path) == 0 else {
            throw StartupError(.inputOutput, "cannot replace \(target.path): \(String(cString: strerror(errno)))")
        }
    }

    /// - Throws: ``StartupError`` if the file is in UTF-16 or has no column of product codes.
    private func header(of path: String) throws -> SeparatedHeader {
        let first = try RecordSource(path: path).next()?.bytes ?? []
        guard !TableText.isUTF16(first) else {
            throw StartupError(.badInput, "\(path) is in UTF-16: save it as UTF-8")
        }
        // Open Food Facts writes quotes as letters.
        let dialect = TableDialect(of: first, quotesTabs: false)
        let (bytes, records) = try RecordSource(path: path, dialect: dialect).next() ?? ([], [])
        guard let header = bytes.withUnsafeBufferPointer({ SeparatedHeader($0, records, dialect, format) }) else {
            throw StartupError(
                .badInput,
                "the first line has no column of product codes, so it is not \(format.rawValue): set --format")
        }
        return header
    }
}

extension ImportState {
    mutating func add(_ block: ParsedBlock) {
        offset = block.offset
        accepted += block.products.count
        for (reason, count) in block.rejected { rejected[reason.rawValue, default: 0] += count }
        for (reason, example) in block.examples where examples[reason.rawValue] == nil {
            examples[reason.rawValue] = example
        }
    }

    /// `12 rows imported, 3 rejected (noName 2, malformed 1)`.
    package var summary: String {
        let reasons = rejected.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
        let rows = rejected.values.reduce(0, +)
        return "\(accepted) rows imported, \(rows) rejected" + (rows > 0 ? " (\(reasons.joined(separator: ", ")))" : "")
    }
}
