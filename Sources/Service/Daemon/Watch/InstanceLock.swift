import Glibc
import Core

/// Prevents a second daemon on the same output folder. The kernel releases the lock when the process ends.
final class InstanceLock: Sendable {
    private let descriptor: Int32

    /// - Throws: ``StartupError`` if another daemon holds it.
    init(at path: FilePathBytes) throws(StartupError) {
        descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else {
            throw StartupError(.inputOutput, "cannot open \(path.display): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StartupError(
                .unavailable,
                "another tablesight uses the output folder \(path.folder.display): stop it, or use another --output")
        }
    }

    deinit { close(descriptor) }
}
