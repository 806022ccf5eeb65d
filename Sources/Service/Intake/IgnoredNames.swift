import Core

/// Names that are never photos: incomplete downloads, other programs' files, hidden files.
package enum IgnoredNames {
    /// Lower-case endings of incomplete files (browsers, FTP servers, download programs, editors, cameras).
    private static let endings = [
        ".part", "~", ".crdownload", ".filepart", ".tmp", ".partial", ".download", ".opdownload", "!ut", ".aria2",
        ".!sync", ".!qb", ".bts", ".upload", "_tmp", ".~tmp", ".temp", ".unfinished", ".incomplete", ".bc!",
    ]
    /// Lower-case endings of data and text files next to photos; a folder with such a name may hold photos. PDF is not
    /// among them: people send menus as PDF, and a failure tells them what to send instead.
    private static let fileEndings = [
        ".json", ".ndjson", ".jsonl", ".xmp", ".txt", ".md", ".csv", ".tsv", ".xml", ".yaml", ".yml", ".log",
    ]
    /// Lock files of office programs, and incomplete files of Syncthing.
    private static let beginnings = ["~$", "~syncthing~"]
    private static let whole: Set = [
        "thumbs.db", "desktop.ini", "@eadir", "lost+found", "#recycle", "$recycle.bin", "system volume information",
        "__macosx",
    ]

    /// True if files, or folders where `isFolder` is set, with this name are skipped.
    package static func contains(_ name: FilePathBytes, isFolder: Bool = false) -> Bool {
        let dot = UInt8(ascii: ".")
        // A name with two leading dots is unusual, but not hidden.
        if name.bytes.first == dot, name.bytes.dropFirst().first != dot { return true }
        let lower = name.display.lowercased()
        // Emacs saves #name# while it edits name.
        if lower.hasPrefix("#"), lower.hasSuffix("#"), lower.count > 2 { return true }
        return whole.contains(lower) || endings.contains { lower.hasSuffix($0) }
            || beginnings.contains { lower.hasPrefix($0) } || !isFolder && fileEndings.contains { lower.hasSuffix($0) }
    }
}
