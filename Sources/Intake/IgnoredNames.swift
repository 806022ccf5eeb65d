import Vocabulary

/// Names that are never jobs: half-written downloads, other programs' bookkeeping, hidden files.
public enum IgnoredNames {
    /// Lower-case endings that browsers, FTP servers and editors give to files they are still writing.
    private static let endings = [".part", "~", ".crdownload", ".filepart", ".tmp", ".partial", ".download"]
    private static let whole = ["thumbs.db", "desktop.ini"]

    /// True where a file or folder of this name is to be passed over.
    public static func contains(_ name: FilePathBytes) -> Bool {
        if name.bytes.first == UInt8(ascii: ".") { return true }
        let lower = name.display.lowercased()
        return whole.contains(lower) || endings.contains { lower.hasSuffix($0) }
    }
}
