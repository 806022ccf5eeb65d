import Store
import Core

/// Creates folders for results.
package enum OutputFolder {
    /// Creates `path` and its missing parents.
    package static func make(_ path: FilePathBytes) throws(StartupError) { try SidecarFile.makeFolders(path) }

    /// Runs `work` if no daemon uses `folder`, and keeps daemons from starting meanwhile; does nothing otherwise.
    package static func whileUnused(_ folder: FilePathBytes, _ work: () throws -> Void) throws {
        guard let lock = try? InstanceLock(at: folder.appending(names: "lock")) else { return }
        try work()
        withExtendedLifetime(lock) {}
    }

    /// Creates `./inbox`, the default folder to watch.
    package static func makeDefaultInbox() throws(StartupError) {
        if let inbox = FilePathBytes("inbox") { try make(inbox) }
    }
}
