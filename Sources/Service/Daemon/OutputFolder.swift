import Store
import Core

/// Folders for results.
public enum OutputFolder {
    /// Makes `path` and what is missing above it.
    public static func make(_ path: FilePathBytes) throws(StartupError) { try SidecarFile.makeFolders(path) }

    /// Does `work` where no daemon writes into `folder`, and keeps one from starting meanwhile; does nothing where one runs.
    public static func whileUnused(_ folder: FilePathBytes, _ work: () throws -> Void) throws {
        guard let lock = try? InstanceLock(at: folder.appending(names: "lock")) else { return }
        try work()
        withExtendedLifetime(lock) {}
    }

    /// Makes `./inbox`, the folder that is watched where none is named.
    public static func makeDefaultInbox() throws(StartupError) {
        if let inbox = FilePathBytes("inbox") { try make(inbox) }
    }
}
