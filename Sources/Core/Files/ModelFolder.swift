import Foundation

/// The folder `models/` with the data files: lexicons, piece sets, puzzles and the sample catalogue.
public struct ModelFolder: Sendable, Hashable {
    public let url: URL

    public init(_ url: URL) { self.url = url }

    /// Searches in this order: `TABLESIGHT_MODELS`, next to the program, `../share/tablesight/models`, every parent
    /// folder. The last step finds the checkout's folder from a build folder.
    public static func locate(
        program: URL, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> ModelFolder {
        func isModelFolder(_ url: URL) -> Bool {
            FileManager.default.fileExists(atPath: url.appending(path: "piece-sets").path)
        }
        if let named = environment["TABLESIGHT_MODELS"] {
            let url = URL(filePath: named)
            guard isModelFolder(url) else {
                throw StartupError(
                    .unavailable,
                    "TABLESIGHT_MODELS names \(named), which holds no models: set it to the folder models/")
            }
            return ModelFolder(url)
        }
        var folder = program.resolvingSymlinksInPath().deletingLastPathComponent()
        let installed = folder.deletingLastPathComponent().appending(path: "share/tablesight/models")
        if isModelFolder(installed) { return ModelFolder(installed) }
        while true {
            let candidate = folder.appending(path: "models")
            if isModelFolder(candidate) { return ModelFolder(candidate) }
            let parent = folder.deletingLastPathComponent()
            guard parent.path != folder.path else { break }
            folder = parent
        }
        throw StartupError(
            .unavailable,
            "no folder models/ beside or above \(program.path): set TABLESIGHT_MODELS to the one of your checkout")
    }

    /// The folder itself and the targets of its symbolic links, since checkouts may share model weights. A sandboxed
    /// process needs read access to all of them.
    public var places: [URL] {
        let entries = (try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)) ?? []
        let linked = entries.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: $0.path)) != nil
        }
        return [url] + linked.map { $0.resolvingSymlinksInPath() }.sorted { $0.path < $1.path }
    }

    /// Reads, decodes and validates one shipped file.
    /// - Throws: `StartupError` with the file, the key and the remedy.
    public func load<File: DataFile>(_ type: File.Type, from relativePath: String) throws -> File {
        try File(contentsOf: url.appending(path: relativePath), origin: .shipped)
    }

    /// Loads every file of a sub-folder, in the order of their names.
    /// - Throws: `StartupError` with the file, the key and the remedy.
    public func loadAll<File: DataFile>(_ type: File.Type, in relativePath: String) throws -> [File] {
        try names(in: relativePath, withExtension: "json").map { try load(type, from: "\(relativePath)/\($0)") }
    }

    /// Sorted names of the files with this extension in a sub-folder.
    public func names(in relativePath: String, withExtension pathExtension: String) throws -> [String] {
        try names(in: relativePath).filter { $0.hasSuffix("." + pathExtension) }
    }

    /// Sorted names of everything in a sub-folder.
    public func names(in relativePath: String) throws -> [String] {
        let folder = url.appending(path: relativePath)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            throw StartupError(.unavailable, "cannot list \(folder.path): restore it from the repository")
        }
        return names.sorted()
    }
}
