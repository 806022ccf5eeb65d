public import Foundation
import Glibc

/// A JSON data file with a schema, a version, a source and a licence, in `models/` or from a user.
///
/// `ModelFolder.load` reads, decodes and validates it. Every type of data file therefore reports errors alike: file,
/// key, what is wrong, what to do.
public protocol DataFile: Decodable {
    /// The identifier of the format with its version, such as `tablesight.regime/1`.
    static var schema: String { get }
    /// What to do about an invalid file, without a full stop.
    static var remedy: String { get }

    /// Checks the rules that decoding does not express.
    ///
    /// - Parameter name: the file's name without its extension.
    func validate(name: String) throws(DataFileProblem)
}

extension DataFile {
    public static var remedy: String { "correct it or restore it from the repository" }

    public func validate(name: String) throws(DataFileProblem) {}
}

/// A violated rule of a data file.
public struct DataFileProblem: Error, Hashable {
    /// The path of the key, such as `pieces[3].shape`.
    public var key: String
    /// What is wrong, and what is expected.
    public var detail: String

    public init(_ key: String, _ detail: String) {
        self.key = key
        self.detail = detail
    }

    /// A problem of the value that `decoder` decodes, or of a key below it.
    public init(at decoder: any Decoder, key: String = "", _ detail: String) {
        let path = decoder.codingPath.keyPath
        self.init(path.isEmpty || key.isEmpty ? path + key : "\(path).\(key)", detail)
    }

    /// The place and the description of a decoding error.
    init(_ error: DecodingError) {
        let (context, what): (DecodingError.Context, String) =
            switch error {
            case .typeMismatch(let type, let context): (context, "\(type) expected")
            case .valueNotFound(let type, let context): (context, "\(type) missing")
            case .keyNotFound(let key, let context): (context, "key \(key.stringValue) missing")
            case .dataCorrupted(let context): (context, context.debugDescription)
            @unknown default: (.init(codingPath: [], debugDescription: ""), "cannot be decoded")
            }
        let path = context.codingPath.keyPath
        self.init(path.isEmpty ? "top level" : path, what)
    }

    /// Throws a problem unless `condition` is true.
    public static func check(
        _ condition: Bool, _ key: @autoclosure () -> String, _ detail: @autoclosure () -> String
    ) throws(DataFileProblem) {
        guard condition else { throw DataFileProblem(key(), detail()) }
    }
}

/// Who wrote a data file.
public enum DataFileOrigin: Sendable {
    /// A file of the program. Its version, source and licence are required.
    case shipped
    /// A file of a user, who owes nobody a licence.
    case user
}

extension DataFile {
    /// Files above this size are refused, in bytes. The largest shipped file has 1.4 MB.
    private static var maximumSize: Int { 64 << 20 }

    /// Reads, decodes and validates one file.
    ///
    /// - Throws: `StartupError` 69 if the file cannot be read, 78 with the path, the key and the remedy if it is
    ///   invalid.
    public init(contentsOf file: URL, origin: DataFileOrigin = .user) throws {
        // FileManager's attributes would also look up the owner's name, in files that a worker must not open.
        var status = stat()
        guard stat(file.path, &status) == 0, status.st_size <= Self.maximumSize, let data = try? Data(contentsOf: file)
        else {
            throw StartupError(.unavailable, "cannot read \(file.path): \(Self.remedy)")
        }
        do { try self.init(data, name: file.deletingPathExtension().lastPathComponent, origin: origin) } catch {
            throw StartupError(.configuration, "\(file.path), \(error.key): \(error.detail); \(Self.remedy)")
        }
    }

    /// Decodes and validates the text of a file.
    ///
    /// - Parameter name: the file's name without its extension.
    public init(_ text: Data, name: String, origin: DataFileOrigin = .user) throws(DataFileProblem) {
        do {
            let decoded = try JSONDecoder().decode(WithHeader<Self>.self, from: text)
            if origin == .shipped { try decoded.header.validateOrigin() }
            try decoded.file.validate(name: name)
            self = decoded.file
        } catch let problem as DataFileProblem { throw problem } catch let error as DecodingError {
            throw DataFileProblem(error)
        } catch { throw DataFileProblem("file", "\(error)") }
    }
}

/// The keys that every data file has.
private struct DataFileHeader: Decodable {
    var schema: String
    var version, source, licence: String?

    func validateOrigin() throws(DataFileProblem) {
        for (key, value) in [("version", version), ("source", source), ("licence", licence)] {
            try DataFileProblem.check(
                value?.contains { !$0.isWhitespace } == true, key, "missing or empty; every shipped file states it")
        }
    }
}

/// Decodes the header before the content, so that a file of another schema is reported as such.
private struct WithHeader<File: DataFile>: Decodable {
    let header: DataFileHeader
    let file: File

    init(from decoder: any Decoder) throws {
        header = try DataFileHeader(from: decoder)
        try DataFileProblem.check(
            header.schema == File.schema, "schema", "\(header.schema) is unknown; \(File.schema) is expected")
        file = try File(from: decoder)
    }
}

extension [any CodingKey] {
    /// The keys as a path: `pieces[3].shape.polygon`.
    fileprivate var keyPath: String {
        reduce(into: "") { path, key in
            path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? key.stringValue : "." + key.stringValue)
        }
    }
}
