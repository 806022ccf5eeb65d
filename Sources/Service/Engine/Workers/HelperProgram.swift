import Foundation
import Glibc

/// The programs that `tablesight` starts: the worker, and the reader of videos.
package enum HelperProgram {
    /// Where a helper lies: next to `program`, as in a build folder, else in `../libexec/tablesight`, as in the Debian
    /// package.
    ///
    /// - Returns: the executable; the place next to `program` if neither exists, for the message about it.
    package static func named(_ name: String, beside program: URL) -> URL {
        let folder = program.resolvingSymlinksInPath().deletingLastPathComponent()
        let candidates = [
            folder.appending(path: name),
            folder.deletingLastPathComponent().appending(path: "libexec/tablesight").appending(path: name),
        ]
        return candidates.first { access($0.path, X_OK) == 0 } ?? candidates[0]
    }
}
