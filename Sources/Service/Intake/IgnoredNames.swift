import Core

/// Names that are never jobs: half-written downloads, other programs' bookkeeping, hidden files.
public enum IgnoredNames {
    /// Lower-case endings that browsers, FTP servers, download programs and editors give to files they are still writing.
    private static let endings = [
        ".part", "~", ".crdownload", ".filepart", ".tmp", ".partial", ".download", ".opdownload", "!ut", ".aria2",
    ]
    /// Lower-case endings of files with data about the photo beside them; a folder of such a name may hold photos.
    private static let fileEndings = [
        ".jpg.json", ".jpeg.json", ".png.json", ".webp.json", ".heic.json", ".tiff.json", ".xmp",
    ]
    /// Office programs' locks, and what Syncthing is still writing.
    private static let beginnings = ["~$", "~syncthing~"]
    private static let whole: Set = [
        "thumbs.db", "desktop.ini", "@eadir", "lost+found", "#recycle", "$recycle.bin", "system volume information",
        "__macosx",
    ]

    /// True where a file or folder of this name is to be passed over.
    public static func contains(_ name: FilePathBytes, isFolder: Bool = false) -> Bool {
        let dot = UInt8(ascii: ".")
        // Two dots in front hide nothing: such names are odd, not hidden.
        if name.bytes.first == dot, name.bytes.dropFirst().first != dot { return true }
        let lower = name.display.lowercased()
        // Emacs saves #name# while it edits name.
        if lower.hasPrefix("#"), lower.hasSuffix("#"), lower.count > 2 { return true }
        return whole.contains(lower) || endings.contains { lower.hasSuffix($0) }
            || beginnings.contains { lower.hasPrefix($0) } || !isFolder && fileEndings.contains { lower.hasSuffix($0) }
    }
}
