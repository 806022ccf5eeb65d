import Foundation
import Core

/// A folder that is there as long as the value is.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "tablesight-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The folder's path as bytes, links resolved.
    public var path: FilePathBytes {
        get throws { try path(url.path) }
    }

    /// A path below the folder.
    public func path(below name: String) throws -> FilePathBytes { try path.appending(names: name) }

    /// Writes a file below the folder, making folders on the way.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> URL {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file
    }

    private func path(_ name: String) throws -> FilePathBytes {
        guard let path = FilePathBytes(name)?.resolved else { throw CocoaError(.fileNoSuchFile) }
        return path
    }
}
