import Foundation

/// A path as the kernel stores it: bytes, without the terminating zero.
///
/// Foundation replaces non-UTF-8 bytes by U+FFFD and treats both encodings of "é" as equal. Two files would then
/// share one name. Paths therefore stay bytes and become text only for display.
public struct FilePathBytes: Sendable, Hashable, Codable {
    public let bytes: [UInt8]

    /// Nil if the path is empty or contains a zero byte.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        self.bytes = bytes
    }

    /// Nil if the path is empty or contains a zero byte.
    public init?(_ path: String) { self.init(path.utf8) }

    /// The path as text for display, with U+FFFD in place of bytes that are not UTF-8.
    public var display: String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes in base64; nil if they are valid UTF-8.
    public var base64IfNotUTF8: String? {
        String(validating: bytes, as: UTF8.self) == nil ? Data(bytes).base64EncodedString() : nil
    }

    /// The part after the last slash, or the whole path if it has no slash.
    public var lastComponent: FilePathBytes {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash + 1 < bytes.count,
            let name = FilePathBytes(bytes[(slash + 1)...])
        else { return self }
        return name
    }

    /// This path, a slash, and `name`.
    public func appending(_ name: FilePathBytes) -> FilePathBytes {
        FilePathBytes(unchecked: bytes.last == UInt8(ascii: "/") ? bytes + name.bytes : bytes + [0x2F] + name.bytes)
    }

    fileprivate init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Calls `body` with the path as a C string, which is valid only during the call.
    public func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
        try body(bytes.map(CChar.init(bitPattern:)) + [0])
    }

    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let data = Data(base64Encoded: text), let path = FilePathBytes(data) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a path is base64 of at least one byte"))
        }
        self = path
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(bytes).base64EncodedString())
    }
}

extension FilePathBytes {
    /// The part before the last slash: `.` if there is no slash, `/` for an entry of the root.
    public var folder: FilePathBytes {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FilePathBytes(unchecked: [0x2E]) }
        return FilePathBytes(unchecked: slash == 0 ? [0x2F] : Array(bytes[..<slash]))
    }

    /// This path with `text` appended, without a slash. Zero bytes in `text` are dropped.
    public func appending(suffix text: String) -> FilePathBytes {
        FilePathBytes(unchecked: bytes + text.utf8.filter { $0 != 0 })
    }

    /// This path, a slash, and `names`, which may contain slashes. Zero bytes in `names` are dropped.
    public func appending(names: String) -> FilePathBytes {
        appending(suffix: bytes.last == UInt8(ascii: "/") ? names : "/" + names)
    }

    /// True if this path lies below `folder`; see ``relative(to:)``.
    public func isBelow(_ folder: FilePathBytes) -> Bool { relative(to: folder) != nil }

    /// This path as seen from `folder`. Compares components and does not resolve links; double slashes and `.` count for
    /// nothing.
    ///
    /// - Returns: nil if the path is `folder` or does not lie below it. A path that leaves a folder again by `..` lies below
    ///   none: behind a link, `..` is another folder.
    public func relative(to folder: FilePathBytes) -> FilePathBytes? {
        let (own, others) = (components, folder.components)
        guard isAbsolute == folder.isAbsolute, own.count > others.count,
            zip(own, others).allSatisfy({ $0.elementsEqual($1) })
        else { return nil }
        let rest = own.dropFirst(others.count)
        guard !rest.contains(where: { $0.elementsEqual("..".utf8) }) else { return nil }
        return FilePathBytes(rest.joined(separator: [UInt8(ascii: "/")]))
    }

    private var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

    private var components: [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
    }

    /// The canonical path without links, dots or double slashes; nil if the file does not exist.
    public var resolved: FilePathBytes? {
        guard let path = withCString({ realpath($0, nil) }) else { return nil }
        defer { free(path) }
        return FilePathBytes(UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) })
    }
}
