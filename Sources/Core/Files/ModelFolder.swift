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

    /// Reads and decodes one file.
    /// - Throws: `StartupError` with the file and the fault.
    public func load<Value: Decodable>(_ type: Value.Type, from relativePath: String) throws -> Value {
        let file = url.appending(path: relativePath)
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            throw StartupError(.unavailable, "cannot read \(file.path): restore it from the repository")
        }
        do { return try JSONDecoder().decode(type, from: data) } catch let error as DecodingError {
            throw StartupError(.configuration, "\(file.path) does not match its schema: \(error.singleLineDescription)")
        } catch {
            throw StartupError(.configuration, "\(file.path) is not valid JSON: \(error)")
        }
    }

    /// Sorted names of the files with this extension in a sub-folder.
    public func names(in relativePath: String, withExtension pathExtension: String) throws -> [String] {
        let folder = url.appending(path: relativePath)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            throw StartupError(.unavailable, "cannot list \(folder.path): restore it from the repository")
        }
        return names.filter { $0.hasSuffix("." + pathExtension) }.sorted()
    }
}

extension DecodingError {
    /// The coding path and the description, on one line.
    var singleLineDescription: String {
        let (context, what): (Context, String) =
            switch self {
            case .typeMismatch(let type, let context): (context, "\(type) expected")
            case .valueNotFound(let type, let context): (context, "\(type) missing")
            case .keyNotFound(let key, let context): (context, "key \(key.stringValue) missing")
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (Context(codingPath: [], debugDescription: ""), "cannot be decoded")
            }
        let place = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        return place.isEmpty ? what : "at \(place): \(what)"
    }
}
