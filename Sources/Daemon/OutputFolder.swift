import Store
import Vocabulary

/// Folders for results.
public enum OutputFolder {
    /// Makes `path` and what is missing above it.
    public static func make(_ path: FilePathBytes) throws(StartupError) { try SidecarFile.makeFolders(path) }

    /// Makes `./inbox`, the folder that is watched where none is named.
    public static func makeDefaultInbox() throws(StartupError) {
        if let inbox = FilePathBytes("inbox") { try make(inbox) }
    }
}
